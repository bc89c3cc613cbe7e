"""Reads out all that is kept of one person: every row of every table, its seal opened, as of one moment."""

import asyncio
import datetime as dt
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import asyncpg

from assist_service import telemetry
from assist_service.adapters.postgres import replies, sealed_exchanges, sealed_writes
from assist_service.adapters.postgres.erasing import (
    PERSONS_CALLS,
    PERSONS_DEEDS,
    STATEMENT_SECONDS,
    PostgresErasing,
)
from assist_service.domain.person_data import (
    SOMEBODY_ELSE,
    Kept,
    KeptCall,
    KeptConversation,
    KeptEntry,
    KeptExchange,
    KeptRate,
    KeptReply,
    KeptWrite,
    Sealed,
)
from assist_service.domain.reply import CitationLink
from assist_service.ports import SealBroken, Sealer

BATCH = 100
"""Rows in memory at a time: an exchange has some ten kilobytes, a change up to a hundred."""

AT_ONCE = 2
"""Exports of one replica that may hold a connection: their readers may be slow, and questions come first."""

_ENTRY = "INSERT INTO audit (at, actor, action, subject) VALUES ($1, $2, 'assist.export', $3)"

Row = Callable[[asyncpg.Record, Sealer, str], Kept]


@dataclass(frozen=True)
class Part:
    """One list of the document: the table it is of, the person's rows in it, and what is told of each."""

    table: str
    model: type[Kept]
    query: str
    row: Row


def _plain(model: type[Kept]) -> Row:
    """A row without a seal, each of its columns under its own name."""

    def told(row: asyncpg.Record, sealer: Sealer, sub: str) -> Kept:
        return model(**{name: row[name] for name in model.model_fields})

    return told


def _exchange(row: asyncpg.Record, sealer: Sealer, sub: str) -> Kept:
    columns = {name: row[name] for name in KeptExchange.model_fields if name in row and name not in _TOLD_OTHERWISE}
    citations = tuple(CitationLink.of(citation) for citation in sealed_exchanges.citations_of(row))
    try:
        words = sealed_exchanges.exchange_of(row, sealer)
    except SealBroken:
        return KeptExchange(**columns, citations=citations, sealed=Sealed.BROKEN, question=None, answer=None)
    return KeptExchange(
        **columns, citations=citations, sealed=Sealed.OPENED, question=words.question, answer=words.shown_answer
    )


_TOLD_OTHERWISE = frozenset({"citations", "sealed"})


def _reply(row: asyncpg.Record, sealer: Sealer, sub: str) -> Kept:
    columns = {name: row[name] for name in ("key", "at", "conversation_id")}
    if row["sealed_reply"] is None:
        return KeptReply(**columns, sealed=Sealed.NOTHING, reply=None)
    try:
        return KeptReply(**columns, sealed=Sealed.OPENED, reply=json.loads(replies.reply_of(row, sealer)))
    except SealBroken:
        return KeptReply(**columns, sealed=Sealed.BROKEN, reply=None)


def _write(row: asyncpg.Record, sealer: Sealer, sub: str) -> Kept:
    columns = {name: row[name] for name in KeptWrite.model_fields if name in row and name != "sealed"}
    nothing: dict[str, Any] = {"language": None, "entity": None, "arguments": None, "lines": ()}
    if row["sealed"] is None:
        return KeptWrite(**columns, **nothing, sealed=Sealed.NOTHING)
    try:
        write = sealed_writes.write_of(row, sealer)
    except SealBroken:
        return KeptWrite(**columns, **nothing, sealed=Sealed.BROKEN)
    return KeptWrite(
        **columns,
        sealed=Sealed.OPENED,
        language=write.language,
        entity=write.request.entity,
        arguments=json.loads(write.request.body),
        lines=write.lines,
    )


def _entry(row: asyncpg.Record, sealer: Sealer, sub: str) -> Kept:
    """Whoever else is in it stays unnamed, and so does their conversation; services and the operator are no people."""
    is_own = row["subject"] == sub
    is_by_other = row["is_deed"] and row["actor"] != sub
    return KeptEntry(
        at=row["at"],
        actor=SOMEBODY_ELSE if is_by_other else row["actor"],
        action=row["action"],
        subject=sub if is_own else SOMEBODY_ELSE,
        conversation_id=row["conversation_id"] if is_own else None,
        tool=row["tool"],
        outcome=row["outcome"],
    )


PARTS: Mapping[str, Part] = {
    "conversations": Part(
        "conversations",
        KeptConversation,
        "SELECT * FROM conversations WHERE owner = $1 ORDER BY started_at, id",
        _plain(KeptConversation),
    ),
    "exchanges": Part(
        "exchanges",
        KeptExchange,
        "SELECT e.* FROM exchanges AS e JOIN conversations AS c ON c.id = e.conversation_id WHERE c.owner = $1"
        " ORDER BY e.at, e.id",
        _exchange,
    ),
    "kept_replies": Part(
        replies.TABLE, KeptReply, "SELECT * FROM idempotent_replies WHERE owner = $1 ORDER BY at, key", _reply
    ),
    "pending_writes": Part(
        "pending_writes",
        KeptWrite,
        "SELECT * FROM pending_writes WHERE owner = $1 ORDER BY prepared_at, id",
        _write,
    ),
    "question_rates": Part(
        "question_rates", KeptRate, "SELECT * FROM question_rates WHERE person = $1", _plain(KeptRate)
    ),
    "llm_calls": Part(
        "llm_calls",
        KeptCall,
        f"SELECT * FROM llm_calls WHERE person = $1 AND {PERSONS_CALLS} ORDER BY reserved_at, id",  # noqa: S608
        _plain(KeptCall),
    ),
    "audit": Part(
        "audit",
        KeptEntry,
        f"SELECT *, {PERSONS_DEEDS} AS is_deed FROM audit"  # noqa: S608 constants
        f" WHERE subject = $1 OR (actor = $1 AND {PERSONS_DEEDS}) ORDER BY at, id",
        _entry,
    ),
}
"""The lists of `PersonDocument`, in its order."""


class PostgresPersonData(PostgresErasing):
    """Implements ports.PersonData."""

    def __init__(self, pool: asyncpg.Pool, sealer: Sealer) -> None:
        super().__init__(pool)
        self._sealer = sealer
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def export(
        self, sub: str, *, actor: str, now: dt.datetime
    ) -> AsyncGenerator[tuple[str, Sequence[Kept]], None]:
        async with self._turns, self._pool.acquire() as connection:
            # Committed before anything is read: one that breaks off in the middle has told something all the same.
            await connection.execute(_ENTRY, now, actor, sub)
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                for field, part in PARTS.items():
                    async with aclosing(self._batches(connection, part, sub)) as batches:
                        async for rows in batches:
                            yield field, rows

    async def _batches(
        self, connection: asyncpg.pool.PoolConnectionProxy, part: Part, sub: str
    ) -> AsyncGenerator[Sequence[Kept], None]:
        """At least one; that rows do not open is logged once."""
        cursor = await connection.cursor(part.query, sub, timeout=STATEMENT_SECONDS)
        is_logged = False
        while True:
            rows = await cursor.fetch(BATCH, timeout=STATEMENT_SECONDS)
            told = [part.row(row, self._sealer, sub) for row in rows]
            if not is_logged and any(getattr(each, "sealed", None) is Sealed.BROKEN for each in told):
                telemetry.log.error("seal_broken", table=part.table)
                is_logged = True
            yield told
            if len(rows) < BATCH:
                return
