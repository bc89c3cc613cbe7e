"""An administrator's reading: the audit entry is written in the transaction that reads, or nothing is read."""

import datetime as dt
import uuid

import asyncpg

from assist_service.adapters.postgres.listings import listing, transcript
from assist_service.ports import Listing, Sealer, Transcript

READING = dt.timedelta(hours=1)
"""Further pages within this time belong to the reading that the first entry tells of."""

# The first page always leaves an entry. A later one does where none stands for it: its cursor may be made up.
_ENTRY = """
INSERT INTO audit (at, actor, action, subject, conversation_id)
SELECT $1, $2, 'assist.read', $3, $4
WHERE $5 OR NOT EXISTS (
    SELECT FROM audit
    WHERE actor = $2 AND subject = $3 AND conversation_id IS NOT DISTINCT FROM $4 AND at > $6
      AND action = 'assist.read'
)
"""

_OWNER = "SELECT owner FROM conversations WHERE id = $1"


class PostgresAuditedReads:
    """Implements ports.AuditedReads."""

    def __init__(self, pool: asyncpg.Pool, sealer: Sealer) -> None:
        self._pool = pool
        self._sealer = sealer

    async def listing(self, reader: str, owner: str, *, now: dt.datetime, cursor: str | None, limit: int) -> Listing:
        async with self._pool.acquire() as connection, connection.transaction():
            found = await listing(connection, self._sealer, owner, cursor=cursor, limit=limit)
            await _enter(connection, reader, owner, None, now=now, is_first=cursor is None)
        return found

    async def transcript(
        self, reader: str, conversation_id: uuid.UUID, *, now: dt.datetime, cursor: str | None, limit: int
    ) -> Transcript | None:
        async with self._pool.acquire() as connection, connection.transaction():
            owner = await connection.fetchval(_OWNER, conversation_id)
            if owner is None:
                return None
            found = await transcript(connection, self._sealer, owner, conversation_id, cursor=cursor, limit=limit)
            await _enter(connection, reader, owner, conversation_id, now=now, is_first=cursor is None)
        return found


async def _enter(
    connection: asyncpg.pool.PoolConnectionProxy,
    reader: str,
    owner: str,
    conversation_id: uuid.UUID | None,
    *,
    now: dt.datetime,
    is_first: bool,
) -> None:
    await connection.execute(_ENTRY, now, reader, owner, conversation_id, is_first, now - READING)
