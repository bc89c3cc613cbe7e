"""Conversations in Postgres: every statement names the owner, a lease keeps one question at a time."""

import datetime as dt
import uuid
from collections.abc import Sequence

import asyncpg

from assist_service.adapters.postgres import replies, sealed_writes
from assist_service.adapters.postgres.erasing import SKEW
from assist_service.adapters.postgres.listings import listing, transcript
from assist_service.adapters.postgres.persons import digest_in
from assist_service.adapters.postgres.sealed_exchanges import COLUMNS, VALUES, exchange_of, row_of
from assist_service.domain.conversation import Exchange, Span
from assist_service.domain.writes import PendingWrite
from assist_service.ports import FinishedReply, Listing, Opened, Sealer, Transcript, Unopened

_LEASE = """
UPDATE conversations SET lease = $3, lease_until = $4
WHERE id = $1 AND owner = $2 AND (lease IS NULL OR lease_until <= $5)
RETURNING started_at, last_at, ended_at
"""

_EXISTS = "SELECT true FROM conversations WHERE id = $1 AND owner = $2"

_NEWEST = f"""
SELECT {COLUMNS} FROM exchanges WHERE conversation_id = $1 AND owner = $2 ORDER BY at DESC, id DESC LIMIT $3
"""  # noqa: S608 the columns are a constant

_RELEASE = "UPDATE conversations SET lease = NULL, lease_until = NULL WHERE id = $1 AND lease = $2"

# A question that was asked before its person was erased starts no conversation after it.
_NOT_ERASED_SINCE = f"""
NOT EXISTS (
    SELECT FROM erasures
    WHERE person_digest = {digest_in("$3::text")} AND at >= $14::timestamptz - interval '{SKEW.seconds} seconds'
)
"""

# A conversation and its exchange in one statement each: one round trip, and neither is ever without the other.
_START = f"""
WITH held AS (
    INSERT INTO conversations (id, owner, started_at, last_at)
    SELECT $2::uuid, $3::text, $4::timestamptz, $4::timestamptz WHERE {_NOT_ERASED_SINCE}
    RETURNING id
)
INSERT INTO exchanges ({COLUMNS}) SELECT {VALUES} FROM held RETURNING id
"""  # noqa: S608 the columns are a constant

# Where a person has one active conversation, their starts take turns by this lock, which ends with the transaction:
# a statement sees no row of another that has not been committed, so two at once would leave two.
_LOCK_STARTS = "SELECT pg_advisory_xact_lock(hashtextextended($1, 7122064))"

_END_OTHERS = "UPDATE conversations SET ended_at = $3 WHERE owner = $1 AND id <> $2 AND ended_at IS NULL"

_CONTINUE = f"""
WITH held AS (
    UPDATE conversations SET last_at = $4, lease = NULL, lease_until = NULL
    WHERE id = $2 AND owner = $3 AND lease = $14
    RETURNING id
)
INSERT INTO exchanges ({COLUMNS}) SELECT {VALUES} FROM held RETURNING id
"""  # noqa: S608 the columns are a constant

_DELETE = """
WITH gone AS (DELETE FROM conversations WHERE id = $1 AND owner = $2 RETURNING id, owner)
INSERT INTO audit (at, actor, action, subject, conversation_id)
SELECT $3, owner, 'assist.delete', owner, id FROM gone
RETURNING conversation_id
"""


class PostgresConversations:
    """Implements ports.Conversations."""

    def __init__(self, pool: asyncpg.Pool, sealer: Sealer, *, one_active: bool = False) -> None:
        self._pool = pool
        self._sealer = sealer
        self._one_active = one_active

    async def open(
        self,
        owner: str,
        conversation_id: uuid.UUID,
        *,
        pairs: int,
        now: dt.datetime,
        lease_until: dt.datetime,
    ) -> Opened | Unopened:
        lease = uuid.uuid4()
        async with self._pool.acquire() as connection, connection.transaction():
            leased = await connection.fetchrow(_LEASE, conversation_id, owner, lease, lease_until, now)
            if leased is None:
                exists = await connection.fetchval(_EXISTS, conversation_id, owner)
                return Unopened.BUSY if exists else Unopened.NOT_FOUND
            rows = await connection.fetch(_NEWEST, conversation_id, owner, pairs)
            # Opened before the lease is committed: a row that does not open must not keep the conversation taken.
            history = tuple(exchange_of(row, self._sealer) for row in reversed(rows))
        span = Span(leased["started_at"], leased["last_at"], leased["ended_at"])
        return Opened(conversation_id, lease, span, history)

    async def release(self, opened: Opened) -> None:
        await self._pool.execute(_RELEASE, opened.conversation_id, opened.lease)

    async def add(
        self,
        exchange: Exchange,
        *,
        lease: uuid.UUID | None,
        finished: FinishedReply | None,
        writes: Sequence[PendingWrite] = (),
        asked_at: dt.datetime | None = None,
    ) -> bool:
        place = (exchange.owner, exchange.conversation_id)
        if any((write.owner, write.conversation_id) != place for write in writes):
            raise ValueError("a write of another person or conversation than its exchange's")
        row = row_of(exchange, self._sealer)
        statement, values = (_START, (*row, asked_at or exchange.at)) if lease is None else (_CONTINUE, (*row, lease))
        ends_others = self._one_active and lease is None
        if finished is None and not writes and not ends_others:
            return await self._pool.fetchval(statement, *values) is not None
        async with self._pool.acquire() as connection, connection.transaction():
            if ends_others:
                await connection.execute(_LOCK_STARTS, exchange.owner)
            if await connection.fetchval(statement, *values) is None:
                return False
            if ends_others:  # only now: what starts nothing ends nothing
                await connection.execute(_END_OTHERS, exchange.owner, exchange.conversation_id, exchange.at)
            await sealed_writes.keep(connection, writes, sealer=self._sealer)
            if finished is not None:
                await replies.keep(connection, finished, conversation_id=exchange.conversation_id, sealer=self._sealer)
        return True

    async def listing(self, owner: str, *, cursor: str | None, limit: int) -> Listing:
        return await listing(self._pool, self._sealer, owner, cursor=cursor, limit=limit)

    async def transcript(
        self, owner: str, conversation_id: uuid.UUID, *, cursor: str | None, limit: int
    ) -> Transcript | None:
        if not await self._pool.fetchval(_EXISTS, conversation_id, owner):
            return None
        return await transcript(self._pool, self._sealer, owner, conversation_id, cursor=cursor, limit=limit)

    async def delete(self, owner: str, conversation_id: uuid.UUID, *, now: dt.datetime) -> bool:
        return await self._pool.fetchval(_DELETE, conversation_id, owner, now) is not None
