"""Whatever the school, the lookup and the selection: only the person's own is read, listed and offered."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assist_service.domain.live.asking import BoardOf, OwnExams, Read, ResultsOf, StudentsOf
from assist_service.domain.live.finding import Finding, Say, Unclear, Word, listed_in
from assist_service.domain.live.query import MOST_ROWS, OPERATIONS, TAKES, Lookup, Query, RecordKind
from assist_service.domain.live.scope import Ask
from assist_service.domain.references import PLACEHOLDERS, Picked, Selection
from assist_service.domain.school import Classroom, EvaluationState
from assist_service.tools.live import MOST_READS
from tests.unit.live_school import CLASS, EXAM, STUDENT, Driven, School, student

PEOPLE = [student(name, key) for name in ("Ana Reyes", "Ana", "Bea Cruz", "Carl") for key in "xy"]
TITLES = ("Algebra", "Algebra II", "Botany")
WORDS = ("ana", "bea", "algebra", "botany", "midterm", "final", "nothing of the sort", "algebra ii")

people = st.lists(st.sampled_from(PEOPLE), max_size=5)
standings = st.sampled_from([Word.ABSENT, Word.UNMARKED, 0, 3, 3, 7.5, 10])


@st.composite
def schools(draw: st.DrawFn) -> School:
    """Up to five classes, some of them another's; gradebooks and boards may hold who is on no roster."""
    school = School()
    for at in range(draw(st.integers(0, 5))):
        is_own = draw(st.integers(0, 3)) > 0
        classroom = school.add_class(draw(st.sampled_from(TITLES)), draw(people), key=str(at), is_own=is_own)
        for exam in range(draw(st.integers(0, 3))):
            school.add_exam(
                classroom,
                draw(st.sampled_from(["Midterm", "Final"])),
                draw(st.dictionaries(st.sampled_from(PEOPLE), standings, max_size=5)),
                state=draw(st.sampled_from([EvaluationState.RELEASED] * 4 + list(EvaluationState))),
                best_mark=draw(st.sampled_from([5, 10, 30])),
                key=str(exam),
            )
        ranks = draw(st.lists(st.tuples(st.sampled_from(PEOPLE), st.integers(1, 3), st.just(1.0)), max_size=5))
        school.rank(classroom, *ranks)
    return school


@st.composite
def asks(draw: st.DrawFn, lookup: Lookup, school: School) -> Ask:
    kinds = sorted(TAKES[lookup])
    words = draw(st.dictionaries(st.sampled_from(kinds), st.sampled_from([*WORDS, "*"]), max_size=2))
    query = Query(
        lookup=lookup,
        operation=draw(st.sampled_from(OPERATIONS[lookup])),
        searches={kind: PLACEHOLDERS[kind] if each == "*" else each for kind, each in words.items()},
        limit=draw(st.integers(1, 4)),
    )
    return Ask(query, selected=draw(selections(school)), on_screen=draw(selections(school)))


def selections(school: School) -> st.SearchStrategy[Selection]:
    """Up to one of a kind, theirs or not."""
    all_ids: Mapping[RecordKind, list[UUID]] = {
        CLASS: list(school.rosters),
        EXAM: [each.id for each in school.exams],
        STUDENT: [each.id for each in PEOPLE],
    }
    picked = {k: st.none() | st.sampled_from(ids) if ids else st.none() for k, ids in all_ids.items()}
    nothing = st.just(Selection())
    return nothing | st.fixed_dictionaries(picked).map(
        lambda ids: Selection(records=tuple(Picked(kind=kind, id=id_) for kind, id_ in ids.items() if id_ is not None))
    )


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
        assert option.waiting.operation is ask.query.operation


def check_table(school: School, ask: Ask, finding: Finding) -> None:
    own_titles = {each.title for each in school.classes}
    assert {each.text for each in finding.classes} <= own_titles
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


def go_on(school: School, ask: Ask, driven: Driven, data: Any) -> None:
    """Follows choices to the end: each is asked once."""
    asked: list[RecordKind] = []
    while isinstance(driven.looked, Unclear):
        assert driven.looked.kind not in asked
        asked.append(driven.looked.kind)
        option = data.draw(st.sampled_from(driven.looked.options))
        ask = Ask(option.waiting, selected=option.selection)
        driven = school.drive(ask)
        check(school, ask, driven)
        assert Say.NO_SUCH not in [s.say for s in getattr(driven.looked, "said", ()) if s.kind is asked[-1]]


@pytest.mark.parametrize("lookup", Lookup)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_only_what_is_the_persons_own_is_read_listed_and_offered(lookup: Lookup, data: st.DataObject) -> None:
    school = data.draw(schools())
    ask = data.draw(asks(lookup, school))
    driven = school.drive(ask)
    check(school, ask, driven)
    go_on(school, ask, driven, data)


@pytest.mark.parametrize("lookup", Lookup)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_others_have_changes_nothing(lookup: Lookup, data: st.DataObject) -> None:
    """The same answer, whether another's class of any name exists or not."""
    school = data.draw(schools())
    ask = data.draw(asks(lookup, school))
    assert school.drive(ask).looked == without_others(school).drive(ask).looked


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
