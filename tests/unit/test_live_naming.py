"""What search words mean in a lookup: nobody, somebody called otherwise, or what a label of ours says."""

import pytest

from assist_service.domain.live.finding import Say
from assist_service.domain.live.query import Lookup, Operation, RecordKind
from assist_service.domain.live.small_words import is_sort, names_nothing
from assist_service.domain.references import NOTHING, Selection, is_placeholder
from tests.unit.live_school import CLASS, EXAM, STUDENT, School, picks, student

ANA, BEN, MEI, MEI_TOO = student("Ana Li"), student("Ben Okoro"), student("Mei Chen"), student("Mei Chen", "too")

POINTING = [
    (EXAM, "the exam"),
    (EXAM, "exam"),
    (EXAM, "this exam"),
    (EXAM, "the test"),
    (EXAM, "class exam"),
    (EXAM, "cet examen"),
    (EXAM, "l’examen"),
    (EXAM, "l'examen sélectionné"),
    (EXAM, "selected exam"),
    (EXAM, " The Selected Exam."),
    (EXAM, "ang napiling pagsusulit"),
    (CLASS, "this class"),
    (CLASS, "the class"),
    (CLASS, "my class"),
    (CLASS, "la classe"),
    (CLASS, "ma classe"),
    (CLASS, "ang klase"),
    (CLASS, "ang klase ko"),
    (CLASS, "ang klase na ito"),
    (CLASS, "“the selected class”"),
    (CLASS, "«the selected class».'"),
    (CLASS, "the selected exam"),
    (STUDENT, "the student"),
    (STUDENT, "l'élève choisie"),
    (STUDENT, "ang mag-aaral na ito"),
    (STUDENT, "'the selected student'"),
]


@pytest.mark.parametrize(("kind", "words"), POINTING)
def test_words_that_only_point_name_nothing(kind: RecordKind, words: str) -> None:
    assert names_nothing(words, kind)


NAMING = [
    (EXAM, "the algebra exam"),
    (EXAM, "exam 3"),
    (EXAM, "third exam"),
    (CLASS, "my best class"),
    (CLASS, "class 3B"),
    (CLASS, "the selected class 3B"),
    (CLASS, "the exam"),
    (STUDENT, "Test Student"),
    (STUDENT, "Le"),
    (STUDENT, "Ng"),
    (STUDENT, "Ma"),
    (STUDENT, "Ko"),
    (STUDENT, "La Le"),
    (STUDENT, "..."),
    (STUDENT, ""),
]


@pytest.mark.parametrize(("kind", "words"), NAMING)
def test_words_that_may_name_something_are_searched_for(kind: RecordKind, words: str) -> None:
    assert not names_nothing(words, kind)


def test_a_sort_of_exams_is_one_word() -> None:
    assert [is_sort(words) for words in ("Quiz", "contrôle", "the quiz", "exam")] == [True, True, False, False]


@pytest.mark.parametrize(
    "written", ["the selected exam.", "Selected Exam", "“The selected exam”", "'the  selected exam'"]
)
def test_a_placeholder_is_known_with_what_stands_around_it(written: str) -> None:
    assert is_placeholder(written, EXAM)
    assert not is_placeholder(written, STUDENT)


def school() -> School:
    made = School()
    first = made.add_class("Biology 1A", [ANA, BEN, MEI, MEI_TOO], course="Biology")
    second = made.add_class("Biology 1B", [ANA], course="Biology")
    third = made.add_class("3B", [BEN], course="Algebra")
    for classroom in (first, second, third):
        made.add_exam(classroom, "Quiz 1", {ANA: 5})
    made.add_exam(first, "Midterm", {ANA: 6})
    return made


@pytest.mark.parametrize("words", [words for kind, words in POINTING if kind is EXAM])
def test_the_exam_is_the_selected_one_then_the_one_on_screen_and_else_asked_for(words: str) -> None:
    made = school()
    one = picks(made.exams[3])
    for found in (
        made.look_up(Lookup.PARTICIPATION, exam=words, selected=one, on_screen=picks(made.exams[0])),
        made.look_up(Lookup.PARTICIPATION, exam=words, on_screen=one),
    ):
        assert found.about == ["Midterm"]
    assert len(made.look_up(Lookup.PARTICIPATION, exam=words).labels) == 4


@pytest.mark.parametrize("words", [words for kind, words in POINTING if kind is CLASS])
@pytest.mark.parametrize("lookup", [Lookup.STUDENTS, Lookup.EXAMS])
def test_the_class_is_never_all_of_them(words: str, lookup: Lookup) -> None:
    made = school()
    one = picks(made.classes[1])
    assert made.look_up(lookup, in_class=words, selected=one).classes == ["Biology 1B"]
    assert made.look_up(lookup, in_class=words, on_screen=one).classes == ["Biology 1B"]
    assert len(made.look_up(lookup, in_class=words).labels) == 3
    assert len(made.look_up(lookup).classes) == 3


