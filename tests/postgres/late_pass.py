"""The second pass of an erasure, as a purge makes it."""

import datetime as dt

import asyncpg

from assist_service.adapters.postgres.erasing import erase_late


async def late_pass(pool: asyncpg.Pool, *, now: dt.datetime) -> int:
    """The number of rows."""
    async with pool.acquire() as connection:
        return await erase_late(connection, now=now)
