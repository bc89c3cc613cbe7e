"""Anyone signs in as anyone here; what follows is as in a real LMS: a cookie, and session tokens made from it."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from examples.reference_lms.face.cookie_sessions import COOKIE, LANGUAGES, set_cookie
from examples.reference_lms.face.face import Face, preferred_language
from examples.reference_lms.face.forms import BadForm, Form, read_form
from examples.reference_lms.face.same_origin import is_from_here
from examples.reference_lms.face.same_session import is_of
from examples.reference_lms.request_log import note_of
from examples.reference_lms.school import SCHOOL
from examples.reference_lms.sessions import SessionKind

KINDS = (SessionKind.PORTAL, SessionKind.STUDENT_VIEW, SessionKind.IMPERSONATION)

FOUND_PEOPLE = 20
"""How many people a search by name shows."""

_PEOPLE = (
    "SELECT id AS sub, name, role FROM person WHERE active"
    " AND instr(folded(name), folded(:name)) ORDER BY rowid LIMIT :count"
)

_PERSON = "SELECT id AS sub, name, role FROM person WHERE id = :sub"

Name = Annotated[str, Query(max_length=200)]


def signing_in_router(face: Face) -> APIRouter:
    router = APIRouter()

    @router.get("/sign-in")
    async def show_sign_in(request: Request, name: Name = "") -> Response:
        note_of(request.scope).is_page = True
        return _sign_in_page(face, request, name=name)

    @router.post("/sign-in")
    async def sign_in(request: Request) -> Response:
        form = await _own_form(face, request)
        if isinstance(form, Response):
            return form
        return _signed_in(face, request, form) or _sign_in_page(face, request, name="", status=422)

    @router.post("/sign-out")
    async def sign_out(request: Request) -> Response:
        form = await _own_form(face, request)
        if isinstance(form, Response):
            return form
        _end(face, request)
        answer = RedirectResponse("/sign-in", 303)
        answer.delete_cookie(COOKIE, path="/")
        return answer

    _for_the_signed_in(router, face)
    return router


def _signed_in(face: Face, request: Request, form: Form) -> Response | None:
    """Into the LMS with a session of its own, in the language of the one before; None for nobody we know."""
    person, kind = face.campus.person(form.one("person")), form.one("kind") or SessionKind.PORTAL
    if person is None or kind not in KINDS:
        return None
    session = face.sessions.begin(
        person,
        kind=SessionKind(kind),
        elevated=form.one("elevated") == "on",
        language=_end(face, request) or preferred_language(request),
    )
    answer = RedirectResponse("/", 303)
    set_cookie(answer, session.key)
    return answer


def _end(face: Face, request: Request) -> str | None:
    """Ends the session there is, and says in which language it was."""
    found = face.sessions.find(request)
    if found is None:
        return None
    face.sessions.end(found[0])
    return found[0].language


def _for_the_signed_in(router: APIRouter, face: Face) -> None:
    @router.post("/language")
    async def speak(request: Request) -> Response:
        form = await _own_form(face, request)
        if isinstance(form, Response):
            return form
        found, language = face.sessions.find(request), form.one("language")
        if found and not is_of(found[0], request, form):
            return face.other_session(request, *found)
        if found and language in LANGUAGES:
            face.sessions.speak(found[0], language)
        return RedirectResponse(_local(form.one("back")), 303)

    @router.post("/assist-session")
    async def open_assist_session(request: Request) -> Response:
        """A session token for whoever is signed in; of every kind, as it is the service's task to refuse some."""
        note_of(request.scope).is_page = True
        if not is_from_here(request, public=face.campus.url):
            return JSONResponse({"error": "foreign_origin"}, 403)
        found = face.sessions.find(request)
        if found is None:
            return JSONResponse({"error": "signed_out"}, 401)
        session, person = found
        token = face.campus.sessions.mint(person, kind=session.kind, elevated=session.elevated, sid=session.sid)
        return JSONResponse({"token": token}, headers={"Cache-Control": "no-store"})


async def _own_form(face: Face, request: Request) -> Form | Response:
    """The form, if a page of this LMS has sent it. It changes nothing of the school, so it is on no log."""
    note_of(request.scope).is_page = True
    if not is_from_here(request, public=face.campus.url):
        return JSONResponse({"error": "foreign_origin"}, 403)
    try:
        return await read_form(request)
    except BadForm:
        return JSONResponse({"error": "bad_form"}, 422)


def _sign_in_page(face: Face, request: Request, *, name: str, status: int = 200) -> Response:
    store = face.campus.store
    cast = [person.sub for person in SCHOOL.people]
    found = store.rows(_PEOPLE, name=name, count=FOUND_PEOPLE) if name.strip() else []
    people = [row for sub in cast for row in store.rows(_PERSON, sub=sub)]
    values = {"people": people, "found": found, "name": name, "kinds": KINDS}
    return face.renderer.page("sign_in.html", values, language=preferred_language(request), status=status)


def _local(path: str) -> str:
    """Back to a page of this LMS and nowhere else."""
    is_local = path.startswith("/") and not path.startswith("//") and "\\" not in path
    return path if is_local else "/"
