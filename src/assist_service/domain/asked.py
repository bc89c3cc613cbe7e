"""A question as it came, its shape already checked, and what makes it unfit to be asked."""

from dataclasses import dataclass, replace
from uuid import UUID

from assist_service.domain.context import (
    AssistContext,
    EditorDraft,
    refuse_draft_off_screen,
    refuse_foreign_screen,
)
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.live.query import Query
from assist_service.domain.references import NOTHING, Reference, Selection
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
    held: Reference | None = None
    """What the reference holds, once it was opened."""

    @property
    def selected(self) -> Selection:
        """The records the person selected."""
        return self.held.selection if self.held is not None else NOTHING

    @property
    def waiting(self) -> Query | None:
        """The lookup that goes on with what was chosen."""
        return self.held.waiting if self.held is not None else None


def refuse_unfit(asked: Asked, catalogue: Catalogue) -> None:
    """Raises `invalid_request` or `editor_off_screen` before anything is counted or kept."""
    refuse_foreign_screen(asked.context, catalogue)
    refuse_draft_off_screen(asked.context, asked.editor)
    if asked.reference is None and not _is_worded(asked):
        raise AssistError(Code.INVALID_REQUEST, faults=(FieldFault("question", "is empty"),))


def with_reference(asked: Asked, held: Reference | None) -> Asked:
    """The question with what its reference holds. Raises `invalid_request` for a follow-up that asks nothing: only a
    choice says enough by itself, and whatever stands beside it nobody reads: not a model, not a moderator."""
    if held is not None and held.waiting is not None:
        return replace(asked, held=held, question="", editor=None)
    if not _is_worded(asked):
        raise AssistError(Code.INVALID_REQUEST, faults=(FieldFault("question", "is empty"),))
    return replace(asked, held=held)


def _is_worded(asked: Asked) -> bool:
    return bool(visible(asked.question).strip())
