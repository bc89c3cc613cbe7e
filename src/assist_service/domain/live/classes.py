"""Looks up the person's own classes."""

from assist_service.domain.live.among import fitting_classes
from assist_service.domain.live.asking import Plan
from assist_service.domain.live.finding import Called, Column, Row, Say, Sentence, Table
from assist_service.domain.live.query import Operation, RecordKind
from assist_service.domain.live.scope import Ask, Nothing, class_record, own_classes


def classes(ask: Ask) -> Plan:
    """How many there are, or each with its course and the number of its students."""
    scope = yield from own_classes(ask)
    if isinstance(scope, Nothing):
        return scope.looked
    found = list(scope.classes)
    words, picked = ask.words(RecordKind.CLASS), ask.singled_out(RecordKind.CLASS)
    if words is not None or picked is not None:
        fits = fitting_classes(found, words=words, picked=picked)
        scope, found = scope.by(fits), list(fits.items)
        if not found:
            return scope.no_such(RecordKind.CLASS).looked
    said = Sentence(Say.CLASSES, count=len(found))
    if ask.query.operation is Operation.COUNT:
        return scope.finding(said, is_of_classes=False)
    rows = tuple(
        Row(
            (scope.called(class_record(each)), Called(each.course.title), each.student_count),
            scope.listed(class_record(each)),
        )
        for each in found[: scope.limit]
    )
    table = Table((Column.CLASS, Column.COURSE, Column.STUDENTS), rows, more=len(found) - len(rows))
    return scope.finding(said, table=table, is_of_classes=False)
