"""The revision of the tables this release needs, and the refusal of a database that is at another."""

import asyncpg

from assist_service.domain.errors import ConfigurationError

REVISION = "2026_11_30_06"
"""The newest of `migrations/versions`, written down so that a start need not import Alembic; a test holds the two."""

MINIMUM_VERSION = 15
"""The oldest Postgres supported."""


async def refuse_other_revision(pool: asyncpg.Pool) -> None:
    """Raises ConfigurationError where Postgres is too old, or its tables are not at this release's revision."""
    major = await pool.fetchval("SELECT current_setting('server_version_num')::int / 10000")
    if major < MINIMUM_VERSION:
        raise ConfigurationError(f"Postgres {major} is too old: {MINIMUM_VERSION} is the oldest supported")
    exists = await pool.fetchval("SELECT to_regclass('alembic_version') IS NOT NULL")
    found = await pool.fetchval("SELECT version_num FROM alembic_version") if exists else None
    if found != REVISION:
        raise ConfigurationError(
            f"the database is at revision {found or 'none'}, this release needs {REVISION}: run assist-service migrate"
        )
