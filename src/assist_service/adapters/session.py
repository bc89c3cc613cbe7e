"""The session JWT of a front end: one algorithm, one type, one issuer, one audience, five minutes.

PyJWT alone lets a wrong `typ`, a list of audiences and a ten-year `exp` pass, so each is asked for here.
"""

from typing import Annotated, Any

import jwt
from jwt.utils import base64url_decode, base64url_encode
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from assist_service.adapters.keys import JwksKeys, KeysUnavailable
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Role, Session, SessionKind, is_subject
from assist_service.ports import Clock

TYPE = "assist-session+jwt"
LIFETIME_SECONDS = 300
CLOCK_SKEW_SECONDS = 10
"""How far in the future `iat` may lie: the two machines' clocks differ a little."""

TOKEN_CHARACTERS = 8_192
HEADER_KEYS = frozenset({"alg", "kid", "typ"})


def _subject(name: str) -> str:
    if not is_subject(name):
        raise ValueError("is no name of a person or a session")
    return name


Name = Annotated[str, AfterValidator(_subject)]


class SessionClaims(BaseModel):
    """The claims, typed strictly; further claims of the LMS are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)

    iss: str
    aud: str
    sub: Name
    sid: Name
    jti: Name
    iat: Annotated[int, Field(ge=0)]
    exp: Annotated[int, Field(ge=0)]
    role: Role
    kind: SessionKind
    elevated: bool


class JwtSessions:
    """Implements ports.Sessions."""

    def __init__(self, *, keys: JwksKeys, issuer: str, audience: str, algorithm: str, clock: Clock) -> None:
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._algorithm = algorithm
        self._clock = clock

    async def verify(self, token: str) -> Session:
        try:
            claims = await self._claims(token)
        except (jwt.PyJWTError, ValidationError, ValueError) as error:
            raise AssistError(Code.UNAUTHENTICATED) from error
        except KeysUnavailable as error:
            raise AssistError(Code.LMS_UNAVAILABLE) from error
        if not self._holds(claims):
            raise AssistError(Code.UNAUTHENTICATED)
        return Session(claims.sub, claims.sid, claims.role, claims.kind, claims.elevated)

    async def _claims(self, token: str) -> SessionClaims:
        if len(token) > TOKEN_CHARACTERS or not _is_canonical(token):
            raise ValueError("no token as it is written")
        header = jwt.get_unverified_header(token)
        if set(header) != HEADER_KEYS or header["typ"] != TYPE or header["alg"] != self._algorithm:
            raise ValueError("another kind of token")
        key = await self._keys.key(_kid(header))
        if key is None:
            raise ValueError("signed with an unknown key")
        verified = jwt.PyJWS().decode(token, key=key, algorithms=[self._algorithm])
        return SessionClaims.model_validate_json(verified)

    def _holds(self, claims: SessionClaims) -> bool:
        now = int(self._clock.now().timestamp())
        return (
            claims.iss == self._issuer
            and claims.aud == self._audience
            and claims.iat <= now + CLOCK_SKEW_SECONDS
            and now < claims.exp
            and 0 < claims.exp - claims.iat <= LIFETIME_SECONDS
        )


def _is_canonical(token: str) -> bool:
    """Whether the token is written the one way there is (RFC 4648, 3.5).

    The decoder skips what is no base64 and the last bits of the signature, so that one token had many spellings.
    """
    signature = token.rpartition(".")[2]
    return base64url_encode(base64url_decode(signature)).decode() == signature


def _kid(header: dict[str, Any]) -> str:
    kid = header["kid"]
    if not isinstance(kid, str):
        raise ValueError("a kid that is no text")
    return kid
