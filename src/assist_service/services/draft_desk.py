"""Whether the draft in the editor may be worked on: only by who can read its question in the LMS (row A15)."""

from assist_service.domain.context import EditorDraft
from assist_service.domain.editing import DraftAtHand
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads
from assist_service.tools.editing import PROPOSE_QUESTION_EDIT


async def draft_at_hand(reads: SchoolReads, draft: EditorDraft) -> DraftAtHand | None:
    """The draft with its question's type; None where the LMS does not show the question, or knows it as another type.

    Nothing of the question but its type is looked at: the draft is what the person sees. Raises LmsFault
    `session_ended` alone.
    """
    reads = reads.for_tool(PROPOSE_QUESTION_EDIT.name)
    try:
        question = await reads.question(draft.question_id)
        if question.type != draft.type:
            return None
        types = await reads.question_types()
    except LmsFault as fault:
        if fault.kind is LmsFaultKind.SESSION_ENDED:
            raise
        return None
    of_draft = next((each for each in types.items if each.type == draft.type), None)
    return DraftAtHand(draft, of_draft) if of_draft is not None and of_draft.text_fields else None
