"""`POST /assist/ask` and `GET /assist/availability`."""

from typing import Annotated

from fastapi import APIRouter, Header, Request
from starlette.responses import Response

from assist_service.domain.asked import Asked
from assist_service.domain.availability import Availability
from assist_service.domain.errors import Code
from assist_service.domain.progress import Tell, silent
from assist_service.domain.reply import Reply
from assist_service.web.bodies import read_body
from assist_service.web.deps import IdempotencyKey, PersonDep, ServiceDep, SessionDep, SessionToken
from assist_service.web.preferences import preferred_language, prefers_events
from assist_service.web.schemas import AT_THE_DOOR, AskRequest, json_request, problems
from assist_service.web.streaming import MEDIA_TYPE, QuestionsDep

router = APIRouter(prefix="/assist")

KEY_HEADER = {
    "parameters": [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "description": "The same person, key and body within ten minutes get the same reply.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
        }
    ]
}


STREAM = {
    "schema": {"type": "string"},
    "description": (
        "Sent where `Accept` names it, with no less weight than JSON. "
        "What fails before a provider is asked is a problem as on the JSON form. After it come events: `progress` "
        "(`contracts/ask.progress.schema.json`), then one `reply` (the body of the JSON form) or one `error` (the "
        "problem, with its `status`). Closing the connection stops the question."
    ),
}


@router.post(
    "/ask",
    responses={
        200: {"model": Reply, "content": {MEDIA_TYPE: STREAM}},
        **problems(
            *AT_THE_DOOR,
            Code.NOT_OFFERED,
            Code.EXAM_IN_PROGRESS,
            Code.TOO_LARGE,
            Code.CONVERSATION_NOT_FOUND,
            Code.CONVERSATION_BUSY,
            Code.CONVERSATION_ENDED,
            Code.INVALID_REQUEST,
            Code.EDITOR_OFF_SCREEN,
            Code.REFERENCE_INVALID,
            Code.QUESTION_REFUSED,
            Code.IDEMPOTENCY_MISMATCH,
            Code.RATE_LIMITED,
            Code.LLM_BUDGET_EXHAUSTED,
            Code.LLM_UNAVAILABLE,
            Code.MODERATION_UNAVAILABLE,
            Code.MANUAL_UNAVAILABLE,
        ),
    },
    openapi_extra={**json_request(AskRequest), **KEY_HEADER},
    operation_id="ask",
)
async def ask(
    request: Request,
    person: PersonDep,
    service: ServiceDep,
    questions: QuestionsDep,
    key: IdempotencyKey,
    session: SessionToken,
) -> Response:
    """Asks a question from a screen; with `Accept: text/event-stream` its steps are told until the reply comes."""
    body = await read_body(request, AskRequest)
    asked = Asked(
        conversation_id=body.conversation_id,
        question=body.question,
        context=body.context,
        editor=body.editor,
        reference=body.reference,
        canonical=body.model_dump_json().encode(),
    )

    async def answer(tell: Tell = silent) -> bytes:
        return await service.ask(person, asked, key=key, session=session, tell=tell)

    if prefers_events(", ".join(request.headers.getlist("accept"))):
        return questions.stream(answer)
    return Response(await answer(), media_type="application/json")


@router.get("/availability", responses=problems(*AT_THE_DOOR), operation_id="availability")
async def availability(
    session: SessionDep, service: ServiceDep, accept_language: Annotated[str, Header()] = ""
) -> Availability:
    """Says what this session has of the assistant, in the words of `Accept-Language`."""
    return await service.availability(session, preferred_language(accept_language))
