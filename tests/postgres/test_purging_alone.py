"""Of all processes one purges; whoever holds the lock loses it with its connection, and the next one goes on."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import asyncpg
import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.postgres.alone import alone
from assist_service.adapters.postgres.engine import connect_alone
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.purging import BATCH, PURGING, PostgresPurge
from assist_service.services.purge import Purge
from tests.fakes.clocks import START, HandClock
from tests.postgres.blocking import until_blocked
from tests.postgres.exchanges import Stores, exchange
from tests.postgres.money import Day, day_of, reserve

LONG_AGO = START - dt.timedelta(days=400)

_MANY = """
INSERT INTO exchanges (id, conversation_id, owner, at, kind, language, route, model, corpus_version, citations,
                       key_id, sealed)
SELECT gen_random_uuid(), conversation_id, owner, at, kind, language, route, model, corpus_version, citations, key_id,
       sealed
FROM exchanges, generate_series(1, $1)
"""

_BATCH_WAITS = """
CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$;
CREATE TRIGGER wait BEFORE DELETE ON conversations FOR EACH STATEMENT EXECUTE FUNCTION wait();
"""
"""The purge has deleted exchanges by then, and waits until nobody holds the advisory lock 1."""

_END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = $1"

Connect = Callable[[], Awaitable[asyncpg.Connection]]


@pytest.fixture
def connect(database_url: str) -> Connect:
    return partial(connect_alone, database_url)


@pytest.fixture
def purge(pool: asyncpg.Pool, connect: Connect) -> Purge:
    return Purge(
        policy=load_policy("default"), purging=PostgresPurge(connect), ledger=PostgresLedger(pool), clock=HandClock()
    )


@asynccontextmanager
async def waiting(stores: Stores, purge: Purge, connect: Connect) -> AsyncIterator["asyncio.Task[object]"]:
    """A purge that has deleted an old exchange and now waits, until the block is left."""
    await stores.pool.execute(_BATCH_WAITS)
    other = await connect()
    await other.execute("SELECT pg_advisory_lock(1)")
    running = asyncio.create_task(purge())
    await until_blocked(stores.pool)
    yield running
    await other.close()
    await asyncio.wait([running])


async def test_who_comes_while_another_purges_deletes_nothing_and_says_so(
    stores: Stores, purge: Purge, connect: Connect
) -> None:
    await stores.start(exchange(at=LONG_AGO))
    await reserve(PostgresLedger(stores.pool), 10, lease_until=LONG_AGO)
    async with waiting(stores, purge, connect) as running:
        await stores.start(exchange(at=LONG_AGO))
        assert await purge() is None
        assert await stores.count("exchanges") == 1
        assert (await day_of(stores.pool)) == Day(reserved=10, chat_reserved=10)
    deleted = running.result()
    assert isinstance(deleted, dict)
    assert (deleted["exchanges"], deleted["conversations"], deleted["reservations_settled"]) == (1, 1, 1)


async def test_the_lock_is_free_again_before_its_connection_is_gone(database_url: str, connect: Connect) -> None:
    closing, goodbye = asyncio.Event(), asyncio.Event()

    class Lingering(asyncpg.Connection):
        async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 asyncpg's own
            closing.set()
            await goodbye.wait()
            await super().close(timeout=timeout)

    async def one() -> None:
        async with alone(partial(asyncpg.connect, database_url, connection_class=Lingering), PURGING) as connection:
            assert connection is not None

    first = asyncio.create_task(one())
    await closing.wait()
    async with alone(connect, PURGING) as connection:
        assert connection is not None
    goodbye.set()
    await first


async def test_of_many_at_once_one_purges_at_a_time(connect: Connect) -> None:
    inside, most, turned_away = 0, 0, 0

    async def one() -> None:
        nonlocal inside, most, turned_away
        async with alone(connect, PURGING) as connection:
            if connection is None:
                turned_away += 1
                return
            inside += 1
            most = max(most, inside)
            await connection.execute("SELECT pg_sleep(0.05)")
            inside -= 1

    await asyncio.gather(*(one() for _ in range(8)))
    assert (most, turned_away > 0) == (1, True)


async def test_a_purge_that_loses_its_connection_ends_and_the_next_one_goes_on(
    stores: Stores, purge: Purge, connect: Connect
) -> None:
    first = await stores.start(exchange(at=LONG_AGO))
    await stores.pool.execute(_MANY, 2 * BATCH)
    async with waiting(stores, purge, connect) as running:
        assert await stores.count("exchanges") == 0, "whole batches, each in a transaction of its own"
        assert await stores.count("conversations") == 1
        await stores.pool.fetch(_END, await stores.pool.fetchval("SELECT current_database()"))
        with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
            await running
        assert await stores.count("conversations") == 1
    deleted = await purge()
    assert deleted is not None
    assert (deleted["exchanges"], deleted["conversations"]) == (0, 1)
    assert not await stores.conversations.delete(first.owner, first.conversation_id, now=START)


async def test_a_purge_that_is_stopped_frees_the_lock(stores: Stores, purge: Purge, connect: Connect) -> None:
    await stores.start(exchange(at=LONG_AGO))
    async with waiting(stores, purge, connect) as running:
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()
        async with alone(connect, PURGING) as connection:
            assert connection is not None


async def test_a_row_that_somebody_holds_is_left_for_the_next_time(stores: Stores, purge: Purge) -> None:
    held, _ = [await stores.start(exchange(at=LONG_AGO)) for _ in range(2)]
    async with stores.pool.acquire() as other, other.transaction():
        await other.execute("SELECT FROM exchanges WHERE id = $1 FOR UPDATE", held.id)
        deleted = await asyncio.wait_for(purge(), 5)
        assert deleted is not None
        assert deleted["exchanges"] == 1
    deleted = await purge()
    assert deleted is not None
    assert deleted["exchanges"] == 1
