"""Which exam is meant, which class: the one named, the only one, the one on screen; else the person is asked."""

import datetime as dt
from functools import cache
from uuid import UUID

import pytest

from assist_service.domain.live.asking import OwnClasses
from assist_service.domain.live.finding import Say, Unclear
from assist_service.domain.live.query import OPERATIONS, TAKES, Lookup, Query
from assist_service.domain.live.scope import MOST_CLASSES, MOST_OPTIONS, Ask
from assist_service.domain.school import EvaluationState
from assist_service.tools.shared_reads import MOST_READS
from tests.unit.live_school import CLASS, EXAM, STUDENT, THE_EXAM, School, picks, student

ANA = student("Ana")
ONE_EXAM = [Lookup.EXAM_RESULTS, Lookup.PARTICIPATION]


def day(of_month: int, zone: dt.tzinfo | None = dt.UTC) -> dt.datetime:
    return dt.datetime(2026, 3, of_month, tzinfo=zone)


def many_exams() -> School:
    school = School()
    algebra, botany = school.add_class("Algebra", [ANA]), school.add_class("Botany", [ANA])
    school.add_exam(algebra, "Undated", {ANA: 1})
    school.add_exam(algebra, "Midterm", {ANA: 2}, opens_at=day(1), closes_at=day(2))
    school.add_exam(botany, "Midterm", {ANA: 3}, opens_at=day(2), closes_at=day(2, None))
    school.add_exam(botany, "Opened", {ANA: 4}, opens_at=day(9))
    school.add_exam(botany, "Last", {ANA: 5}, closes_at=day(8))
    school.add_exam(botany, "Draft", state=EvaluationState.DRAFT, closes_at=day(9))
    hidden = school.add_class("Hidden", is_own=False)
    school.add_exam(hidden, "Midterm", {ANA: 6})
    school.add_exam(hidden, "Secret", {ANA: 6})
    return school


@pytest.mark.parametrize("lookup", ONE_EXAM)
def test_without_a_name_the_newest_released_exams_are_offered_first(lookup: Lookup) -> None:
    driven = many_exams().look_up(lookup)
    assert driven.unclear.kind is EXAM
    assert driven.labels == [
        "Last · Botany",
        "Midterm · Botany",
        "Midterm · Algebra",
        "Opened · Botany",
        "Undated · Algebra",
    ]


@pytest.mark.parametrize("lookup", ONE_EXAM)
def test_several_of_one_title_are_asked_back_and_the_choice_goes_on(lookup: Lookup) -> None:
    school = many_exams()
    driven = school.look_up(lookup, exam="midterm")
    assert driven.labels == ["Midterm · Algebra", "Midterm · Botany"]
    assert school.go_on(driven.option("Midterm · Botany")).classes == ["Botany"]
    assert school.look_up(lookup, exam="midterm", in_class="algebra").about == ["Algebra", "Midterm"]


@pytest.mark.parametrize("lookup", ONE_EXAM)
@pytest.mark.parametrize("name", ["secret", "nothing"])
def test_anothers_exam_reads_like_none(lookup: Lookup, name: str) -> None:
    assert many_exams().look_up(lookup, exam=name).said == [(Say.NO_SUCH, EXAM)]


@pytest.mark.parametrize("lookup", ONE_EXAM)
def test_the_exam_on_screen_is_taken_before_anybody_is_asked(lookup: Lookup) -> None:
    school = many_exams()
    shown, hidden = school.exams[3], school.exams[-1]
    assert school.look_up(lookup, on_screen=picks(shown)).about == ["Opened"]
    assert school.look_up(lookup, on_screen=picks(shown), exam="last").about == ["Last"]
    assert isinstance(school.look_up(lookup, on_screen=picks(hidden)).looked, Unclear)
    named = school.look_up(lookup, on_screen=picks(hidden), exam=THE_EXAM, in_class="algebra")
    assert (named.said, named.about) == ([(Say.NOT_IN_CLASS, None)], []), "nothing goes on with what is not theirs"


@pytest.mark.parametrize("lookup", ONE_EXAM)
def test_the_selected_exam_is_looked_for_again(lookup: Lookup) -> None:
    school = many_exams()
    assert school.look_up(lookup, selected=picks(school.exams[0])).about == ["Undated"]
    assert school.look_up(lookup, selected=picks(school.exams[-1])).said == [(Say.GONE, None)]
    elsewhere = school.look_up(lookup, selected=picks(school.classes[1], school.exams[0]))
    assert elsewhere.said == [(Say.GONE, None)]
    named = school.look_up(lookup, selected=picks(school.exams[0]), in_class="botany")
    assert named.said == [(Say.NOT_IN_CLASS, None)], "it is there, in another class"


def test_more_than_can_be_offered_is_said() -> None:
    school = School()
    algebra = school.add_class("Algebra", [ANA])
    for at in range(MOST_OPTIONS + 5):
        school.add_exam(algebra, "Quiz", {ANA: 1}, key=str(at))
    driven = school.look_up(Lookup.EXAM_RESULTS, exam="quiz")
    assert (len(driven.labels), driven.unclear.more) == (MOST_OPTIONS, 5)
    assert driven.labels[-1] == f"Quiz · Algebra ({MOST_OPTIONS})"


@cache
def crowded_school(classes: int = 500) -> School:
    """So many classes and exams, all called alike, each with its own students of one name."""
    school = School()
    for at in range(classes):
        classroom = school.add_class("Algebra", [student("Ana", str(at)), ANA], key=str(at))
        school.add_exam(classroom, "Midterm", {ANA: 1})
    return school


WORDS = {CLASS: "algebra", STUDENT: "ana", EXAM: "midterm"}


@pytest.mark.parametrize("classes", [MOST_CLASSES, 2 * MOST_READS])
@pytest.mark.parametrize("lookup", Lookup)
def test_no_plan_reads_more_than_any_needs(lookup: Lookup, classes: int) -> None:
    school = crowded_school(classes)
    on_screen = picks(school.classes[0], school.exams[0])
    for named in [(), *((kind,) for kind in TAKES[lookup]), tuple(TAKES[lookup])]:
        for operation in OPERATIONS[lookup]:
            query = Query(lookup=lookup, operation=operation, searches={kind: WORDS[kind] for kind in named})
            for ask in (Ask(query), Ask(query, on_screen=on_screen), Ask(query, selected=picks(ANA))):
                assert len(school.drive(ask).reads) <= 2 + MOST_CLASSES < MOST_READS


def test_a_student_of_many_classes_is_looked_for_in_the_one_that_is_named() -> None:
    school = crowded_school()
    driven = school.look_up(Lookup.STUDENT_PERFORMANCE, selected=picks(ANA))
    assert driven.reads == (OwnClasses(),)
    chosen = driven.unclear.options[0]
    assert chosen.selection.of(STUDENT) == ANA.id
    gone_on = school.go_on(chosen)
    assert gone_on.about == ["Algebra · Course (1)", f"Ana ({1 + (student('Ana', '0').id < ANA.id)})"]
    assert len(gone_on.reads) == 3


def test_no_id_is_offered_twice() -> None:
    school = many_exams()
    school.exams += school.exams
    school.classes += school.classes
    driven = school.look_up(Lookup.EXAM_RESULTS)
    offered: list[UUID | None] = [each.selection.of(EXAM) for each in driven.unclear.options]
    assert len(offered) == len(set(offered)) == 5
    assert school.look_up(Lookup.CLASSES).said == [(Say.CLASSES, 2)]
