"""A JWT that somebody signed for one audience of this service: one algorithm, one type, five minutes.

PyJWT alone lets a wrong `typ`, a list of audiences and a ten-year `exp` pass, so each is asked for here.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Generic, TypeVar

import jwt
from jwt.utils import base64url_decode, base64url_encode
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from assist_service.adapters.keys import JwksKeys, KeysUnavailable
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import is_subject
from assist_service.ports import Clock

LIFETIME_SECONDS = 300
CLOCK_SKEW_SECONDS = 10
"""How far in the future `iat` may lie: the two machines' clocks differ a little."""

TOKEN_CHARACTERS = 8_192
HEADER_KEYS = frozenset({"alg", "kid", "typ"})

UNTYPED = ""
"""Stands among the types for a token that names none; one that names this very text is refused."""


def _subject(name: str) -> str:
    if not is_subject(name):
        raise ValueError("is no name of anybody")
    return name


Name = Annotated[str, AfterValidator(_subject)]


class Claims(BaseModel):
    """What every token claims, typed strictly; further claims are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)

    iss: str
    aud: str
    sub: Name
    jti: Name
    iat: Annotated[int, Field(ge=0)]
    exp: Annotated[int, Field(ge=0)]


Claimed = TypeVar("Claimed", bound=Claims)


class SignedTokens(Generic[Claimed]):
    """Verifies the tokens of one kind. `issuer` None: whoever holds a key of the set; a text: that issuer alone."""

    def __init__(
        self,
        claims: type[Claimed],
        *,
        types: Sequence[str],
        keys: JwksKeys,
        issuer: str | None,
        audience: str,
        algorithm: str,
        clock: Clock,
    ) -> None:
        self._claims = claims
        self._types = types
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._algorithm = algorithm
        self._clock = clock
        self._jws = jwt.PyJWS()

    async def verify(self, token: str) -> Claimed:
        """The claims. Raises AssistError: `unauthenticated`, or `lms_unavailable` while no key was ever had."""
        try:
            claims = await self._verified(token)
        except (jwt.PyJWTError, ValidationError, ValueError) as error:
            raise AssistError(Code.UNAUTHENTICATED) from error
        except KeysUnavailable as error:
            raise AssistError(Code.LMS_UNAVAILABLE) from error
        if not self._holds(claims):
            raise AssistError(Code.UNAUTHENTICATED)
        return claims

    async def _verified(self, token: str) -> Claimed:
        if len(token) > TOKEN_CHARACTERS or not _is_canonical(token):
            raise ValueError("no token as it is written")
        header = self._jws.get_unverified_header(f"{token.partition('.')[0]}..")  # the rest is read once, below
        if not self._is_ours(header):
            raise ValueError("another kind of token")
        key = await self._keys.key(_kid(header))
        if key is None:
            raise ValueError("signed with an unknown key")
        verified = self._jws.decode(token, key=key, algorithms=[self._algorithm])
        return self._claims.model_validate_json(verified)

    def _is_ours(self, header: dict[str, Any]) -> bool:
        """Whether a header is exactly the one such tokens have; `typ` may be missing where that is a type."""
        is_typed = "typ" in header
        names = HEADER_KEYS if is_typed else HEADER_KEYS - {"typ"}
        said = (header["typ"] or None) if is_typed else UNTYPED
        return set(header) == names and said in self._types and header["alg"] == self._algorithm

    def _holds(self, claims: Claims) -> bool:
        now = int(self._clock.now().timestamp())
        return (
            (self._issuer is None or claims.iss == self._issuer)
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
