"""Every refusal a caller can meet, as one closed set of codes and one exception that carries them."""

from dataclasses import dataclass, field
from enum import StrEnum


class Code(StrEnum):
    """The `code` of a problem body. The status of each stands in `web/errors.py`."""

    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    TOO_LARGE = "too_large"
    INTERNAL_ERROR = "internal_error"
    UNAUTHENTICATED = "unauthenticated"
    NOT_OFFERED = "not_offered"
    EXAM_IN_PROGRESS = "exam_in_progress"
    CONVERSATION_NOT_FOUND = "conversation_not_found"
    WRITE_NOT_FOUND = "write_not_found"
    SECTION_NOT_FOUND = "section_not_found"
    CONVERSATION_ENDED = "conversation_ended"
    CONVERSATION_BUSY = "conversation_busy"
    INVALID_REQUEST = "invalid_request"
    EDITOR_OFF_SCREEN = "editor_off_screen"
    REFERENCE_INVALID = "reference_invalid"
    QUESTION_REFUSED = "question_refused"
    IDEMPOTENCY_MISMATCH = "idempotency_mismatch"
    WRITE_FAILED = "write_failed"
    RATE_LIMITED = "rate_limited"
    LLM_BUDGET_EXHAUSTED = "llm_budget_exhausted"
    LLM_UNAVAILABLE = "llm_unavailable"
    MODERATION_UNAVAILABLE = "moderation_unavailable"
    LMS_UNAVAILABLE = "lms_unavailable"
    MANUAL_UNAVAILABLE = "manual_unavailable"
    WRITE_UNKNOWN = "write_unknown"


class WriteFailure(StrEnum):
    """Why a confirmed write was not made: the closed `reason` of `write_failed`."""

    NOT_FOUND = "not_found"
    REFUSED = "refused"
    INVALID = "invalid"
    FAILED = "failed"
    CHANGED = "changed"


@dataclass(frozen=True)
class FieldFault:
    """One wrong field of a request: its dotted path and what is wrong, in words that never quote the input."""

    field: str
    message: str


@dataclass
class AssistError(Exception):
    """A documented refusal. `retry_after_seconds` is set for `rate_limited` only, `reason` for `write_failed`."""

    code: Code
    faults: tuple[FieldFault, ...] = field(default=())
    retry_after_seconds: int | None = None
    reason: WriteFailure | None = None

    def __str__(self) -> str:
        return self.code.value


class ConfigurationError(Exception):
    """The service cannot start as it is set up; the message is one line for the operator."""
