"""A change that was asked for and not prepared is said so, with its reason, unless its tool prepared it since."""

from itertools import product
from uuid import UUID

import pytest

from assist_service.domain.acts import Acts, Prepared, note_edit, note_unprepared, note_write
from assist_service.domain.conversation import Kind
from assist_service.domain.looked_up import LookedUp, Miss
from assist_service.domain.loop import Answered, AskedBack, Declined
from assist_service.domain.messages import ToolCall
from assist_service.domain.screens import Language
from assist_service.domain.statement import NOT_PREPARED, UNPREPARED, sentence_of, unprepared_of
from assist_service.domain.unprepared import Unprepared
from assist_service.domain.writes import WriteRequest, WriteTool
from assist_service.tools.tool import Desk, Effect, Said
from tests.unit.benches import Nothing, bench, tool
from tests.unit.test_answer import FOUND, POLICIES, checked, refused, sentences
from tests.unit.test_statement import EDITED, SCREEN, prepared

EN = Language.ENGLISH
CATEGORY = WriteTool.CREATE_CATEGORY.value
TEMPLATE = WriteTool.CREATE_TEMPLATE.value
REASON = Unprepared.UNPUBLISHED


def of(*reasons: Unprepared, name: str = TEMPLATE) -> Acts:
    acts = Acts()
    note_unprepared(acts, [(name, reason) for reason in reasons])
    return acts


def test_every_reason_has_its_sentence_in_every_language() -> None:
    assert set(UNPREPARED) == set(Unprepared)
    for words in (*UNPREPARED.values(), *NOT_PREPARED.values()):
        assert set(words) == set(Language)
        assert all(text.strip() for text in words.values())
    assert all(text.endswith(".") for words in UNPREPARED.values() for text in words.values())


def test_of_a_draft_it_says_what_to_do() -> None:
    assert unprepared_of(of(REASON), EN, is_any_prepared=False) == (
        "Nothing was prepared: only published questions go into a template. "
        "Publish it in the editor first, then ask again."
    )


@pytest.mark.parametrize(("reason", "language"), list(product(Unprepared, Language)))
def test_where_nothing_else_can_be_shown_the_refusal_says_why(reason: Unprepared, language: Language) -> None:
    acts = of(reason)
    sentence = unprepared_of(acts, language, is_any_prepared=False)
    assert sentence == f"{NOT_PREPARED[False][language]}: {UNPREPARED[reason][language]}"
    for text in ("It is a draft: publish it first.", ""):
        answer = checked(Answered(text), language=language, acts=acts)
        assert (answer.kind, answer.markdown, answer.citations) == (Kind.REFUSAL, sentence, ())
    asked = checked(AskedBack(" "), language=language, acts=acts)
    assert (asked.kind, asked.markdown) == (Kind.REFUSAL, sentence)


SHOWN = {
    "of records": (Answered("You have two."), FOUND, Kind.LIVE),
    "of the manual": (Answered("Press New pool. [s1]"), LookedUp(), Kind.MANUAL),
    "a question back": (AskedBack("Which one?"), LookedUp(), Kind.QUESTION),
}


@pytest.mark.parametrize(("outcome", "looked_up", "kind"), SHOWN.values(), ids=SHOWN)
def test_it_stands_under_what_is_shown(outcome: Answered | AskedBack, looked_up: LookedUp, kind: Kind) -> None:
    acts = of(REASON)
    answer = checked(outcome, looked_up=looked_up, acts=acts)
    assert answer.kind is kind
    assert answer.markdown.endswith(f"\n\n{unprepared_of(acts, EN, is_any_prepared=False)}")
    assert answer.markdown.startswith(outcome.text.partition(" [")[0])


def test_it_stands_beside_what_was_looked_up_in_vain() -> None:
    silent = sentences("required", EN)[Miss.SILENT]
    told = checked(Answered("x"), looked_up=LookedUp(missing=frozenset({Miss.SILENT})), acts=of(REASON))
    assert told.markdown == f"{silent} {unprepared_of(of(REASON), EN, is_any_prepared=False)}"


