"""The refusals of `/api`, as a table; what is out of reach and what does not exist get the same bytes."""

from collections.abc import Mapping

from fastapi.responses import JSONResponse

REFUSALS: Mapping[str, tuple[int, str]] = {
    "invalid_cursor": (400, "This cursor belongs to another list."),
    "idempotency_key_needed": (400, "A write needs an Idempotency-Key of 1 to 255 visible characters."),
    "unauthenticated": (401, "A valid token is needed."),
    "insufficient_scope": (403, "The token's scope does not allow this."),
    "no_seat": (403, "You hold no seat on the course this belongs to."),
    "not_found": (404, "Not found."),
    "question_not_published": (409, "A template takes published questions only."),
    "already_linked": (409, "The pool is linked to this course already."),
    "invalid": (422, "The request is not valid."),
    "idempotency_mismatch": (422, "The Idempotency-Key was used for another request."),
}
"""`no_seat` is never answered while the rules are kept."""


def refuse(error: str, *, headers: Mapping[str, str] | None = None, fields: list[str] | None = None) -> JSONResponse:
    status, message = REFUSALS[error]
    body: dict[str, object] = {"error": error, "message": message}
    if fields is not None:
        body["fields"] = fields
    return JSONResponse(body, status_code=status, headers=dict(headers or {}))


def not_found() -> JSONResponse:
    return refuse("not_found")


class Refusal(Exception):
    """Ends a request from within."""

    def __init__(self, error: str, *, fields: list[str] | None = None) -> None:
        super().__init__(error)
        self.error = error
        self.fields = fields
