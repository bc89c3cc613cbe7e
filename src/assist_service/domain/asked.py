"""A question as it came, its shape already checked, and what makes it unfit to be asked."""

from dataclasses import dataclass
from uuid import UUID

from assist_service.domain.context import (
    AssistContext,
    EditorDraft,
    refuse_draft_off_screen,
    refuse_foreign_screen,
)
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.screens import Catalogue
from assist_service.domain.text import visible


@dataclass(frozen=True)
class Asked:
    """`canonical` is the whole body in one fixed form, to tell whether another is the same."""

    conversation_id: UUID | None
    question: str
    context: AssistContext
    editor: EditorDraft | None
    reference: str | None
    canonical: bytes


def refuse_unfit(asked: Asked, catalogue: Catalogue) -> None:
    """Raises `invalid_request`, `editor_off_screen` or `reference_invalid` before anything is counted or kept."""
    refuse_foreign_screen(asked.context, catalogue)
    refuse_draft_off_screen(asked.context, asked.editor)
    if asked.reference is not None:  # nobody has been given one yet
        raise AssistError(Code.REFERENCE_INVALID)
    if not visible(asked.question).strip():
        raise AssistError(Code.INVALID_REQUEST, faults=(FieldFault("question", "is empty"),))
