"""What a question, a confirm, a purge or another rotation does to a row while it is sealed again, stays done (S2)."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import asyncpg
import pytest

from assist_service.adapters.postgres.replies import KEPT
from assist_service.adapters.postgres.rotating import PostgresRotating
from assist_service.adapters.sealing import AesGcmSealer
from assist_service.domain.writes import PendingWrite, WriteState
from assist_service.ports import Claim, FinishedReply, Resealed
from tests.fakes.clocks import START
from tests.postgres.blocking import until_blocked
from tests.postgres.exchanges import ADA, LEASE, exchange
from tests.postgres.prepared import cancel, end, prepare, row_of, take, try_take
from tests.postgres.rotated import NEW, OLD, Said, Worlds, read_transcript, said, start_many

(OLD_ID,) = AesGcmSealer([OLD]).key_ids


@pytest.fixture
def worlds(pool: asyncpg.Pool) -> Worlds:
    return Worlds(pool)


async def test_what_somebody_holds_is_not_waited_for_and_gone_through_again(worlds: Worlds) -> None:
    held = await said(worlds.stores(OLD))
    rotating = PostgresRotating(worlds.pool, AesGcmSealer([NEW, OLD]))
    async with worlds.pool.acquire() as other, other.transaction():
        await other.execute("SELECT FROM exchanges WHERE id = $1 FOR UPDATE", held.first.id)
        batch = await asyncio.wait_for(rotating.reseal("exchanges.sealed", after=None), 5)
        assert batch == Resealed(taken={OLD_ID: 1}, unopened=0, ids=(), after=None)
        told = (await worlds.rotation(NEW, OLD)()).places["exchanges.sealed"]
        assert (told.changed, told.left) == (0, 1), "held all the while"
    assert (await worlds.rotated(NEW, OLD))["exchanges.sealed"] == (1, 0)


class Meddling(AesGcmSealer):
    """Lets something happen between a row's being read and its being compared: while it is sealed again."""

    def __init__(self, keys: Sequence[bytes], database_url: str, statement: str) -> None:
        super().__init__(keys)
        self.meddle = lambda: asyncio.run(self._meddle(database_url, statement))

    def seal(self, *arguments: object, **named: object) -> tuple[str, bytes]:
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
    assert (batch.taken, batch.unopened) == ({}, 0)
    row = await row_of(worlds.stores(OLD), write)
    left = None if row is None else (row["key_id"], row["sealed"])
    assert left == {"wiped": (None, None), "deleted": None, "sealed by another": ("theirs", b"theirs")}[what]


async def test_a_key_claimed_anew_since_it_was_read_keeps_its_new_digest(worlds: Worlds, database_url: str) -> None:
    await said(worlds.stores(OLD))
    theirs = "UPDATE idempotent_replies SET sealed_body_digest = 'theirs', reply_key_id = NULL, sealed_reply = NULL"
    rotating = PostgresRotating(worlds.pool, Meddling([NEW, OLD], database_url, theirs))
    for place in ("idempotent_replies.sealed_reply", "idempotent_replies.sealed_body_digest"):
        assert (await rotating.reseal(place, after=None)).taken == {}
    row = await worlds.pool.fetchrow("SELECT sealed_body_digest, sealed_reply FROM idempotent_replies")
    assert row is not None
    assert tuple(row) == (b"theirs", None)


_WAITING = """
CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_query() LIKE '%SKIP LOCKED%' THEN PERFORM pg_advisory_xact_lock(1); END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER wait_here BEFORE UPDATE ON pending_writes FOR EACH STATEMENT EXECUTE FUNCTION wait_here();
CREATE TRIGGER wait_here BEFORE UPDATE ON idempotent_replies FOR EACH STATEMENT EXECUTE FUNCTION wait_here();
"""
"""The statement that writes a batch has its snapshot, and waits before it locks a row until the test lets it go on."""


@asynccontextmanager
async def rotating_waits(worlds: Worlds, place: str) -> AsyncIterator["asyncio.Task[Resealed]"]:
    """A batch of this place is read, sealed again and about to be written while the block runs."""
    await worlds.pool.execute(_WAITING)
    async with worlds.pool.acquire() as gate, gate.transaction():
        await gate.execute("SELECT pg_advisory_xact_lock(1)")
        rotating = PostgresRotating(worlds.pool, AesGcmSealer([NEW, OLD]))
        batch = asyncio.create_task(rotating.reseal(place, after=None))
        await until_blocked(worlds.pool)
        yield batch


async def test_a_write_confirmed_after_the_batchs_snapshot_stays_confirmed(worlds: Worlds) -> None:
    stores = worlds.stores(OLD)
    confirmed, standing = await prepare(stores), await prepare(stores)
    async with rotating_waits(worlds, "pending_writes.sealed") as batch:
        await end(stores, confirmed, WriteState.DONE)
    assert (await batch).taken == {OLD_ID: 1}
    row = await row_of(stores, confirmed)
    assert row is not None
    assert (row["state"], row["key_id"], row["sealed"]) == ("done", None, None)
    assert (await take(worlds.stores(NEW), standing)).write == standing


@pytest.mark.parametrize("place", ["idempotent_replies.sealed_body_digest", "idempotent_replies.sealed_reply"])
async def test_a_key_claimed_anew_after_the_batchs_snapshot_keeps_its_new_digest_and_reply(
    worlds: Worlds, place: str
) -> None:
    stores, later = worlds.stores(OLD), START + KEPT
    await said(stores, key="anew")
    async with rotating_waits(worlds, place) as batch:
        claim = await stores.replies.claim(ADA, "anew", body=b"other", now=later, lease_until=later + LEASE)
        assert isinstance(claim, Claim)
        finished = FinishedReply(claim, b"other reply")
        assert await stores.conversations.add(exchange(), lease=None, finished=finished)
    assert (await batch).taken == {}
    kept = await stores.replies.claim(ADA, "anew", body=b"other", now=later, lease_until=later + LEASE)
    assert kept == b"other reply"


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
    started = await start_many(worlds.stores(OLD), 300)
    both = await asyncio.gather(worlds.rotated(NEW, OLD), worlds.rotated(NEW, OLD))
    assert sum(one["exchanges.sealed"][0] for one in both) == len(started)
    for one in started[:20]:
        await read_transcript(worlds.stores(NEW), Said(one, "", await prepare(worlds.stores(NEW))))
