"""Pending writes in Postgres: one confirm at a time has one, and what may have been sent is only ever sent again.

`sent_at` says whether it may have been: a confirm notes it before it sends, and one that died before has sent nothing.
"""

import datetime as dt
import uuid

import asyncpg

from assist_service.adapters.postgres.sealed_writes import COLUMNS, write_of
from assist_service.domain.writes import CONFIRMING, REPEATABLE, WriteState
from assist_service.ports import Sealer, Taken

# What stood there is read by the lock: of those who wait for it, each sees what the one before left and not what
# stood there when its own statement began.
_TAKE = f"""
WITH found AS (
    SELECT id FROM pending_writes
    WHERE id = $1 AND owner = $2 AND conversation_id = $3
      AND (state IN ('pending', 'unknown') OR (state = 'confirming' AND lease_until <= $4))
      AND CASE WHEN sent_at IS NULL THEN expires_at > $4 ELSE sent_at > $5 END
    FOR UPDATE
), taken AS (
    UPDATE pending_writes AS w
    SET state = 'confirming', lease = $6, lease_until = $7
    FROM found WHERE w.id = found.id
    RETURNING w.*, w.sent_at IS NOT NULL AS is_repeated
), entered AS (
    INSERT INTO audit (at, actor, action, subject, conversation_id, tool)
    SELECT $4, 'assistant', 'assist.confirm', owner, conversation_id, tool FROM taken
)
SELECT {COLUMNS}, is_repeated FROM taken
"""  # noqa: S608 the columns are a constant

_HELD = "id = $1 AND lease = $2 AND state = 'confirming'"

_SENDING = f"""
UPDATE pending_writes SET sent_at = coalesce(sent_at, $3) WHERE {_HELD} AND lease_until > $3 RETURNING id
"""  # noqa: S608 the condition is a constant

# Done or refused, its arguments have served; unknown, they are what is sent again.
_END = f"""
WITH ended AS (
    UPDATE pending_writes
    SET state = $3::text, lease = NULL, lease_until = NULL,
        key_id = CASE WHEN $3 = 'unknown' THEN key_id END, sealed = CASE WHEN $3 = 'unknown' THEN sealed END
    WHERE {_HELD}
    RETURNING owner, conversation_id, tool
)
INSERT INTO audit (at, actor, action, subject, conversation_id, tool, outcome)
SELECT $4, 'assistant', 'assist.write', owner, conversation_id, tool, $3 FROM ended
RETURNING id
"""  # noqa: S608 the condition is a constant

# A statement of its own: it sees the deletion that the one above may have waited for.
_END_OF_DELETED = """
INSERT INTO audit (at, actor, action, subject, conversation_id, tool, outcome)
SELECT $2, 'assistant', 'assist.write', $3, $4, $5, $6
WHERE NOT EXISTS (SELECT FROM pending_writes WHERE id = $1)
RETURNING id
"""

_GIVE_BACK = f"""
UPDATE pending_writes SET state = 'pending', lease = NULL, lease_until = NULL, sent_at = NULL WHERE {_HELD}
RETURNING id
"""  # noqa: S608 the condition is a constant

_GIVE_BACK_REPEATED = f"""
UPDATE pending_writes SET state = 'unknown', lease = NULL, lease_until = NULL WHERE {_HELD} RETURNING id
"""  # noqa: S608 the condition is a constant

_CANCEL = """
UPDATE pending_writes SET state = 'cancelled', key_id = NULL, sealed = NULL, lease = NULL, lease_until = NULL
WHERE id = $1 AND owner = $2 AND conversation_id = $3 AND sent_at IS NULL AND expires_at > $4
  AND (state = 'pending' OR (state = 'confirming' AND lease_until <= $4))
RETURNING id
"""

_OUTCOMES = frozenset({WriteState.DONE, WriteState.REFUSED, WriteState.UNKNOWN})


class PostgresPendingWrites:
    """Implements ports.PendingWrites."""

    def __init__(self, pool: asyncpg.Pool, sealer: Sealer) -> None:
        self._pool = pool
        self._sealer = sealer

    async def take(
        self, owner: str, conversation_id: uuid.UUID, write_id: uuid.UUID, *, now: dt.datetime
    ) -> Taken | None:
        token = uuid.uuid4()
        place = (write_id, owner, conversation_id)
        async with self._pool.acquire() as connection, connection.transaction():
            row = await connection.fetchrow(_TAKE, *place, now, now - REPEATABLE, token, now + CONFIRMING)
            # Opened before it is committed: a row that does not open must not stay taken, nor be told as confirmed.
            return None if row is None else Taken(write_of(row, self._sealer), token, row["is_repeated"])

    async def sending(self, taken: Taken, *, now: dt.datetime) -> bool:
        return await self._pool.fetchval(_SENDING, taken.write.id, taken.token, now) is not None

    async def end(self, taken: Taken, state: WriteState, *, now: dt.datetime) -> bool:
        held = (taken.write.id, taken.token)
        if state is WriteState.PENDING:
            # Given back unsent, it may still have been sent by the confirm before: that is never forgotten.
            statement = _GIVE_BACK_REPEATED if taken.is_repeated else _GIVE_BACK
            return await self._pool.fetchval(statement, *held) is not None
        if state not in _OUTCOMES:
            raise ValueError(f"a confirm does not end as {state}")
        if await self._pool.fetchval(_END, *held, state.value, now) is not None:
            return True
        return await self._end_of_deleted(taken, state, now)

    async def _end_of_deleted(self, taken: Taken, state: WriteState, now: dt.datetime) -> bool:
        """Enters the outcome of a write whose conversation was deleted while it was sent: the LMS made it all the
        same. False where it is not gone, so another confirm's."""
        write = taken.write
        told = (write.owner, write.conversation_id, write.request.tool.value, state.value)
        return await self._pool.fetchval(_END_OF_DELETED, write.id, now, *told) is not None

    async def cancel(self, owner: str, conversation_id: uuid.UUID, write_id: uuid.UUID, *, now: dt.datetime) -> bool:
        return await self._pool.fetchval(_CANCEL, write_id, owner, conversation_id, now) is not None
