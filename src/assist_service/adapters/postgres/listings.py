"""Pages of conversations and of their exchanges, by a cursor that names the last row seen."""

import base64
import datetime as dt
import uuid

import asyncpg

from assist_service import telemetry
from assist_service.adapters.postgres.sealed_exchanges import COLUMNS, exchange_of
from assist_service.domain.conversation import ConversationHead, Span, title_of
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.ports import Listing, SealBroken, Sealer, Transcript

Querying = asyncpg.Pool | asyncpg.pool.PoolConnectionProxy

# The title is the first question still kept, so each line brings that exchange along.
_HEADS = f"""
SELECT c.started_at, c.last_at, c.ended_at, {", ".join("e." + name.strip() for name in COLUMNS.split(","))}
FROM conversations AS c
CROSS JOIN LATERAL (
    SELECT * FROM exchanges WHERE conversation_id = c.id AND owner = c.owner ORDER BY at, id LIMIT 1
) AS e
WHERE c.owner = $1 AND ($2::timestamptz IS NULL OR (c.last_at, c.id) < ($2, $3::uuid))
ORDER BY c.last_at DESC, c.id DESC LIMIT $4
"""  # noqa: S608 the columns are a constant

_EXCHANGES = f"""
SELECT {COLUMNS} FROM exchanges
WHERE conversation_id = $1 AND owner = $2 AND ($3::timestamptz IS NULL OR (at, id) > ($3, $4::uuid))
ORDER BY at, id LIMIT $5
"""  # noqa: S608 the columns are a constant


async def listing(querying: Querying, sealer: Sealer, owner: str, *, cursor: str | None, limit: int) -> Listing:
    """A person's conversations, the last used first."""
    rows = await querying.fetch(_HEADS, owner, *_place(cursor), limit + 1)
    heads = tuple(
        ConversationHead(
            id=row["conversation_id"],
            span=Span(row["started_at"], row["last_at"], row["ended_at"]),
            title=_title(row, sealer),
        )
        for row in rows[:limit]
    )
    return Listing(heads, _cursor(heads[-1].span.last_at, heads[-1].id) if len(rows) > limit else None)


def _title(row: asyncpg.Record, sealer: Sealer) -> str:
    """The first question on a line; empty where it does not open, so that its owner can still delete it."""
    try:
        return title_of(exchange_of(row, sealer).shown_question)
    except SealBroken:
        telemetry.log.error("seal_broken", table="exchanges", key_id=row["key_id"])
        return ""


async def transcript(
    querying: Querying,
    sealer: Sealer,
    owner: str,
    conversation_id: uuid.UUID,
    *,
    cursor: str | None,
    limit: int,
) -> Transcript:
    """A conversation's exchanges, the oldest first."""
    rows = await querying.fetch(_EXCHANGES, conversation_id, owner, *_place(cursor), limit + 1)
    items = tuple(exchange_of(row, sealer) for row in rows[:limit])
    return Transcript(items, _cursor(items[-1].at, items[-1].id) if len(rows) > limit else None)


def _cursor(at: dt.datetime, row: uuid.UUID) -> str:
    return base64.urlsafe_b64encode(f"{at.isoformat()}|{row}".encode()).decode().rstrip("=")


def _place(cursor: str | None) -> tuple[dt.datetime | None, uuid.UUID | None]:
    """Where a cursor points. Raises `invalid_request` for one this service never gave."""
    if cursor is None:
        return None, None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        at, row = base64.b64decode(padded, altchars=b"-_", validate=True).decode().split("|")
        moment = dt.datetime.fromisoformat(at)
        if moment.tzinfo is None:
            raise ValueError("a moment without its zone")
        return moment.astimezone(dt.UTC), uuid.UUID(row)
    except (ValueError, OverflowError) as error:
        raise AssistError(
            Code.INVALID_REQUEST, faults=(FieldFault("cursor", "is not a cursor of this list"),)
        ) from error
