"""Erases one person: their rows go, what must stay for the accounts or about others loses their id.

A question that runs meanwhile must bring nothing back. The erasure is noted first, by the digest of the id, and what
starts a conversation looks there. What such a question writes besides is erased by `erase_late`.
"""

import asyncio
import datetime as dt
import hashlib
from collections.abc import Mapping

import asyncpg

from assist_service.adapters.postgres.engine import PATIENT_SECONDS
from assist_service.adapters.postgres.persons import PERSONS, count_of, erase_noted, erase_of
from assist_service.adapters.postgres.statuses import rows_of
from assist_service.domain.person_data import ERASED

TOLD = dt.timedelta(hours=1)
"""An erasure stays noted at least this long, and then until the next `erase_late`."""

LEFT_BEHIND = dt.timedelta(minutes=15)
"""A question that ran has ended by then, and written all that it will: its deadline is 600 s at most."""

SKEW = dt.timedelta(seconds=10)
"""How far the clocks of two replicas may be apart. So long after an erasure its person starts no conversation."""

STATEMENT_SECONDS = 30.0
"""For one that finds a person's rows by an index: a hundred thousand take some seconds."""

TRIES = 3
"""Of an erasure that met a purge: each may wait for a row that the other has, and Postgres then ends one of them."""

BATCH = 500

_MARK = """
INSERT INTO erasures (person_digest, at) VALUES ($1, $2)
ON CONFLICT (person_digest) DO UPDATE SET at = greatest(erasures.at, excluded.at)
"""

_DELETE_CONVERSATIONS = """
DELETE FROM conversations WHERE id IN (SELECT id FROM conversations WHERE owner = $1 ORDER BY id LIMIT $2)
"""
"""With each goes all that hangs on it, so a batch at a time."""

_ERASE = tuple(
    erase_of(table, whose) for table, columns in PERSONS.items() if table != "conversations" for whose in columns
)

_ENTRY = f"INSERT INTO audit (at, actor, action, subject) VALUES ($1, $2, 'assist.erase', '{ERASED}')"  # noqa: S608


class PostgresErasing:
    """The half of ports.PersonData that counts and erases."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def count(self, sub: str) -> Mapping[str, int]:
        async with self._pool.acquire() as connection:
            return {
                table: await connection.fetchval(count_of(table), sub, timeout=STATEMENT_SECONDS) for table in PERSONS
            }

    async def erase(self, sub: str, *, actor: str, now: dt.datetime) -> None:
        # Committed before anything goes: a conversation that starts from now on sees it.
        await self._pool.execute(_MARK, digest_of(sub), now)
        for _ in range(TRIES - 1):
            try:
                return await self._erase(sub, actor, now)
            except asyncpg.DeadlockDetectedError:
                await asyncio.sleep(0)
        return await self._erase(sub, actor, now)

    async def _erase(self, sub: str, actor: str, now: dt.datetime) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            while await _deleted(connection, sub) == BATCH:
                pass
            for statement in _ERASE:
                await connection.execute(statement, sub, timeout=STATEMENT_SECONDS)
            await connection.execute(_ENTRY, now, actor)


async def _deleted(connection: asyncpg.pool.PoolConnectionProxy, sub: str) -> int:
    """The number of conversations that went with this batch."""
    return rows_of(await connection.execute(_DELETE_CONVERSATIONS, sub, BATCH, timeout=STATEMENT_SECONDS))


def digest_of(sub: str) -> str:
    """Under which an erasure is noted."""
    return hashlib.sha256(sub.encode()).hexdigest()


_BEGAN_BEFORE = f"<= e.at + interval '{SKEW.total_seconds()} seconds'"
"""Came into being before the erasure, or in its very moment and unseen by it; what is later is the person's anew."""

_AROUND = f"interval '{LEFT_BEHIND.total_seconds()} seconds'"

_FIRST, _LAST = "(SELECT min(at) FROM erasures)", "(SELECT max(at) FROM erasures)"


def _around(at: str) -> str:
    """Of around the time of an erasure. Of all of them first: a row is looked at once, however many."""
    return (
        f"{at} BETWEEN {_FIRST} - {_AROUND} AND {_LAST} + {_AROUND}"
        f" AND {at} BETWEEN e.at - {_AROUND} AND e.at + {_AROUND}"
    )


_LATE: Mapping[tuple[str, str], str] = {
    ("conversations", "owner"): f"{_around('t.started_at')} AND t.started_at {_BEGAN_BEFORE}",
    ("idempotent_replies", "owner"): f"{_around('t.at')} AND t.at {_BEGAN_BEFORE} AND t.conversation_id IS NULL",
    ("question_rates", "person"): f"NOT EXISTS (SELECT FROM unnest(t.recent) AS asked WHERE NOT asked {_BEGAN_BEFORE})",
    # Where an exchange came of it the question was asked anew: one that ran stores none. An index has the day.
    ("llm_calls", "person"): f"""
        t.day BETWEEN ({_FIRST} - interval '2 days')::date AND ({_LAST} + interval '2 days')::date
        AND {_around("t.reserved_at")} AND NOT EXISTS (SELECT FROM exchanges AS x WHERE x.id = t.question_id)
        """,
    # A confirm that ran ends later, and an export may have found what was left. Whoever came back has a conversation.
    ("audit", "subject"): f"""
        {_around("t.at")} AND NOT EXISTS (SELECT FROM conversations AS c WHERE c.id = t.conversation_id) AND (
            t.at {_BEGAN_BEFORE} OR t.action IN ('assist.confirm', 'assist.write')
            OR t.action = 'assist.export' AND NOT EXISTS (SELECT FROM conversations AS c WHERE c.owner = t.subject)
        )
        """,  # noqa: S608 constants
    ("audit", "actor"): f"{_around('t.at')} AND t.at {_BEGAN_BEFORE}",
}
"""By table and column, what a question or a confirm that still ran may have left; the rest went with conversations."""

ERASE_LATE = tuple(
    erase_noted(table, whose, _LATE[table, whose.column])
    for table, columns in PERSONS.items()
    for whose in columns
    if (table, whose.column) in _LATE
)

_FORGET = "DELETE FROM erasures WHERE at <= $1"


async def erase_late(connection: asyncpg.Connection | asyncpg.pool.PoolConnectionProxy, *, now: dt.datetime) -> int:
    """Erases what questions that still ran left of people erased lately, and forgets the erasures of an hour ago.

    The number of rows. Safe to run again, beside traffic and by several at once.
    """
    late = 0
    async with connection.transaction():
        for statement in ERASE_LATE:
            late += rows_of(await connection.execute(statement, timeout=PATIENT_SECONDS))
        await connection.execute(_FORGET, now - TOLD)
    return late
