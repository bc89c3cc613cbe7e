"""Pending writes for tests, brought through the port alone to each state they can stand in."""

import datetime as dt
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from assist_service.domain.conversation import Exchange
from assist_service.domain.reply import CardLine
from assist_service.domain.writes import CONFIRMING, PendingWrite, WriteRequest, WriteState, WriteTool
from assist_service.ports import Taken
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, Stores, exchange

MOMENT = dt.timedelta(microseconds=1)

LATER = dt.timedelta(minutes=9)
"""After the lease of a confirm, before a card expires."""


def prepared(by: Exchange, *, title: str = "Algebra", at: dt.datetime = START) -> PendingWrite:
    """A write that the exchange prepared."""
    request = WriteRequest.of(WriteTool.LINK_POOL_TO_COURSE, uuid.uuid4(), {"title": title, "course": "é"})
    return PendingWrite(
        id=uuid.uuid4(),
        owner=by.owner,
        conversation_id=by.conversation_id,
        request=request,
        digest=request.digest,
        lines=(CardLine(label="pool", value=title), CardLine(label="person", value="Zoë")),
        language="fr",
        prepared_at=at,
    )


async def prepare(stores: Stores, owner: str = ADA) -> PendingWrite:
    """A write, with the exchange and the conversation it was prepared in."""
    first = exchange(owner)
    write = prepared(first)
    assert await stores.conversations.add(first, lease=None, finished=None, writes=[write])
    return write


async def try_take(stores: Stores, write: PendingWrite, at: dt.datetime = START) -> Taken | None:
    return await stores.pending.take(write.owner, write.conversation_id, write.id, now=at)


async def take(stores: Stores, write: PendingWrite, at: dt.datetime = START) -> Taken:
    taken = await try_take(stores, write, at)
    assert taken is not None
    return taken


async def cancel(stores: Stores, write: PendingWrite, at: dt.datetime = START) -> bool:
    return await stores.pending.cancel(write.owner, write.conversation_id, write.id, now=at)


async def send(stores: Stores, write: PendingWrite, at: dt.datetime = START) -> Taken:
    """Takes it, and notes that it may have been sent."""
    taken = await take(stores, write, at)
    assert await stores.pending.sending(taken, now=at)
    return taken


async def end(stores: Stores, write: PendingWrite, state: WriteState, at: dt.datetime = START) -> None:
    """Takes it, may have sent it, and ends as that."""
    assert await stores.pending.end(await send(stores, write, at), state, now=at)


async def row_of(stores: Stores, write: PendingWrite) -> dict[str, Any] | None:
    row = await stores.pool.fetchrow("SELECT * FROM pending_writes WHERE id = $1", write.id)
    return None if row is None else dict(row)


async def _nothing(stores: Stores, write: PendingWrite) -> None: ...


async def _taken(stores: Stores, write: PendingWrite) -> None:
    await take(stores, write)


async def _sent(stores: Stores, write: PendingWrite) -> None:
    await send(stores, write)


def _ended(*states: WriteState) -> "Arranging":
    async def arrange(stores: Stores, write: PendingWrite) -> None:
        for state in states:
            await end(stores, write, state)

    return arrange


async def _cancelled(stores: Stores, write: PendingWrite) -> None:
    assert await cancel(stores, write)


async def _dead_then_given_back(stores: Stores, write: PendingWrite) -> None:
    await send(stores, write)
    await end(stores, write, WriteState.PENDING, START + CONFIRMING)


async def _unknown_again(stores: Stores, write: PendingWrite) -> None:
    for at in (START, START + LATER):
        await end(stores, write, WriteState.UNKNOWN, at)


async def _sent_later(stores: Stores, write: PendingWrite) -> None:
    await end(stores, write, WriteState.PENDING)
    await end(stores, write, WriteState.UNKNOWN, START + LATER)


Arranging = Callable[[Stores, PendingWrite], Awaitable[None]]

ARRANGED: dict[str, Arranging] = {
    "pending": _nothing,
    "confirming, not sent": _taken,
    "confirming": _sent,
    "done": _ended(WriteState.DONE),
    "refused": _ended(WriteState.REFUSED),
    "unknown": _ended(WriteState.UNKNOWN),
    "unknown, then done": _ended(WriteState.UNKNOWN, WriteState.DONE),
    "unknown again nine minutes later": _unknown_again,
    "cancelled": _cancelled,
    "given back": _ended(WriteState.PENDING),
    "given back, unknown nine minutes later": _sent_later,
    "unknown, then given back": _ended(WriteState.UNKNOWN, WriteState.PENDING),
    "left by a dead process, then given back": _dead_then_given_back,
}
"""Where a write can stand, and how it came there from START on."""


async def arranged(stores: Stores, name: str) -> PendingWrite:
    """A write that stands so."""
    write = await prepare(stores)
    await ARRANGED[name](stores, write)
    return write
