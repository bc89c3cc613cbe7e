"""How a class and a student did, and the ranking of the LMS."""

import pytest

from assist_service.domain.live.asking import BoardOf, OwnClasses, ResultsOf, StudentsOf
from assist_service.domain.live.finding import Say, Word
from assist_service.domain.live.query import Lookup, Operation
from assist_service.domain.school import EvaluationState
from tests.unit.live_school import CLASS, STUDENT, THE_CLASS, THE_EXAM, Driven, School, picks, student

OF_CLASS, OF_STUDENT, RANKINGS = Lookup.CLASS_PERFORMANCE, Lookup.STUDENT_PERFORMANCE, Lookup.RANKINGS
ABSENT, UNMARKED = Word.ABSENT, Word.UNMARKED
SUMMARY, BY_EXAM = Operation.SUMMARY, Operation.BY_EXAM

ANA, BEA, CARL = student("Ana"), student("Bea"), student("Carl")


def marked_school() -> School:
    school = School()
    algebra = school.add_class("Algebra", [ANA, BEA, CARL])
    school.add_exam(algebra, "Midterm", {ANA: 5, BEA: 10, CARL: ABSENT}, best_mark=10)
    school.add_exam(algebra, "Running", {ANA: 1}, state=EvaluationState.RUNNING)
    school.add_exam(algebra, "Final", {ANA: 15, BEA: UNMARKED}, best_mark=20)
    school.add_exam(algebra, "Essay", {}, best_mark=5)
    return school


def test_a_class_in_summary_weighs_every_mark_by_its_best_one() -> None:
    driven = marked_school().look_up(OF_CLASS)
    assert driven.said == [
        (Say.STUDENTS, 3),
        (Say.RELEASED_EXAMS, 3),
        (Say.MEAN_SHARE, (3, {"share": 0.75})),
        (Say.ABSENCES, 1),
    ]
    assert driven.reads == (OwnClasses(), ResultsOf(marked_school().classes[0].id))


def test_the_best_and_the_weakest_exam_are_said_where_they_differ() -> None:
    school = marked_school()
    school.add_exam(school.classes[0], "Quiz", {ANA: 1, BEA: 1}, best_mark=2)
    driven = school.look_up(OF_CLASS)
    assert driven.said[3:5] == [
        (Say.BEST_EXAM, {"exam": "Midterm", "share": 0.75}),
        (Say.WEAKEST_EXAM, {"exam": "Quiz", "share": 0.5}),
    ]


def test_a_class_by_exam() -> None:
    school = marked_school()
    driven = school.look_up(OF_CLASS, BY_EXAM, in_class="algebra")
    assert driven.rows == [
        ("Midterm", 10.0, 7.5, 10.0, 5.0, 2, 1),
        ("Final", 20.0, 15.0, 15.0, 15.0, 1, 0),
        ("Essay", 5.0, None, None, None, 0, 0),
    ]
    assert driven.listed("Final").selection == picks(school.classes[0], school.exams[2])
    assert school.look_up(OF_CLASS, BY_EXAM, limit=1).more == 2


def test_nobody_marked_and_everybody_absent() -> None:
    school = School()
    algebra = school.add_class("Algebra", [ANA, BEA])
    assert school.look_up(OF_CLASS).said == [(Say.NO_RELEASED_EXAMS, None)]
    assert school.look_up(OF_CLASS, BY_EXAM).said == [(Say.NO_RELEASED_EXAMS, None)]
    school.add_exam(algebra, "Midterm", {ANA: ABSENT, BEA: ABSENT})
    expected = [(Say.STUDENTS, 2), (Say.RELEASED_EXAMS, 1), (Say.NO_MARKS, None), (Say.ABSENCES, 2)]
    assert school.look_up(OF_CLASS).said == expected


