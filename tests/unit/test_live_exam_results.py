"""The results of one released exam, and who took it."""

from collections.abc import Mapping

import pytest

from assist_service.domain.live.asking import OwnClasses, OwnExams, ResultsOf, StudentsOf
from assist_service.domain.live.finding import Say, Topic, Word
from assist_service.domain.live.query import Lookup, Operation
from assist_service.domain.school import EvaluationState, Named
from tests.unit.live_school import STUDENT, THE_STUDENT, School, Standing, picks, student

RESULTS, PARTICIPATION = Lookup.EXAM_RESULTS, Lookup.PARTICIPATION
ABSENT, UNMARKED = Word.ABSENT, Word.UNMARKED

ANA, BEA, CARL, DAN, EVA, FE, GUS = map(student, "Ana Bea Carl Dan Eva Fe Gus".split())
EVERYBODY = (GUS, FE, EVA, DAN, CARL, BEA, ANA)

MARKS: Mapping[Named, Standing] = {ANA: 7, BEA: 9, CARL: ABSENT, DAN: UNMARKED, EVA: 9, FE: 7.5}
"""Gus does not have the exam."""


def school_of(marks: Mapping[Named, Standing] = MARKS, best_mark: float = 10) -> School:
    school = School()
    algebra = school.add_class("Algebra", EVERYBODY)
    school.add_exam(algebra, "Midterm", marks, best_mark=best_mark)
    return school


def test_results_stand_by_mark_then_name_then_who_was_absent_then_what_is_unmarked() -> None:
    driven = school_of().look_up(RESULTS)
    assert driven.rows == [
        ("Bea", 9.0),
        ("Eva", 9.0),
        ("Fe", 7.5),
        ("Ana", 7.0),
        ("Carl", ABSENT),
        ("Dan", UNMARKED),
    ]
    assert driven.said == [(Say.MARKED, 4), (Say.ABSENT, 1), (Say.UNMARKED, 1), (Say.NO_ENTRY, 1)]


def test_a_row_is_asked_on_about_with_its_exam() -> None:
    school = school_of()
    driven = school.look_up(RESULTS)
    assert driven.listed("Bea").selection == picks(school.exams[0], BEA)
    assert (driven.about, driven.classes) == (["Midterm"], ["Algebra"])
    narrowed = school.look_up(RESULTS, in_class="algebra")
    assert narrowed.listed("Bea").selection == picks(school.classes[0], school.exams[0], BEA)
    assert narrowed.about == ["Algebra", "Midterm"]


def test_only_the_exams_class_is_read() -> None:
    school = school_of()
    school.add_class("Botany", [ANA])
    algebra = school.classes[0].id
    assert school.look_up(RESULTS).reads == (OwnClasses(), OwnExams(), ResultsOf(algebra))
    named = school.look_up(RESULTS, student="ana")
    assert named.reads == (OwnClasses(), OwnExams(), ResultsOf(algebra), StudentsOf(algebra))


def test_nobody_of_a_kind_is_not_said() -> None:
    school = school_of(dict.fromkeys(EVERYBODY, 7))
    assert school.look_up(RESULTS).said == [(Say.MARKED, 7)]
    summary = [Say.MARKED, Say.MEAN, Say.MEDIAN, Say.HIGHEST, Say.LOWEST]
    assert school.look_up(RESULTS, Operation.SUMMARY).says == summary
    assert school.look_up(PARTICIPATION).says == [Say.ALL_TOOK_PART]


TIES = {
    (Operation.HIGHEST, 1): ([("Bea", 9.0), ("Eva", 9.0)], 2, 1),
    (Operation.HIGHEST, 2): ([("Bea", 9.0), ("Eva", 9.0)], 2, None),
    (Operation.HIGHEST, 3): ([("Bea", 9.0), ("Eva", 9.0), ("Fe", 7.5)], 1, None),
    (Operation.LOWEST, 1): ([("Ana", 7.0)], 3, None),
    (Operation.LOWEST, 3): ([("Ana", 7.0), ("Fe", 7.5), ("Bea", 9.0), ("Eva", 9.0)], 0, 1),
    (Operation.LOWEST, 50): ([("Ana", 7.0), ("Fe", 7.5), ("Bea", 9.0), ("Eva", 9.0)], 0, None),
}


@pytest.mark.parametrize(("operation", "limit"), TIES)
def test_who_is_like_the_last_one_is_shown_too(operation: Operation, limit: int) -> None:
    rows, more, tied = TIES[operation, limit]
    driven = school_of().look_up(RESULTS, operation, limit=limit)
    assert (driven.rows, driven.more) == (rows, more)
    assert driven.notes == ([(Say.TIED, tied)] if tied is not None else [])


def test_a_summary_has_all_the_numbers() -> None:
    assert school_of(best_mark=20).look_up(RESULTS, Operation.SUMMARY).said == [
        (Say.MARKED, 4),
        (Say.MEAN, {"mean": 8.125, "out_of": 20.0}),
        (Say.MEDIAN, {"median": 8.25, "out_of": 20.0}),
        (Say.HIGHEST, (2, {"mark": 9.0, "out_of": 20.0})),
        (Say.LOWEST, (1, {"mark": 7.0, "out_of": 20.0})),
        (Say.ABSENT, 1),
        (Say.UNMARKED, 1),
        (Say.NO_ENTRY, 1),
    ]


