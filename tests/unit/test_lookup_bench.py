"""A step with a lookup: what runs beside it, what is noted of it, and what can be asked about under its answer."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.memory.manuals import OneManual
from assist_service.domain.asked import Asked
from assist_service.domain.context import AssistContext
from assist_service.domain.conversation import Kind
from assist_service.domain.live.finding import Column, Finding, Row, Table
from assist_service.domain.live.query import Lookup, Operation, Query, RecordKind
from assist_service.domain.looked_up import Miss
from assist_service.domain.loop import Answered, AskedBack, Declined, LookedUp, Outcome
from assist_service.domain.messages import ToolCall
from assist_service.domain.names import Masks
from assist_service.domain.placeholders import Names
from assist_service.domain.policy import Disclosure
from assist_service.domain.progress import Asking, LookingUp, Step
from assist_service.domain.records import Found, Record, Seen, Someone, Titled
from assist_service.domain.references import Listed, Picked, Selection
from assist_service.domain.reply import Sent
from assist_service.domain.screens import EntityKind, Language
from assist_service.domain.writes import WriteTool
from assist_service.ports import Edition
from assist_service.services.bench import BESIDE, Bench
from assist_service.services.checks import Checks, Shown
from assist_service.services.toolbox import Toolbox
from assist_service.tools.tool import Desk, Effect, Family, Said, Tool
from tests.unit.benches import MANUAL, Numbered, bench, tool
from tests.unit.live_findings import AT, WORDING, called
from tests.unit.markup_harm import MARKUP
from tests.unit.small_manual import desk, masks
from tests.unit.test_statement import prepared

CLASSES = Lookup.CLASSES.value
COUNT = Query(lookup=Lookup.CLASSES, operation=Operation.COUNT)
FOUND = Finding(COUNT)
LOOK = ToolCall("look", CLASSES, {"number": 1})
READ = ToolCall("read", "list_things", {"number": 1})
UNFIT = {"number": -1}

Runs = Callable[[Any, Desk], Awaitable[Any]]


class Counted:
    """Brings one and the same, and counts how often it was run."""

    def __init__(self, what: Any) -> None:
        self.what, self.times = what, 0

    async def __call__(self, _: Any, __: Desk) -> Any:
        self.times += 1
        return self.what


def lookup(run: Runs, name: str = CLASSES) -> Tool:
    return replace(tool(name, run, arguments=Numbered), family=Family.LIVE)


def data(run: Runs, name: str = "list_things") -> Tool:
    return replace(tool(name, run, arguments=Numbered), family=Family.DATA)


def prepares(run: Runs, name: str) -> Tool:
    return replace(tool(name, run, arguments=Numbered, effect=Effect.PREPARE), family=Family.WRITING)


def beside(*tools: Tool, disclosure: Disclosure = Disclosure.OPEN) -> Bench:
    """A bench where lookups are sealed and every other tool has this disclosure."""
    held = {each.name: each for each in tools}
    disclosures = {n: Disclosure.SEALED if t.family is Family.LIVE else disclosure for n, t in held.items()}
    return Bench(Toolbox(held, disclosures), desk(MANUAL), masks())


# What runs


@pytest.mark.parametrize("disclosure", [Disclosure.OPEN, Disclosure.MASKED])
@pytest.mark.parametrize("calls", [(LOOK, READ), (READ, LOOK)], ids=["after", "before"])
async def test_what_a_model_would_read_is_not_run_beside_a_lookup(
    calls: tuple[ToolCall, ...], disclosure: Disclosure
) -> None:
    looks, reads, told = Counted(FOUND), Counted(Found([])), list[Step | Asking]()
    at = beside(lookup(looks), data(reads), disclosure=disclosure)
    at.tell = told.append
    ran = await at.run(calls)
    assert (looks.times, reads.times) == (1, 0)
    assert (ran.results, ran.ending) == ((), LookedUp((FOUND,)))
    assert told == [LookingUp(tool=CLASSES)]
    assert at.sent == [Sent(tool=CLASSES, disclosure=Disclosure.SEALED)]
    outcome = at.look_ups.outcome
    assert (outcome.found, outcome.missing) == (True, frozenset({Miss.BESIDE})), "the person is told"
    assert at.found == ()


async def test_a_lookup_that_was_not_understood_is_told_to_the_model_and_so_is_what_was_not_run_beside_it() -> None:
    looks, reads = Counted(FOUND), Counted(Found([]))
    at = beside(lookup(looks), data(reads))
    ran = await at.run([ToolCall("look", CLASSES, UNFIT), READ])
    assert ran.ending is None
    assert [(each.call_id, each.is_error) for each in ran.results] == [("look", True), ("read", True)]
    assert ran.results[1].content == BESIDE
    assert (looks.times, reads.times, at.sent) == (0, 0, [])
    assert (await at.run([READ])).ending is None
    assert reads.times == 1, "alone it is run"
    assert (await at.run([LOOK])).ending == LookedUp((FOUND,))
    assert at.look_ups.outcome.missing == frozenset()


async def test_what_is_prepared_beside_a_lookup_is_kept() -> None:
    written = prepared(WriteTool.CREATE_CATEGORY)
    name = WriteTool.CREATE_CATEGORY.value
    at = beside(lookup(Counted(FOUND)), prepares(Counted(written), name))
    ran = await at.run([LOOK, ToolCall("write", name, {"number": 1})])
    assert ran.ending == LookedUp((FOUND,))
    assert at.desk.acts.writes == [written]
    assert at.sent == [Sent(tool=CLASSES, disclosure=Disclosure.SEALED)]


# What is noted


NOTED: dict[str, tuple[Any, bool, set[Miss]]] = {
    "found": (FOUND, True, set()),
    "silent": (Said("", is_error=True, miss=Miss.SILENT), False, {Miss.SILENT}),
    "refused": (Said("", is_error=True, miss=Miss.REFUSED), False, {Miss.REFUSED}),
}


@pytest.mark.parametrize(("what", "is_found", "missing"), NOTED.values(), ids=NOTED)
async def test_what_came_of_a_lookup_is_noted(what: Any, is_found: bool, missing: set[Miss]) -> None:
    at = beside(lookup(Counted(what)))
    ran = await at.run([LOOK])
    assert ran.ending == LookedUp((FOUND,) if is_found else ())
    assert (at.look_ups.outcome.found, at.look_ups.outcome.missing) == (is_found, frozenset(missing))


async def test_a_lookup_of_too_many_calls_is_noted_as_not_run() -> None:
    at = beside(lookup(Counted(FOUND)))
    await at.run([LOOK], surplus=[ToolCall("more", CLASSES, {"number": 2})])
    assert at.look_ups.outcome.missing == {Miss.UNDONE}


async def test_a_lookup_that_goes_on_is_told_noted_and_counted_as_any() -> None:
    told: list[Step | Asking] = []
    at = beside(lookup(Counted(FOUND)))
    at.tell = told.append
    assert await at.resume(COUNT) == LookedUp(()), "the LMS of this desk refuses every read"
    assert told == [LookingUp(tool=CLASSES)]
    assert at.look_ups.outcome.missing == {Miss.REFUSED}
    assert at.sent == [], "of a lookup that brought nothing, nothing was looked up"


def test_only_a_lookup_that_the_person_has_and_no_model_reads_may_go_on() -> None:
    assert beside(lookup(Counted(FOUND))).has(COUNT)
    assert not beside(lookup(Counted(FOUND), Lookup.EXAMS.value)).has(COUNT)
    assert not bench(lookup(Counted(FOUND)), disclosure=Disclosure.OPEN).has(COUNT)


# What can be asked about


ANA = uuid.UUID(int=1)
POLICY = load_policy("default")
DECLINE = POLICY.texts.decline[Language.ENGLISH]
ASKED = Asked(
    conversation_id=None,
    question="Who leads?",
    context=AssistContext(route="/courses", language=Language.ENGLISH),
    editor=None,
    reference=None,
    canonical=b"",
)


def answered(outcome: Any, at: Bench) -> Shown:
    checks = Checks(
        policy=POLICY, manuals=OneManual(Edition(at.desk.publication, at.desk.index)), markup=MARKUP, wording=WORDING
    )
    return checks(ASKED, outcome, at, at=AT)


async def with_records(disclosure: Disclosure) -> Bench:
    """A bench whose data tool found a student, and a class called by the very words of a refusal."""
    records: list[Record] = [
        {"student": Someone(ANA, "Ana Lima")},
        {"id": Seen(EntityKind.CLASSROOM, uuid.UUID(int=2)), "title": Titled(DECLINE)},
    ]
    at = beside(data(Counted(Found(records))), disclosure=disclosure)
    await at.run([READ])
    return at


NAMES = {
    "an answer": (Answered("{} leads, of " + DECLINE), Disclosure.MASKED, [Kind.LIVE, "student", "class"]),
    "an answer of open data": (Answered("{} leads, of " + DECLINE), Disclosure.OPEN, [Kind.LIVE]),
    "a question": (AskedBack("Do you mean {}?"), Disclosure.MASKED, [Kind.QUESTION]),
    "a refusal": (Declined(), Disclosure.MASKED, [Kind.REFUSAL]),
}


@pytest.mark.parametrize(("outcome", "disclosure", "told"), NAMES.values(), ids=NAMES)
async def test_an_answer_of_data_that_was_kept_back_names_whom_it_may_be_asked_about(
    outcome: Outcome, disclosure: Disclosure, told: list[object]
) -> None:
    at = await with_records(disclosure)
    if isinstance(outcome, Answered | AskedBack):
        who = at.masks.placeholder(ANA) if disclosure is Disclosure.MASKED else "Ana Lima"
        outcome = replace(outcome, text=outcome.text.format(who))
    shown = answered(outcome, at)
    assert [shown.checked.kind, *(each.kind.value for each in shown.listed)] == told


def listing(*ids: int) -> Finding:
    picked = [Picked(kind=RecordKind.CLASS, id=uuid.UUID(int=each)) for each in ids]
    listed = [Listed(RecordKind.CLASS, "3B", Selection(records=(each,))) for each in picked]
    rows = tuple(Row(called("3B"), each) for each in listed)
    return Finding(COUNT, table=Table((Column.CLASS,), rows))


def test_what_two_lookups_list_can_be_asked_about_once() -> None:
    shown = answered(LookedUp((listing(1, 2), listing(2, 3, 1))), beside(lookup(Counted(FOUND))))
    assert [each.selection.of(RecordKind.CLASS) for each in shown.listed] == [uuid.UUID(int=n) for n in (1, 2, 3)]


def test_whom_an_answer_of_lookups_names_is_not_kept_with_it_as_a_name() -> None:
    known = Masks(masks().tag, "Who?")
    known.mask(ANA, "Ana Lima")
    at = beside(lookup(Counted(FOUND)))
    at.masks = Masks.of(Names(known.tag, dict(known.names.people), (), 1), "And now?")
    finding = Finding(COUNT, table=Table((Column.STUDENT,), (Row(called("Ana Lima")),)))
    shown = answered(LookedUp((finding,)), at)
    assert "Ana Lima" in shown.markdown
    assert shown.names is None, "the exchange that named her has her name, and no model reads this one"
