"""A client proves who it is by a JWT that only it can have signed (RFC 7523), at the endpoint it was made for."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from examples.reference_lms.clients import CLIENT_SECONDS, CLIENT_TYP
from examples.reference_lms.identity.client_keys import ClientKeys
from examples.reference_lms.identity.jws import (
    BadToken,
    Claims,
    claims_by_anyone,
    read_claims,
    read_header,
    seconds,
    text,
)
from examples.reference_lms.identity.replays import Replays
from examples.reference_lms.rules import Break, Rules

SKEW_SECONDS = 5
"""How far another clock may be ahead."""


@dataclass(frozen=True)
class ClientAuth:
    """Checks client JWTs of the one client this LMS knows."""

    client: str
    keys: ClientKeys
    replays: Replays
    rules: Rules
    now: Callable[[], datetime]

    async def check(self, token: str, *, audiences: Collection[str], once: bool) -> str:
        """The client that has signed this token for one of these audiences. Raises BadToken."""
        claims = await self._signed(token)
        self._check_claims(claims, audiences)
        jti = text(claims, "jti")
        if once and not self.replays.is_first(f"{self.client} {jti}", keep_seconds=CLIENT_SECONDS + SKEW_SECONDS):
            raise BadToken("jti was used before")
        return self.client

    async def _signed(self, token: str) -> Claims:
        key = await self.keys.find(read_header(token).get("kid"))
        if key is None:
            raise BadToken("unknown kid")
        if self.rules.broken(Break.ACCEPT_FORGED_CLIENT):
            return claims_by_anyone(token, typ=CLIENT_TYP)
        return read_claims(token, key=key, typ=CLIENT_TYP)

    def _check_claims(self, claims: Claims, audiences: Collection[str]) -> None:
        if not text(claims, "iss") == text(claims, "sub") == self.client:
            raise BadToken("iss and sub are not the client")
        # One audience, as a text: a list would let the token pass elsewhere too (RFC 9700, mix-up).
        if text(claims, "aud", longest=2000) not in audiences and not self.rules.broken(Break.ACCEPT_WRONG_AUDIENCE):
            raise BadToken("wrong aud")
        now = self.now().timestamp()
        expires = seconds(claims, "exp")
        if expires <= now and not self.rules.broken(Break.ACCEPT_EXPIRED):
            raise BadToken("expired")
        if expires > now + CLIENT_SECONDS + SKEW_SECONDS:
            raise BadToken("exp too far away")
        if "iat" in claims and seconds(claims, "iat") > now + SKEW_SECONDS:
            raise BadToken("iat in the future")
