"""The connection pool, and the address of a database in the two dialects that need it."""

import asyncpg

COMMAND_SECONDS = 10
"""No statement of the service waits longer than this for Postgres."""


def asyncpg_dsn(database_url: str) -> str:
    """The address without a driver in its scheme."""
    return database_url.replace("postgresql+asyncpg://", "postgresql://", 1)


def sqlalchemy_url(database_url: str) -> str:
    """The address with the driver SQLAlchemy is to use."""
    return asyncpg_dsn(database_url).replace("postgresql://", "postgresql+asyncpg://", 1)


async def open_pool(database_url: str, *, size: int) -> asyncpg.Pool:
    """A pool of at most `size` connections, one open from the start. Raises OSError or asyncpg.PostgresError."""
    return await asyncpg.create_pool(
        asyncpg_dsn(database_url),
        min_size=1,
        max_size=size,
        command_timeout=COMMAND_SECONDS,
        server_settings={"application_name": "assist-service"},
    )
