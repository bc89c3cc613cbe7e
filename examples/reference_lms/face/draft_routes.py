"""The routes of the question editor, under the person's own cookie and for pages of this LMS only."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from examples.reference_lms.face.changes import ACTOR
from examples.reference_lms.face.drafts import BODY_BYTES
from examples.reference_lms.face.editing import REFUSALS, Act, Answer, Refused, read_draft, save_draft
from examples.reference_lms.face.face import Face
from examples.reference_lms.face.same_origin import is_from_here
from examples.reference_lms.face.same_session import OTHER_SESSION, is_of
from examples.reference_lms.face.visits import NotThere
from examples.reference_lms.request_log import note_of

ROUTES: tuple[tuple[str, str, Act], ...] = (
    ("GET", "/questions/{id}/draft", read_draft),
    ("PUT", "/questions/{id}/draft", save_draft),
)


def draft_router(face: Face) -> APIRouter:
    router = APIRouter()
    for method, path, act in ROUTES:
        router.add_api_route(path, _route(face, act), methods=[method], name=act.__name__)
    return router


def _route(face: Face, act: Act) -> Callable[[Request], Awaitable[Response]]:
    async def route(request: Request) -> Response:
        # Of a page: no request to the API. What is written is the person's own, and is logged as theirs.
        note_of(request.scope).is_page = request.method == "GET"
        headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        try:
            return JSONResponse(_act(face, act, request, await _body(request)), headers=headers)
        except Refused as refused:
            body = {"error": refused.error, **refused.more}
            return JSONResponse(body, status_code=REFUSALS[refused.error], headers=headers)

    return route


async def _body(request: Request) -> bytes:
    """No longer than bound, whatever its headers say of it."""
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > BODY_BYTES:
            raise Refused("too_large")
    return bytes(raw)


def _act(face: Face, act: Act, request: Request, raw: bytes) -> Answer:
    """Nothing in here awaits: see `Store.ask_as`."""
    if request.method != "GET" and not is_from_here(request, public=face.campus.url):
        raise Refused("cross_origin")
    found = face.sessions.find(request)
    if found is None:
        raise Refused("unauthenticated")
    session, person = found
    note = note_of(request.scope)
    if request.method != "GET" and not is_of(session, request):
        note.is_page = True  # nobody's write: it is on no log
        raise Refused(OTHER_SESSION)
    note.actor, note.acting_for = ACTOR, person.sub
    try:
        return act(face.visit(request, session, person, kinds={"id": "question"}), raw)
    except NotThere:
        raise Refused("not_found") from None
