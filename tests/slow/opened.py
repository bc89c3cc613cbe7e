"""Every sealed text of a database, opened with keys: what a rotation is held against."""

from collections.abc import Mapping
from dataclasses import dataclass

import asyncpg

from assist_service.adapters.sealing import AesGcmSealer
from assist_service.ports import Binding

Row = tuple[str, str]
"""A row by its owner and the rest of its key."""


@dataclass(frozen=True)
class _Sealed:
    rows: str
    bound_to: str


SEALED: Mapping[str, _Sealed] = {
    "exchanges.sealed": _Sealed("SELECT owner, id::text AS row, key_id, sealed FROM exchanges", "exchanges"),
    "pending_writes.sealed": _Sealed(
        "SELECT owner, id::text AS row, key_id, sealed FROM pending_writes WHERE sealed IS NOT NULL", "pending_writes"
    ),
    "idempotent_replies.sealed_body_digest": _Sealed(
        "SELECT owner, key AS row, key_id, sealed_body_digest AS sealed FROM idempotent_replies",
        "idempotent_replies.body",
    ),
    "idempotent_replies.sealed_reply": _Sealed(
        "SELECT owner, key AS row, reply_key_id AS key_id, sealed_reply AS sealed FROM idempotent_replies "
        "WHERE sealed_reply IS NOT NULL",
        "idempotent_replies.reply",
    ),
}
"""Not the rotation's own list: what that has wrong must show."""


async def opened(pool: asyncpg.Pool, key: bytes) -> dict[str, dict[Row, bytes]]:
    """By place and row, what was sealed. Raises SealBroken where a row does not open with this key alone."""
    sealer = AesGcmSealer([key])
    return {
        place: {
            (row["owner"], row["row"]): sealer.open(
                row["sealed"],
                key_id=row["key_id"],
                binding=Binding(table=sealed.bound_to, row=row["row"], owner=row["owner"]),
            )
            for row in await pool.fetch(sealed.rows)
        }
        for place, sealed in SEALED.items()
    }


def other_than(before: Mapping[str, Mapping[Row, bytes]], after: Mapping[str, Mapping[Row, bytes]]) -> list[object]:
    """Rows that are in both and say something else now."""
    return [
        (place, row, after[place][row])
        for place, rows in before.items()
        for row in rows.keys() & after[place].keys()
        if after[place][row] != rows[row]
    ]
