"""Deletes what is past its time, in batches, safe beside traffic and safe to run again."""

import datetime as dt
from collections.abc import Mapping

import asyncpg

from assist_service.adapters.postgres.replies import KEPT
from assist_service.domain.conversation import Kind
from assist_service.domain.writes import REPEATABLE

BATCH = 1_000

CALLS_KEPT = dt.timedelta(days=400)
"""Provider requests, without content, are kept this long: a year's accounts and a month to read them."""

WRITES_KEPT = dt.timedelta(days=1)
"""Writes that can neither be confirmed nor sent again are kept this long past their card's expiry."""

_DELETE_EXCHANGES = """
DELETE FROM exchanges WHERE id IN (SELECT id FROM exchanges WHERE kind = $1 AND at < $2 LIMIT $3)
"""

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

_DELETE_REPLIES = """
DELETE FROM idempotent_replies WHERE at < $1 AND lease_until < $2 AND (owner, key) IN (
    SELECT owner, key FROM idempotent_replies WHERE at < $1 AND lease_until < $2 LIMIT $3
)
"""

# What may have been sent stays as long as it may be sent again, and while a confirm holds it. The condition stands
# twice, so that it is asked again of a row that a confirm changed meanwhile.
_OVER = """
(lease_until IS NULL OR lease_until <= $3)
AND CASE WHEN state IN ('unknown', 'confirming') AND sent_at IS NOT NULL THEN sent_at <= $2 ELSE expires_at < $1 END
"""

_DELETE_WRITES = f"""
DELETE FROM pending_writes WHERE {_OVER} AND id IN (SELECT id FROM pending_writes WHERE {_OVER} LIMIT $4)
"""  # noqa: S608 the condition is a constant

_DELETE_RATES = """
DELETE FROM question_rates WHERE day < $1 AND person IN (SELECT person FROM question_rates WHERE day < $1 LIMIT $2)
"""

_DELETE_CALLS = """
DELETE FROM llm_calls WHERE id IN (
    SELECT id FROM llm_calls WHERE day < $1 AND settled_at IS NOT NULL LIMIT $2
)
"""


class PostgresPurge:
    """Implements ports.Purging; `kept` says for each kind of exchange how long it stays."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def __call__(self, kept: Mapping[Kind, dt.timedelta], *, now: dt.datetime) -> Mapping[str, int]:
        exchanges = 0
        for kind, age in kept.items():
            exchanges += await self._all(_DELETE_EXCHANGES, kind.value, now - age)
        return {
            "exchanges": exchanges,
            "conversations": await self._empty_conversations(now),
            "idempotent_replies": await self._all(_DELETE_REPLIES, now - KEPT, now),
            "pending_writes": await self._all(_DELETE_WRITES, now - WRITES_KEPT, now - REPEATABLE, now),
            "question_rates": await self._all(_DELETE_RATES, now.date() - dt.timedelta(days=2)),
            "llm_calls": await self._all(_DELETE_CALLS, now.date() - CALLS_KEPT),
        }

    async def _empty_conversations(self, now: dt.datetime) -> int:
        total = 0
        while True:
            async with self._pool.acquire() as connection, connection.transaction():
                rows = await connection.fetch(_LOCK_EMPTY, now, BATCH)
                total += _rows(await connection.execute(_DELETE_EMPTY, [row["id"] for row in rows]))
            if len(rows) < BATCH:
                return total

    async def _all(self, statement: str, *arguments: object) -> int:
        """Runs the statement until a batch comes back short; the number of rows deleted."""
        total = 0
        while True:
            status = await self._pool.execute(statement, *arguments, BATCH)
            deleted = _rows(status)
            total += deleted
            if deleted < BATCH:
                return total


def _rows(status: str) -> int:
    """The number of rows in a command's status, such as `DELETE 7`."""
    return int(status.rsplit(" ", 1)[-1])
