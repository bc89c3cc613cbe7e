"""Waiting, without guessing a time, until statements stand before a lock that the test holds."""

import asyncio

import asyncpg

_BLOCKED = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


async def until_blocked(pool: asyncpg.Pool, count: int = 1) -> None:
    """Returns once `count` statements of this database wait for a lock."""
    async with asyncio.timeout(5):
        while await pool.fetchval(_BLOCKED) < count:  # noqa: ASYNC110 Postgres has no event for it
            await asyncio.sleep(0.002)
