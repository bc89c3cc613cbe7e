"""What Kolibri's answers mean: only whole attempts at ended quizzes have marks, and nothing else is kept."""

import json
from typing import Any
from uuid import UUID

import pytest

from assist_service.adapters.lms.kolibri_answers import (
    ClassroomAnswer,
    ExamAnswer,
    SummaryAnswer,
    detail_of,
    evaluation_of,
    gradebook_of,
    state_of,
)
from assist_service.domain.school import EvaluationState, Grade

CLASS, GROUP, QUIZ, ADA, BO = (f"{number:032x}" for number in range(1, 6))

CLASSROOM = ClassroomAnswer(id=UUID(CLASS), name="7A", parent=UUID(int=9), learner_count=2)


def quiz(**changes: Any) -> dict[str, Any]:
    return {
        "id": QUIZ,
        "title": "Fractions",
        "collection": CLASS,
        "active": False,
        "archive": True,
        "question_count": 4,
        "assignments": [CLASS],
        "learner_ids": [],
        **changes,
    }


def attempt(**changes: Any) -> dict[str, Any]:
    whole = {"exam_id": QUIZ, "learner_id": ADA, "status": "Completed", "num_correct": 3.0, "num_answered": 4}
    return {**whole, **changes}


def exam_of(**changes: Any) -> ExamAnswer:
    return ExamAnswer.model_validate_json(json.dumps(quiz(**changes)))


def summary_of(*attempts: dict[str, Any], **changes: Any) -> SummaryAnswer:
    people = [{"id": ADA, "name": "Ada", "username": "ada"}, {"id": BO, "name": "Bo", "picture_password": "1.2.3"}]
    answer = {
        "id": CLASS,
        "learners": people,
        "groups": [{"id": GROUP, "name": "Early birds", "member_ids": [BO]}],
        "exams": [quiz(**changes)],
        "exam_learner_status": attempts,
    }
    return SummaryAnswer.model_validate_json(json.dumps(answer))


def grades_of(summary: SummaryAnswer) -> dict[str, tuple[Grade, ...]]:
    return {row.student.name: row.grades for row in gradebook_of(summary).rows}


def test_a_whole_attempt_has_a_mark_and_who_never_began_was_absent() -> None:
    grades = grades_of(summary_of(attempt()))
    assert grades["Ada"] == (Grade(column=UUID(QUIZ), mark=3.0, final=True),)
    assert grades["Bo"] == (Grade(column=UUID(QUIZ), absent=True),)


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "Started"},
        {"status": "HelpNeeded"},
        {"num_answered": 3},  # ended over it: Kolibri calls that completed
        {"num_answered": None, "num_correct": None},
        {"num_correct": 5.0},  # more than there is to get
    ],
)
def test_any_other_attempt_has_none(changes: dict[str, Any]) -> None:
    summary = summary_of(attempt(**changes))
    assert grades_of(summary)["Ada"] == (Grade(column=UUID(QUIZ)),)
    assert [column.mean for column in gradebook_of(summary).columns] == [None]


def test_the_mean_is_of_the_marks_that_are_told() -> None:
    partial = attempt(learner_id=BO, num_correct=1.0, num_answered=2)
    assert gradebook_of(summary_of(attempt(), partial)).columns[0].mean == 3.0
    assert gradebook_of(summary_of(attempt(), attempt(learner_id=BO, num_correct=2.0))).columns[0].mean == 2.5


def test_a_quiz_that_is_not_ended_tells_nothing_of_anybody() -> None:
    for state in ({"active": True}, {"active": False}):
        book = gradebook_of(summary_of(attempt(), archive=False, **state))
        assert [row.grades for row in book.rows] == [(), ()]
        assert [(column.title, column.mean) for column in book.columns] == [("Fractions", None)]


def test_a_quiz_is_for_whom_it_is_assigned_to() -> None:
    assert grades_of(summary_of(attempt(), assignments=[GROUP]))["Ada"] == ()
    assert grades_of(summary_of(attempt(), assignments=[GROUP]))["Bo"] == (Grade(column=UUID(QUIZ), absent=True),)
    alone = grades_of(summary_of(attempt(), assignments=[], learner_ids=[ADA]))
    assert (len(alone["Ada"]), len(alone["Bo"])) == (1, 0)


def test_nobody_else_s_attempt_makes_a_row() -> None:
    assert set(grades_of(summary_of(attempt(learner_id=GROUP)))) == {"Ada", "Bo"}


def test_a_quiz_without_questions_is_no_column() -> None:
    assert gradebook_of(summary_of(question_count=0)).columns == ()


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({"archive": True, "active": True}, EvaluationState.RELEASED),
        ({"archive": False, "active": True}, EvaluationState.RUNNING),
        ({"archive": False, "active": False}, EvaluationState.DRAFT),
    ],
)
def test_states(changes: dict[str, Any], state: EvaluationState) -> None:
    assert state_of(exam_of(**changes)) is state


def test_a_draft_with_a_number_for_an_id_is_no_evaluation() -> None:
    assert evaluation_of(exam_of(id=7), CLASSROOM) is None


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_questions_of_every_data_model(version: int) -> None:
    question = {"exercise_id": GROUP, "question_id": "q1", "title": "One half"}
    sources = {
        0: [{"exercise_id": GROUP, "number_of_questions": 4}],  # names exercises only
        3: [{"section_title": "", "questions": [question], "learners_see_fixed_order": True}],
    }.get(version, [question])
    exam = exam_of(data_model_version=version, question_sources=sources, learners_see_fixed_order=True)
    evaluation = evaluation_of(exam, CLASSROOM)
    assert evaluation is not None
    detail = detail_of(exam, evaluation)
    assert [item.question.title for item in detail.items] == ([] if version == 0 else ["One half"])
    assert detail.shuffled is False
