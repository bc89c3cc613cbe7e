"""Looks up the ranking of a class, as the LMS's own leaderboard has it (row J8)."""

from assist_service.domain.live.among import once_each
from assist_service.domain.live.asking import BoardOf, Plan
from assist_service.domain.live.finding import Cell, Column, Finding, Looked, Row, Say, Sentence, Table
from assist_service.domain.live.marks import first_with_ties, tied
from assist_service.domain.live.one_student import chosen, roster_with, student_record
from assist_service.domain.live.query import Operation, RecordKind
from assist_service.domain.live.scope import Ask, Nothing, Scope, Step, of_one_class
from assist_service.domain.live.telling import people_told
from assist_service.domain.school import Leaderboard, Rank

COLUMNS = (Column.RANK, Column.STUDENT, Column.POINTS)

BY_LMS = Sentence(Say.RANKED_BY_LMS)


def rankings(ask: Ask) -> Plan:
    """Its top, its bottom, or one student's place: never sorted or ranked anew."""
    scope = yield from of_one_class(ask)
    if isinstance(scope, Nothing):
        return scope.looked
    read = BoardOf(scope.classes[0].id)
    board = (yield (read,))[read]
    assert isinstance(board, Leaderboard)
    ranks = once_each(board.rows, key=lambda each: each.student.id)
    if not ranks:
        return scope.finding(Sentence(Say.NO_RANKING))
    scope = scope.knowing(RecordKind.STUDENT, people_told(each.student for each in ranks))
    match ask.query.operation:
        case Operation.PLACE:
            return (yield from _place(scope, ranks))
        case Operation.BOTTOM:
            return _end(scope, ranks[::-1])
        case _:
            return _end(scope, ranks)


def _end(scope: Scope, ranks: tuple[Rank, ...]) -> Finding:
    """The first so many of one end, and who shares the rank of the last of them."""
    shown = first_with_ties(ranks, scope.limit, lambda one, other: one.rank == other.rank)
    rows = tuple(
        Row((each.rank, scope.called(record), each.points), scope.listed(record))
        for each in shown
        for record in [student_record(each.student)]
    )
    table = Table(COLUMNS, rows, more=len(ranks) - len(rows))
    return scope.finding(table=table, notes=(*tied(len(shown), scope.limit), BY_LMS))


def _place(scope: Scope, ranks: tuple[Rank, ...]) -> Step[Looked]:
    scope, everybody = yield from roster_with(scope, scope.classes[0], [each.student for each in ranks])
    one = chosen(scope, everybody)
    if isinstance(one, Nothing):
        return one.looked
    about, student = one
    place = next((each for each in ranks if each.student.id == student.id), None)
    called = about.called(student.record)
    if place is None:
        return about.finding(Sentence(Say.NOT_RANKED, values={"student": called}), notes=(BY_LMS,))
    shared = sum(each.rank == place.rank for each in ranks) - 1
    values: dict[str, Cell] = {"student": called, "rank": place.rank, "points": place.points}
    said = Sentence(Say.PLACE, count=len(ranks), values=values)
    also = (Sentence(Say.SHARED_PLACE, count=shared),) if shared else ()
    return about.finding(said, *also, notes=(BY_LMS,))
