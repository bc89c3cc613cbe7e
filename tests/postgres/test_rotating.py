"""Rotation brings every row under the first key, whatever traffic does; a retired key opens nothing (S1, S2)."""

import asyncio
import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import asyncpg
import pytest
from sqlalchemy import LargeBinary

from assist_service.adapters.postgres.rotating import BATCH, PLACES, PostgresRotating
from assist_service.adapters.postgres.tables import METADATA
from assist_service.adapters.sealing import AesGcmSealer
from assist_service.domain.conversation import Exchange
from assist_service.domain.writes import PendingWrite, WriteState
from assist_service.ports import Claim, FinishedReply, Resealed, SealBroken
from assist_service.services.rotation import IDS_TOLD, LOOKS, Rotation
from tests.fakes.clocks import START, HandClock
from tests.postgres.exchanges import ADA, BOB, LEASE, Stores, exchange, stores_on
from tests.postgres.prepared import cancel, end, prepare, row_of, take, try_take

OLD, NEW, LOST = (bytes([number]) * 32 for number in (1, 2, 3))

OPEN = {"manual_vectors.vector"}
"""Bytes that are no secret."""

CLEAN = dict.fromkeys(PLACES, (0, 0))
"""Changed and unopened, by place."""

_MANY = """
INSERT INTO exchanges (id, conversation_id, owner, at, kind, language, route, model, corpus_version, citations,
                       key_id, sealed)
SELECT gen_random_uuid(), conversation_id, owner, at, kind, language, route, model, corpus_version, citations,
       'lost', ''
FROM exchanges, generate_series(1, $1)
"""


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


@pytest.fixture
def worlds(pool: asyncpg.Pool) -> Worlds:
    return Worlds(pool)


async def said(stores: Stores, owner: str = ADA, *, key: str = "key") -> Said:
    claim = await stores.replies.claim(owner, key, body=b"body", now=START, lease_until=START + LEASE)
    assert isinstance(claim, Claim)
    first = exchange(owner, question=f"CANARY of {owner}")
    assert await stores.conversations.add(first, lease=None, finished=FinishedReply(claim, b"reply"))
    return Said(first, key, await prepare(stores, owner))


async def opens(stores: Stores, what: Said) -> list[bool]:
    """Whether the exchange, the kept reply and the pending write can be read."""
    found = []
    for read in (_transcript, _reply, _write):
        try:
            await read(stores, what)
            found.append(True)
        except SealBroken:
            found.append(False)
    return found


async def _transcript(stores: Stores, what: Said) -> None:
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


def test_every_sealed_column_is_known_to_the_rotation() -> None:
    binary = {
        f"{table.name}.{column.name}"
        for table in METADATA.tables.values()
        for column in table.columns
        if isinstance(column.type, LargeBinary) or column.name.startswith("sealed")
    }
    keys = {
        f"{table.name}.{column.name}"
        for table in METADATA.tables.values()
        for column in table.columns
        if column.name.endswith("key_id")
    }
    assert binary - OPEN == PLACES.keys()
    assert keys == {f"{place.table}.{place.key_id}" for place in PLACES.values()}
    for place in PLACES.values():
        assert tuple(column.name for column in METADATA.tables[place.table].primary_key) == place.key


async def test_after_a_rotation_the_new_key_opens_everything_and_the_old_one_nothing(worlds: Worlds) -> None:
    before = worlds.stores(OLD)
    everything = [await said(before, owner) for owner in (ADA, BOB)]
    assert await worlds.rotated(NEW, OLD) == {
        "exchanges.sealed": (4, 0),
        "pending_writes.sealed": (2, 0),
        "idempotent_replies.sealed_body_digest": (2, 0),
        "idempotent_replies.sealed_reply": (2, 0),
    }
    for one in everything:
        assert await opens(worlds.stores(NEW), one) == [True, True, True]
        assert await opens(worlds.stores(OLD), one) == [False, False, False]
    assert await worlds.rotated(NEW, OLD) == CLEAN
    assert await worlds.rotated(NEW) == CLEAN


async def test_what_is_sealed_again_stays_bound_to_its_row_and_owner(worlds: Worlds) -> None:
    one, other = await said(worlds.stores(OLD), ADA), await said(worlds.stores(OLD), BOB)
    await worlds.rotated(NEW, OLD)
    for table in ("exchanges", "idempotent_replies", "pending_writes"):
        columns = [place.sealed for place in PLACES.values() if place.table == table]
        for column in columns:
            await worlds.pool.execute(
                f"UPDATE {table} AS mine SET {column} = theirs.{column} FROM {table} AS theirs "  # noqa: S608 ours
                "WHERE mine.owner <> theirs.owner"
            )
    for mixed in (one, other):
        assert await opens(worlds.stores(NEW, OLD), mixed) == [False, False, False]


