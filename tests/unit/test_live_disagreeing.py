"""An LMS whose answers disagree with each other or with themselves: what counts is fixed, and nothing is made up."""

from dataclasses import dataclass, field

from assist_service.domain.live.asking import Brought, OwnClasses, Read, ResultsOf, Several
from assist_service.domain.live.finding import Called, Say, Share, Word
from assist_service.domain.live.marks import extremes
from assist_service.domain.live.query import Lookup, Operation
from assist_service.domain.school import (
    Classroom,
    GradeColumn,
    Mark,
    Named,
    Result,
    Results,
)
from tests.unit.live_school import School, student

ANA, BEN, CLEO, DAN = (student(name) for name in ("Ana", "Ben", "Cleo", "Dan"))


@dataclass
class OddSchool(School):
    """A school whose LMS answers some reads with whatever a test wants."""

    odd: dict[Read, Brought] = field(default_factory=dict)

    def bring(self, read: Read) -> Brought:
        return self.odd.get(read) or super().bring(read)


Rows = list[tuple[Named, list[tuple[GradeColumn, float | Word]]]]


def of_results(*columns: GradeColumn, rows: Rows) -> Results:
    """A gradebook's released part as it stands, rows and columns that stand twice included."""
    return Results(
        columns=columns,
        rows=tuple(
            Result(student=who, marks=tuple(_mark(column, has) for column, has in marks)) for who, marks in rows
        ),
    )


def _mark(column: GradeColumn, has: float | Word) -> Mark:
    return Mark(column=column.id, mark=None if isinstance(has, Word) else has, absent=has is Word.ABSENT)


def with_exam() -> tuple[OddSchool, Classroom, GradeColumn]:
    school = OddSchool()
    of = school.add_class("3B", [ANA, BEN])
    school.add_exam(of, "Quiz", {ANA: 8, BEN: 4})
    return school, of, school.columns[of.id][0]


# An exam that its gradebook does not have


def test_an_exam_whose_column_is_missing_is_not_answered_with_another() -> None:
    school = OddSchool()
    of = school.add_class("3B", [ANA, BEN])
    school.add_exam(of, "Essay", {ANA: 8, BEN: 4})
    school.add_exam(of, "Quiz", {ANA: 6, BEN: Word.ABSENT})
    del school.columns[of.id][0]
    for operation in (Operation.LIST, Operation.HIGHEST, Operation.LOWEST, Operation.SUMMARY):
        looked = school.look_up(Lookup.EXAM_RESULTS, operation, exam="essay")
        assert (looked.says, looked.rows, looked.about) == ([Say.NO_MARKS], [], ["Essay"])
    for operation in (Operation.MISSING, Operation.TAKEN, Operation.RATE):
        looked = school.look_up(Lookup.PARTICIPATION, operation, exam="essay")
        assert (looked.says, looked.rows) == ([Say.NOBODY_HAS_ENTRY], [])
    of_one = school.look_up(Lookup.EXAM_RESULTS, exam="essay", student="ana")
    assert of_one.said == [(Say.STUDENT_NO_ENTRY, {"student": "Ana"})]


# A board that disagrees with its own numbers


def ranked() -> tuple[School, Classroom]:
    """Neither in the order of the ranks nor in that of the points; points tie where ranks do not, and the reverse."""
    school = School()
    of = school.add_class("3B", [ANA, BEN, CLEO, DAN])
    school.rank(of, (BEN, 2, 5.0), (ANA, 1, 5.0), (DAN, 3, 9.0), (CLEO, 3, 1.0))
    return school, of


def test_a_board_is_shown_in_its_own_order_and_tied_by_its_own_ranks() -> None:
    school, _ = ranked()
    whole = [(2, "Ben", 5.0), (1, "Ana", 5.0), (3, "Dan", 9.0), (3, "Cleo", 1.0)]
    assert school.look_up(Lookup.RANKINGS, Operation.TOP).rows == whole
    assert school.look_up(Lookup.RANKINGS, Operation.BOTTOM).rows == whole[::-1]
    assert school.look_up(Lookup.RANKINGS, Operation.TOP, limit=1).rows == whole[:1]
    three = school.look_up(Lookup.RANKINGS, Operation.TOP, limit=3)
    assert (three.rows, three.notes) == (whole, [(Say.TIED, 1), (Say.RANKED_BY_LMS, None)])
    last = school.look_up(Lookup.RANKINGS, Operation.BOTTOM, limit=1)
    assert (last.rows, last.notes) == (whole[:1:-1], [(Say.TIED, 1), (Say.RANKED_BY_LMS, None)])


def test_a_place_is_shared_by_rank_whatever_the_points_are() -> None:
    school, _ = ranked()
    place = {
        who: school.look_up(Lookup.RANKINGS, Operation.PLACE, student=who).said for who in ("ana", "ben", "cleo", "dan")
    }
    assert place["ana"] == [(Say.PLACE, (4, {"student": "Ana", "rank": 1, "points": 5.0}))]
    assert place["ben"] == [(Say.PLACE, (4, {"student": "Ben", "rank": 2, "points": 5.0}))]
    for name, points in (("Cleo", 1.0), ("Dan", 9.0)):
        assert place[name.lower()] == [
            (Say.PLACE, (4, {"student": name, "rank": 3, "points": points})),
            (Say.SHARED_PLACE, 1),
        ]


