"""Values that an LMS may write and no school has: each is no answer, or is read as what was meant; none is an error."""

import datetime as dt
import uuid
from zoneinfo import ZoneInfo

import pytest
from pydantic import TypeAdapter, ValidationError

from assist_service.adapters.lms.kolibri_answers import (
    AttemptAnswer,
    ClassroomAnswer,
    ExamAnswer,
    SummaryAnswer,
    gradebook_of,
)
from assist_service.adapters.wording.answers import BabelWording
from assist_service.domain.live.query import Lookup, Operation
from assist_service.domain.school import (
    Classroom,
    Evaluation,
    EvaluationItem,
    Gradebook,
    Leaderboard,
    Rank,
)
from assist_service.domain.screens import Language
from tests.unit.live_school import School, student

ID = str(uuid.UUID(int=7))
REF = f'{{"id": "{ID}", "title": "A"}}'
WHO = f'{{"id": "{ID}", "name": "A"}}'
COLUMN = f'"column": "{ID}"'
HUGE = "1" + "0" * 400

AT = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)

BESIDE_EVERY_SCHOOL = [
    (Classroom, f'{{"id": "{ID}", "title": "A", "course": {REF}, "student_count": {HUGE}}}'),
    (Rank, f'{{"student": {WHO}, "rank": {HUGE}, "points": 1}}'),
    (Rank, f'{{"student": {WHO}, "rank": 1, "points": 1e308}}'),
    (Rank, f'{{"student": {WHO}, "rank": 1, "points": -{HUGE}}}'),
    (EvaluationItem, f'{{"question": {REF}, "points": 1e308}}'),
    *(
        (Gradebook, f'{{"columns": [{{"id": "{ID}", "title": "A", "state": "released", {of_column}}}], "rows": []}}')
        for of_column in ('"best_mark": 5e-324', '"best_mark": 1e308', '"best_mark": 1, "mean": 1e308')
    ),
    *(
        (
            Gradebook,
            f'{{"columns": [], "rows": [{{"student": {WHO}, "grades": [{{"column": "{ID}", "mark": {mark}}}]}}]}}',
        )
        for mark in ("1.7e308", "-1.7e308", "1e999", "NaN", HUGE)
    ),
    (AttemptAnswer, f'{{"exam_id": "{ID}", "learner_id": "{ID}", "status": "Completed", "num_correct": -1e308}}'),
    (ClassroomAnswer, f'{{"id": "{ID}", "name": "A", "parent": "{ID}", "learner_count": {HUGE}}}'),
    (
        ExamAnswer,
        f'{{"id": "{ID}", "title": "A", "collection": "{ID}", "active": true, "archive": true, '
        f'"question_count": {HUGE}}}',
    ),
]


@pytest.mark.parametrize(("model", "body"), BESIDE_EVERY_SCHOOL)
def test_a_value_that_no_school_has_is_no_answer(model: type, body: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(model).validate_json(body)


def test_the_largest_numbers_that_a_platform_writes_for_no_limit_are_taken() -> None:
    counted = f'{{"id": "{ID}", "title": "A", "course": {REF}, "student_count": {2**63 - 1}}}'
    assert Classroom.model_validate_json(counted).student_count == 2**63 - 1


def test_an_answer_of_kolibri_at_its_bounds_is_a_gradebook() -> None:
    exam = ExamAnswer.model_validate_json(
        f'{{"id": "{ID}", "title": "A", "collection": "{ID}", "active": true, "archive": true, '
        f'"question_count": 1000000000, "assignments": ["{ID}"]}}'
    )
    attempt = AttemptAnswer.model_validate_json(
        f'{{"exam_id": "{ID}", "learner_id": "{ID}", "status": "Completed", "num_correct": -1e9, '
        f'"num_answered": {HUGE}}}'
    )
    summary = SummaryAnswer.model_validate_json(f'{{"id": "{ID}", "learners": [{WHO}]}}')
    summary = summary.model_copy(update={"exams": (exam,), "exam_learner_status": (attempt,)})
    assert gradebook_of(summary).columns[0].mean == -1e9


@pytest.mark.parametrize("lookup", [Lookup.CLASS_PERFORMANCE, Lookup.EXAM_RESULTS, Lookup.STUDENT_PERFORMANCE])
@pytest.mark.parametrize("operation", [Operation.SUMMARY, Operation.BY_EXAM])
def test_marks_at_their_bounds_are_computed_and_worded(lookup: Lookup, operation: Operation) -> None:
    if lookup is Lookup.EXAM_RESULTS and operation is Operation.BY_EXAM:
        operation = Operation.HIGHEST
    school = School()
    people = [student("Ana"), student("Bea"), student("Cem")]
    algebra = school.add_class("Algebra", people)
    school.add_exam(algebra, "Quiz", dict(zip(people, (1e9, -1e9, 1e-300), strict=True)), best_mark=1e-9)
    looked = school.look_up(lookup, operation, student="ana" if lookup is Lookup.STUDENT_PERFORMANCE else None).looked
    assert BabelWording(dt.UTC).answer([looked], language=Language.FRENCH, at=AT)


def evaluation(opens_at: str, closes_at: str) -> Evaluation:
    return Evaluation.model_validate_json(
        f'{{"id": "{ID}", "title": "A", "state": "released", "classroom": {REF}, '
        f'"opens_at": "{opens_at}", "closes_at": "{closes_at}"}}'
    )


def test_a_moment_without_a_zone_is_utc() -> None:
    read = evaluation("2026-01-01T00:00:00", "2026-01-02T00:00:00+02:00")
    assert read.opens_at == dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    assert read.closes_at == dt.datetime(2026, 1, 1, 22, tzinfo=dt.UTC)


@pytest.mark.parametrize("zone", ["Asia/Manila", "America/New_York", "UTC"])
@pytest.mark.parametrize(
    ("opens_at", "closes_at"),
    [
        ("0001-01-01T00:00:00", "9999-12-31T23:59:59Z"),
        ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-12:00"),
    ],
)
def test_an_exam_that_never_closes_has_no_date(zone: str, opens_at: str, closes_at: str) -> None:
    school = School()
    algebra = school.add_class("Algebra", [student("Ana")])
    school.add_exam(algebra, "Quiz", {})
    read = evaluation(opens_at, closes_at)
    school.exams[0] = school.exams[0].model_copy(update={"opens_at": read.opens_at, "closes_at": read.closes_at})
    school.add_exam(algebra, "Other", {}, closes_at=AT)
    wording = BabelWording(ZoneInfo(zone))
    for lookup in (Lookup.EXAMS, Lookup.EXAM_RESULTS):
        text = wording.answer([school.look_up(lookup).looked], language=Language.ENGLISH, at=AT)
        assert "Quiz" in text
        assert "9999" not in text
        assert "| 1" not in text


def test_a_ranking_at_its_bounds_is_worded() -> None:
    board = Leaderboard.model_validate_json(f'{{"rows": [{{"student": {WHO}, "rank": {2**63 - 1}, "points": -1e9}}]}}')
    school = School()
    algebra = school.add_class("Algebra", [student("Ana")])
    school.boards[algebra.id] = list(board.rows)
    for operation in (Operation.TOP, Operation.BOTTOM):
        looked = school.look_up(Lookup.RANKINGS, operation).looked
        assert BabelWording(dt.UTC).answer(
            [looked], language=Language.ENGLISH, at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
        )
