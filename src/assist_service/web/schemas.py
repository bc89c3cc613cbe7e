"""What a front end sends, and how each route's refusals stand in the OpenAPI document."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, StringConstraints

from assist_service.domain.context import QUESTION_CHARACTERS, STRICT, AssistContext, EditorDraft
from assist_service.domain.errors import Code
from assist_service.web.errors import MEDIA_TYPE, PROBLEMS, Problem

REFERENCE_CHARACTERS = 4_096


class AskRequest(BaseModel):
    """A question and the screen it was asked on. The question may be empty only with a choice in `reference`."""

    model_config = STRICT

    conversation_id: UUID | None = None
    question: Annotated[str, StringConstraints(max_length=QUESTION_CHARACTERS)]
    context: AssistContext
    editor: EditorDraft | None = None
    reference: Annotated[str, StringConstraints(max_length=REFERENCE_CHARACTERS)] | None = None


AT_THE_DOOR = (Code.UNAUTHENTICATED, Code.LMS_UNAVAILABLE, Code.INTERNAL_ERROR)
"""What any route with a session can answer."""


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
