"""The connection pool, and the address of a database as asyncpg takes it."""

import re

import asyncpg
from asyncpg.pool import PoolAcquireContext

COMMAND_SECONDS = 10
"""No statement waits longer than this for Postgres."""

CONNECT_SECONDS = 5
"""No new connection takes longer than this."""

ACQUIRE_SECONDS = 45
"""Nobody waits longer than this for a connection that others hold: statements are short, so Postgres must hang."""


class Connection(asyncpg.Connection):
    """A connection that is handed on as it is: nothing here leaves anything behind in a session.

    Cleaning it would be a round trip of its own for each statement.
    """

    def get_reset_query(self) -> str:
        return ""


class BoundedPool(asyncpg.Pool):
    """A pool in which no wait is without end."""

    def acquire(self, *, timeout: float | None = None) -> PoolAcquireContext:
        return super().acquire(timeout=timeout or ACQUIRE_SECONDS)


def asyncpg_dsn(database_url: str) -> str:
    """The address in the one form asyncpg takes: no driver in its scheme."""
    return re.sub(r"^postgres(ql)?(\+asyncpg)?://", "postgresql://", database_url)


async def open_pool(database_url: str, *, size: int) -> asyncpg.Pool:
    """A pool of at most `size` connections, one open from the start. Raises OSError or asyncpg.PostgresError."""
    return await BoundedPool(
        asyncpg_dsn(database_url),
        min_size=1,
        max_size=size,
        max_queries=50_000,
        max_inactive_connection_lifetime=300.0,
        connection_class=Connection,
        record_class=asyncpg.Record,
        setup=None,
        init=None,
        loop=None,
        timeout=CONNECT_SECONDS,
        command_timeout=COMMAND_SECONDS,
        server_settings={"application_name": "assist-service"},
    )
