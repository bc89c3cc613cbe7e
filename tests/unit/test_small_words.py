"""A number counts exams of one sort: a title that names another sort is another exam, one that names none is not."""

import pytest

from assist_service.domain.live.matching import matches


@pytest.mark.parametrize("words", ["Exam 3", "the exam 3", "quiz 3", "contrôle 3"])
def test_a_number_is_found_by_any_word_for_an_exam_where_the_title_has_none(words: str) -> None:
    assert matches(words, ["Algebra 3", "Algebra 4"]).places == (0,)


@pytest.mark.parametrize("words", ["Exam 3", "the exam 3", "contrôle 3"])
def test_a_number_of_another_sort_of_exam_is_another_exam(words: str) -> None:
    assert matches(words, ["Quiz 3", "Quiz 4"]).places == ()