async def test_each_row_is_counted_under_its_key(worlds: Worlds) -> None:
    await said(worlds.stores(OLD))
    await said(worlds.stores(NEW), BOB)
    new, old = await worlds.rotation(NEW, OLD).status()
    one_each = {place: 2 if place == "exchanges.sealed" else 1 for place in PLACES}
    assert (new.position, new.rows, old.position, old.rows) == (1, one_each, 2, one_each)
    (only, gone) = await worlds.rotation(NEW).status()
    assert (only.id, gone.id, gone.position, gone.rows) == (new.id, old.id, None, one_each)
    await worlds.rotated(NEW, OLD)
    assert [key.rows for key in await worlds.rotation(NEW, OLD).status()] == [
        {place: 2 * rows for place, rows in one_each.items()},
        {},
    ]


async def test_a_row_that_no_key_opens_is_told_and_left_as_it_is(worlds: Worlds) -> None:
    good, broken = await said(worlds.stores(OLD)), await said(worlds.stores(LOST), BOB)
    before = await worlds.pool.fetch("SELECT * FROM exchanges WHERE owner = 'bob' ORDER BY id")
    told = await worlds.rotation(NEW, OLD)()
    assert not told.is_whole
    assert {name: (place.changed, place.unopened, place.left) for name, place in told.places.items()} == {
        "exchanges.sealed": (2, 2, 0),
        "pending_writes.sealed": (1, 1, 0),
        "idempotent_replies.sealed_body_digest": (1, 1, 0),
        "idempotent_replies.sealed_reply": (1, 1, 0),
    }
    assert told.places["pending_writes.sealed"].ids == (str(broken.write.id),)
    assert told.places["idempotent_replies.sealed_reply"].ids == (), "the key of a reply is a word from outside"
    assert await worlds.pool.fetch("SELECT * FROM exchanges WHERE owner = 'bob' ORDER BY id") == before
    assert await opens(worlds.stores(NEW), good) == [True, True, True]
    assert await worlds.rotated(NEW, OLD, LOST) == {name: (place.unopened, 0) for name, place in told.places.items()}, (
        "with its key it goes on"
    )


async def test_many_rows_that_no_key_opens_are_told_by_some_of_their_ids(worlds: Worlds) -> None:
    await worlds.stores(OLD).start(exchange())
    await worlds.pool.execute(_MANY, 2 * BATCH)
    place = (await worlds.rotation(NEW, OLD)()).places["exchanges.sealed"]
    assert (place.changed, place.unopened, len(place.ids)) == (1, 2 * BATCH, IDS_TOLD)


@pytest.mark.parametrize("rows", [BATCH - 1, BATCH, BATCH + 1, 2 * BATCH])
async def test_all_batches_are_gone_through(worlds: Worlds, rows: int) -> None:
    await _many(worlds.stores(OLD), rows)
    assert (await worlds.rotated(NEW, OLD))["exchanges.sealed"] == (rows, 0)
    assert [set(key.rows) for key in await worlds.rotation(NEW, OLD).status()] == [{"exchanges.sealed"}, set()]


async def _many(stores: Stores, rows: int) -> Sequence[Exchange]:
    started = [exchange() for _ in range(rows)]
    await asyncio.gather(*(stores.start(one) for one in started))
    return started


async def test_what_somebody_holds_is_not_waited_for_and_gone_through_again(worlds: Worlds) -> None:
    held = await said(worlds.stores(OLD))
    rotating = PostgresRotating(worlds.pool, AesGcmSealer([NEW, OLD]))
    async with worlds.pool.acquire() as other, other.transaction():
        await other.execute("SELECT FROM exchanges WHERE id = $1 FOR UPDATE", held.first.id)
        batch = await asyncio.wait_for(rotating.reseal("exchanges.sealed", after=None), 5)
        assert batch == Resealed(changed=1, unopened=0, ids=(), after=None)
        told = (await worlds.rotation(NEW, OLD)()).places["exchanges.sealed"]
        assert (told.changed, told.left) == (0, 1), "held all the while"
    assert (await worlds.rotated(NEW, OLD))["exchanges.sealed"] == (1, 0)


class Meddling(AesGcmSealer):
    """Lets something happen between a row's being read and its being compared: while it is sealed again."""

    def __init__(self, keys: Sequence[bytes], database_url: str, statement: str) -> None:
        super().__init__(keys)
        self.meddle = lambda: asyncio.run(self._meddle(database_url, statement))

    def seal(self, *arguments: object, **named: object) -> tuple[str, bytes]:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as pool:
            pool.submit(self.meddle).result()
        return super().seal(*arguments, **named)  # type: ignore[arg-type]

    @staticmethod
    async def _meddle(database_url: str, statement: str) -> None:
        connection = await asyncpg.connect(database_url)
        await connection.execute(statement)
        await connection.close()


