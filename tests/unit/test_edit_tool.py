"""The tool of the editor at its desk: one proposal an answer, noted and never applied, and only of what one reads."""

import asyncio
import dataclasses
import json
import uuid
from typing import Any

import pytest

from assist_service.adapters.config_schema import JsonConfigSchemas
from assist_service.domain.context import EditorDraft
from assist_service.domain.editing import DraftAtHand
from assist_service.domain.question_types import QuestionType
from assist_service.domain.school import Page, Question, Ref
from assist_service.domain.unprepared import Unprepared
from assist_service.ports import LmsFault, LmsFaultKind
from assist_service.services.draft_desk import draft_at_hand
from assist_service.tools.editing import (
    ADDITIONS,
    NO_DRAFT,
    ONE_EACH,
    PROPOSE_QUESTION_EDIT,
    REWRITES,
    SHOWN,
    UNCHECKED,
    EditArguments,
)
from assist_service.tools.tool import Desk, Said
from tests.unit.drafts import QUESTION, TYPES, at_hand, choice, mcq
from tests.unit.small_manual import desk, publication, section

SCHEMAS = JsonConfigSchemas()
TWO = mcq(choice("one", correct=True), choice("two"))
REWRITE = {"rewrites": [{"path": "/config/statement", "text": "Which is it?"}], "additions": ["three"]}


def at(draft: DraftAtHand | None, schemas: JsonConfigSchemas | None = SCHEMAS) -> Desk:
    return dataclasses.replace(desk(publication(section())), draft=draft, schemas=schemas)


async def call(at: Desk, arguments: dict[str, Any] = REWRITE) -> Said:
    said = await PROPOSE_QUESTION_EDIT.run(EditArguments.model_validate_json(json.dumps(arguments)), at)
    assert isinstance(said, Said)
    return said


async def test_a_proposal_is_noted_with_its_base_and_the_model_is_told_that_nothing_changed() -> None:
    here = at(at_hand(TWO))
    assert await call(here) == Said(SHOWN)
    edit = here.acts.edit
    assert edit is not None
    assert (edit.question_id, edit.base, edit.explanation) == (QUESTION, "v1", "Because.")
    assert edit.config == mcq(choice("one", correct=True), choice("two"), choice("three"), statement="Which is it?")
    assert [change.path for change in edit.changes] == ["/config/statement", "/config/choices/2/text"]
    assert here.acts.propose


@pytest.mark.parametrize(
    ("here", "arguments", "why"),
    [
        (at(None), REWRITE, NO_DRAFT),
        (at(at_hand(TWO), schemas=None), REWRITE, UNCHECKED),
        (at(at_hand(TWO)), {}, "Not proposed: That changes nothing."),
        (at(at_hand(TWO)), {"additions": ["x" * 2001]}, "/config/choices/2/text: maxLength 2000"),
    ],
    ids=["no draft", "no schemas", "nothing", "schema"],
)
async def test_a_refusal_is_told_and_notes_nothing(here: Desk, arguments: dict[str, Any], why: str) -> None:
    said = await call(here, arguments)
    assert (said.is_error, why in said.text, here.acts.edit) == (True, True, None)


async def test_a_schema_that_cannot_be_checked_by_takes_no_proposal() -> None:
    odd = TYPES["mcq"].model_copy(update={"config_schema": {"$ref": "https://elsewhere.example/"}})
    assert await call(at(at_hand(TWO, of=odd))) == Said(UNCHECKED, is_error=True, unprepared=Unprepared.UNCHECKED)


async def test_faults_of_the_draft_elsewhere_are_its_own() -> None:
    here = at(at_hand({**TWO, "multiple": "yes", "unknown": 1}))
    assert await call(here) == Said(SHOWN)
    assert here.acts.edit is not None
    assert here.acts.edit.config["multiple"] == "yes"


async def test_one_edit_is_proposed_in_an_answer_one_after_the_other_and_side_by_side() -> None:
    here = at(at_hand(TWO))
    assert await call(here) == Said(SHOWN)
    second = Said(ONE_EACH, is_error=True, unprepared=Unprepared.LIMIT)
    assert await call(here, {"additions": ["four"]}) == second
    here = at(at_hand(TWO))
    both = await asyncio.gather(*(call(here, {"additions": [text]}) for text in ("a", "b")))
    assert sorted(both, key=lambda said: said.is_error) == [
        Said(SHOWN),
        Said(ONE_EACH, is_error=True, unprepared=Unprepared.LIMIT),
    ]
    assert here.acts.edit is not None
    assert len(here.acts.edit.changes) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"rewrites": [{"path": "/config/statement", "text": "x"}] * (REWRITES + 1)},
        {"additions": ["x"] * (ADDITIONS + 1)},
        {"additions": ["x" * 20_001]},
        {"additions": "x"},
        {"additions": [1]},
        {"rewrites": {"/config/statement": "x"}},
        {"rewrites": [{"path": "/config/statement", "text": "x", "correct": True}]},
        {"config": {}},
    ],
    ids=lambda value: str(value)[:60],
)
def test_arguments_are_closed_and_bounded(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        EditArguments.model_validate_json(json.dumps(arguments))


# Whose draft


class Reads:
    """An LMS with one question, that notes who asks and for what."""

    def __init__(self, question: Any, types: Any = None) -> None:
        self.question_or_fault = question
        self.types_or_fault = types or Page(items=tuple(TYPES.values()))
        self.asked: list[object] = []

    def for_tool(self, tool: str) -> "Reads":
        self.asked.append(tool)
        return self

    async def question(self, question: uuid.UUID) -> Question:
        self.asked.append(question)
        found: Question = _given(self.question_or_fault)
        return found

    async def question_types(self) -> Page[QuestionType]:
        found: Page[QuestionType] = _given(self.types_or_fault)
        return found


def _given(value: Any) -> Any:
    if isinstance(value, LmsFaultKind):
        raise LmsFault(value)
    return value


def question(type_: str = "mcq") -> Question:
    pool = Ref(id=uuid.UUID(int=1), title="P")
    return Question(id=QUESTION, title="Q", type=type_, status="draft", pool=pool, statement="S")


DRAFT: EditorDraft = at_hand(TWO).draft
BARE = TYPES["mcq"].model_copy(update={"text_fields": (), "append": None})


async def of(reads: Any) -> DraftAtHand | None:
    return await draft_at_hand(reads, DRAFT)


async def test_a_draft_is_at_hand_for_who_reads_its_question() -> None:
    reads = Reads(question())
    assert await of(reads) == DraftAtHand(DRAFT, TYPES["mcq"])
    assert reads.asked == ["propose_question_edit", QUESTION]


@pytest.mark.parametrize(
    "reads",
    [
        *(Reads(fault) for fault in LmsFaultKind if fault is not LmsFaultKind.SESSION_ENDED),
        *(Reads(question(), fault) for fault in LmsFaultKind if fault is not LmsFaultKind.SESSION_ENDED),
        Reads(question("cloze")),
        Reads(question(), Page(items=(TYPES["cloze"],))),
        Reads(question(), Page(items=(BARE,))),
    ],
)
async def test_it_is_not_where_the_lms_does_not_show_it_or_knows_it_otherwise(reads: Any) -> None:
    assert await of(reads) is None


@pytest.mark.parametrize("reads", [Reads(LmsFaultKind.SESSION_ENDED), Reads(question(), LmsFaultKind.SESSION_ENDED)])
async def test_a_session_that_ended_ends_the_question(reads: Any) -> None:
    with pytest.raises(LmsFault, match="session_ended"):
        await of(reads)
