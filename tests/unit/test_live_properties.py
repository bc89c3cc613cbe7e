"""Whatever the school, the lookup and the selection: only the person's own is read, listed and offered."""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assist_service.domain.live.asking import BoardOf, OwnClasses, OwnExams, Read, ResultsOf, StudentsOf
from assist_service.domain.live.finding import Finding, Say, Unclear, Word, listed_in
from assist_service.domain.live.query import MOST_ROWS, OPERATIONS, TAKES, Lookup, Operation, Query, RecordKind
from assist_service.domain.live.scope import Ask
from assist_service.domain.references import NOTHING, PLACEHOLDERS, Picked, Selection
from assist_service.domain.school import Classroom, EvaluationState
from assist_service.tools.live import NEEDS
from assist_service.tools.shared_reads import MOST_READS
from tests.unit.live_school import CLASS, EXAM, STUDENT, Driven, School, student

pytestmark = pytest.mark.slow

Item = TypeVar("Item")

PEOPLE = [student(name, key) for name in ("Ana Reyes", "Ana", "Bea Cruz", "Carl") for key in "xy"]
TITLES = ("Algebra", "Algebra II", "Botany")
FITTING: Mapping[RecordKind, tuple[str, ...]] = {
    CLASS: ("algebra", "botany", "algebra ii"),
    STUDENT: ("ana", "bea", "cruz", "carl", "reyes ana"),
    EXAM: ("midterm", "final"),
}
WORDS = ("algebra", "midterm", "nothing of the sort")

STANDINGS = (Word.ABSENT, Word.UNMARKED, 0, 3, 3, 7.5, 10)

SEEDS = st.integers(0, 2**64)
"""A school, a lookup and a selection are made from one: that is many times faster than to draw each part."""


def some(chance: Random, items: Sequence[Item], most: int = 5) -> list[Item]:
    return chance.sample(items, min(chance.randint(0, most), len(items)))


def school_of(chance: Random) -> School:
    """Up to five classes, some of them another's; gradebooks and boards may hold who is on no roster."""
    school = School()
    for at in range(chance.randint(0, 5)):
        is_own = chance.random() < 0.75
        classroom = school.add_class(chance.choice(TITLES), some(chance, PEOPLE), key=str(at), is_own=is_own)
        for exam in range(chance.randint(0, 3)):
            school.add_exam(
                classroom,
                chance.choice(("Midterm", "Final")),
                {who: chance.choice(STANDINGS) for who in some(chance, PEOPLE)},
                state=chance.choice([EvaluationState.RELEASED] * 6 + list(EvaluationState)),
                best_mark=chance.choice((5, 10, 30)),
                key=str(exam),
            )
        ranked = chance.choices(PEOPLE, k=chance.randint(0, 5))
        school.rank(classroom, *((who, chance.randint(1, 3), 1.0) for who in ranked))
    return school


def ask_of(chance: Random, lookup: Lookup, school: School) -> Ask:
    named = some(chance, sorted(TAKES[lookup]), most=2)
    query = Query(
        lookup=lookup,
        operation=chance.choice(OPERATIONS[lookup]),
        searches={kind: chance.choice((PLACEHOLDERS[kind], *FITTING[kind], *FITTING[kind], *WORDS)) for kind in named},
        limit=chance.randint(1, 4),
    )
    return Ask(query, selected=selection_of(chance, school), on_screen=selection_of(chance, school))


def selection_of(chance: Random, school: School) -> Selection:
    """Up to one of a kind, theirs or not."""
    all_ids: Mapping[RecordKind, list[UUID]] = {
        CLASS: list(school.rosters),
        EXAM: [each.id for each in school.exams],
        STUDENT: [each.id for each in PEOPLE],
    }
    if chance.random() < 0.5:
        return NOTHING
    picked = [
        Picked(kind=kind, id=chance.choice(ids)) for kind, ids in all_ids.items() if ids and chance.random() < 0.4
    ]
    return Selection(records=tuple(picked))


def own_records(school: School) -> set[UUID]:
    """What the LMS lists of the person's own classes."""
    own = {each.id for each in school.classes}
    found = own | {each.id for each in school.exams if each.classroom.id in own}
    for each in own:
        found |= {who.id for who in school.rosters[each]}
        found |= {row.student.id for row in school.gradebook(each).rows}
        found |= {row.student.id for row in school.boards.get(each, [])}
    return found


def class_of(read: Read) -> UUID | None:
    return read.classroom if isinstance(read, OwnExams | StudentsOf | ResultsOf | BoardOf) else None


def check(school: School, ask: Ask, driven: Driven) -> None:
    own = own_records(school)
    own_classes = {each.id for each in school.classes}
    assert {class_of(read) for read in driven.reads} <= own_classes | {None}
    assert len(driven.reads) == len(set(driven.reads)) <= MOST_READS
    given_before = {each.id for each in ask.selected.records}
    for listed in listed_in([driven.looked]):
        assert listed.selection.records[-1].kind is listed.kind
        assert listed.selection.records[-1].id in own
        assert {each.id for each in listed.selection.records} <= own | given_before
        assert len({each.kind for each in listed.selection.records}) == len(listed.selection.records)
    if isinstance(driven.looked, Unclear):
        check_options(ask, driven.looked, own)
    else:
        check_table(school, ask, driven.looked)