@pytest.mark.parametrize("words", [words for kind, words in POINTING if kind is STUDENT])
def test_the_student_is_the_selected_one_or_has_to_be_named(words: str) -> None:
    made = school()
    found = made.look_up(Lookup.STUDENT_PERFORMANCE, student=words, in_class="1A", selected=picks(ANA))
    assert found.about == ["Biology 1A", "Ana Li"]
    assert made.look_up(Lookup.STUDENT_PERFORMANCE, student=words).says == [Say.NAME_ONE]


def test_a_list_of_exams_may_be_narrowed_to_a_sort_of_them() -> None:
    assert school().look_up(Lookup.EXAMS, Operation.COUNT, exam="quiz").said == [(Say.EXAMS, 3)]
    assert school().look_up(Lookup.EXAMS, Operation.COUNT, exam="exam").said == [(Say.EXAMS, 4)]


def notes(lookup: Lookup, *, selected: Selection = NOTHING, **words: str) -> list[Say]:
    return [say for say, _ in school().look_up(lookup, selected=selected, **words).notes]  # type: ignore[arg-type]


def test_an_answer_about_what_is_called_otherwise_says_so() -> None:
    close = [Say.CLOSEST]
    assert notes(Lookup.CLASSES, in_class="biol") == close
    assert notes(Lookup.STUDENTS, student="Okro") == close
    assert notes(Lookup.STUDENTS, in_class="Algbra") == close
    assert notes(Lookup.EXAMS, exam="Mid") == close
    assert notes(Lookup.PARTICIPATION, exam="Midtrem") == close
    assert notes(Lookup.PARTICIPATION, exam="Midterm", in_class="Biolgy 1A") == close
    assert notes(Lookup.EXAM_RESULTS, exam="Midterm", student="B. Okoro") == close
    assert notes(Lookup.STUDENT_PERFORMANCE, student="BO", in_class="3B") == close


def test_an_answer_about_what_is_called_just_so_says_nothing_of_it() -> None:
    assert notes(Lookup.STUDENTS, student="Mr Okoro's") == []
    assert notes(Lookup.STUDENTS, student="Okoro", in_class="1A · Biology") == []
    assert notes(Lookup.PARTICIPATION, exam="the midterm") == []
    assert notes(Lookup.PARTICIPATION, exam="the exam", selected=picks(school().exams[3])) == []


def test_that_there_is_none_is_said_alone() -> None:
    found = school().look_up(Lookup.STUDENTS, in_class="Algbra", student="Zoe")
    assert (found.says, found.notes) == ([Say.NO_SUCH_IN_CLASS], [])


def test_every_label_that_was_offered_finds_what_it_stands_for() -> None:
    made = school()
    by_number = made.look_up(Lookup.RANKINGS, in_class="Biology 1")
    assert by_number.labels == ["Biology 1A · Biology", "Biology 1B · Biology"]
    assert made.look_up(Lookup.STUDENTS, in_class=by_number.labels[1]).classes == ["Biology 1B"]
    quizzes = made.look_up(Lookup.PARTICIPATION, exam="quiz 1").labels
    assert quizzes == ["Quiz 1 · Biology 1A", "Quiz 1 · Biology 1B", "Quiz 1 · 3B"]
    for label, title in zip(quizzes, ("Biology 1A", "Biology 1B", "3B"), strict=True):
        assert made.look_up(Lookup.PARTICIPATION, exam=label).classes == [title]
    alike = made.look_up(Lookup.STUDENT_PERFORMANCE, student="Mei Chen").labels
    assert alike == ["Mei Chen (1) · Biology 1A", "Mei Chen (2) · Biology 1A"]
    for label in (*alike, "Mei Chen (2)", "Mei Chen · Biology 1A"):
        assert made.look_up(Lookup.STUDENT_PERFORMANCE, student=label).labels == alike
        assert made.look_up(Lookup.STUDENTS, Operation.COUNT, student=label).said == [(Say.STUDENTS, 2)]
    assert made.look_up(Lookup.STUDENTS, Operation.COUNT, student="Ana Li · Biology 1A, Biology 1B").said == [
        (Say.STUDENTS, 1)
    ]


def test_a_course_finds_its_classes_and_a_class_no_student_of_it() -> None:
    made = school()
    assert made.look_up(Lookup.CLASSES, Operation.COUNT, in_class="biology").said == [(Say.CLASSES, 2)]
    assert made.look_up(Lookup.STUDENTS, in_class="the algebra class").classes == ["3B"]
    assert made.look_up(Lookup.STUDENTS, student="Biology 1A").says == [Say.NO_SUCH]
    assert made.look_up(Lookup.EXAMS, exam="3B").says == [Say.NO_SUCH]
