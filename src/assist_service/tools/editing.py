"""Proposes other texts for the question in the editor: shown as a diff, and nothing until the person applies it."""

from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from assist_service.domain.acts import note_edit
from assist_service.domain.editing import (
    EDIT_CHARACTERS,
    DraftAtHand,
    NotProposed,
    Proposed,
    faults_of_edit,
    propose,
    texts_of,
)
from assist_service.domain.reply import EditQuestion
from assist_service.domain.unprepared import Unprepared
from assist_service.ports import ConfigSchemas, SchemaUnfit
from assist_service.tools.tool import ARGUMENTS, OPEN_ONLY, Desk, Effect, Family, Said, Tool

NAME = "propose_question_edit"

REWRITES = 40
ADDITIONS = 20

TOLD_FAULTS = 5
"""Of what the type does not take, the model reads the first of."""

SHOWN = "Shown as a diff; nothing is changed until the person applies it."
NO_DRAFT = "Not proposed: there is no question in an editor here that this person may edit."
ONE_EACH = "Not proposed: one proposal is made for this answer already."
UNCHECKED = "Not proposed: it could not be checked whether this type of question takes it."

Refusal = tuple[str, Unprepared]
"""What the model reads, and what the person is told."""

Written = Annotated[str, StringConstraints(max_length=EDIT_CHARACTERS)]


class Rewrite(BaseModel):
    """One text, written anew."""

    model_config = ARGUMENTS

    path: Annotated[str, StringConstraints(min_length=1, max_length=500)] = Field(
        description="The path of a text, as it stands in the list of the draft's texts."
    )
    text: Written = Field(description="All of the new text, with every [[…]], {{…}} and asset: of the old one.")


class EditArguments(BaseModel):
    """What to write."""

    model_config = ARGUMENTS

    rewrites: Annotated[tuple[Rewrite, ...], Field(max_length=REWRITES)] = Field(
        default=(), description="Texts that the draft has."
    )
    additions: Annotated[tuple[Written, ...], Field(max_length=ADDITIONS)] = Field(
        default=(), description="Texts of choices to add; each comes without a tick."
    )


async def _propose(arguments: EditArguments, desk: Desk) -> Said:
    if desk.draft is None:
        return _refused((NO_DRAFT, Unprepared.NO_SEAT))
    before = {text.path: text.text for text in texts_of(desk.draft.draft, desk.draft.type)}
    rewrites = [(each.path, desk.respelt(each.text, before.get(each.path, ""))) for each in arguments.rewrites]
    proposed = propose(desk.draft, rewrites, arguments.additions, unshown=desk.unshown)
    if isinstance(proposed, NotProposed):
        return _refused((f"Not proposed: {proposed.reason}", Unprepared.UNFIT))
    if (refusal := await _refusal_of_schema(desk.draft, proposed, desk.schemas)) is not None:
        return _refused(refusal)
    # Asked last, with no wait before the note: the calls of one step run side by side.
    if desk.acts.edit is not None:
        return _refused((ONE_EACH, Unprepared.LIMIT))
    edit = EditQuestion(
        type="edit_question",
        question_id=desk.draft.draft.question_id,
        base=desk.draft.draft.base,
        changes=proposed.changes,
        config=proposed.config,
        explanation=proposed.explanation,
    )
    note_edit(desk.acts, edit, tool=NAME)
    return Said(SHOWN)


def _refused(refusal: Refusal) -> Said:
    reason, unprepared = refusal
    return Said(reason, is_error=True, unprepared=unprepared)


async def _refusal_of_schema(at_hand: DraftAtHand, proposed: Proposed, schemas: ConfigSchemas | None) -> Refusal | None:
    """Why the type does not take what would change; what was wrong in the draft before is the draft's own."""
    if schemas is None:
        return UNCHECKED, Unprepared.UNCHECKED
    try:
        before, after = await schemas.faults(at_hand.type.config_schema, (at_hand.draft.config, proposed.config))
    except SchemaUnfit:
        return UNCHECKED, Unprepared.UNCHECKED
    faults = faults_of_edit(before, after, proposed.touched)
    if not faults:
        return None
    told = "; ".join(f"/config{fault.pointer}: {fault.words}" for fault in faults[:TOLD_FAULTS])
    return f"Not proposed: this type of question does not take it. {told}", Unprepared.UNFIT


PROPOSE_QUESTION_EDIT = Tool(
    name=NAME,
    description=(
        "Proposes other texts for the question in the editor, or choices to add. The person sees a diff and applies "
        "it or not. Use it once, when they ask for the question on screen to be written otherwise; it changes no "
        "tick, number or setting."
    ),
    family=Family.EDITING,
    effect=Effect.PREPARE,
    disclosures=OPEN_ONLY,
    arguments=EditArguments,
    run=_propose,
    needs=frozenset({"question", "question_types"}),
)
