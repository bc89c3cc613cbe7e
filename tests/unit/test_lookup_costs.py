"""What a lookup computes and how its answer is fitted takes a bounded time, however much an LMS answers."""

import datetime as dt
import time
import uuid

import pytest

from assist_service.adapters.wording.answers import BabelWording
from assist_service.domain.live.finding import Looked
from assist_service.domain.live.fitting import MOST_CHARACTERS, fitted
from assist_service.domain.live.query import MOST_ROWS, Lookup, Operation, Query
from assist_service.domain.live.scope import Ask
from assist_service.domain.school import EvaluationState, GradeColumn, Mark, Result, Results
from assist_service.domain.screens import Language
from tests.unit.live_school import School, student

pytestmark = pytest.mark.slow

AT = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@pytest.mark.parametrize("name", ["Ana Reyes", "*`|[1] http://a.b <b>_~\\" * 25, "&" * 480])
def test_three_long_tables_are_fitted_in_few_writes(name: str) -> None:
    school = School()
    school.add_class("Algebra", [student(f"{name[:480]} {at}") for at in range(MOST_ROWS)])
    query = Query(lookup=Lookup.STUDENTS, operation=Operation.LIST, limit=MOST_ROWS)
    wording, writes = BabelWording(dt.UTC), 0

    def write(looked: object) -> str:
        nonlocal writes
        writes += 1
        return wording.answer(looked, language=Language.FRENCH, at=AT)  # type: ignore[arg-type]

    looked: list[Looked] = [school.drive(Ask(query)).looked] * 3
    began = time.process_time()
    _, text = fitted(looked, write)
    assert time.process_time() - began < 1.5
    assert writes <= 10
    assert len(text) <= MOST_CHARACTERS


@pytest.mark.parametrize(("columns", "rows"), [(700, 30), (3_000, 4)])
def test_a_gradebook_of_many_exams_is_computed_at_once(columns: int, rows: int) -> None:
    """As large as an answer may be: whatever looked through a row for each column took seconds."""
    ids = [uuid.UUID(int=at + 1) for at in range(columns)]
    exams = [GradeColumn(id=each, title="Quiz", state=EvaluationState.RELEASED, best_mark=10.0) for each in ids]
    marks = tuple(Mark(column=each, mark=1.0, absent=False) for each in ids)
    people = [student(f"S {at}") for at in range(rows)]
    results = Results(columns=tuple(exams), rows=tuple(Result(student=who, marks=marks) for who in people))

    class Large(School):
        def bring(self, read: object) -> object:  # type: ignore[override]
            return results if "Results" in type(read).__name__ else super().bring(read)  # type: ignore[arg-type]

    school = Large()
    school.add_class("Algebra", people)
    began = time.process_time()
    school.look_up(Lookup.CLASS_PERFORMANCE, Operation.BY_EXAM)
    assert time.process_time() - began < 1.0
