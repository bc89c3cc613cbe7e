"""Who may use the assistant at all: role × kind of session, as a table that denies what it does not name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a person is in the LMS."""

    STUDENT = "student"
    TEACHER = "teacher"
    TRAINER_ADMIN = "trainer_admin"
    ADMIN = "admin"


class SessionKind(StrEnum):
    """How the session came to be."""

    PORTAL = "portal"
    STUDENT_VIEW = "student_view"
    IMPERSONATION = "impersonation"
    API_TOKEN = "api_token"  # noqa: S105 a kind of session, no secret
    OAUTH = "oauth"
    SEB = "seb"
    KIOSK = "kiosk"


_SUBJECT = re.compile(r"[\x21-\x7e]{1,255}")


def is_subject(text: str) -> bool:
    """Whether a text can name a person at all: visible ASCII, at most 255 characters."""
    return _SUBJECT.fullmatch(text) is not None


@dataclass(frozen=True)
class Session:
    """The verified claims of a session JWT."""

    sub: str
    sid: str
    role: Role
    kind: SessionKind
    elevated: bool


@dataclass(frozen=True)
class Person:
    """Who asks, as worked out here from the verified session and from what the LMS says of them now."""

    sub: str
    role: Role
    elevated: bool
    current: Role | None = None
    """The role the LMS names now, where it was asked."""

    @property
    def roles(self) -> tuple[Role, ...]:
        """Nothing is offered that not all of these have (row J11)."""
        return (self.role,) if self.current in (None, self.role) else (self.role, self.current)


class Admission(StrEnum):
    """What a session meets at the door of every `/assist` route."""

    ADMITTED = "admitted"
    NOT_OFFERED = "not_offered"
    UNAUTHENTICATED = "unauthenticated"


_IN, _NO, _OUT = Admission.ADMITTED, Admission.NOT_OFFERED, Admission.UNAUTHENTICATED

_ROLES = (Role.STUDENT, Role.TEACHER, Role.TRAINER_ADMIN, Role.ADMIN)

# fmt: off
_GRID: Mapping[SessionKind, tuple[Admission, ...]] = {
    # kind of session            student teacher trainer admin
    SessionKind.PORTAL:         (_IN,    _IN,    _IN,    _IN),
    SessionKind.STUDENT_VIEW:   (_NO,    _NO,    _NO,    _NO),
    SessionKind.IMPERSONATION:  (_NO,    _NO,    _NO,    _NO),
    SessionKind.API_TOKEN:      (_NO,    _NO,    _NO,    _NO),
    SessionKind.OAUTH:          (_NO,    _NO,    _NO,    _NO),
    SessionKind.SEB:            (_OUT,   _OUT,   _OUT,   _OUT),
    SessionKind.KIOSK:          (_OUT,   _OUT,   _OUT,   _OUT),
}
# fmt: on

_TABLE: Mapping[tuple[Role, SessionKind], Admission] = {
    (role, kind): admission for kind, row in _GRID.items() for role, admission in zip(_ROLES, row, strict=True)
}


def admission(role: Role, kind: SessionKind) -> Admission:
    """What the table says; a pair it does not hold is not let in. The policy may still not offer it to a role."""
    return _TABLE.get((role, kind), Admission.UNAUTHENTICATED)


def person_of(session: Session) -> Person:
    """The person behind an admitted session; elevated rights count for an administrator only."""
    return Person(sub=session.sub, role=session.role, elevated=session.elevated and session.role is Role.ADMIN)
