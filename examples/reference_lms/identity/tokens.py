"""Access tokens are opaque words that only this LMS can look up; it keeps their digests, never the words."""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from examples.reference_lms.rules import Break, Rules
from examples.reference_lms.school import Role

TOKEN_SECONDS = 600
"""Lifetime of an access token; the contract allows 900."""

LONG_SECONDS = 86_400
"""Lifetime under `long_lived_tokens`."""


@dataclass(frozen=True)
class Grant:
    """What an access token stands for."""

    person: str
    sid: str
    role: Role
    """The role the session was signed with: with the role of now, the narrower of the two counts."""
    elevated: bool
    client: str
    scope: str
    thumbprint: str | None
    """Of the key the token is bound to (RFC 9449, `jkt`); None for a plain bearer token."""
    expires_at: datetime


class Tokens:
    """The access tokens that are worth something."""

    def __init__(self, *, now: Callable[[], datetime], rules: Rules) -> None:
        self._now = now
        self._rules = rules
        self._grants: dict[str, Grant] = {}

    def lifetime_seconds(self) -> int:
        return LONG_SECONDS if self._rules.broken(Break.LONG_LIVED_TOKENS) else TOKEN_SECONDS

    def expiry(self) -> datetime:
        return self._now() + timedelta(seconds=self.lifetime_seconds())

    def issue(self, grant: Grant) -> str:
        self._forget_expired()
        token = secrets.token_urlsafe(32)
        self._grants[_digest(token)] = grant
        return token

    def find(self, token: str) -> Grant | None:
        self._forget_expired()
        return self._grants.get(_digest(token))

    def revoke(self, token: str, *, client: str) -> None:
        """Ends a token of this client; anything else is left as it is, and nobody learns which (RFC 7009)."""
        grant = self._grants.get(_digest(token))
        if grant and grant.client == client and not self._rules.broken(Break.IGNORE_REVOCATION):
            del self._grants[_digest(token)]

    def live(self) -> Iterator[Grant]:
        self._forget_expired()
        yield from self._grants.values()

    def end(self, *, person: str) -> None:
        self._grants = {digest: grant for digest, grant in self._grants.items() if grant.person != person}

    def _forget_expired(self) -> None:
        if self._rules.broken(Break.ACCEPT_EXPIRED):
            return
        now = self._now()
        self._grants = {digest: grant for digest, grant in self._grants.items() if grant.expires_at > now}


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