def test_a_declined_question_is_in_the_words_of_the_policy_alone() -> None:
    assert checked(Declined(), acts=of(REASON)).markdown == POLICIES["required"].texts.decline[EN]
    assert checked(Answered("x")) == refused("required")


def test_beside_a_screen_the_service_words_both() -> None:
    acts = of(REASON)
    acts.screen = SCREEN
    told = checked(Answered("It is a draft."), acts=acts)
    sentence = unprepared_of(acts, EN, is_any_prepared=False)
    assert (told.kind, told.markdown) == (Kind.INTERFACE, f"{sentence_of(acts, EN)}\n\n{sentence}")


def test_beside_something_prepared_it_says_that_not_everything_was() -> None:
    acts = of(REASON)
    assert note_write(acts, prepared()) is None
    told = checked(Answered("Here."), acts=acts)
    assert told.kind is Kind.PROPOSAL
    assert told.markdown.endswith(f"{NOT_PREPARED[True][EN]}: {UNPREPARED[REASON][EN]}")
    assert NOT_PREPARED[False][EN] not in told.markdown
    dropped = checked(AskedBack("Which one?"), acts=acts)
    assert NOT_PREPARED[False][EN] in dropped.markdown


def test_what_a_tool_prepares_makes_up_for_what_it_did_not_before() -> None:
    acts = of(Unprepared.UNFIT, name=CATEGORY)
    note_unprepared(acts, [(TEMPLATE, REASON)])
    assert note_write(acts, prepared(WriteTool.CREATE_CATEGORY)) is None
    assert acts.unprepared == {TEMPLATE: {REASON}}
    edits = of(Unprepared.UNFIT, name="propose_question_edit")
    note_edit(edits, EDITED, tool="propose_question_edit")
    assert (edits.edit, edits.unprepared) == (EDITED, {})


def test_the_reasons_are_those_of_the_last_step_that_called_the_tool() -> None:
    acts = of(Unprepared.SEARCH_FIRST)
    note_unprepared(acts, [(TEMPLATE, Unprepared.UNFIT), (TEMPLATE, Unprepared.NO_SEAT)])
    assert acts.unprepared == {TEMPLATE: {Unprepared.UNFIT, Unprepared.NO_SEAT}}


def test_one_write_too_many_is_told_and_the_same_twice_is_not() -> None:
    acts = Acts()
    for title in ("a", "b", "c", "c"):
        note_write(acts, prepared(title=title))
    assert acts.unprepared == {}
    assert note_write(acts, prepared(title="d")) is not None
    assert acts.unprepared == {CATEGORY: {Unprepared.LIMIT}}


async def test_the_bench_notes_what_a_tool_that_prepares_refused_or_could_not_run() -> None:
    answers: list[Said | Prepared] = [Said("no", is_error=True, unprepared=REASON), Said("no", is_error=True)]

    async def prepare(_: Nothing, __: Desk) -> Said | Prepared:
        return answers.pop(0)

    async def read(_: Nothing, __: Desk) -> Said:
        return Said("no", is_error=True)

    at = bench(tool(TEMPLATE, prepare, effect=Effect.PREPARE), tool("read", read))
    seen = []
    for arguments in ({}, {}, {"no": "such"}):
        await at.run([ToolCall("a", TEMPLATE, arguments), ToolCall("b", "read", {}), ToolCall("c", "none", {})])
        seen.append(dict(at.desk.acts.unprepared))
    assert seen == [{TEMPLATE: {REASON}}, {TEMPLATE: {Unprepared.UNFIT}}, {TEMPLATE: {Unprepared.UNFIT}}]

    made = Prepared(WriteRequest.of(WriteTool.CREATE_TEMPLATE, None, {"title": str(UUID(int=1))}), ())
    answers += [Said("no", is_error=True, unprepared=REASON), made]
    both = [ToolCall("a", TEMPLATE, {}), ToolCall("b", TEMPLATE, {})]
    await at.run(both)
    assert at.desk.acts.unprepared == {TEMPLATE: {REASON}}, "one of one step does not make up for another"
    await at.run([], both[:1])
    assert at.desk.acts.unprepared == {TEMPLATE: {Unprepared.LIMIT}}