# What stands twice


def test_of_a_student_who_has_two_rows_the_first_counts() -> None:
    school, of, quiz = with_exam()
    twice: Rows = [(ANA, [(quiz, 8.0)]), (BEN, [(quiz, 4.0)]), (ANA, [(quiz, 1.0)]), (BEN, [(quiz, Word.ABSENT)])]
    school.odd[ResultsOf(of.id)] = of_results(quiz, rows=twice)
    assert school.look_up(Lookup.EXAM_RESULTS).rows == [("Ana", 8.0), ("Ben", 4.0)]
    [one] = school.look_up(Lookup.EXAM_RESULTS, student="ana").finding.said
    assert (one.say, one.values["mark"]) == (Say.STUDENT_MARK, 8.0)
    assert school.look_up(Lookup.STUDENT_PERFORMANCE, Operation.BY_EXAM, student="ben").rows == [
        ("Quiz", 4.0, 10.0, 0.4, 6.0)
    ]
    summary = school.look_up(Lookup.CLASS_PERFORMANCE)
    assert (Say.STUDENTS, 2) in summary.said
    assert (Say.MEAN_SHARE, (2, {"share": 0.6000000000000001})) in summary.said
    assert (Say.ABSENCES, 0) in summary.said
    assert school.look_up(Lookup.PARTICIPATION).says == [Say.ALL_TOOK_PART]


def test_of_two_marks_of_a_student_in_one_exam_the_first_counts() -> None:
    school, of, quiz = with_exam()
    school.odd[ResultsOf(of.id)] = of_results(
        quiz, rows=[(ANA, [(quiz, Word.ABSENT), (quiz, 9.0)]), (BEN, [(quiz, 4.0), (quiz, 7.0)])]
    )
    assert school.look_up(Lookup.EXAM_RESULTS).rows == [("Ben", 4.0), ("Ana", Word.ABSENT)]
    one = school.look_up(Lookup.EXAM_RESULTS, student="ana")
    assert one.says == [Say.STUDENT_ABSENT]


def test_an_exam_that_has_two_columns_counts_once_as_the_first_of_them() -> None:
    school, of, quiz = with_exam()
    again = quiz.model_copy(update={"title": "Again", "best_mark": 100.0})
    school.odd[ResultsOf(of.id)] = of_results(quiz, again, rows=[(ANA, [(quiz, 8.0)]), (BEN, [(quiz, 4.0)])])
    assert school.look_up(Lookup.CLASS_PERFORMANCE, Operation.BY_EXAM).rows == [("Quiz", 10.0, 6.0, 8.0, 4.0, 2, 0)]
    summary = school.look_up(Lookup.CLASS_PERFORMANCE)
    assert (Say.RELEASED_EXAMS, 1) in summary.said
    one = school.look_up(Lookup.STUDENT_PERFORMANCE, Operation.BY_EXAM, student="ana")
    assert one.rows == [("Quiz", 8.0, 10.0, 0.8, 6.0)]
    [mark] = school.look_up(Lookup.EXAM_RESULTS, student="ana").finding.said
    assert mark.values["out_of"] == 10.0


def test_whoever_has_two_places_on_a_board_has_the_first() -> None:
    school, of = ranked()
    school.rank(of, (BEN, 1, 5.0), (ANA, 2, 4.0), (BEN, 3, 3.0))
    assert school.look_up(Lookup.RANKINGS).rows == [(1, "Ben", 5.0), (2, "Ana", 4.0)]


# Shares that are one and the same but for the last digit


def test_exams_whose_shares_differ_by_rounding_alone_are_neither_best_nor_weakest() -> None:
    school = School()
    of = school.add_class("3B", [ANA])
    third, tenth = 1 / 3, 0.1 / 0.3
    assert third != tenth
    school.add_exam(of, "Thirds", {ANA: 1}, best_mark=3)
    school.add_exam(of, "Tenths", {ANA: 0.1}, best_mark=0.3)
    says = school.look_up(Lookup.CLASS_PERFORMANCE).says
    assert Say.MEAN_SHARE in says
    assert not {Say.BEST_EXAM, Say.WEAKEST_EXAM} & set(says)
    assert extremes([(Called("Thirds"), 0.5), (Called("Tenths"), 0.5001)])[0].values["share"] == Share(0.5001)


# Lists that were cut


def test_that_a_list_without_a_class_was_cut_is_said_and_an_empty_one_is_not() -> None:
    for lookup in Lookup:
        school = OddSchool()
        assert (school.look_up(lookup).says, school.look_up(lookup).finding.is_cut) == ([Say.NO_CLASSES], False)
        school.odd[OwnClasses()] = Several((), is_cut=True)
        looked = school.look_up(lookup)
        assert (looked.says, looked.finding.is_cut) == ([Say.NO_CLASSES], True)


def test_a_list_of_classes_is_about_none_of_them() -> None:
    school = School()
    school.add_class("3B", [ANA])
    for operation in (Operation.LIST, Operation.COUNT):
        assert school.look_up(Lookup.CLASSES, operation).classes == []
        assert school.look_up(Lookup.CLASSES, operation, in_class="3b").classes == []
    assert school.look_up(Lookup.STUDENTS).classes == ["3B"]
    assert school.look_up(Lookup.CLASSES, in_class="9z").classes == []
