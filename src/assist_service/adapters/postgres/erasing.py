"""Erases one person: their rows go, what must stay for the accounts or about others loses their id.

A question that runs meanwhile must bring nothing back. The erasure is noted first, by the digest of the id, and what
starts a conversation looks there. What such a question writes besides is erased by `erase_late`.
"""

import asyncio
import datetime as dt
import hashlib
from collections.abc import Mapping

import asyncpg

from assist_service.domain.person_data import ERASED

TOLD = dt.timedelta(hours=1)
"""An erasure stays noted at least this long, and then until the next `erase_late`."""

LEFT_BEHIND = dt.timedelta(minutes=15)
"""A question that ran has ended by then, and written all that it will: its deadline is 600 s at most."""

SKEW = dt.timedelta(seconds=10)
"""How far the clocks of two replicas may be apart. So long after an erasure its person starts no conversation."""

STATEMENT_SECONDS = 120.0
"""For a statement that looks through the provider requests or the audit log: no index has their people."""

TRIES = 3
"""Of an erasure that met a purge: each may wait for a row that the other has, and Postgres then ends one of them."""

PERSONS_CALLS = "purpose = 'assist'"
"""All other calls are of a back end, which may be named as a person is."""

PERSONS_DEEDS = "action NOT IN ('assist.confirm', 'assist.write', 'assist.export', 'assist.erase')"
"""In these the actor is `assistant`, a back end or the operator, which may be named as a person is."""

BATCH = 500

_MARK = """
INSERT INTO erasures (person_digest, at) VALUES ($1, $2)
ON CONFLICT (person_digest) DO UPDATE SET at = greatest(erasures.at, excluded.at)
"""

# A statement for each table that has people.
COUNTED: Mapping[str, str] = {
    "conversations": "SELECT count(*) FROM conversations WHERE owner = $1",
    "exchanges": "SELECT count(*) FROM exchanges AS e JOIN conversations AS c ON c.id = e.conversation_id"
    " WHERE c.owner = $1",
    "idempotent_replies": "SELECT count(*) FROM idempotent_replies WHERE owner = $1",
    "pending_writes": "SELECT count(*) FROM pending_writes WHERE owner = $1",
    "question_rates": "SELECT count(*) FROM question_rates WHERE person = $1",
    "llm_calls": f"SELECT count(*) FROM llm_calls WHERE person = $1 AND {PERSONS_CALLS}",  # noqa: S608 constants
    "audit": f"SELECT count(*) FROM audit WHERE subject = $1 OR (actor = $1 AND {PERSONS_DEEDS})",  # noqa: S608
}

_DELETE_CONVERSATIONS = """
DELETE FROM conversations WHERE id IN (SELECT id FROM conversations WHERE owner = $1 ORDER BY id LIMIT $2)
"""

# Exchanges, kept replies and pending writes went with their conversations; a claim that is still held has none.
_ERASE = (
    "DELETE FROM idempotent_replies WHERE owner = $1",
    "DELETE FROM question_rates WHERE person = $1",
    f"UPDATE llm_calls SET person = '{ERASED}' WHERE person = $1 AND {PERSONS_CALLS}",  # noqa: S608 constants
    "DELETE FROM audit WHERE subject = $1",
    f"UPDATE audit SET actor = '{ERASED}' WHERE actor = $1 AND {PERSONS_DEEDS}",  # noqa: S608
)

_ENTRY = f"INSERT INTO audit (at, actor, action, subject) VALUES ($1, $2, 'assist.erase', '{ERASED}')"  # noqa: S608


