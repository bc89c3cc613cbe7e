"""The connection pool, and the address of a database as asyncpg takes it."""

import asyncio
import re
from typing import Any

import asyncpg
from asyncpg.pool import PoolAcquireContext

COMMAND_SECONDS = 10
"""No statement waits longer than this for Postgres."""

CONNECT_SECONDS = 5
"""No new connection takes longer than this."""

PATIENT_SECONDS = 120
"""The same on a connection for work that nobody waits for, which may look through a whole table."""

KEEPALIVE = {"tcp_keepalives_idle": "60", "tcp_keepalives_interval": "10", "tcp_keepalives_count": "3"}
"""Postgres gives up a client whose machine is gone after a minute and a half, and with it the locks it held."""

ACQUIRE_SECONDS = 45
"""Nobody waits longer than this for a connection that others hold: statements are short, so Postgres must hang."""


class Connection(asyncpg.Connection):
    """A connection that is handed on as it is: nothing here leaves anything behind in a session.

    Cleaning it would be a round trip of its own for each statement.
    """

    def get_reset_query(self) -> str:
        return ""


class _InTurn(PoolAcquireContext):
    """A connection for the time of a block, handed out to whoever has waited longest.

    asyncpg's own queue lets who comes just then take what was freed for another, who begins to wait anew: of thousands
    at once some never had a turn.
    """

    def __init__(self, pool: "BoundedPool", seconds: float) -> None:
        super().__init__(pool, seconds)
        self._turns = pool.turns
        self._seconds = seconds

    async def __aenter__(self) -> Any:
        async with asyncio.timeout(self._seconds):
            await self._turns.acquire()
            try:
                return await super().__aenter__()
            except BaseException:
                self._turns.release()
                raise

    async def __aexit__(self, *exc: Any) -> None:
        try:
            await super().__aexit__(*exc)
        finally:
            self._turns.release()


class BoundedPool(asyncpg.Pool):
    """A pool in which no wait is without end, and nobody is passed by."""

    def __init__(self, *args: Any, max_size: int, **kwargs: Any) -> None:
        super().__init__(*args, max_size=max_size, **kwargs)
        self.turns = asyncio.Semaphore(max_size)

    def acquire(self, *, timeout: float | None = None) -> PoolAcquireContext:
        return _InTurn(self, timeout or ACQUIRE_SECONDS)


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


async def connect_alone(database_url: str) -> asyncpg.Connection:
    """A connection outside any pool, for work that takes its time. Raises OSError or asyncpg.PostgresError."""
    return await asyncpg.connect(
        asyncpg_dsn(database_url),
        timeout=CONNECT_SECONDS,
        command_timeout=PATIENT_SECONDS,
        server_settings={"application_name": "assist-service", **KEEPALIVE},
    )
