"""A number counts exams of one sort: a title that names another sort is another exam."""

import pytest

from assist_service.domain.live.matching import matches


@pytest.mark.parametrize("words", ["Exam 3", "the exam 3", "contrôle 3"])
def test_a_number_of_another_sort_of_exam_is_another_exam(words: str) -> None:
    assert matches(words, ["Quiz 3", "Quiz 4"]).places == ()
