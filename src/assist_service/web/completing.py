"""`POST /llm/complete`, for the LMS's own back end."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from assist_service.domain.completion import Completion, Wanted
from assist_service.domain.errors import Code
from assist_service.web.bodies import read_body
from assist_service.web.deps import CallerDep
from assist_service.web.schemas import AT_THE_DOOR, CompletionRequest, json_request, problems

router = APIRouter(prefix="/llm")


@router.post(
    "/complete",
    responses={
        200: {"model": Completion},
        **problems(
            *AT_THE_DOOR,
            Code.TOO_LARGE,
            Code.INVALID_REQUEST,
            Code.LLM_BUDGET_EXHAUSTED,
            Code.LLM_UNAVAILABLE,
        ),
    },
    openapi_extra=json_request(CompletionRequest),
    operation_id="complete",
)
async def complete(request: Request, caller: CallerDep) -> Response:
    """Completes a conversation with one JSON object that is valid by the schema."""
    body = await read_body(request, CompletionRequest)
    completion = await caller.complete(
        caller.name,
        Wanted(
            purpose=body.purpose,
            model=body.model,
            messages=body.messages,
            schema=dict(body.wanted_schema),
            max_tokens=body.max_tokens,
        ),
    )
    return Response(completion.model_dump_json(), media_type="application/json")