@pytest.mark.parametrize("lookup", [OF_CLASS, RANKINGS])
def test_one_class_is_needed_and_asked_for(lookup: Lookup) -> None:
    school = marked_school()
    school.add_class("Botany")
    algebra = school.classes[0]
    school.rank(algebra, (ANA, 1, 20))
    driven = school.look_up(lookup)
    assert driven.reads == (OwnClasses(),)
    assert driven.labels == ["Algebra · Course", "Botany · Course"]
    assert driven.option("Algebra · Course").selection == picks(algebra)
    gone_on = school.go_on(driven.option("Algebra · Course"))
    assert gone_on.classes == ["Algebra"]
    assert gone_on.about == ["Algebra"]
    assert school.look_up(lookup, on_screen=picks(algebra)).about == ["Algebra"]
    gone = School().add_class("Gone")
    assert school.look_up(lookup, on_screen=picks(gone)).labels == driven.labels
    assert school.look_up(lookup, on_screen=picks(gone), in_class=THE_CLASS).said == [(Say.GONE, None)]


def test_a_student_in_summary_and_by_exam() -> None:
    school = marked_school()
    algebra = school.classes[0]
    driven = school.look_up(OF_STUDENT, student="ana")
    assert driven.said == [
        (Say.RELEASED_EXAMS, 3),
        (Say.MEAN_SHARE, (2, {"share": 0.625})),
        (Say.BEST_EXAM, {"exam": "Final", "share": 0.75}),
        (Say.WEAKEST_EXAM, {"exam": "Midterm", "share": 0.5}),
        (Say.MISSED_EXAMS, 0),
    ]
    assert driven.reads == (OwnClasses(), StudentsOf(algebra.id), ResultsOf(algebra.id))
    assert (driven.about, driven.classes) == (["Ana"], ["Algebra"])
    by_exam = school.look_up(OF_STUDENT, BY_EXAM, student="bea")
    assert by_exam.rows == [
        ("Midterm", 10.0, 10.0, 1.0, 7.5),
        ("Final", UNMARKED, 20.0, None, 15.0),
        ("Essay", None, 5.0, None, None),
    ]
    assert by_exam.listed("Final").selection == picks(BEA, school.exams[2])
    assert school.look_up(OF_STUDENT, BY_EXAM, student="carl").rows[0] == ("Midterm", ABSENT, 10.0, None, 7.5)


def test_a_student_without_marks() -> None:
    school = marked_school()
    expected = [(Say.RELEASED_EXAMS, 3), (Say.NO_MARKS, None), (Say.MISSED_EXAMS, 1)]
    assert school.look_up(OF_STUDENT, student="carl").said == expected
    school.add_class("Botany", [student("Dora")])
    assert school.look_up(OF_STUDENT, student="dora").said == [(Say.NO_RELEASED_EXAMS, None)]


def alike(share: float, other: float) -> Driven:
    school = School()
    algebra = school.add_class("Algebra", [ANA])
    school.add_exam(algebra, "One", {ANA: share * 10}, best_mark=10)
    school.add_exam(algebra, "Two", {ANA: other * 30}, best_mark=30)
    return school.look_up(OF_STUDENT, student="ana")


def test_exams_that_are_alike_have_no_best() -> None:
    assert Say.BEST_EXAM not in alike(0.7, 0.7).says
    assert Say.BEST_EXAM in alike(0.7, 0.71).says


def in_two_classes() -> School:
    """The article's own school: whoever had the most is in two classes."""
    school = School()
    algebra, botany = school.add_class("Algebra", [ANA, BEA]), school.add_class("Botany", [ANA, CARL])
    school.add_exam(algebra, "Midterm", {ANA: 9, BEA: 3})
    school.add_exam(botany, "Leaves", {ANA: 4, CARL: 2})
    return school