UNTOLD: tuple[tuple[dict[Named, Standing], list[tuple[Say, object]]], ...] = (
    ({}, [(Say.NO_MARKS, None), (Say.NO_ENTRY, 7)]),
    (dict.fromkeys(EVERYBODY, ABSENT), [(Say.NO_MARKS, None), (Say.ABSENT, 7)]),
    (dict.fromkeys(EVERYBODY, UNMARKED), [(Say.NO_MARKS, None), (Say.UNMARKED, 7)]),
)


@pytest.mark.parametrize(("marks", "said"), UNTOLD, ids=["nobody has it", "all absent", "none marked"])
@pytest.mark.parametrize("operation", [Operation.HIGHEST, Operation.LOWEST, Operation.SUMMARY])
def test_without_a_mark_there_is_no_highest(
    operation: Operation, marks: dict[Named, Standing], said: list[tuple[Say, object]]
) -> None:
    driven = school_of(marks).look_up(RESULTS, operation)
    assert (driven.said, driven.rows) == (said, [])


def test_without_a_mark_the_list_still_says_who() -> None:
    driven = school_of(dict.fromkeys(EVERYBODY, ABSENT)).look_up(RESULTS)
    assert (len(driven.rows), driven.said) == (7, [(Say.ABSENT, 7)])
    assert school_of({}).look_up(RESULTS).said == [(Say.NO_MARKS, None), (Say.NO_ENTRY, 7)]


ONE = {
    "bea": (Say.STUDENT_MARK, {"student": "Bea", "mark": 9.0, "out_of": 10.0}),
    "carl": (Say.STUDENT_ABSENT, {"student": "Carl"}),
    "dan": (Say.STUDENT_UNMARKED, {"student": "Dan"}),
    "gus": (Say.STUDENT_NO_ENTRY, {"student": "Gus"}),
}


@pytest.mark.parametrize("name", ONE)
def test_of_one_student_it_is_said_in_a_sentence(name: str) -> None:
    driven = school_of().look_up(RESULTS, student=name)
    assert (driven.said, driven.rows) == ([ONE[name]], [])
    assert driven.about == ["Midterm", name.capitalize()]


def test_a_student_is_looked_for_in_the_class_of_the_exam_alone() -> None:
    school = school_of()
    school.add_class("Botany", [student("Zed")])
    assert school.look_up(RESULTS, student="zed").said == [(Say.NO_SUCH_IN_CLASS, STUDENT)]
    assert school.look_up(RESULTS, student="nobody").said == [(Say.NO_SUCH_IN_CLASS, STUDENT)]
    assert school.look_up(RESULTS, selected=picks(student("Zed"))).said == [(Say.GONE, None)]


def test_two_of_one_name_are_asked_back_and_the_exam_is_kept() -> None:
    school = School()
    other = student("Ana", "other")
    school.add_exam(school.add_class("Algebra", [ANA, other]), "Midterm", {ANA: 3, other: 4})
    school.add_exam(school.classes[0], "Final", {})
    driven = school.look_up(RESULTS, student="ana", exam="midterm")
    assert driven.labels == ["Ana (1) · Algebra", "Ana (2) · Algebra"]
    chosen = driven.unclear.options[0]
    assert chosen.waiting.searches == {}
    marks = {school.go_on(each).said[0][1]["mark"] for each in driven.unclear.options}  # type: ignore[index]
    assert marks == {3.0, 4.0}


def test_the_selected_student_is_no_answer_to_who_had_the_most() -> None:
    school = school_of()
    selected = picks(school.exams[0], ANA)
    assert school.look_up(RESULTS, selected=selected).says == [Say.STUDENT_MARK]
    assert len(school.look_up(RESULTS, Operation.HIGHEST, selected=selected).rows) == 4
    named = school.look_up(RESULTS, Operation.HIGHEST, selected=selected, student=THE_STUDENT)
    assert named.says == [Say.STUDENT_MARK]


def test_who_is_in_the_gradebook_alone_is_of_the_class() -> None:
    school = School()
    school.add_exam(school.add_class("Algebra", [ANA]), "Midterm", {ANA: 3, BEA: 4})
    assert [row[0] for row in school.look_up(RESULTS).rows] == ["Bea", "Ana"]
    assert school.look_up(RESULTS, student="bea").says == [Say.STUDENT_MARK]


@pytest.mark.parametrize("lookup", [RESULTS, PARTICIPATION])
@pytest.mark.parametrize("state", sorted(set(EvaluationState) - {EvaluationState.RELEASED}))
def test_an_exam_that_is_not_released_is_said_to_be_so_and_not_read(lookup: Lookup, state: EvaluationState) -> None:
    school = School()
    algebra = school.add_class("Algebra", [ANA])
    school.add_exam(algebra, "Midterm", {ANA: 3}, state=state)
    driven = school.look_up(lookup, exam="midterm")
    assert driven.said == [(Say.NOT_RELEASED, {"exam": "Midterm", "state": state})]
    assert driven.reads == (OwnClasses(), OwnExams())
    assert school.look_up(lookup).said == [(Say.NO_RELEASED_EXAMS, None)]
    on_screen = school.look_up(lookup, on_screen=picks(school.exams[0]))
    assert on_screen.says == [Say.NOT_RELEASED]


