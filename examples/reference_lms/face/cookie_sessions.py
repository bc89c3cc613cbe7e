"""Who is signed in on which browser: a random cookie stands for a person, for as long as the LMS runs."""

import dataclasses
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import Response

from examples.reference_lms.campus import Campus
from examples.reference_lms.school import Person, Role
from examples.reference_lms.sessions import SessionKind

COOKIE = "lms_session"

KEPT_SESSIONS = 1_000
"""How many browsers may be signed in; who came first gives way."""

LANGUAGES = ("en", "fr", "fil")


@dataclass(frozen=True)
class SignedIn:
    """One browser's session."""

    key: str
    sub: str
    kind: SessionKind
    elevated: bool
    sid: str
    """What the session tokens made from it share: with it they end."""
    language: str
    marker: str
    """Stands in each page of the session: a page that shows another one is not to be mixed with it. Opens nothing."""


class CookieSessions:
    """The sessions there are, of one campus."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus
        self._open: OrderedDict[str, SignedIn] = OrderedDict()

    def begin(self, person: Person, *, kind: SessionKind, elevated: bool, language: str) -> SignedIn:
        """Super powers are an administrator's alone, whoever asks for them."""
        session = SignedIn(
            key=secrets.token_urlsafe(32),
            sub=person.sub,
            kind=kind,
            elevated=elevated and person.role is Role.ADMIN,
            sid=str(uuid4()),
            language=language,
            marker=secrets.token_urlsafe(16),
        )
        self._open[session.key] = session
        while len(self._open) > KEPT_SESSIONS:
            self._open.popitem(last=False)
        self._campus.sessions.ended.note(person=person.sub, sid=session.sid)
        return session

    def speak(self, session: SignedIn, language: str) -> None:
        self._open[session.key] = dataclasses.replace(session, language=language)

    def end(self, session: SignedIn) -> None:
        self._open.pop(session.key, None)
        self._campus.sessions.ended.end_one(person=session.sub, sid=session.sid)

    def find(self, request: Request) -> tuple[SignedIn, Person] | None:
        """Whose browser asks, under the role of now; nobody's once the account or the session has ended."""
        session = self._open.get(request.cookies.get(COOKIE, ""))
        if session is None or session.sid in self._campus.sessions.ended:
            return None
        row = self._campus.store.row("SELECT active FROM person WHERE id = :sub", sub=session.sub)
        person = self._campus.person(session.sub)
        return (session, person) if person and row and row["active"] else None


def set_cookie(response: Response, key: str) -> None:
    """Readable by no script and sent with no request of another site; lost when the browser closes."""
    response.set_cookie(COOKIE, key, httponly=True, samesite="strict", path="/")
