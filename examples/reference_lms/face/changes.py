"""What a person changes on the pages, one endpoint a change: as themselves, and only from a page of this LMS."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from examples.reference_lms.api.refusals import REFUSALS, Refusal
from examples.reference_lms.face import course_changes, evaluation_changes, pool_changes, template_changes
from examples.reference_lms.face.face import Face
from examples.reference_lms.face.forms import BadForm, Form, read_form
from examples.reference_lms.face.same_origin import is_from_here
from examples.reference_lms.face.same_session import is_of
from examples.reference_lms.face.screens import STAFF
from examples.reference_lms.face.visits import NotThere, Refused, Visit
from examples.reference_lms.request_log import note_of

ACTOR = "person"
"""Who has written, on the log: the person themselves, beside the service that acts for them."""

Make = Callable[[Visit, Form], str]
"""Makes the change and returns the path to go on to; raises Refused, Refusal or NotThere."""

_POOL, _QUESTION, _EVALUATION = {"id": "pool"}, {"id": "question"}, {"id": "evaluation"}

CHANGES: tuple[tuple[str, Mapping[str, str], Make], ...] = (
    ("/pools", {}, pool_changes.create_pool),
    ("/pools/{id}/questions", _POOL, pool_changes.create_question),
    ("/pools/{id}/categories", _POOL, pool_changes.create_category),
    ("/pools/{id}/delete", _POOL, pool_changes.delete_pool),
    ("/questions/{id}/publish", _QUESTION, pool_changes.publish_question),
    ("/questions/{id}/unpublish", _QUESTION, pool_changes.unpublish_question),
    ("/courses", {}, course_changes.create_course),
    ("/evaluations", {}, evaluation_changes.create),
    ("/evaluations/{id}/questions", _EVALUATION, evaluation_changes.add_questions),
    ("/evaluations/{id}/start", _EVALUATION, evaluation_changes.start),
    ("/evaluations/{id}/close", _EVALUATION, evaluation_changes.close),
    ("/evaluations/{id}/release", _EVALUATION, evaluation_changes.release),
    ("/templates", {}, template_changes.create_template),
    ("/templates/{id}/questions", {"id": "template"}, template_changes.add_questions),
    ("/courses/{id}/classrooms", {"id": "course"}, course_changes.create_classroom),
    ("/courses/{id}/pools", {"id": "course"}, course_changes.link_pool),
    ("/courses/{id}/unlink", {"id": "course"}, course_changes.unlink_pool),
)
"""The paths of forms; what each changes lies behind a seat."""


def changes_router(face: Face) -> APIRouter:
    router = APIRouter()
    for path, kinds, make in CHANGES:
        router.add_route(path, _route(_Change(face, kinds, make)), methods=["POST"])
    return router


@dataclass(frozen=True)
class _Change:
    face: Face
    kinds: Mapping[str, str]
    make: Make

    def answer(self, request: Request, form: Form) -> Response:
        """Nothing in here awaits: see `Store.ask_as`."""
        found = self.face.sessions.find(request)
        if found is None:
            return RedirectResponse("/sign-in", 303)
        session, person = found
        if not is_of(session, request, form):
            return self.face.other_session(request, session, person)
        note = note_of(request.scope)
        note.actor, note.acting_for = ACTOR, person.sub
        try:
            if person.role not in STAFF:
                raise NotThere
            visit = self.face.visit(request, session, person, kinds=self.kinds)
            if not visit.may_change:
                return self.face.notice(session, person, title="refused", text="look_only", status=403)
            with visit.store.transaction():
                path = self.make(visit, form)
        except NotThere:
            return self.face.not_found(session, person)
        except Refused as refused:
            return self.face.notice(session, person, title="refused", text=refused.reason, status=409)
        except Refusal as refusal:
            status, _ = REFUSALS[refusal.error]
            return self.face.notice(session, person, title="refused", text=refusal.error, status=status)
        return RedirectResponse(path, 303)


def _route(change: _Change) -> Callable[[Request], Awaitable[Response]]:
    async def route(request: Request) -> Response:
        if not is_from_here(request, public=change.face.campus.url):
            return JSONResponse({"error": "foreign_origin"}, 403)
        try:
            form = await read_form(request)
        except BadForm:
            return JSONResponse({"error": "bad_form"}, 422)
        return change.answer(request, form)

    return route