def test_an_exam_that_the_gradebook_does_not_have_yet_has_no_marks() -> None:
    school = school_of()
    school.columns.clear()
    assert school.look_up(RESULTS).said == [(Say.NO_MARKS, None)]
    assert school.look_up(RESULTS, student="ana").says == [Say.STUDENT_NO_ENTRY]
    assert school.look_up(PARTICIPATION).said == [(Say.NOBODY_HAS_ENTRY, None)]


PART = {
    Operation.MISSING: [("Carl",)],
    Operation.TAKEN: [("Ana",), ("Bea",), ("Dan",), ("Eva",), ("Fe",)],
    Operation.RATE: [],
}


@pytest.mark.parametrize("operation", PART)
def test_who_took_part_is_who_was_not_absent_of_those_who_have_the_exam(operation: Operation) -> None:
    driven = school_of().look_up(PARTICIPATION, operation)
    assert driven.rows == PART[operation]
    assert driven.said == [(Say.TOOK_PART, (5, {"of": 6, "share": 5 / 6})), (Say.NO_ENTRY, 1)]


@pytest.mark.parametrize("operation", PART)
def test_all_and_nobody_are_said_so(operation: Operation) -> None:
    nobody = school_of(dict.fromkeys(EVERYBODY, ABSENT)).look_up(PARTICIPATION, operation, limit=3)
    assert nobody.said == [(Say.NOBODY_TOOK_PART, None)]
    everybody = school_of(dict.fromkeys(EVERYBODY, UNMARKED)).look_up(PARTICIPATION, operation, limit=3)
    assert everybody.said == [(Say.ALL_TOOK_PART, None)]
    shown = {Operation.MISSING: (3, 0), Operation.TAKEN: (0, 3), Operation.RATE: (0, 0)}[operation]
    assert (len(nobody.rows), len(everybody.rows)) == shown
    assert school_of({}).look_up(PARTICIPATION, operation).said == [(Say.NOBODY_HAS_ENTRY, None)]


@pytest.mark.parametrize("operation", PART)
def test_who_has_no_entry_is_counted_and_not_among_those_who_took_part(operation: Operation) -> None:
    """Five of seven sat it: nobody may read that everybody did."""
    some = school_of(dict.fromkeys(EVERYBODY[:5], 7)).look_up(PARTICIPATION, operation)
    assert some.said == [(Say.TOOK_PART, (5, {"of": 5, "share": 1.0})), (Say.NO_ENTRY, 2)]
    assert len(some.rows) == (5 if operation is Operation.TAKEN else 0)
    absent = school_of(dict.fromkeys(EVERYBODY[:5], ABSENT)).look_up(PARTICIPATION, operation)
    assert absent.said == [(Say.NOBODY_TOOK_PART, None), (Say.NO_ENTRY, 2)]


def test_a_choice_among_namesakes_goes_on_with_the_one_who_was_asked_about() -> None:
    """The highest mark of one student is that student's: not the table of all, once it was said who."""
    school = School()
    other = student("Ana", "other")
    school.add_exam(school.add_class("Algebra", [ANA, other, BEA]), "Midterm", {ANA: 3, other: 4, BEA: 9})
    for operation in (Operation.LIST, Operation.HIGHEST, Operation.LOWEST, Operation.SUMMARY):
        driven = school.look_up(RESULTS, operation, student="ana")
        for option in driven.unclear.options:
            assert school.go_on(option).says == [Say.STUDENT_MARK]


def test_a_heading_says_what_was_answered() -> None:
    school = school_of()
    for operation in (Operation.LIST, Operation.HIGHEST, Operation.LOWEST, Operation.SUMMARY):
        assert school.look_up(RESULTS, operation).finding.topic is None
        assert school.look_up(RESULTS, operation, student="ana").finding.topic is Topic.STUDENT_RESULT
    assert school.look_up(PARTICIPATION).finding.topic is None
    everybody = school_of(dict.fromkeys(EVERYBODY, 7))
    assert everybody.look_up(PARTICIPATION).finding.topic is Topic.PARTICIPATION
    assert everybody.look_up(PARTICIPATION, Operation.TAKEN).finding.topic is None
    assert school_of({}).look_up(PARTICIPATION).finding.topic is Topic.PARTICIPATION
    school.add_exam(school.classes[0], "Later", state=EvaluationState.CLOSED)
    for lookup in (RESULTS, PARTICIPATION):
        assert school.look_up(lookup, exam="later").finding.topic is Topic.EXAM_STATE


def test_a_roster_that_is_cut_is_said_to_be() -> None:
    school = school_of()
    assert not school.look_up(RESULTS, student="ana").finding.is_cut
    school.cut = {StudentsOf(school.classes[0].id)}
    assert school.look_up(RESULTS, student="ana").finding.is_cut
