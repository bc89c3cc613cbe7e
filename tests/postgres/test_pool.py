"""The pool hands its connections out in turn: of many who wait, nobody is passed by."""

import asyncio

import asyncpg
import pytest

from assist_service.adapters.postgres.engine import open_pool


async def test_a_connection_that_is_freed_is_for_who_waited_not_for_who_comes_just_then(database_url: str) -> None:
    """Under 2,000 questions at once some waited 45 s for their first statement while others had all of theirs."""
    pool = await open_pool(database_url, size=1)
    had: list[str] = []

    async def take(name: str) -> None:
        async with pool.acquire():
            had.append(name)

    async def come_just_then() -> None:
        while not pool.get_idle_size():  # noqa: ASYNC110 a pool tells nobody
            await asyncio.sleep(0)
        await take("who came")

    async with pool.acquire():
        waiting = asyncio.create_task(take("who waited"))
        await asyncio.sleep(0)
        coming = asyncio.create_task(come_just_then())
        await asyncio.sleep(0)
    await asyncio.gather(waiting, coming)
    await pool.close()
    assert had == ["who waited", "who came"]


async def test_whoever_stops_waiting_leaves_their_turn_to_the_next(database_url: str) -> None:
    pool = await open_pool(database_url, size=1)
    async with pool.acquire():
        stopped, waiting = (asyncio.create_task(pool.fetchval("SELECT 1")) for _ in range(2))
        await asyncio.sleep(0)
        stopped.cancel()
    async with asyncio.timeout(5):
        assert await waiting == 1
        assert await pool.fetchval("SELECT 2") == 2
    await pool.close()


async def test_a_wait_ends_and_takes_no_turn_with_it(database_url: str) -> None:
    pool = await open_pool(database_url, size=1)
    async with pool.acquire():
        with pytest.raises(TimeoutError):
            async with pool.acquire(timeout=0.01):
                """The only connection is somebody's."""
    async with asyncio.timeout(5):
        assert await pool.fetchval("SELECT 1") == 1
    await pool.close()


async def test_a_connection_that_cannot_be_opened_takes_no_turn_with_it(database_url: str) -> None:
    pool = await open_pool(database_url, size=2)
    base, _, name = database_url.partition("?")[0].rpartition("/")
    other = await asyncpg.connect(database_url.replace(f"{base}/{name}", f"{base}/postgres"))
    async with pool.acquire() as first:
        await other.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        for _ in range(2):
            with pytest.raises(asyncpg.PostgresError):
                await pool.fetchval("SELECT 1")
        await other.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        async with asyncio.timeout(5):
            assert await pool.fetchval("SELECT 1") == 1
        assert await first.fetchval("SELECT 2") == 2
    await other.close()
    await pool.close()
