"""Looks up the students of the person's own classes."""

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.finding import Called, Cell, Column, Row, Say, Sentence, Table
from assist_service.domain.live.one_student import Student, enrolled, fitting_students
from assist_service.domain.live.query import Operation, RecordKind
from assist_service.domain.live.scope import Ask, Nothing, Scope, narrowed


def students(ask: Ask) -> Plan:
    """How many there are, or each by name, with their classes where no class was named; each person once."""
    scope = yield from narrowed(ask)
    if isinstance(scope, Nothing):
        return scope.looked
    roll = yield from enrolled(scope)
    if isinstance(roll, Nothing):
        return roll.looked
    scope, found = roll
    words, picked = ask.words(RecordKind.STUDENT), ask.singled_out(RecordKind.STUDENT)
    if words is not None or picked is not None:
        fits = fitting_students(found, words=words, picked=picked)
        scope, found = scope.by(fits), fits.items
        if not found:
            return scope.no_such(RecordKind.STUDENT).looked
    if not found:
        return scope.finding(Sentence(Say.NO_STUDENTS))
    said = Sentence(Say.STUDENTS, count=len(found))
    if ask.query.operation is Operation.COUNT:
        return scope.finding(said)
    rows = tuple(Row(_cells(scope, each), scope.listed(each.record)) for each in found[: scope.limit])
    columns = (Column.STUDENT,) if scope.classroom is not None else (Column.STUDENT, Column.CLASS)
    return scope.finding(said, table=Table(columns, rows, more=len(found) - len(rows)))


def _cells(scope: Scope, student: Student) -> tuple[Cell, ...]:
    whose = () if scope.classroom is not None else (Called(scope.titles_of(student.classes)),)
    return (scope.called(student.record), *whose)
