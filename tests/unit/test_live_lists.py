"""The lookups that list: classes, students and exams, each of the person's own alone."""

import datetime as dt

import pytest

from assist_service.domain.live.asking import OwnClasses, OwnExams, Read, StudentsOf
from assist_service.domain.live.finding import Column, Say
from assist_service.domain.live.query import Lookup, Operation
from assist_service.domain.live.scope import MOST_CLASSES, MOST_OPTIONS
from assist_service.domain.school import EvaluationState
from tests.unit.live_school import CLASS, EXAM, STUDENT, THE_CLASS, THE_STUDENT, Driven, School, picks, student

ANA, BEA, CARL = student("Ana Reyes"), student("Bea Cruz"), student("Carl Diaz")
OTHER_ANA = student("Ana Reyes", "other")
EVERY_LOOKUP = tuple(Lookup)


def two_classes() -> School:
    """Ana is in both; the third class is somebody else's."""
    school = School()
    algebra = school.add_class("Algebra", [CARL, ANA], course="Mathematics")
    botany = school.add_class("Botany", [BEA, ANA], course="Biology")
    chemistry = school.add_class("Chemistry", [student("Dora Hidden")], course="Science", is_own=False)
    school.add_exam(algebra, "Midterm", opens_at=dt.datetime(2026, 3, 1, tzinfo=dt.UTC))
    school.add_exam(chemistry, "Hidden test")
    school.add_exam(botany, "Leaves", state=EvaluationState.DRAFT)
    school.add_exam(botany, "Midterm", state=EvaluationState.RUNNING)
    return school


def classes_of(number: int) -> School:
    school = School()
    for at in range(number):
        school.add_class(f"Group {at:03}", [student("Ana Reyes", str(at)), BEA])
    return school


@pytest.mark.parametrize("lookup", EVERY_LOOKUP)
def test_who_has_no_class_is_told_so_whatever_was_asked(lookup: Lookup) -> None:
    driven = School().look_up(lookup)
    assert driven.said == [(Say.NO_CLASSES, None)]
    assert driven.reads == (OwnClasses(),)


@pytest.mark.parametrize("lookup", EVERY_LOOKUP)
@pytest.mark.parametrize("name", ["Chemistry", "Nothing of the sort"])
def test_anothers_class_reads_like_one_that_does_not_exist(lookup: Lookup, name: str) -> None:
    driven = two_classes().look_up(lookup, in_class=name)
    assert driven.said == [(Say.NO_SUCH, CLASS)]
    assert driven.reads == (OwnClasses(),)


def test_classes_are_listed_in_the_order_of_the_lms() -> None:
    driven = two_classes().look_up(Lookup.CLASSES)
    assert driven.said == [(Say.CLASSES, 2)]
    assert driven.rows == [("Algebra", "Mathematics", 2), ("Botany", "Biology", 2)]
    assert driven.finding.table is not None
    assert driven.finding.table.columns == (Column.CLASS, Column.COURSE, Column.STUDENTS)


def test_classes_that_are_called_alike_are_all_listed() -> None:
    school = School()
    first, second = school.add_class("Algebra", course="A"), school.add_class("Algebra", course="B")
    school.add_class("Botany")
    driven = school.look_up(Lookup.CLASSES, in_class="algebra")
    assert driven.selections == [picks(first), picks(second)]
    assert school.look_up(Lookup.CLASSES, Operation.COUNT, in_class="algebra").said == [(Say.CLASSES, 2)]


def test_a_limit_says_how_many_more_there_are() -> None:
    school = classes_of(30)
    driven = school.look_up(Lookup.CLASSES)
    assert (len(driven.rows), driven.more, driven.said) == (20, 10, [(Say.CLASSES, 30)])
    assert school.look_up(Lookup.CLASSES, Operation.COUNT).finding.table is None


def test_students_of_all_classes_stand_once_each_by_name_with_their_classes() -> None:
    driven = two_classes().look_up(Lookup.STUDENTS)
    assert driven.said == [(Say.STUDENTS, 3)]
    assert driven.rows == [("Ana Reyes", "Algebra, Botany"), ("Bea Cruz", "Botany"), ("Carl Diaz", "Algebra")]
    assert driven.classes == ["Algebra", "Botany"]
    assert driven.about == []
    assert driven.listed("Bea Cruz").selection == picks(BEA)


def test_students_of_one_class_carry_it() -> None:
    school = two_classes()
    algebra = school.classes[0]
    driven = school.look_up(Lookup.STUDENTS, in_class="ALGEBRA")
    assert driven.rows == [("Ana Reyes",), ("Carl Diaz",)]
    assert (driven.classes, driven.about) == (["Algebra"], ["Algebra"])
    assert driven.listed("Carl Diaz").selection == picks(algebra, CARL)
    assert driven.reads == (OwnClasses(), StudentsOf(algebra.id))


