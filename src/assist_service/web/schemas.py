"""What a front end sends, and how each route's refusals stand in the OpenAPI document."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, StringConstraints
from pydantic.config import JsonDict

from assist_service.domain.budget import PURPOSE_PATTERN
from assist_service.domain.completion import MAX_TOKENS, MESSAGES, Spoken
from assist_service.domain.context import QUESTION_CHARACTERS, STRICT, AssistContext, EditorDraft
from assist_service.domain.errors import Code
from assist_service.web.errors import MEDIA_TYPE, PROBLEMS, Problem

REFERENCE_CHARACTERS = 4_096
MODEL_CHARACTERS = 128


class AskRequest(BaseModel):
    """A question and the screen it was asked on. The question may be empty only with a choice in `reference`."""

    model_config = STRICT

    conversation_id: UUID | None = None
    question: Annotated[str, StringConstraints(max_length=QUESTION_CHARACTERS)]
    context: AssistContext
    editor: EditorDraft | None = None
    reference: Annotated[str, StringConstraints(max_length=REFERENCE_CHARACTERS)] | None = None


def _no_truth_or_text(value: object) -> object:
    """Lets pass 84.0, which is an integer to JSON Schema, but not what pydantic would make one of."""
    if isinstance(value, bool | str):
        raise ValueError("is no number")
    return value


EXAMPLE_SCHEMA: JsonDict = {
    "type": "object",
    "properties": {"points": {"type": "integer", "minimum": 0, "maximum": 6}, "comment": {"type": "string"}},
    "required": ["points", "comment"],
    "additionalProperties": False,
}


class CompletionRequest(BaseModel):
    """A conversation to complete with one JSON object that is valid by `schema`."""

    model_config = ConfigDict(
        **STRICT,
        json_schema_extra={
            "example": {
                "purpose": "grading",
                "messages": [
                    {"role": "system", "content": "Grade the answer, 0 to 6 points."},
                    {"role": "user", "content": "Question: 2 + 2? Answer: 4"},
                ],
                "schema": EXAMPLE_SCHEMA,
                "max_tokens": 500,
            }
        },
    )

    purpose: Annotated[str, StringConstraints(pattern=PURPOSE_PATTERN)]
    model: Annotated[str, StringConstraints(min_length=1, max_length=MODEL_CHARACTERS)] | None = None
    messages: Annotated[tuple[Spoken, ...], Field(min_length=1, max_length=MESSAGES)]
    wanted_schema: Annotated[
        dict[str, JsonValue],
        Field(
            alias="schema",
            description="JSON Schema 2020-12 of an object, at most 64 kB, without regular expressions and identifiers.",
            json_schema_extra={"properties": {"type": {"const": "object"}}, "required": ["type"]},
        ),
    ]
    max_tokens: Annotated[int, Field(strict=False, ge=1, le=MAX_TOKENS), BeforeValidator(_no_truth_or_text)]


AT_THE_DOOR = (Code.UNAUTHENTICATED, Code.LMS_UNAVAILABLE, Code.INTERNAL_ERROR)
"""What any route with a session can answer."""

TO_READ = (*AT_THE_DOOR, Code.NOT_OFFERED, Code.EXAM_IN_PROGRESS)
"""What a route can answer that reads what is kept."""


def problems(*codes: Code) -> dict[int | str, dict[str, Any]]:
    """The documented refusals of a route, by status, with the codes each may carry."""
    by_status: dict[int | str, list[Code]] = {}
    for code in codes:
        by_status.setdefault(PROBLEMS[code][0].value, []).append(code)
    return {
        status: {
            "description": ", ".join(f"`{code.value}`" for code in found),
            "content": {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}},
        }
        for status, found in by_status.items()
    }


def json_request(model: type[BaseModel]) -> dict[str, Any]:
    """The OpenAPI words for a body that the route reads itself, after the session was verified."""
    reference = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": reference}}}}
