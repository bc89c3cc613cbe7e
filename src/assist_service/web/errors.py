"""Every refusal as a problem document (RFC 9457): code to status and words, in one table."""

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response

from assist_service import telemetry
from assist_service.domain.errors import AssistError, Code, FieldFault, WriteFailure

MEDIA_TYPE = "application/problem+json"

PROBLEMS: Mapping[Code, tuple[HTTPStatus, str]] = {
    Code.NOT_FOUND: (HTTPStatus.NOT_FOUND, "There is nothing here."),
    Code.METHOD_NOT_ALLOWED: (HTTPStatus.METHOD_NOT_ALLOWED, "This address does not take that method."),
    Code.TOO_LARGE: (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The request is too large."),
    Code.INTERNAL_ERROR: (HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong here."),
    Code.UNAUTHENTICATED: (HTTPStatus.UNAUTHORIZED, "The session is not valid."),
    Code.NOT_OFFERED: (HTTPStatus.FORBIDDEN, "The assistant is not offered in this session."),
    Code.EXAM_IN_PROGRESS: (HTTPStatus.FORBIDDEN, "Not while an exam is running."),
    Code.CONVERSATION_NOT_FOUND: (HTTPStatus.NOT_FOUND, "There is no such conversation."),
    Code.WRITE_NOT_FOUND: (HTTPStatus.NOT_FOUND, "There is no such change to confirm."),
    Code.SECTION_NOT_FOUND: (HTTPStatus.NOT_FOUND, "There is no such section."),
    Code.CONVERSATION_ENDED: (HTTPStatus.CONFLICT, "The conversation has ended."),
    Code.CONVERSATION_BUSY: (HTTPStatus.CONFLICT, "A question of this conversation is still running."),
    Code.INVALID_REQUEST: (HTTPStatus.UNPROCESSABLE_ENTITY, "The request is not valid."),
    Code.EDITOR_OFF_SCREEN: (HTTPStatus.UNPROCESSABLE_ENTITY, "The draft is not the question on screen."),
    Code.REFERENCE_INVALID: (HTTPStatus.UNPROCESSABLE_ENTITY, "The reference is not valid here."),
    Code.QUESTION_REFUSED: (HTTPStatus.UNPROCESSABLE_ENTITY, "The question was refused."),
    Code.IDEMPOTENCY_MISMATCH: (HTTPStatus.UNPROCESSABLE_ENTITY, "The key was used for another request."),
    Code.WRITE_FAILED: (HTTPStatus.UNPROCESSABLE_ENTITY, "The change was not made."),
    Code.RATE_LIMITED: (HTTPStatus.TOO_MANY_REQUESTS, "Too many questions for now."),
    Code.LLM_BUDGET_EXHAUSTED: (HTTPStatus.TOO_MANY_REQUESTS, "The budget of the day is used up."),
    Code.LLM_UNAVAILABLE: (HTTPStatus.SERVICE_UNAVAILABLE, "The model gave no answer."),
    Code.MODERATION_UNAVAILABLE: (HTTPStatus.SERVICE_UNAVAILABLE, "The moderation does not answer."),
    Code.LMS_UNAVAILABLE: (HTTPStatus.SERVICE_UNAVAILABLE, "The learning platform does not answer."),
    Code.MANUAL_UNAVAILABLE: (HTTPStatus.SERVICE_UNAVAILABLE, "No manual is published."),
    Code.WRITE_UNKNOWN: (
        HTTPStatus.GATEWAY_TIMEOUT,
        "The platform did not say whether the change was made. Confirming again cannot make it twice.",
    ),
}


class FieldProblem(BaseModel):
    """A wrong field: its dotted path and what is wrong with it."""

    model_config = ConfigDict(extra="forbid")

    field: str
    message: str


class Problem(BaseModel):
    """A problem document; `code` is from a closed list, `errors` names the wrong fields of `invalid_request`, `reason`
    says why of `write_failed`."""

    model_config = ConfigDict(extra="forbid")

    type: str
    title: str
    status: int
    code: Code
    errors: list[FieldProblem] | None = None
    reason: WriteFailure | None = None


def problem_response(
    code: Code,
    *,
    faults: tuple[FieldFault, ...] = (),
    reason: WriteFailure | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The response of a code; two of one code and no faults are the same byte for byte."""
    status, title = PROBLEMS[code]
    problem = Problem(
        type=f"urn:assist-service:problem:{code.value}",
        title=title,
        status=status.value,
        code=code,
        errors=[FieldProblem(field=fault.field, message=fault.message) for fault in faults] or None,
        reason=reason,
    )
    telemetry.count_problem(code.value)
    body = problem.model_dump_json(exclude_none=True)
    return Response(body, status.value, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def assist_error_response(error: AssistError) -> Response:
    """The response of a documented refusal, with the header its code calls for."""
    headers = {}
    if error.retry_after_seconds is not None:
        headers["Retry-After"] = str(error.retry_after_seconds)
    if error.code is Code.UNAUTHENTICATED:
        headers["WWW-Authenticate"] = "Bearer"
    return problem_response(error.code, faults=error.faults, reason=error.reason, headers=headers)


def install_error_handlers(app: FastAPI) -> None:
    """Every way a request can fail ends in a problem document."""

    @app.exception_handler(AssistError)
    async def _documented(_: Request, error: AssistError) -> Response:
        return assist_error_response(error)

    @app.exception_handler(RequestValidationError)
    async def _of_a_parameter(_: Request, error: RequestValidationError) -> Response:
        faults = tuple(FieldFault(str(fault["loc"][-1]), "is not valid") for fault in error.errors())
        return problem_response(Code.INVALID_REQUEST, faults=faults)

    @app.exception_handler(HTTPException)
    async def _of_the_framework(_: Request, error: HTTPException) -> Response:
        code = _FRAMEWORK_CODES.get(error.status_code, Code.INVALID_REQUEST)
        return problem_response(code, headers=error.headers)


_FRAMEWORK_CODES: Mapping[int, Code] = {404: Code.NOT_FOUND, 405: Code.METHOD_NOT_ALLOWED}