MEANWHILE = {
    "wiped": "UPDATE pending_writes SET state = 'cancelled', sealed = NULL, key_id = NULL",
    "deleted": "DELETE FROM pending_writes",
    "sealed by another": "UPDATE pending_writes SET sealed = 'theirs', key_id = 'theirs'",
}


@pytest.mark.parametrize("what", MEANWHILE)
async def test_a_row_that_was_changed_since_it_was_read_is_left_as_it_was_changed(
    worlds: Worlds, what: str, database_url: str
) -> None:
    write = await prepare(worlds.stores(OLD))
    await worlds.pool.execute("DELETE FROM exchanges")
    sealer = Meddling([NEW, OLD], database_url, MEANWHILE[what])
    batch = await PostgresRotating(worlds.pool, sealer).reseal("pending_writes.sealed", after=None)
    assert (batch.changed, batch.unopened) == (0, 0)
    row = await row_of(worlds.stores(OLD), write)
    left = None if row is None else (row["key_id"], row["sealed"])
    assert left == {"wiped": (None, None), "deleted": None, "sealed by another": ("theirs", b"theirs")}[what]


async def test_a_key_claimed_anew_since_it_was_read_keeps_its_new_digest(worlds: Worlds, database_url: str) -> None:
    await said(worlds.stores(OLD))
    theirs = "UPDATE idempotent_replies SET sealed_body_digest = 'theirs', reply_key_id = NULL, sealed_reply = NULL"
    rotating = PostgresRotating(worlds.pool, Meddling([NEW, OLD], database_url, theirs))
    for place in ("idempotent_replies.sealed_reply", "idempotent_replies.sealed_body_digest"):
        assert (await rotating.reseal(place, after=None)).changed == 0
    row = await worlds.pool.fetchrow("SELECT sealed_body_digest, sealed_reply FROM idempotent_replies")
    assert row is not None
    assert tuple(row) == (b"theirs", None)


async def test_writes_are_confirmed_and_cancelled_while_their_rows_are_sealed_again(worlds: Worlds) -> None:
    stores = worlds.stores(NEW, OLD)
    writes = [await prepare(worlds.stores(OLD)) for _ in range(60)]

    async def confirm(write: PendingWrite, number: int) -> bool:
        if number % 3 == 0:
            return await cancel(stores, write)
        await end(stores, write, WriteState.DONE if number % 3 == 1 else WriteState.UNKNOWN)
        return True

    confirming = asyncio.gather(*(confirm(write, number) for number, write in enumerate(writes)))
    rotating = asyncio.gather(*(worlds.rotated(NEW, OLD) for _ in range(3)))
    assert all(await confirming)
    await rotating
    await worlds.rotated(NEW, OLD)
    after = worlds.stores(NEW)
    for number, write in enumerate(writes):
        taken = await try_take(after, write)
        assert (taken is not None) is (number % 3 == 2)
        assert taken is None or taken.write == write


async def test_two_rotations_at_once_change_each_row_once(worlds: Worlds) -> None:
    started = await _many(worlds.stores(OLD), 300)
    both = await asyncio.gather(worlds.rotated(NEW, OLD), worlds.rotated(NEW, OLD))
    assert sum(one["exchanges.sealed"][0] for one in both) == len(started)
    for one in started[:20]:
        await _transcript(worlds.stores(NEW), Said(one, "", await prepare(worlds.stores(NEW))))


class StillOld(PostgresRotating):
    """Beside it a replica goes on sealing with the old key, one exchange in each of so many looks."""

    def __init__(self, worlds: Worlds, looks: int = LOOKS) -> None:
        super().__init__(worlds.pool, AesGcmSealer([NEW, OLD]))
        self.old = worlds.stores(OLD)
        self.looks = looks

    async def reseal(self, place: str, *, after: tuple[str, ...] | None) -> Resealed:
        done = await super().reseal(place, after=after)
        if place == "exchanges.sealed" and after is None and self.looks:
            self.looks -= 1
            await self.old.start(exchange())
        return done


async def test_a_rotation_beside_a_replica_that_still_seals_with_the_old_key_ends_and_says_so(worlds: Worlds) -> None:
    told = await Rotation(rotating=StillOld(worlds), clock=HandClock())()
    place = told.places["exchanges.sealed"]
    assert (place.changed, place.left, told.is_whole) == (LOOKS - 1, 1, False)


async def test_what_came_in_behind_its_back_is_found_by_another_look(worlds: Worlds) -> None:
    told = await Rotation(rotating=StillOld(worlds, looks=3), clock=HandClock())()
    assert (told.places["exchanges.sealed"].changed, told.is_whole) == (3, True)


def test_a_key_id_is_no_part_of_its_key() -> None:
    (key_id,) = AesGcmSealer([OLD]).key_ids
    assert key_id not in OLD.hex()
    assert key_id not in base64.b64encode(OLD).decode()
