"""Looks up who took a released exam and who did not."""

from collections.abc import Sequence

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.finding import Column, Row, Say, Sentence, Share, Table, Topic
from assist_service.domain.live.marks import Sheet, counted
from assist_service.domain.live.one_sheet import one_sheet
from assist_service.domain.live.one_student import student_record
from assist_service.domain.live.query import Operation
from assist_service.domain.live.scope import Ask, Nothing, Scope
from assist_service.domain.school import Named


def participation(ask: Ask) -> Plan:
    """Who was absent, who was not, or only which part of the students."""
    found = yield from one_sheet(ask)
    if isinstance(found, Nothing):
        return found.looked
    scope, of_exam = found.scope, found.sheet
    if of_exam is None or not of_exam.size:
        return scope.on(Topic.PARTICIPATION).finding(Sentence(Say.NOBODY_HAS_ENTRY))
    shown = {Operation.MISSING: of_exam.absent, Operation.TAKEN: of_exam.took_part}.get(ask.query.operation, ())
    said = (_part(of_exam), *counted([(Say.NO_ENTRY, len(of_exam.without))]))
    if not shown:
        return scope.on(Topic.PARTICIPATION).finding(*said)
    return scope.finding(*said, table=_table(scope, shown))


def _part(of_exam: Sheet) -> Sentence:
    took, size = of_exam.size - len(of_exam.absent), of_exam.size
    if took == size and not of_exam.without:
        return Sentence(Say.ALL_TOOK_PART)
    if not took:
        return Sentence(Say.NOBODY_TOOK_PART)
    return Sentence(Say.TOOK_PART, count=took, values={"of": size, "share": Share(took / size)})


def _table(scope: Scope, students: Sequence[Named]) -> Table:
    rows = tuple(
        Row((scope.called(each),), scope.listed(each)) for each in map(student_record, students[: scope.limit])
    )
    return Table((Column.STUDENT,), rows, more=len(students) - len(rows))
