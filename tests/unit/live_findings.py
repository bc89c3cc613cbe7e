"""Findings of lookups for tests of their words: made up, and small enough to be read."""

import datetime as dt
import uuid
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from assist_service.adapters.wording import BabelWording
from assist_service.domain.live.finding import Called, Cell, Column, Finding, Looked, Row, Table, Unclear
from assist_service.domain.live.query import Lookup, Operation, Query, RecordKind
from assist_service.domain.references import NOTHING, Listed, Option, Picked, Selection
from assist_service.domain.screens import Language

AT = dt.datetime(2026, 11, 30, 17, 1, tzinfo=dt.UTC)
WORDING = BabelWording(ZoneInfo("Europe/Paris"))


def words(*looked: Looked, language: Language = Language.ENGLISH) -> str:
    """As people read it, with plain spaces where a locale has narrow or unbreakable ones."""
    return WORDING.answer(looked, language=language, at=AT).replace("\u202f", " ").replace("\u00a0", " ")


def query(lookup: Lookup, operation: Operation, limit: int = 20) -> Query:
    return Query(lookup=lookup, operation=operation, limit=limit)


RESULTS = query(Lookup.EXAM_RESULTS, Operation.LIST)


def called(*texts: str) -> tuple[Called, ...]:
    return tuple(Called(text) for text in texts)


def listed(kind: RecordKind, label: str) -> Listed:
    return Listed(kind, label, Selection(records=(Picked(kind=kind, id=uuid.uuid4()),)))


def table(columns: Sequence[Column], *rows: Sequence[Cell], more: int = 0) -> Table:
    return Table(tuple(columns), tuple(Row(tuple(cells)) for cells in rows), more)


def of_table(*columns: Column, rows: Sequence[Sequence[Cell]], more: int = 0, limit: int = 20) -> Finding:
    return Finding(query(Lookup.EXAM_RESULTS, Operation.LIST, limit), table=table(columns, *rows, more=more))


def unclear(kind: RecordKind, *labels: str, more: int = 0) -> Unclear:
    return Unclear(RESULTS, kind, tuple(Option(label, NOTHING, RESULTS) for label in labels), more)
