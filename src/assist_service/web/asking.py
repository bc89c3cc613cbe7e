"""`POST /assist/ask` and `GET /assist/availability`."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Header, Request
from starlette.responses import Response

from assist_service.domain.asked import Asked
from assist_service.domain.availability import Availability
from assist_service.domain.errors import Code
from assist_service.domain.progress import Tell, silent
from assist_service.domain.reply import Reply
from assist_service.domain.screens import Language
from assist_service.web.bodies import read_body
from assist_service.web.deps import IdempotencyKey, PersonDep, ServiceDep, SessionDep, SessionToken
from assist_service.web.schemas import AT_THE_DOOR, AskRequest, json_request, problems
from assist_service.web.streaming import MEDIA_TYPE, QuestionsDep

router = APIRouter(prefix="/assist")

ACCEPTED_CHARACTERS = 500
"""How much of an Accept or Accept-Language header is read; the rest is ignored."""

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
            Code.IDEMPOTENCY_MISMATCH,
            Code.RATE_LIMITED,
            Code.LLM_BUDGET_EXHAUSTED,
            Code.LLM_UNAVAILABLE,
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
    return service.availability(session, preferred_language(accept_language))


def prefers_events(accepted: str) -> bool:
    """Whether an Accept header names event streams, and JSON not before them."""
    weights: dict[str, float] = {}
    for media_type, weight in _weighted(accepted):
        weights.setdefault(media_type.split(";")[0], weight)
    return weights.get(MEDIA_TYPE, 0) > 0 and weights[MEDIA_TYPE] >= weights.get("application/json", 0)


def _weighted(accepted: str) -> Iterator[tuple[str, float]]:
    """What an Accept header or one of its kind names, in its order, each with its weight."""
    for part in accepted[:ACCEPTED_CHARACTERS].lower().split(","):
        name, _, weight = "".join(part.split()).partition(";q=")
        with suppress(ValueError):
            yield name, float(weight or 1)


def preferred_language(accepted: str) -> Language:
    """The first of our languages in an Accept-Language header, by its weights; English where it names none."""
    weights: dict[str, float] = {}
    for tag, weight in _weighted(accepted):
        weights.setdefault(tag.split("-")[0], weight)
    ours: Mapping[Language, float] = {
        language: weights[name] for language in Language for name in _TAGS[language] if weights.get(name, 0) > 0
    }
    return max(ours, key=lambda language: ours[language], default=Language.ENGLISH)


_TAGS: Mapping[Language, tuple[str, ...]] = {
    Language.ENGLISH: ("en",),
    Language.FRENCH: ("fr",),
    Language.FILIPINO: ("fil", "tl"),
}
