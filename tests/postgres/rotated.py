"""One database seen with several keys, and one of everything that is kept of a person."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import asyncpg

from assist_service.adapters.postgres.rotating import PostgresRotating
from assist_service.adapters.sealing import AesGcmSealer
from assist_service.domain.conversation import Exchange
from assist_service.domain.writes import PendingWrite, WriteState
from assist_service.ports import Claim, FinishedReply, SealBroken
from assist_service.services.rotation import Rotation
from tests.fakes.clocks import START, HandClock
from tests.postgres.exchanges import ADA, LEASE, Stores, exchange, stores_on
from tests.postgres.prepared import prepare, take

OLD, NEW, LOST = (bytes([number]) * 32 for number in (1, 2, 3))


@dataclass(frozen=True)
class Said:
    """One of everything that is kept of a person."""

    first: Exchange
    key: str
    write: PendingWrite


class Worlds:
    """The same database, seen with keys."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self.pool = pool

    def stores(self, *keys: bytes) -> Stores:
        return stores_on(self.pool, AesGcmSealer(keys))

    def rotation(self, *keys: bytes) -> Rotation:
        return Rotation(rotating=PostgresRotating(self.pool, AesGcmSealer(keys)), clock=HandClock())

    async def rotated(self, *keys: bytes) -> Mapping[str, tuple[int, int]]:
        told = await self.rotation(*keys)()
        assert not any(place.left for place in told.places.values())
        assert told.is_whole is not any(place.unopened for place in told.places.values())
        return {name: (place.changed, place.unopened) for name, place in told.places.items()}


async def said(stores: Stores, owner: str = ADA, *, key: str = "key") -> Said:
    claim = await stores.replies.claim(owner, key, body=b"body", now=START, lease_until=START + LEASE)
    assert isinstance(claim, Claim)
    first = exchange(owner, question=f"CANARY of {owner}")
    assert await stores.conversations.add(first, lease=None, finished=FinishedReply(claim, b"reply"))
    return Said(first, key, await prepare(stores, owner))


async def opens(stores: Stores, what: Said) -> list[bool]:
    """Whether the exchange, the kept reply and the pending write can be read."""
    found = []
    for read in (read_transcript, _reply, _write):
        try:
            await read(stores, what)
            found.append(True)
        except SealBroken:
            found.append(False)
    return found


async def read_transcript(stores: Stores, what: Said) -> None:
    first = what.first
    read = await stores.conversations.transcript(first.owner, first.conversation_id, cursor=None, limit=9)
    assert read is not None
    assert read.items == (first,)


async def _reply(stores: Stores, what: Said) -> None:
    kept = await stores.replies.claim(what.first.owner, what.key, body=b"body", now=START, lease_until=START + LEASE)
    assert kept == b"reply"


async def _write(stores: Stores, what: Said) -> None:
    taken = await take(stores, what.write)
    assert taken.write == what.write
    assert await stores.pending.end(taken, WriteState.PENDING, now=START)


async def start_many(stores: Stores, rows: int) -> Sequence[Exchange]:
    started = [exchange() for _ in range(rows)]
    await asyncio.gather(*(stores.start(one) for one in started))
    return started
