"""Looks up how a class did over its released exams."""

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.finding import Column, Finding, Row, Say, Sentence, Table
from assist_service.domain.live.marks import (
    Sheet,
    column_record,
    columns_of,
    extremes,
    marks_of,
    mean,
    mean_share,
    sheet,
    students_in,
    with_columns,
)
from assist_service.domain.live.query import Operation
from assist_service.domain.live.scope import Ask, Nothing, Scope, of_one_class

COLUMNS = (Column.EXAM, Column.OUT_OF, Column.MEAN, Column.HIGHEST, Column.LOWEST, Column.MARKED, Column.ABSENT)


def class_performance(ask: Ask) -> Plan:
    """Its released exams together, or one by one."""
    scope = yield from of_one_class(ask)
    if isinstance(scope, Nothing):
        return scope.looked
    results = yield from marks_of(scope.classes[0].id)
    scope = with_columns(scope, columns_of(results))
    sheets = tuple(sheet(results, each) for each in columns_of(results))
    if not sheets:
        return scope.finding(Sentence(Say.NO_RELEASED_EXAMS))
    if ask.query.operation is Operation.SUMMARY:
        return _summary(scope, len(students_in(results)), sheets)
    return _by_exam(scope, sheets)


def _summary(scope: Scope, students: int, sheets: tuple[Sheet, ...]) -> Finding:
    by_exam = [
        (scope.called(column_record(each.column)), share) for each in sheets if (share := mean(each.shares)) is not None
    ]
    return scope.finding(
        Sentence(Say.STUDENTS, count=students),
        Sentence(Say.RELEASED_EXAMS, count=len(sheets)),
        mean_share([share for each in sheets for share in each.shares]),
        *extremes(by_exam),
        Sentence(Say.ABSENCES, count=sum(len(each.absent) for each in sheets)),
    )


def _by_exam(scope: Scope, sheets: tuple[Sheet, ...]) -> Finding:
    rows = tuple(
        Row(
            (
                scope.called(column_record(each.column)),
                each.column.best_mark,
                mean(each.marks),
                max(each.marks, default=None),
                min(each.marks, default=None),
                len(each.marked),
                len(each.absent),
            ),
            scope.listed(column_record(each.column)),
        )
        for each in sheets[: scope.limit]
    )
    return scope.finding(table=Table(COLUMNS, rows, more=len(sheets) - len(rows)))
