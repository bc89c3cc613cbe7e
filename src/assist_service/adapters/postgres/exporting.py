"""Reads out all that is kept of one person: every row of every table, its seal opened, as of one moment."""

import datetime as dt
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

import asyncpg
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from assist_service import telemetry
from assist_service.adapters.postgres import replies, sealed_exchanges, sealed_writes
from assist_service.adapters.postgres.erasing import STATEMENT_SECONDS, PostgresErasing
from assist_service.adapters.postgres.persons import ANY, NOT_BY_PEOPLE, theirs
from assist_service.domain.conversation import Kind
from assist_service.domain.person_data import (
    NOBODY,
    SOMEBODY_ELSE,
    DamagedRow,
    KeptCall,
    KeptConversation,
    KeptEntry,
    KeptExchange,
    KeptRate,
    KeptReply,
    KeptRow,
    KeptWrite,
    Sealed,
)
from assist_service.domain.reply import CitationLink
from assist_service.ports import SealBroken, Sealer

BATCH = 100
"""Rows in memory at a time: an exchange has some ten kilobytes, a change up to a hundred."""

_ENTRY = "INSERT INTO audit (at, actor, action, subject) VALUES ($1, $2, 'assist.export', $3)"

Values = Mapping[str, Any]

Told = Callable[[asyncpg.Record, Sealer, str], Values]


@dataclass(frozen=True)
class Part:
    """One list of the document: the table it is of, the order of its rows, and what is told of each."""

    table: str
    model: type[KeptRow]
    order: str
    told: Told

    @property
    def query(self) -> str:
        return f"SELECT * FROM {self.table} WHERE {theirs(self.table)} ORDER BY {self.order}"  # noqa: S608 constants

    def row(self, row: asyncpg.Record, sealer: Sealer, sub: str) -> KeptRow | DamagedRow:
        """What the columns should not hold spoils its own row, and none of the others."""
        values = self.told(row, sealer, sub)
        try:
            return self.model(**values)
        except ValidationError as error:
            damaged = {str(fault["loc"][0]) for fault in error.errors(include_input=False, include_context=False)}
            return DamagedRow(damaged=tuple(sorted(damaged)), told=to_jsonable_python(values, fallback=str))


def _plain(model: type[KeptRow]) -> Told:
    """A row without a seal, each of its columns under its own name."""

    def told(row: asyncpg.Record, sealer: Sealer, sub: str) -> Values:
        return {name: row[name] for name in model.model_fields}

    return told


def _exchange(row: asyncpg.Record, sealer: Sealer, sub: str) -> Values:
    columns = {name: row[name] for name in KeptExchange.model_fields if name in row and name != "sealed"}
    with suppress(TypeError, ValueError):  # else as they stand there
        columns["citations"] = tuple(CitationLink.of(citation) for citation in sealed_exchanges.citations_of(row))
    try:
        # The words are theirs whatever stands in the clear beside them.
        words = sealed_exchanges.exchange_of({**row, "kind": Kind.MANUAL, "citations": "[]"}, sealer)
    except SealBroken:
        return {**columns, "sealed": Sealed.BROKEN, "question": None, "answer": None}
    return {**columns, "sealed": Sealed.OPENED, "question": words.shown_question, "answer": words.shown_answer}


def _reply(row: asyncpg.Record, sealer: Sealer, sub: str) -> Values:
    columns = {name: row[name] for name in ("key", "at", "conversation_id")}
    if row["sealed_reply"] is None:
        return {**columns, "sealed": Sealed.NOTHING, "reply": None}
    try:
        return {**columns, "sealed": Sealed.OPENED, "reply": json.loads(replies.reply_of(row, sealer))}
    except SealBroken:
        return {**columns, "sealed": Sealed.BROKEN, "reply": None}


