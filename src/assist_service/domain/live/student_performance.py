"""Looks up how one student did in a class over its released exams."""

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.finding import Cell, Column, Finding, Row, Say, Sentence, Share, Table, Word
from assist_service.domain.live.marks import (
    column_record,
    columns_of,
    extremes,
    mark_in,
    marks_of,
    mean,
    mean_share,
    row_of,
    sheet,
    with_columns,
)
from assist_service.domain.live.one_student import Student, one_student
from assist_service.domain.live.query import Operation
from assist_service.domain.live.scope import Ask, Nothing, Scope, narrowed, one_class
from assist_service.domain.school import GradeColumn, Mark, Results

COLUMNS = (Column.EXAM, Column.MARK, Column.OUT_OF, Column.SHARE, Column.MEAN)


def student_performance(ask: Ask) -> Plan:
    """The released exams of the class together, or one by one."""
    own = yield from narrowed(ask)
    if isinstance(own, Nothing):
        return own.looked
    found = yield from one_student(own)
    if isinstance(found, Nothing):
        return found.looked
    about, student = found
    scope = one_class(about.of(*student.classes))
    if isinstance(scope, Nothing):
        return scope.looked
    results = yield from marks_of(scope.classes[0].id)
    if not results.columns:
        return scope.finding(Sentence(Say.NO_RELEASED_EXAMS))
    operations = {Operation.SUMMARY: _summary, Operation.BY_EXAM: _by_exam}
    return operations[ask.query.operation](with_columns(scope, columns_of(results)), student, results)


def _marks(student: Student, results: Results) -> tuple[tuple[GradeColumn, Mark | None], ...]:
    row = row_of(results, student.named)
    return tuple((column, mark_in(row, column)) for column in columns_of(results))


def _summary(scope: Scope, student: Student, results: Results) -> Finding:
    marks = _marks(student, results)
    shares = [
        (scope.called(column_record(column)), mark.mark / column.best_mark)
        for column, mark in marks
        if mark is not None and mark.mark is not None
    ]
    return scope.finding(
        Sentence(Say.RELEASED_EXAMS, count=len(marks)),
        mean_share([share for _, share in shares]),
        *extremes(shares),
        Sentence(Say.MISSED_EXAMS, count=sum(m is not None and m.absent for _, m in marks)),
    )


def _by_exam(scope: Scope, student: Student, results: Results) -> Finding:
    marks = _marks(student, results)
    rows = tuple(
        Row(
            (
                scope.called(column_record(column)),
                _cell(mark),
                column.best_mark,
                Share(mark.mark / column.best_mark) if mark is not None and mark.mark is not None else None,
                mean(sheet(results, column).marks),
            ),
            scope.listed(column_record(column)),
        )
        for column, mark in marks[: scope.limit]
    )
    return scope.finding(table=Table(COLUMNS, rows, more=len(marks) - len(rows)))


def _cell(mark: Mark | None) -> Cell:
    """None where the student does not have the exam: nothing of theirs is waiting to be marked."""
    if mark is None or mark.mark is not None:
        return mark.mark if mark is not None else None
    return Word.ABSENT if mark.absent else Word.UNMARKED
