"""What only one process at a time may do: who holds an advisory lock does it, on the very connection that holds it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import asyncpg

CLOSE_SECONDS = 5.0
"""How long a connection may take to say goodbye; then it is cut, which frees the lock, too."""

_LOST = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)


@asynccontextmanager
async def alone(
    connect: Callable[[], Awaitable[asyncpg.Connection]], number: int
) -> AsyncIterator[asyncpg.Connection | None]:
    """A connection that holds this lock until the block is left, or None where another one holds it.

    Postgres frees it when the connection ends, however it ends: a dead process keeps nobody out.
    """
    connection = await connect()
    try:
        yield connection if await connection.fetchval("SELECT pg_try_advisory_lock($1)", number) else None
    finally:
        with suppress(*_LOST):
            # Not by closing alone: the server notices that a moment later, and the next one would be turned away.
            await connection.execute("SELECT pg_advisory_unlock_all()", timeout=CLOSE_SECONDS)
        with suppress(*_LOST):
            await connection.close(timeout=CLOSE_SECONDS)
