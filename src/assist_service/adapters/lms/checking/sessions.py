"""The sessions a check is given: whether each is what it is given for, or a refusal of it would prove nothing."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jwt
from pydantic import ValidationError

from assist_service.adapters.keys import JwksKeys, KeysUnavailable
from assist_service.adapters.lms.checking.judging import field_path
from assist_service.adapters.session import TYPE, SessionClaims
from assist_service.adapters.tokens import LIFETIME_SECONDS, SignedTokens
from assist_service.domain.errors import AssistError, ConfigurationError
from assist_service.domain.lms_check import WORKS, Outcome, wrong
from assist_service.ports import Clock

Claims = Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class Given:
    """The session JWTs to check with; those that are None leave a rule unchecked."""

    session: str
    other: str
    foreign: str | None = None
    expired: str | None = None
    elevated: str | None = None
    plain: str | None = None
    """Of the person of the elevated one, without being so; None where that person is the one of `session`."""


def claims_of(token: str, *, option: str) -> Claims:
    """What a token claims, whoever signed it. Raises ConfigurationError, which names the option and not the token."""
    try:
        claims: Claims = jwt.decode(token, options={"verify_signature": False})
    except jwt.PyJWTError:
        claims = {}
    if not isinstance(claims.get("sub"), str):
        raise ConfigurationError(f"{option} is no session JWT")
    return claims


@dataclass(frozen=True)
class SessionReader:
    """Reads sessions with the LMS's published keys."""

    keys: JwksKeys
    issuer: str | None
    audience: str
    algorithm: str
    clock: Clock

    async def keys_answer(self) -> Outcome:
        """Whether the key set is there."""
        return WORKS if await self.keys.answering() else wrong(f"no key set with an {self.algorithm} signing key")

    async def judge(self, token: str) -> Outcome:
        """Whether the service will take this session."""
        tokens = SignedTokens(
            SessionClaims,
            types=(TYPE,),
            keys=self.keys,
            issuer=self.issuer,
            audience=self.audience,
            algorithm=self.algorithm,
            clock=self.clock,
        )
        try:
            await tokens.verify(token)
        except AssistError:
            return wrong(await self._why_not(token))
        return WORKS

    async def signed_claims(self, token: str) -> Claims | None:
        """The claims of a token that a published key has signed, whatever they are; None for any other."""
        try:
            key = await self.keys.key(jwt.get_unverified_header(token).get("kid", ""))
            if key is None:
                return None
            # Without a look at its times: an expired one is what some rules need.
            claims: object = json.loads(jwt.PyJWS().decode(token, key=key.key, algorithms=[self.algorithm]))
        except (jwt.PyJWTError, KeysUnavailable, ValueError, TypeError):
            return None
        return claims if isinstance(claims, dict) else None

    async def _why_not(self, token: str) -> str:
        claims = await self.signed_claims(token)
        if claims is None:
            return f"no key of the key set has signed it with {self.algorithm}, or its kid is not there"
        try:
            SessionClaims.model_validate(claims, strict=False)
        except ValidationError as error:
            return f"claims: {', '.join(sorted(field_path(fault['loc']) for fault in error.errors()))}"
        now = self.clock.now().timestamp()
        holds = {
            f"typ is not {TYPE}": jwt.get_unverified_header(token).get("typ") == TYPE,
            "iss is another than ASSIST_SESSION_ISSUER": self.issuer in (None, claims["iss"]),
            "aud is another than ASSIST_SESSION_AUDIENCE": claims["aud"] == self.audience,
            "it has expired: give one of now": claims["exp"] > now,
            f"exp is more than {LIFETIME_SECONDS} s after iat": claims["exp"] - claims["iat"] <= LIFETIME_SECONDS,
        }
        wrongs = [why for why, is_so in holds.items() if not is_so]
        return "; ".join(wrongs) or "its header may hold alg, kid and typ only, and its times must be those of now"


Fits = Callable[[Claims, str, float], bool]
"""Of its claims, this client's audience, and now."""


def _is_foreign(claims: Claims, audience: str, now: float) -> bool:
    return claims.get("aud") != audience and _is_live(claims, now)


def _is_expired(claims: Claims, audience: str, now: float) -> bool:
    return claims.get("aud") == audience and not _is_live(claims, now)


def _is_elevated(claims: Claims, audience: str, now: float) -> bool:
    return claims.get("aud") == audience and claims.get("elevated") is True and _is_live(claims, now)


def _is_plain(claims: Claims, audience: str, now: float) -> bool:
    return claims.get("aud") == audience and claims.get("elevated") is False and _is_live(claims, now)


def _is_live(claims: Claims, now: float) -> bool:
    expires = claims.get("exp")
    return isinstance(expires, int | float) and expires > now


@dataclass(frozen=True)
class Want:
    """A session that a rule cannot be checked without."""

    option: str
    fits: Fits
    what: str


FOREIGN = Want("--foreign-session", _is_foreign, "a session of now, signed for another client's audience")
EXPIRED = Want("--expired-session", _is_expired, "a session for this service, kept until after its exp")
ELEVATED = Want("--elevated-session", _is_elevated, "an elevated session of now")
PLAIN = Want("--plain-session", _is_plain, "a session of now of the elevated one's person that is not elevated")