def test_exam_chosen_top_student_chosen_performance_asked_class_asked_back_class_chosen() -> None:
    school = in_two_classes()
    asked = school.look_up(Lookup.EXAM_RESULTS, Operation.HIGHEST, limit=1)
    assert sorted(asked.labels) == ["Leaves · Botany", "Midterm · Algebra"]
    top = school.go_on(asked.option("Midterm · Algebra"))
    assert top.rows == [("Ana", 9.0)]
    performance = school.look_up(OF_STUDENT, BY_EXAM, selected=top.listed("Ana").selection)
    assert performance.unclear.kind is CLASS
    chosen = performance.option("Botany · Course")
    assert {each.kind for each in chosen.selection.records} == set(type(CLASS))
    last = school.go_on(chosen)
    assert last.rows == [("Leaves", 4.0, 10.0, 0.4, 3.0)]
    assert last.about == ["Botany", "Ana"]


def test_words_that_wait_are_kept_while_the_class_is_chosen() -> None:
    school = in_two_classes()
    driven = school.look_up(OF_STUDENT, selected=picks(CARL), student="ana")
    chosen = driven.option("Algebra · Course")
    assert chosen.waiting.searches == {}
    assert school.go_on(chosen).about == ["Algebra", "Ana"]
    school.add_class("Algebra", [ANA, CARL], course="Other")
    unclear = school.look_up(OF_STUDENT, selected=picks(CARL), student="ana", in_class="algebra")
    chosen = unclear.option("Algebra · Course")
    assert chosen.waiting.searches == {STUDENT: "ana"}, "it is Ana who was asked about, not who is selected"
    assert school.go_on(chosen).about == ["Algebra · Course", "Ana"]


def test_an_exam_on_screen_that_was_named_is_kept_while_the_class_is_chosen() -> None:
    """The screen is not asked again when the choice is made."""
    school = in_two_classes()
    school.add_class("Algebra", [ANA], course="Other")
    midterm = school.exams[0]
    unclear = school.look_up(Lookup.EXAM_RESULTS, on_screen=picks(midterm), in_class="algebra", exam=THE_EXAM)
    chosen = unclear.option("Algebra · Course")
    assert chosen.selection.records[0].id == midterm.id
    assert school.go_on(chosen).about == ["Algebra · Course", "Midterm"]


def test_a_class_named_is_where_the_student_is_looked_for() -> None:
    school = in_two_classes()
    assert school.look_up(OF_STUDENT, student="ana", in_class="botany").about == ["Botany", "Ana"]
    assert school.look_up(OF_STUDENT, student="bea", in_class="botany").said == [(Say.NO_SUCH_IN_CLASS, STUDENT)]
    assert school.look_up(OF_STUDENT, student="ana", on_screen=picks(school.classes[1])).about == ["Ana", "Botany"]
    assert school.look_up(OF_STUDENT, student="bea", on_screen=picks(school.classes[1])).classes == ["Algebra"]
    assert school.look_up(OF_STUDENT, selected=picks(student("Gone"))).said == [(Say.GONE, None)]


def test_two_students_of_one_name_are_asked_back_by_class_and_number() -> None:
    school = in_two_classes()
    school.add_class("Chess", [student("Ana", "two"), student("Ana", "three")])
    driven = school.look_up(OF_STUDENT, student="ana")
    everybody = sorted((ANA, student("Ana", "two"), student("Ana", "three")), key=lambda each: each.id)
    where = ["Algebra, Botany" if each == ANA else "Chess" for each in everybody]
    assert driven.labels == [f"Ana ({number}) · {titles}" for number, titles in enumerate(where, start=1)]
    gone_on = school.go_on(next(each for each in driven.unclear.options if "Botany" in each.label))
    assert gone_on.unclear.kind is CLASS


@pytest.mark.parametrize(("students", "asks"), [(0, False), (1, True), (20, True), (21, False)])
def test_who_is_meant_is_asked_of_a_small_class_that_was_named(students: int, asks: bool) -> None:
    school = School()
    algebra = school.add_class("Algebra", [student(f"Student {at}") for at in range(students)])
    driven = school.look_up(OF_STUDENT, in_class="algebra")
    if asks:
        assert (driven.unclear.kind, len(driven.labels)) == (STUDENT, students)
        assert school.go_on(driven.unclear.options[-1]).finding.about[-1].selection.records[0].id == algebra.id
    else:
        assert driven.said == [(Say.NAME_ONE, STUDENT)]
    assert school.look_up(OF_STUDENT).said == [(Say.NAME_ONE, STUDENT)]
    assert school.look_up(OF_STUDENT).reads == (OwnClasses(),)


