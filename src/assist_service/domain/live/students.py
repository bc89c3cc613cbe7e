"""Looks up the students of the person's own classes."""

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.finding import Called, Column, Row, Say, Sentence, Table
from assist_service.domain.live.one_student import enrolled, fitting_students
from assist_service.domain.live.query import Operation, RecordKind
from assist_service.domain.live.scope import Ask, Nothing, narrowed


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
    is_of_one = scope.classroom is not None
    rows = tuple(
        Row(
            (Called(each.name),) if is_of_one else (Called(each.name), Called(each.class_titles)),
            scope.listed(each.record),
        )
        for each in found[: scope.limit]
    )
    columns = (Column.STUDENT,) if is_of_one else (Column.STUDENT, Column.CLASS)
    return scope.finding(said, table=Table(columns, rows, more=len(found) - len(rows)))
