"""Replies kept for an idempotency key: sealed, ten minutes, one claim at a time."""

import datetime as dt
import hashlib
import hmac
import uuid

import asyncpg

from assist_service.ports import Binding, Claim, FinishedReply, Sealer, Unclaimed

KEPT = dt.timedelta(minutes=10)

TABLE = "idempotent_replies"

# A key is free when nobody has it, when its ten minutes are over, or when the one who had it died over it.
_CLAIM = """
INSERT INTO idempotent_replies AS r (owner, key, token, at, lease_until, key_id, sealed_body_digest)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (owner, key) DO UPDATE
SET token = $3, at = $4, lease_until = $5, key_id = $6, sealed_body_digest = $7, reply_key_id = NULL,
    sealed_reply = NULL, conversation_id = NULL
WHERE CASE WHEN r.sealed_reply IS NULL THEN r.lease_until <= $4 ELSE r.at <= $8 END
RETURNING token
"""

_KEPT = """
SELECT owner, key, key_id, sealed_body_digest, reply_key_id, sealed_reply FROM idempotent_replies
WHERE owner = $1 AND key = $2
"""

_KEEP = """
UPDATE idempotent_replies SET reply_key_id = $4, sealed_reply = $5, conversation_id = $6
WHERE owner = $1 AND key = $2 AND token = $3
"""

_DROP = "DELETE FROM idempotent_replies WHERE owner = $1 AND key = $2 AND token = $3 AND sealed_reply IS NULL"


class PostgresReplies:
    """Implements ports.Replies."""

    def __init__(self, pool: asyncpg.Pool, sealer: Sealer) -> None:
        self._pool = pool
        self._sealer = sealer

    async def claim(
        self, owner: str, key: str, *, body: bytes, now: dt.datetime, lease_until: dt.datetime
    ) -> Claim | bytes | Unclaimed:
        claim = Claim(owner, key, uuid.uuid4())
        digest = hashlib.sha256(body).digest()
        key_id, sealed = self._sealer.seal(digest, _binding(owner, key, "body"))
        token = await self._pool.fetchval(_CLAIM, owner, key, claim.token, now, lease_until, key_id, sealed, now - KEPT)
        if token is not None:
            return claim
        row = await self._pool.fetchrow(_KEPT, owner, key)
        if row is None:  # given up or purged between the two statements
            return Unclaimed.RUNNING
        kept = self._sealer.open(row["sealed_body_digest"], key_id=row["key_id"], binding=_binding(owner, key, "body"))
        if not hmac.compare_digest(kept, digest):
            return Unclaimed.MISMATCH
        if row["sealed_reply"] is None:
            return Unclaimed.RUNNING
        return reply_of(row, self._sealer)

    async def drop(self, claim: Claim) -> None:
        await self._pool.execute(_DROP, claim.owner, claim.key, claim.token)


def reply_of(row: asyncpg.Record, sealer: Sealer) -> bytes:
    """The reply kept in a row that has one. Raises SealBroken."""
    binding = _binding(row["owner"], row["key"], "reply")
    return sealer.open(row["sealed_reply"], key_id=row["reply_key_id"], binding=binding)


async def keep(
    connection: asyncpg.pool.PoolConnectionProxy,
    finished: FinishedReply,
    *,
    conversation_id: uuid.UUID,
    sealer: Sealer,
) -> None:
    """Keeps a reply, inside the transaction that stores its exchange; it goes when the conversation does."""
    claim = finished.claim
    key_id, sealed = sealer.seal(finished.body, _binding(claim.owner, claim.key, "reply"))
    await connection.execute(_KEEP, claim.owner, claim.key, claim.token, key_id, sealed, conversation_id)


def _binding(owner: str, key: str, column: str) -> Binding:
    return Binding(table=f"{TABLE}.{column}", row=key, owner=owner)
