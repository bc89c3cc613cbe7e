"""Looks up the person's own classes."""

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.finding import Called, Column, Finding, Row, Say, Sentence, Table
from assist_service.domain.live.query import Operation, RecordKind
from assist_service.domain.live.scope import Ask, Nothing, listed, own_classes
from assist_service.domain.references import NOTHING


def classes(ask: Ask) -> Plan:
    """How many there are, or each with its course and the number of its students."""
    found = yield from own_classes(ask)
    if isinstance(found, Nothing):
        return found.looked
    said = (Sentence(Say.CLASSES, count=len(found.all)),)
    if ask.query.operation is Operation.COUNT:
        return Finding(ask.query, said=said, is_cut=found.is_cut)
    shown = found.all[: ask.query.limit]
    rows = tuple(
        Row(
            (Called(each.title), Called(each.course.title), each.student_count),
            listed(RecordKind.CLASS, each.id, each.title, NOTHING),
        )
        for each in shown
    )
    table = Table((Column.CLASS, Column.COURSE, Column.STUDENTS), rows, more=len(found.all) - len(shown))
    return Finding(ask.query, said=said, table=table, is_cut=found.is_cut)
