"""Deletes what is past its time, in batches, safe beside traffic and safe to run again."""

import datetime as dt
from collections.abc import Mapping

import asyncpg

from assist_service.adapters.postgres.replies import KEPT
from assist_service.domain.conversation import Kind

BATCH = 1_000

CALLS_KEPT = dt.timedelta(days=400)
"""Provider requests, without content, are kept this long: a year's accounts and a month to read them."""

_DELETE_EXCHANGES = """
DELETE FROM exchanges WHERE id IN (SELECT id FROM exchanges WHERE kind = $1 AND at < $2 LIMIT $3)
"""

# A conversation just started has its exchange in the same transaction, so an empty one is one that was emptied.
_DELETE_EMPTY = """
DELETE FROM conversations WHERE id IN (
    SELECT c.id FROM conversations AS c
    WHERE NOT EXISTS (SELECT FROM exchanges WHERE conversation_id = c.id) LIMIT $1
)
"""

_DELETE_REPLIES = """
DELETE FROM idempotent_replies WHERE (owner, key) IN (
    SELECT owner, key FROM idempotent_replies WHERE at < $1 AND lease_until < $2 LIMIT $3
)
"""

_DELETE_RATES = """
DELETE FROM question_rates WHERE person IN (SELECT person FROM question_rates WHERE day < $1 LIMIT $2)
"""

_DELETE_CALLS = """
DELETE FROM llm_calls WHERE id IN (
    SELECT id FROM llm_calls WHERE day < $1 AND settled_at IS NOT NULL LIMIT $2
)
"""


class PostgresPurge:
    """Implements services.purge.Purging; `kept` says for each kind of exchange how long it stays."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def __call__(self, kept: Mapping[Kind, dt.timedelta], *, now: dt.datetime) -> Mapping[str, int]:
        exchanges = 0
        for kind, age in kept.items():
            exchanges += await self._all(_DELETE_EXCHANGES, kind.value, now - age)
        return {
            "exchanges": exchanges,
            "conversations": await self._all(_DELETE_EMPTY),
            "idempotent_replies": await self._all(_DELETE_REPLIES, now - KEPT, now),
            "question_rates": await self._all(_DELETE_RATES, now.date() - dt.timedelta(days=2)),
            "llm_calls": await self._all(_DELETE_CALLS, now.date() - CALLS_KEPT),
        }

    async def _all(self, statement: str, *arguments: object) -> int:
        """Runs the statement until a batch comes back short; the number of rows deleted."""
        total = 0
        while True:
            status = await self._pool.execute(statement, *arguments, BATCH)
            deleted = int(status.rsplit(" ", 1)[-1])
            total += deleted
            if deleted < BATCH:
                return total