def ranked_school() -> School:
    school = School()
    algebra = school.add_class("Algebra", [ANA, BEA, CARL, student("Dora"), student("Unranked")])
    school.rank(
        algebra, (CARL, 1, 30), (ANA, 2, 20), (BEA, 2, 20), (student("Stranger"), 4, 0), (student("Dora"), 4, 0)
    )
    return school


RANKS = {
    (Operation.TOP, 1): ([1], 4, None),
    (Operation.TOP, 2): ([1, 2, 2], 2, 1),
    (Operation.TOP, 3): ([1, 2, 2], 2, None),
    (Operation.TOP, 9): ([1, 2, 2, 4, 4], 0, None),
    (Operation.BOTTOM, 1): ([4, 4], 3, 1),
    (Operation.BOTTOM, 3): ([4, 4, 2, 2], 1, 1),
    (Operation.BOTTOM, 9): ([4, 4, 2, 2, 1], 0, None),
}


@pytest.mark.parametrize(("operation", "limit"), RANKS)
def test_ends_of_the_ranking_are_as_the_lms_has_them(operation: Operation, limit: int) -> None:
    ranks, more, tied = RANKS[operation, limit]
    driven = ranked_school().look_up(RANKINGS, operation, limit=limit)
    assert ([row[0] for row in driven.rows], driven.more) == (ranks, more)
    ties = [(Say.TIED, tied)] if tied is not None else []
    assert driven.notes == [*ties, (Say.RANKED_BY_LMS, None)]


def test_ranks_are_not_worked_out_anew() -> None:
    school = School()
    school.rank(school.add_class("Algebra", [ANA, BEA]), (BEA, 5, 1), (ANA, 7, 100), (BEA, 9, 1))
    assert school.look_up(RANKINGS).rows == [(5, "Bea", 1.0), (7, "Ana", 100.0)]
    assert school.look_up(RANKINGS, Operation.BOTTOM).rows == [(7, "Ana", 100.0), (5, "Bea", 1.0)]


def test_one_place() -> None:
    school = ranked_school()
    algebra = school.classes[0].id
    driven = school.look_up(RANKINGS, Operation.PLACE, student="ana")
    assert driven.said == [
        (Say.PLACE, (5, {"student": "Ana", "rank": 2, "points": 20.0})),
        (Say.SHARED_PLACE, 1),
    ]
    assert driven.notes == [(Say.RANKED_BY_LMS, None)]
    assert driven.about == ["Ana"]
    assert driven.reads == (OwnClasses(), BoardOf(algebra), StudentsOf(algebra))
    assert school.look_up(RANKINGS, Operation.PLACE, student="carl").says == [Say.PLACE]
    assert school.look_up(RANKINGS, Operation.PLACE, student="stranger").says == [Say.PLACE, Say.SHARED_PLACE]
    assert school.look_up(RANKINGS, Operation.PLACE, student="unranked").said == [
        (Say.NOT_RANKED, {"student": "Unranked"})
    ]
    assert school.look_up(RANKINGS, Operation.PLACE, student="nobody").said == [(Say.NO_SUCH, STUDENT)]
    assert len(school.look_up(RANKINGS, Operation.PLACE).labels) == 6


@pytest.mark.parametrize("operation", [Operation.TOP, Operation.BOTTOM, Operation.PLACE])
def test_an_empty_ranking_is_none(operation: Operation) -> None:
    school = School()
    school.add_class("Algebra", [ANA])
    assert school.look_up(RANKINGS, operation, student="ana").said == [(Say.NO_RANKING, None)]
