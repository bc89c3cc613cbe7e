"""A session JWT says who asks, through which kind of session, for five minutes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import uuid4

import jwt

from examples.reference_lms.keys import ALGORITHM, KeyRing
from examples.reference_lms.school import Person

SESSION_TYP = "assist-session+jwt"
"""Header `typ`: keeps any other JWT of this LMS from passing as a session (RFC 8725, section 3.11)."""

SESSION_SECONDS = 300
"""Lifetime of a session JWT; the service refuses a longer one."""


class SessionKind(StrEnum):
    """How the person is signed in."""

    PORTAL = "portal"
    STUDENT_VIEW = "student_view"
    IMPERSONATION = "impersonation"
    API_TOKEN = "api_token"  # noqa: S105 - a kind of session, not a secret
    OAUTH = "oauth"
    SEB = "seb"
    KIOSK = "kiosk"


class EndedSessions:
    """Which sessions are over before their time; a JWT alone cannot tell."""

    def __init__(self) -> None:
        self._open: dict[str, set[str]] = {}
        self._ended: set[str] = set()

    def note(self, *, person: str, sid: str) -> None:
        self._open.setdefault(person, set()).add(sid)

    def end(self, *, person: str) -> None:
        """Every session the person has now; a later one is a new one."""
        self._ended |= self._open.pop(person, set())

    def end_one(self, *, person: str, sid: str) -> None:
        self._open.get(person, set()).discard(sid)
        self._ended.add(sid)

    def __contains__(self, sid: str) -> bool:
        return sid in self._ended


@dataclass(frozen=True)
class SessionIssuer:
    """Signs sessions of this LMS for one audience, with whichever key is current."""

    url: str
    audience: str
    keys: KeyRing
    now: Callable[[], datetime]
    ended: "EndedSessions" = field(default_factory=lambda: EndedSessions())

    def mint(
        self,
        person: Person,
        *,
        kind: SessionKind,
        elevated: bool,
        audience: str | None = None,
        age_seconds: int = 0,
        sid: str | None = None,
    ) -> str:
        """A fresh token with a `jti` of its own, in the session `sid` or else in one of its own.

        Every pairing of role, kind and `elevated` is signed, the absurd ones too: refusing them is the
        service's task, and a test needs them to see it done.
        """
        key = self.keys.current
        issued_at = int(self.now().timestamp()) - age_seconds
        sid = sid or str(uuid4())
        self.ended.note(person=person.sub, sid=sid)
        claims = {
            "iss": self.url,
            "aud": audience or self.audience,
            "sub": person.sub,
            "sid": sid,
            "jti": str(uuid4()),
            "iat": issued_at,
            "exp": issued_at + SESSION_SECONDS,
            "role": person.role.value,
            "kind": kind.value,
            "elevated": elevated,
        }
        return jwt.encode(claims, key.private, ALGORITHM, headers={"typ": SESSION_TYP, "kid": key.kid})
