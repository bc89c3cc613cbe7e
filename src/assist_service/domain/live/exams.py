"""Looks up the exams of the person's own classes."""

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.finding import Cell, Column, Row, Say, Sentence, Table
from assist_service.domain.live.one_exam import exam_record, fitting_exams, own_exams
from assist_service.domain.live.query import Operation, RecordKind
from assist_service.domain.live.scope import Ask, Nothing, Scope, class_record, narrowed
from assist_service.domain.school import Evaluation


def exams(ask: Ask) -> Plan:
    """How many there are, or where each stands, in whatever state it is."""
    scope = yield from narrowed(ask)
    if isinstance(scope, Nothing):
        return scope.looked
    scope, found = yield from own_exams(scope)
    words, picked = ask.words(RecordKind.EXAM), ask.singled_out(RecordKind.EXAM)
    if words is not None or picked is not None:
        fits = fitting_exams(scope, found, words=words, picked=picked)
        scope, found = scope.by(fits), fits.items
        if not found:
            return scope.no_such(RecordKind.EXAM).looked
    if not found:
        return scope.finding(Sentence(Say.NO_EXAMS))
    said = Sentence(Say.EXAMS, count=len(found))
    if ask.query.operation is Operation.COUNT:
        return scope.finding(said)
    rows = tuple(Row(_cells(scope, each), scope.listed(exam_record(each))) for each in found[: scope.limit])
    whose = () if scope.classroom is not None else (Column.CLASS,)
    columns = (Column.EXAM, *whose, Column.STATE, Column.OPENS, Column.CLOSES)
    return scope.finding(said, table=Table(columns, rows, more=len(found) - len(rows)))


def _cells(scope: Scope, exam: Evaluation) -> tuple[Cell, ...]:
    classes = {each.id: each for each in scope.classes}
    whose = () if scope.classroom is not None else (scope.called(class_record(classes[exam.classroom.id])),)
    return (scope.called(exam_record(exam)), *whose, exam.state, exam.opens_at, exam.closes_at)
