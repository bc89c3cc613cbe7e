"""The one way to every page: who is signed in sees what their seats show, and the rest is not there."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from examples.reference_lms.api.door import READING_ROLES
from examples.reference_lms.api.look import REACHABLE
from examples.reference_lms.campus import Campus
from examples.reference_lms.face.cookie_sessions import LANGUAGES, CookieSessions, SignedIn
from examples.reference_lms.face.rendering import Renderer
from examples.reference_lms.face.same_session import FIELD, OTHER_SESSION
from examples.reference_lms.face.screens import Screen, screens
from examples.reference_lms.face.visits import NotThere, Page, Visit
from examples.reference_lms.face.words import words_in
from examples.reference_lms.request_log import note_of
from examples.reference_lms.school import Person
from examples.reference_lms.sessions import SessionKind

PARAMS = ("tab", "search", "category", "item")

PARAM_LENGTH = 200

UNDER = {"/questions": "/pools", "/classrooms": "/courses", "/my-evaluations": "/my-results"}
"""Pages that have no entry of their own in the head, by the first word of their path."""


@dataclass(frozen=True)
class Face:
    """The pages of one LMS."""

    campus: Campus
    sessions: CookieSessions
    renderer: Renderer

    def is_signed_in(self, request: Request) -> bool:
        return self.sessions.find(request) is not None

    def not_found_for(self, request: Request) -> Response | None:
        """The page that says so to who is signed in; None for everybody else."""
        found = self.sessions.find(request)
        return None if found is None else self.not_found(*found)

    def answer(self, name: str, request: Request) -> Response:
        """The page of this name as the person sees it; to the sign-in for who is not signed in."""
        note_of(request.scope).is_page = True
        found = self.sessions.find(request)
        if found is None:
            return RedirectResponse("/sign-in", 303)
        session, person = found
        screen = screens()[name]
        try:
            if person.role not in screen.roles:
                raise NotThere
            visit = self.visit(request, session, person, kinds=screen.kinds, reads_seats=screen.reads_seats)
            return self._render(screen, visit, screen.handler(visit))
        except NotThere:
            return self.not_found(session, person)

    def visit(
        self,
        request: Request,
        session: SignedIn,
        person: Person,
        *,
        kinds: Mapping[str, str],
        reads_seats: bool = True,
    ) -> Visit:
        """From here on the store shows what the person reaches; raises NotThere for an id out of reach."""
        me = person.sub if person.role in READING_ROLES else None
        self.campus.store.ask_as(me, everything=session.elevated)
        ids = {kind: _canonical(request.path_params[name]) for name, kind in kinds.items()}
        if reads_seats and any(self.campus.store.row(REACHABLE[kind], id=id_) is None for kind, id_ in ids.items()):
            raise NotThere
        params = {name: request.query_params[name][:PARAM_LENGTH] for name in PARAMS if name in request.query_params}
        return Visit(self.campus, person, session, ids, params)

    def not_found(self, session: SignedIn, person: Person) -> HTMLResponse:
        return self.notice(session, person, title="not_found", text="not_found_text", status=404)

    def other_session(self, request: Request, session: SignedIn, person: Person) -> HTMLResponse:
        """To a page of another session that would have written under this one's cookie: nothing was done."""
        note_of(request.scope).is_page = True
        return self.notice(session, person, title="refused", text=OTHER_SESSION, status=409)

    def notice(self, session: SignedIn, person: Person, *, title: str, text: str, status: int) -> HTMLResponse:
        """A page that only says something, by the keys of its words."""
        words = words_in(session.language)
        values = {"title": words[title], "text": words[text], **self._frame(session, person)}
        return self.renderer.page("notice.html", values, language=session.language, status=status)

    def _frame(self, session: SignedIn, person: Person) -> dict[str, object]:
        # A view that shows what somebody else sees must not answer as them.
        has_panel = self.renderer.assist_url is not None and session.kind is SessionKind.PORTAL
        return {"person": person, "session": session, "has_panel": has_panel, "main": {}, "session_field": FIELD}

    def _render(self, screen: Screen, visit: Visit, page: Page) -> HTMLResponse:
        tab = visit.tab if visit.tab in screen.tabs else None
        main = {
            "screen": screen.name,
            "route": screen.pattern + (f"?tab={tab}" if tab else ""),
            "topic": screen.topic or "",
            "entities": json.dumps({**visit.ids, **page.entities}),
            "section": _section(screen.pattern),
        }
        values = {
            **self._frame(visit.session, visit.person),
            "title": page.title,
            "main": main,
            "tab": tab or (screen.tabs[0] if screen.tabs else ""),
            "visit": visit,
            **page.values,
        }
        return self.renderer.page(page.template, values, language=visit.session.language)


def _section(pattern: str) -> str:
    """Under which entry of the head a page stands."""
    first = "/" + pattern.split("/")[1]
    return UNDER.get(first, first)


def preferred_language(request: Request) -> str:
    """The first of the browser's that there are words in."""
    asked = re.findall(r"[a-z]+", request.headers.get("accept-language", "").lower())
    return next((language for language in asked if language in LANGUAGES), "en")


def _canonical(id_: str) -> str:
    try:
        return str(UUID(id_))
    except ValueError:
        raise NotThere from None