def _write(row: asyncpg.Record, sealer: Sealer, sub: str) -> Values:
    columns = {name: row[name] for name in KeptWrite.model_fields if name in row and name != "sealed"}
    nothing = {"language": None, "entity": None, "arguments": None, "lines": ()}
    if row["sealed"] is None:
        return {**columns, **nothing, "sealed": Sealed.NOTHING}
    try:
        write = sealed_writes.write_of(row, sealer)
    except SealBroken:
        return {**columns, **nothing, "sealed": Sealed.BROKEN}
    return {
        **columns,
        "sealed": Sealed.OPENED,
        "language": write.language,
        "entity": write.request.entity,
        "arguments": json.loads(write.request.body),
        "lines": write.lines,
    }


def _entry(row: asyncpg.Record, sealer: Sealer, sub: str) -> Values:
    """Whoever else is in it stays unnamed, and so does their conversation; services and the operator are no people."""
    is_own = row["subject"] == sub
    is_by_other = row["action"] not in NOT_BY_PEOPLE and row["actor"] != sub
    return {
        "at": row["at"],
        "actor": SOMEBODY_ELSE if is_by_other else row["actor"],
        "action": row["action"],
        "subject": sub if is_own else SOMEBODY_ELSE,
        "conversation_id": row["conversation_id"] if is_own else None,
        "tool": row["tool"],
        "outcome": row["outcome"],
    }


PARTS: Mapping[str, Part] = {
    "conversations": Part("conversations", KeptConversation, "started_at, id", _plain(KeptConversation)),
    "exchanges": Part("exchanges", KeptExchange, "at, id", _exchange),
    "kept_replies": Part(replies.TABLE, KeptReply, "at, key", _reply),
    "pending_writes": Part("pending_writes", KeptWrite, "prepared_at, id", _write),
    "question_rates": Part("question_rates", KeptRate, "person", _plain(KeptRate)),
    "llm_calls": Part("llm_calls", KeptCall, "reserved_at, id", _plain(KeptCall)),
    "audit": Part("audit", KeptEntry, "at, id", _entry),
}
"""The lists of `PersonDocument`, in its order."""


class PostgresPersonData(PostgresErasing):
    """Implements ports.PersonData."""

    def __init__(self, pool: asyncpg.Pool, sealer: Sealer) -> None:
        super().__init__(pool)
        self._sealer = sealer

    async def export(
        self, sub: str, *, actor: str, now: dt.datetime
    ) -> AsyncGenerator[tuple[str, Sequence[KeptRow | DamagedRow]], None]:
        async with self._pool.acquire() as connection:
            is_known = await connection.fetchval(ANY, sub, timeout=STATEMENT_SECONDS)
            # Committed before anything is read: one that breaks off in the middle has told something all the same.
            await connection.execute(_ENTRY, now, actor, sub if is_known else NOBODY)
            if not is_known:
                # Not looked at again: what came since then would be told without an entry about them.
                for field in PARTS:
                    yield field, ()
                return
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                for field, part in PARTS.items():
                    async with aclosing(self._batches(connection, part, sub)) as batches:
                        async for rows in batches:
                            yield field, rows

    async def _batches(
        self, connection: asyncpg.pool.PoolConnectionProxy, part: Part, sub: str
    ) -> AsyncGenerator[Sequence[KeptRow | DamagedRow], None]:
        """At least one; that rows do not open or are damaged is logged once for each."""
        cursor = await connection.cursor(part.query, sub, timeout=STATEMENT_SECONDS)
        is_broken = is_damaged = False
        while True:
            rows = await cursor.fetch(BATCH, timeout=STATEMENT_SECONDS)
            told = [part.row(row, self._sealer, sub) for row in rows]
            if not is_broken and any(getattr(each, "sealed", None) is Sealed.BROKEN for each in told):
                telemetry.log.error("seal_broken", table=part.table)
                is_broken = True
            if not is_damaged and any(isinstance(each, DamagedRow) for each in told):
                telemetry.log.error("row_damaged", table=part.table)
                is_damaged = True
            yield told
            if len(rows) < BATCH:
                return
