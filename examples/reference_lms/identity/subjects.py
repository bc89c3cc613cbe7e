"""A session JWT that comes back as a subject token is read as strictly as if it were another's."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from examples.reference_lms.identity.jws import (
    BadToken,
    Claims,
    claims_by_anyone,
    public_key,
    read_claims,
    read_header,
    seconds,
    text,
)
from examples.reference_lms.keys import KeyRing
from examples.reference_lms.rules import Break, Rules
from examples.reference_lms.school import Role
from examples.reference_lms.sessions import SESSION_TYP


@dataclass(frozen=True)
class Subject:
    """Whom a session is of, as it was signed."""

    person: str
    sid: str
    role: Role
    elevated: bool


@dataclass(frozen=True)
class Subjects:
    """Reads sessions of this LMS that were signed for one client."""

    url: str
    audience: str
    """The client's own: a session for another one is none of its business."""
    keys: KeyRing
    rules: Rules
    now: Callable[[], datetime]

    def read(self, token: str) -> Subject:
        """Raises BadToken."""
        claims = self._signed(token)
        self._check(claims)
        return Subject(
            person=text(claims, "sub"),
            sid=text(claims, "sid"),
            role=Role(text(claims, "role")),
            elevated=claims.get("elevated") is True,
        )

    def _signed(self, token: str) -> Claims:
        current = self.keys.current
        if read_header(token).get("kid") != current.kid:
            raise BadToken("unknown kid")
        if self.rules.broken(Break.ACCEPT_FORGED_SESSION):
            return claims_by_anyone(token, typ=SESSION_TYP)
        return read_claims(token, key=public_key(current.public_jwk), typ=SESSION_TYP)

    def _check(self, claims: Claims) -> None:
        if claims.get("iss") != self.url:
            raise BadToken("wrong iss")
        if claims.get("aud") != self.audience and not self.rules.broken(Break.ACCEPT_FOREIGN_SUBJECT):
            raise BadToken("signed for another client")
        expired = seconds(claims, "exp") <= self.now().timestamp()
        if expired and not self.rules.broken(Break.ACCEPT_EXPIRED):
            raise BadToken("expired")
