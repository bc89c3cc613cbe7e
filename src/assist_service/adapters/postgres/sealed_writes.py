"""A pending write to a row and back: its arguments and card sealed, and opened only as what was frozen."""

import json
import uuid
from collections.abc import Sequence
from typing import Any

import asyncpg

from assist_service.domain.reply import CardLine
from assist_service.domain.writes import PendingWrite, WriteRequest, WriteState, WriteTool
from assist_service.ports import Binding, SealBroken, Sealer

COLUMNS = "id, owner, conversation_id, tool, prepared_at, key_id, sealed"
"""What `write_of` reads."""

_INSERT = f"""
INSERT INTO pending_writes ({COLUMNS}, expires_at, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""  # noqa: S608 the columns are a constant


async def keep(connection: asyncpg.pool.PoolConnectionProxy, writes: Sequence[PendingWrite], *, sealer: Sealer) -> None:
    """Keeps writes as pending, inside the transaction that stores the exchange that prepared them."""
    await connection.executemany(_INSERT, [_row_of(write, sealer) for write in writes])


def write_of(row: asyncpg.Record, sealer: Sealer) -> PendingWrite:
    """The write of a row. Raises SealBroken when it is not the one that was frozen."""
    opened = sealer.open(row["sealed"], key_id=row["key_id"], binding=_binding(row["id"], row["owner"]))
    words = json.loads(opened)
    entity = None if words["entity"] is None else uuid.UUID(words["entity"])
    try:
        tool = WriteTool(row["tool"])
    except ValueError as error:
        raise SealBroken("no such tool") from error
    request = WriteRequest(tool, entity, words["body"].encode("ascii"))
    # Tool and conversation stand in the clear, and the seal does not bind them: what was sealed does.
    if (request.digest, str(row["conversation_id"])) != (words["digest"], words["conversation"]):
        raise SealBroken("not what was frozen")
    return PendingWrite(
        id=row["id"],
        owner=row["owner"],
        conversation_id=row["conversation_id"],
        request=request,
        digest=words["digest"],
        lines=tuple(CardLine(label=label, value=value) for label, value in words["lines"]),
        language=words["language"],
        prepared_at=row["prepared_at"],
    )


def _row_of(write: PendingWrite, sealer: Sealer) -> Sequence[Any]:
    """The values of _INSERT."""
    request = write.request
    words = {
        "digest": write.digest,
        "conversation": str(write.conversation_id),
        "language": write.language,
        "entity": None if request.entity is None else str(request.entity),
        "body": request.body.decode("ascii"),
        "lines": [[line.label, line.value] for line in write.lines],
    }
    key_id, sealed = sealer.seal(json.dumps(words).encode(), _binding(write.id, write.owner))
    return (
        write.id,
        write.owner,
        write.conversation_id,
        request.tool.value,
        write.prepared_at,
        key_id,
        sealed,
        write.expires_at,
        WriteState.PENDING.value,
    )


def _binding(write_id: object, owner: str) -> Binding:
    return Binding(table="pending_writes", row=str(write_id), owner=owner)