def test_two_of_one_name_in_one_class_are_both_listed() -> None:
    school = School()
    school.add_class("Algebra", [OTHER_ANA, ANA, ANA])
    driven = school.look_up(Lookup.STUDENTS, student="ana reyes")
    assert driven.said == [(Say.STUDENTS, 2)]
    assert driven.selections == [picks(each) for each in sorted((ANA, OTHER_ANA), key=lambda each: each.id)]


def test_a_class_of_two_hundred_is_shown_as_far_as_was_asked() -> None:
    school = School()
    school.add_class("Algebra", [student(f"Student {at:03}") for at in range(200)])
    driven = school.look_up(Lookup.STUDENTS, limit=200)
    assert (len(driven.rows), driven.more) == (200, 0)
    assert school.look_up(Lookup.STUDENTS).more == 180


@pytest.mark.parametrize("operation", [Operation.LIST, Operation.COUNT])
def test_an_empty_class_has_no_students_and_no_exams(operation: Operation) -> None:
    school = School()
    school.add_class("Algebra")
    assert school.look_up(Lookup.STUDENTS, operation).said == [(Say.NO_STUDENTS, None)]
    assert school.look_up(Lookup.EXAMS, operation).said == [(Say.NO_EXAMS, None)]


@pytest.mark.parametrize("name", ["Dora Hidden", "Nobody"])
def test_anothers_student_reads_like_nobody(name: str) -> None:
    assert two_classes().look_up(Lookup.STUDENTS, student=name).said == [(Say.NO_SUCH, STUDENT)]


@pytest.mark.parametrize("name", ["Hidden test", "Nothing"])
def test_anothers_exam_reads_like_none(name: str) -> None:
    assert two_classes().look_up(Lookup.EXAMS, exam=name).said == [(Say.NO_SUCH, EXAM)]


def test_exams_are_listed_with_where_they_stand_and_anothers_are_dropped() -> None:
    driven = two_classes().look_up(Lookup.EXAMS)
    assert driven.said == [(Say.EXAMS, 3)]
    assert driven.rows == [
        ("Midterm · Algebra", "Algebra", EvaluationState.RELEASED, dt.datetime(2026, 3, 1, tzinfo=dt.UTC), None),
        ("Leaves", "Botany", EvaluationState.DRAFT, None, None),
        ("Midterm · Botany", "Botany", EvaluationState.RUNNING, None, None),
    ]


def test_exams_of_one_class_and_exams_by_name() -> None:
    school = two_classes()
    botany = school.classes[1]
    driven = school.look_up(Lookup.EXAMS, in_class="botany")
    assert [row[0] for row in driven.rows] == ["Leaves", "Midterm"]
    assert driven.listed("Leaves").selection.records[0].id == botany.id
    assert driven.reads == (OwnClasses(), OwnExams(botany.id))
    assert [row[1] for row in school.look_up(Lookup.EXAMS, exam="midterm").rows] == ["Algebra", "Botany"]


def test_an_lms_that_brings_exams_of_another_class_is_not_believed() -> None:
    school = two_classes()
    school.exams = [each for each in school.exams if each.title == "Hidden test"]
    assert school.look_up(Lookup.EXAMS).said == [(Say.NO_EXAMS, None)]


def test_what_is_selected_narrows_and_words_win_over_it() -> None:
    school = two_classes()
    algebra, botany = school.classes
    assert school.look_up(Lookup.STUDENTS, selected=picks(algebra)).classes == ["Algebra"]
    assert school.look_up(Lookup.STUDENTS, selected=picks(algebra), in_class="botany").classes == ["Botany"]
    driven = school.look_up(Lookup.STUDENTS, selected=picks(algebra), in_class="botany")
    assert driven.listed("Bea Cruz").selection == picks(botany, BEA)


def test_a_class_on_screen_counts_only_where_the_model_names_it() -> None:
    school = two_classes()
    algebra = school.classes[0]
    assert school.look_up(Lookup.STUDENTS, on_screen=picks(algebra)).classes == ["Algebra", "Botany"]
    named = school.look_up(Lookup.STUDENTS, on_screen=picks(algebra), in_class=THE_CLASS)
    assert named.classes == ["Algebra"]
    assert named.listed("Carl Diaz").selection == picks(algebra, CARL)


def test_a_list_is_not_narrowed_to_the_selected_one_of_its_kind_unless_that_is_named() -> None:
    """Who clicked on a student and asks how many there are is not told: one."""
    school = two_classes()
    algebra = school.classes[0]
    selected = picks(algebra, CARL)
    assert school.look_up(Lookup.STUDENTS, Operation.COUNT, selected=selected).said == [(Say.STUDENTS, 2)]
    assert school.look_up(Lookup.CLASSES, Operation.COUNT, selected=selected).said == [(Say.CLASSES, 2)]
    named = school.look_up(Lookup.STUDENTS, selected=selected, student=THE_STUDENT)
    assert named.rows == [("Carl Diaz",)]


