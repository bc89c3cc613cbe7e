"""Whether a name is what was written, and what is found by what a printed label says beside it."""

import pytest

from assist_service.domain.live.matching import Beside, matches
from examples.reference_lms.making.hostile import TAGGED


@pytest.mark.parametrize(
    ("words", "name", "is_exact"),
    [
        ("cruz, ana", "Ana Cruz", True),
        ("Ana", "Ana Cruz", True),
        ("the algebra quiz", "Algebra", True),
        ("Mr Cruz", "Ana Cruz", True),
        ("娜", "李娜", True),
        ("3", "3A", False),
        ("Tanak", "Lea Tanaka", False),
        ("A. Cruz", "Ana Cruz", False),
        ("LI", "Lena Ilagan", False),
        ("Ana Crux", "Ana Cruz", False),
    ],
)
def test_it_is_told_whether_a_name_is_what_was_written(words: str, name: str, is_exact: bool) -> None:
    matched = matches(words, [name])
    assert (matched.places, matched.is_exact) == ((0,), is_exact)


def test_letters_are_initials_only_where_nobody_is_called_so() -> None:
    assert matches("LI", ["Lena Ilagan", "Li Wei", "Ana Li"]).places == (1, 2)


CLASSES = ("3B", "3B", "1A", "Class 2", "Geometry")
COURSES = Beside(("Algebra", "Physics", "Biology", "Algebra II", "Algebra II"), is_enough=True)


@pytest.mark.parametrize(
    ("words", "places", "is_exact"),
    [
        ("3B · Algebra", (0,), True),
        ("physics 3b", (1,), True),
        ("class 3B of physics", (1,), True),
        ("3B · Physics (2)", (1,), True),
        ("2 algebra", (3,), True),
        ("Class 2 · Algebra II", (3,), True),
        ("Physics", (1,), True),
        ("the physics class", (1,), True),
        ("Algebra", (0, 3, 4), True),
        ("Geometry", (4,), True),
        ("3B", (0, 1), True),
        ("biology 1", (2,), False),
        ("Biolgy", (2,), False),
        ("3B · Biology", (), False),
        ("1B biology", (), False),
    ],
)
def test_a_class_is_found_by_title_and_course(words: str, places: tuple[int, ...], is_exact: bool) -> None:
    matched = matches(words, CLASSES, COURSES)
    assert (matched.places, matched.is_exact) == (places, is_exact)


EXAMS = ("Quiz 1", "Quiz 1", "Test A", "Quiz")
OF_CLASSES = Beside(("3A", "3B", "3B", "4"))


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("Quiz 1 · 3B", (1,)),
        ("quiz 1 3a", (0,)),
        ("the quiz 1 of 3a", (0,)),
        ("Quiz 1 · 3B (2)", (1,)),
        ("Quiz 3", ()),
        ("Quiz 3A", ()),
        ("3B", ()),
        ("Test B", ()),
        ("exam 1 3B", ()),
    ],
)
def test_what_a_label_says_beside_a_name_tells_it_apart_and_is_no_name(words: str, places: tuple[int, ...]) -> None:
    assert matches(words, EXAMS, OF_CLASSES).places == places


def test_a_printed_label_goes_before_a_name_that_is_found_without_its_small_words() -> None:
    assert matches("Quiz 1 · Biology", ["Biology 1", "Quiz 1"], Beside(["Narra", "Biology"])).places == (1,)


def test_what_nobody_sees_of_a_title_is_no_part_of_it() -> None:
    assert matches("Quiz", [TAGGED, "Quiz 2: cells"]).places == (0,)
    assert matches("zerowidth", ["Right-to-left \u202egnp.exe\u202c and zero\u200bwidth", "Zero"]).places == (0,)


def test_the_number_of_a_label_is_none_of_its_words_however_long_the_label_is() -> None:
    title, of_class = "Quiz no 4: Group 1B, room Meridian", "Group 1B, room Meridian"
    assert matches(f"{title} · {of_class} (2)", [title], Beside([of_class])).places == (0,)
