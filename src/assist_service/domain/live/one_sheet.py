"""The one exam that a lookup needs, with what its class has of it."""

from dataclasses import dataclass

from assist_service.domain.live.marks import Sheet, columns_of, marks_of, sheet, students_in
from assist_service.domain.live.one_exam import one_exam
from assist_service.domain.live.query import RecordKind
from assist_service.domain.live.scope import Ask, Nothing, Scope, Step, narrowed
from assist_service.domain.live.telling import people_told
from assist_service.domain.school import Results


@dataclass(frozen=True)
class ExamSheet:
    """A released exam; `sheet` is None where the gradebook does not have it, or not as released."""

    scope: Scope
    results: Results
    sheet: Sheet | None


def one_sheet(ask: Ask) -> Step[ExamSheet | Nothing]:
    """The exam's class is the only one whose gradebook is read."""
    own = yield from narrowed(ask)
    if isinstance(own, Nothing):
        return own
    found = yield from one_exam(own)
    if isinstance(found, Nothing):
        return found
    scope, exam = found
    results = yield from marks_of(exam.classroom.id)
    column = next((each for each in columns_of(results) if each.id == exam.id), None)
    scope = scope.knowing(RecordKind.STUDENT, people_told(students_in(results)))
    return ExamSheet(scope, results, sheet(results, column) if column is not None else None)