def check_options(ask: Ask, unclear: Unclear, own: set[UUID]) -> None:
    assert unclear.options
    labels = [each.label for each in unclear.options]
    assert len(labels) == len(set(labels))
    for option in unclear.options:
        assert option.selection.records[-1].kind is unclear.kind
        assert option.selection.records[-1].id in own
        assert unclear.kind not in option.waiting.searches
        is_of_one = ask.query.lookup is Lookup.EXAM_RESULTS and unclear.kind is STUDENT
        assert option.waiting.operation is (Operation.LIST if is_of_one else ask.query.operation)


def check_names(finding: Finding) -> None:
    """Nothing else is called as one record is."""
    names: dict[tuple[RecordKind, str], UUID] = {}
    for each in listed_in([finding]):
        id_ = each.selection.records[-1].id
        assert names.setdefault((each.kind, each.label), id_) == id_, each.label


def check_table(school: School, ask: Ask, finding: Finding) -> None:
    own_titles = {text for each in school.classes for text in (each.title, f"{each.title} · {each.course.title}")}
    assert {re.sub(r" \(\d\)$", "", each.text) for each in finding.classes} <= own_titles
    check_names(finding)
    assert finding.said or finding.table
    if finding.table is None:
        return
    rows, limit = finding.table.rows, ask.query.limit
    records = [row.listed.selection.records[-1] for row in rows if row.listed is not None]
    assert len(records) == len(set(records)) == len(rows)
    assert {len(row.cells) for row in rows} == {len(finding.table.columns)}
    tied = next((each.count for each in finding.notes if each.say is Say.TIED), 0)
    assert len(rows) == min(limit, len(rows) + finding.table.more) + (tied or 0)
    whole = school.drive(Ask(ask.query.model_copy(update={"limit": MOST_ROWS}), ask.selected, ask.on_screen))
    assert whole.finding.table is not None
    assert whole.finding.table.rows[: len(rows)] == rows
    assert len(whole.finding.table.rows) == len(rows) + finding.table.more


def go_on(school: School, driven: Driven, chance: Random) -> None:
    """Follows choices to the end: each is asked once."""
    asked: list[RecordKind] = []
    while isinstance(driven.looked, Unclear):
        assert driven.looked.kind not in asked
        asked.append(driven.looked.kind)
        option = chance.choice(driven.looked.options)
        ask = Ask(option.waiting, selected=option.selection)
        driven = school.drive(ask)
        check(school, ask, driven)
        said = [(each.say, each.kind) for each in getattr(driven.looked, "said", ())]
        assert not {(Say.NO_SUCH, asked[-1]), (Say.NO_SUCH_IN_CLASS, asked[-1])}.intersection(said)
        if {each.kind for each in option.selection.records} == {asked[-1]}:
            assert (Say.GONE, None) not in said


@pytest.mark.parametrize("lookup", Lookup)
@settings(max_examples=60, deadline=None)
@example(seed=478)  # a ranking where the model named somebody on screen, who is not in it
@given(seed=SEEDS)
def test_only_what_is_the_persons_own_is_read_listed_and_offered(lookup: Lookup, seed: int) -> None:
    chance = Random(seed)
    school = school_of(chance)
    ask = ask_of(chance, lookup, school)
    driven = school.drive(ask)
    check(school, ask, driven)
    go_on(school, driven, chance)


@pytest.mark.parametrize("lookup", Lookup)
@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_what_others_have_changes_nothing(lookup: Lookup, seed: int) -> None:
    """The same answer, whether another's class of any name exists or not."""
    chance = Random(seed)
    school = school_of(chance)
    ask = ask_of(chance, lookup, school)
    assert school.drive(ask).looked == without_others(school).drive(ask).looked


METHODS = {
    OwnClasses: "classrooms",
    OwnExams: "evaluations",
    StudentsOf: "students",
    ResultsOf: "gradebook",
    BoardOf: "leaderboard",
}


@pytest.mark.parametrize("lookup", Lookup)
def test_a_lookup_needs_of_the_lms_just_what_its_plan_asks(lookup: Lookup) -> None:
    asked: set[str] = set()
    for seed in range(200):
        chance = Random(seed)
        school = school_of(chance)
        asked |= {METHODS[type(read)] for read in school.drive(ask_of(chance, lookup, school)).reads}
    assert asked == NEEDS[lookup]


def without_others(school: School) -> School:
    own = {each.id for each in school.classes}
    alone = School(classes=list[Classroom](school.classes))
    alone.exams = [each for each in school.exams if each.classroom.id in own]
    for each in own:
        alone.rosters[each] = school.rosters[each]
        alone.columns[each] = school.columns.get(each, [])
        alone.boards[each] = school.boards.get(each, [])
    alone.marks = school.marks
    return alone
