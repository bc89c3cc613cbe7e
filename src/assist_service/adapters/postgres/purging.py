"""Deletes what is past its time, in batches, safe beside traffic and safe to run again; one process at a time does."""

import datetime as dt
from collections.abc import Awaitable, Callable, Mapping

import asyncpg

from assist_service.adapters.postgres.alone import alone
from assist_service.adapters.postgres.erasing import erase_late
from assist_service.adapters.postgres.replies import KEPT
from assist_service.adapters.postgres.statuses import rows_of
from assist_service.domain.conversation import Kind
from assist_service.domain.writes import PENDING, REPEATABLE
from assist_service.ports import KeptFor

BATCH = 1_000
"""Rows of one transaction: what it locks, nobody waits for longer than a few milliseconds."""

CALLS_KEPT = dt.timedelta(days=400)
"""Provider requests, without content, are kept this long: a year's accounts and a month to read them."""

WRITES_KEPT = dt.timedelta(days=1)
"""Writes that can neither be confirmed nor sent again are kept this long past their card's expiry."""

RATES_KEPT = dt.timedelta(days=2)
"""A day's count is kept this much longer: where the day ends is the time zone's, and the purge reckons in UTC."""

PURGING = 7_204_113_986_001
"""The advisory lock of whoever purges; a number that nothing else in this database locks."""


def _delete(table: str, *key: str, past: str) -> str:
    """Deletes at most $1 rows that are `past` their time.

    What somebody holds is left for the next time: so this waits for nobody, and no deadlock can have it in its ring.
    A row that was changed between this look and its lock is looked at again by the lock.
    """
    columns, same = ", ".join(key), " AND ".join(f"t.{column} = past.{column}" for column in key)
    return f"""
WITH past AS MATERIALIZED (SELECT {columns} FROM {table} WHERE {past} LIMIT $1 FOR UPDATE SKIP LOCKED)
DELETE FROM {table} AS t USING past WHERE {same}
"""  # noqa: S608 names and conditions are the constants below


_EXCHANGES = _delete("exchanges", "id", past="kind = $2 AND at < $3")

# Each kind there is, one step in the index for each. A newer or an older release may have others than this one.
_KINDS = """
WITH RECURSIVE seen AS (
    (SELECT kind FROM exchanges ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT kind FROM exchanges WHERE kind > seen.kind ORDER BY kind LIMIT 1) FROM seen
    WHERE seen.kind IS NOT NULL
)
SELECT kind FROM seen WHERE kind IS NOT NULL
"""

_REPLIES = _delete("idempotent_replies", "owner", "key", past="at < $2 AND lease_until < $3")

# What may have been sent stays as long as it may be sent again, and while a confirm holds it. The first condition
# follows from the others, since nothing is first sent after its card's expiry: it is what an index can find.
_WRITES = _delete(
    "pending_writes",
    "id",
    past="""
    expires_at <= $2 AND (lease_until IS NULL OR lease_until <= $5)
    AND CASE WHEN state IN ('unknown', 'confirming') AND sent_at IS NOT NULL THEN sent_at <= $4
        ELSE expires_at < $3 END""",
)

_RATES = _delete("question_rates", "person", past="day < $2")

_CALLS = _delete("llm_calls", "id", past="day < $2 AND settled_at IS NOT NULL")

_AUDIT = _delete("audit", "id", past="at < $2")

# A conversation just started has its exchange in the same transaction, so an empty one is one that was emptied.
# The rows are locked first and looked at again by a second statement, which sees what was committed meanwhile: a
# question that was just answered into an emptied conversation must not go with it.
_LOCK_EMPTY = """
SELECT c.id FROM conversations AS c
WHERE NOT EXISTS (SELECT FROM exchanges WHERE conversation_id = c.id)
  AND (c.lease IS NULL OR c.lease_until <= $1)
LIMIT $2 FOR UPDATE SKIP LOCKED
"""

_DELETE_EMPTY = """
DELETE FROM conversations AS c
WHERE c.id = ANY($1) AND NOT EXISTS (SELECT FROM exchanges WHERE conversation_id = c.id)
"""


class PostgresPurge:
    """Implements ports.Purging, all on the connection that holds the lock: one that is lost ends the purge with it."""

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]]) -> None:
        self._connect = connect

    async def __call__(self, kept: KeptFor, *, now: dt.datetime) -> Mapping[str, int] | None:
        async with alone(self._connect, PURGING) as connection:
            return None if connection is None else await _purge(connection, kept, now)


async def _purge(connection: asyncpg.Connection, kept: KeptFor, now: dt.datetime) -> Mapping[str, int]:
    unsendable = now - REPEATABLE
    return {
        "exchanges": await _exchanges(connection, kept.exchanges, now),
        "conversations": await _empty_conversations(connection, now),
        "idempotent_replies": await _all(connection, _REPLIES, now - KEPT, now),
        "pending_writes": await _all(
            connection, _WRITES, max(now - WRITES_KEPT, unsendable + PENDING), now - WRITES_KEPT, unsendable, now
        ),
        "question_rates": await _all(connection, _RATES, now.date() - RATES_KEPT),
        "llm_calls": await _all(connection, _CALLS, now.date() - CALLS_KEPT),
        "audit": await _all(connection, _AUDIT, now - kept.audit),
        "erased_late": await erase_late(connection, now=now),
    }


async def _exchanges(connection: asyncpg.Connection, ages: Mapping[Kind, dt.timedelta], now: dt.datetime) -> int:
    """Of a kind that nobody knows nobody can say that it may stay longer than any."""
    known = {kind.value: age for kind, age in ages.items()}
    total = 0
    for row in await connection.fetch(_KINDS):
        age = known.get(row["kind"], min(known.values(), default=None))
        if age is not None:
            total += await _all(connection, _EXCHANGES, row["kind"], now - age)
    return total


async def _empty_conversations(connection: asyncpg.Connection, now: dt.datetime) -> int:
    total = 0
    while True:
        async with connection.transaction():
            rows = await connection.fetch(_LOCK_EMPTY, now, BATCH)
            total += rows_of(await connection.execute(_DELETE_EMPTY, [row["id"] for row in rows]))
        if len(rows) < BATCH:
            return total


async def _all(connection: asyncpg.Connection, statement: str, *arguments: object) -> int:
    """Runs the statement until a batch comes back short; the number of rows deleted."""
    total = 0
    while True:
        deleted = rows_of(await connection.execute(statement, BATCH, *arguments))
        total += deleted
        if deleted < BATCH:
            return total