class PostgresErasing:
    """The half of ports.PersonData that counts and erases."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def count(self, sub: str) -> Mapping[str, int]:
        async with self._pool.acquire() as connection:
            return await _counted(connection, sub)

    async def erase(self, sub: str, *, actor: str, now: dt.datetime) -> Mapping[str, int]:
        # Committed before anything goes: a conversation that starts from now on sees it.
        await self._pool.execute(_MARK, digest_of(sub), now)
        for _ in range(TRIES - 1):
            try:
                return await self._erase(sub, actor, now)
            except asyncpg.DeadlockDetectedError:
                await asyncio.sleep(0)
        return await self._erase(sub, actor, now)

    async def _erase(self, sub: str, actor: str, now: dt.datetime) -> Mapping[str, int]:
        async with self._pool.acquire() as connection, connection.transaction():
            found = await _counted(connection, sub)
            while await _deleted(connection, sub) == BATCH:
                pass
            for statement in _ERASE:
                await connection.execute(statement, sub, timeout=STATEMENT_SECONDS)
            await connection.execute(_ENTRY, now, actor)
        return found


async def _deleted(connection: asyncpg.pool.PoolConnectionProxy, sub: str) -> int:
    """The number of conversations that went with this batch, and all that hangs on them with each."""
    status = await connection.execute(_DELETE_CONVERSATIONS, sub, BATCH, timeout=STATEMENT_SECONDS)
    return int(status.rsplit(" ", 1)[-1])


async def _counted(connection: asyncpg.pool.PoolConnectionProxy, sub: str) -> Mapping[str, int]:
    return {
        table: await connection.fetchval(statement, sub, timeout=STATEMENT_SECONDS)
        for table, statement in COUNTED.items()
    }


def digest_of(sub: str) -> str:
    """Under which an erasure is noted."""
    return hashlib.sha256(sub.encode()).hexdigest()


def digest_in(column: str) -> str:
    """The same of a column, in SQL."""
    return f"encode(sha256(convert_to({column}, 'UTF8')), 'hex')"


def _about(column: str, at: str) -> str:
    """Rows about somebody erased, of around the time of it. `at` is looked at first: digests of all rows would cost."""
    return f"{at} BETWEEN e.at - $1::interval AND e.at + $1::interval AND {digest_in(column)} = e.person_digest"


_BEGAN_BEFORE = f"{{}} <= e.at + interval '{SKEW.seconds} seconds'"
"""What came into being in the very moment of the erasure, unseen by it; what is later is the person's anew."""

_LATE: Mapping[str, str] = {
    "conversations": f"""
        DELETE FROM conversations AS c USING erasures AS e
        WHERE {_BEGAN_BEFORE.format("c.started_at")} AND {_about("c.owner", "c.started_at")}
        """,  # noqa: S608
    "idempotent_replies": f"""
        DELETE FROM idempotent_replies AS r USING erasures AS e
        WHERE r.conversation_id IS NULL AND {_BEGAN_BEFORE.format("r.at")} AND {_about("r.owner", "r.at")}
        """,  # noqa: S608
    "question_rates": f"""
        DELETE FROM question_rates AS r USING erasures AS e
        WHERE {digest_in("r.person")} = e.person_digest
          AND NOT EXISTS (SELECT FROM unnest(r.recent) AS asked WHERE asked > e.at + $1::interval)
        """,  # noqa: S608
    "llm_calls": f"""
        UPDATE llm_calls AS l SET person = '{ERASED}' FROM erasures AS e
        WHERE l.{PERSONS_CALLS} AND l.day BETWEEN (e.at - interval '2 days')::date AND (e.at + interval '2 days')::date
          AND {_about("l.person", "l.reserved_at")}
        """,  # noqa: S608
    "audit": f"""
        DELETE FROM audit AS a USING erasures AS e WHERE {_about("a.subject", "a.at")}
        """,  # noqa: S608
    "audit, as actor": f"""
        UPDATE audit AS a SET actor = '{ERASED}' FROM erasures AS e
        WHERE a.{PERSONS_DEEDS} AND {_about("a.actor", "a.at")}
        """,  # noqa: S608
}

_FORGET = "DELETE FROM erasures WHERE at <= $1"


async def erase_late(connection: asyncpg.Connection | asyncpg.pool.PoolConnectionProxy, *, now: dt.datetime) -> int:
    """Erases what questions that still ran left of people erased lately, and forgets the erasures of an hour ago.

    The number of rows. Safe to run again, beside traffic and by several at once.
    """
    late = 0
    async with connection.transaction():
        for statement in _LATE.values():
            status = await connection.execute(statement, LEFT_BEHIND, timeout=STATEMENT_SECONDS)
            late += int(status.rsplit(" ", 1)[-1])
        await connection.execute(_FORGET, now - TOLD)
    return late