def test_a_selected_class_that_is_no_longer_theirs_is_not_found() -> None:
    school = two_classes()
    gone = school.add_class("Gone", is_own=False)
    for lookup in set(Lookup) - {Lookup.CLASSES}:
        assert school.look_up(lookup, selected=picks(gone)).said == [(Say.GONE, None)]
    named = school.look_up(Lookup.CLASSES, selected=picks(gone), in_class=THE_CLASS)
    assert named.said == [(Say.GONE, None)]
    for selected in (picks(gone), picks(student("Nobody"))):
        kind = {STUDENT: THE_STUDENT}.get(selected.records[0].kind)
        driven = school.look_up(Lookup.STUDENTS, selected=selected, student=kind)
        assert driven.said == [(Say.GONE, None)]


def test_who_is_not_in_the_one_class_that_was_named_is_not_in_this_class() -> None:
    """Another's, nobody's, and one of another class of theirs read alike."""
    for name in ("bea cruz", "dora hidden", "nobody"):
        driven = two_classes().look_up(Lookup.STUDENTS, student=name, in_class="algebra")
        assert driven.said == [(Say.NO_SUCH_IN_CLASS, STUDENT)]
    for name in ("leaves", "hidden test", "nothing"):
        driven = two_classes().look_up(Lookup.EXAMS, exam=name, in_class="algebra")
        assert driven.said == [(Say.NO_SUCH_IN_CLASS, EXAM)]
    alone = School()
    alone.add_class("Algebra")
    assert alone.look_up(Lookup.STUDENTS, student="ana").said == [(Say.NO_SUCH, STUDENT)], "nothing narrowed it"


def test_equal_titles_are_asked_back_by_course_and_number() -> None:
    school = School()
    school.add_class("Algebra", [ANA], course="A", key="one")
    second = school.add_class("Algebra", [BEA], course="A", key="two")
    school.add_class("Algebra", course="B")
    school.add_class("Botany")
    driven = school.look_up(Lookup.STUDENTS, in_class="algebra")
    assert driven.unclear.kind is CLASS
    assert driven.labels == ["Algebra · A (1)", "Algebra · A (2)", "Algebra · B"]
    chosen = driven.option("Algebra · A (2)")
    assert (chosen.selection, dict(chosen.waiting.searches)) == (picks(second), {})
    assert school.go_on(chosen).rows == [("Bea Cruz",)]


def test_too_many_classes_are_asked_back_and_not_read() -> None:
    assert len(classes_of(MOST_CLASSES).look_up(Lookup.STUDENTS).reads) == 1 + MOST_CLASSES
    driven = classes_of(MOST_CLASSES + 1).look_up(Lookup.STUDENTS, student="bea")
    assert driven.reads == (OwnClasses(),)
    assert (len(driven.unclear.options), driven.unclear.more) == (MOST_OPTIONS, MOST_CLASSES + 1 - MOST_OPTIONS)
    assert driven.unclear.options[0].waiting.searches == {STUDENT: "bea"}


def test_lists_that_are_cut_are_said_to_be() -> None:
    def cut_by(read: Read, in_class: str | None = None) -> Driven:
        school = two_classes()
        school.cut = {read}
        return school.look_up(Lookup.STUDENTS, in_class=in_class)

    algebra = two_classes().classes[0]
    assert not two_classes().look_up(Lookup.STUDENTS).finding.is_cut
    assert cut_by(OwnClasses()).finding.is_cut
    assert cut_by(StudentsOf(algebra.id)).finding.is_cut
    assert cut_by(OwnClasses(), in_class="nothing").finding.is_cut
    assert not cut_by(OwnClasses(), in_class="algebra").finding.is_cut
    school = two_classes()
    school.cut = {OwnExams()}
    assert school.look_up(Lookup.EXAMS).finding.is_cut


def test_names_sort_without_case_and_accents() -> None:
    school = School()
    school.add_class("Algebra", map(student, ["Zed", "émile", "Eva", "adam", "Émile"]))
    driven = school.look_up(Lookup.STUDENTS, in_class="algebra")
    assert driven.rows == [("adam",), ("Émile",), ("émile",), ("Eva",), ("Zed",)]


def test_exams_are_shown_as_far_as_was_asked() -> None:
    driven = two_classes().look_up(Lookup.EXAMS, limit=2)
    assert (len(driven.rows), driven.more, driven.said) == (2, 1, [(Say.EXAMS, 3)])
