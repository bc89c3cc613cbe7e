"""The connection pool, and the address of a database as asyncpg takes it."""

import re

import asyncpg

COMMAND_SECONDS = 10
"""No statement of the service waits longer than this for Postgres."""


def asyncpg_dsn(database_url: str) -> str:
    """The address in the one form asyncpg takes: no driver in its scheme."""
    return re.sub(r"^postgres(ql)?(\+asyncpg)?://", "postgresql://", database_url)


async def open_pool(database_url: str, *, size: int) -> asyncpg.Pool:
    """A pool of at most `size` connections, one open from the start. Raises OSError or asyncpg.PostgresError."""
    return await asyncpg.create_pool(
        asyncpg_dsn(database_url),
        min_size=1,
        max_size=size,
        command_timeout=COMMAND_SECONDS,
        server_settings={"application_name": "assist-service"},
    )
