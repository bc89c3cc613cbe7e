"""Brings a database to this release's revision, and refuses one that is not there."""

from pathlib import Path

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from assist_service.adapters.postgres.engine import asyncpg_dsn
from assist_service.domain.errors import ConfigurationError

MINIMUM_VERSION = 15


def migrate(database_url: str, migrations: Path) -> None:
    """Migrates to the newest revision; nothing to do is no error. Blocks; runs an event loop of its own."""
    command.upgrade(alembic_config(database_url, migrations), "head")


async def refuse_other_revision(pool: asyncpg.Pool, migrations: Path) -> None:
    """Raises ConfigurationError where the database is too old, or at another revision than this release's."""
    wanted = ScriptDirectory.from_config(alembic_config("", migrations)).get_current_head()
    major = await pool.fetchval("SELECT current_setting('server_version_num')::int / 10000")
    if major < MINIMUM_VERSION:
        raise ConfigurationError(f"Postgres {major} is too old: {MINIMUM_VERSION} is the oldest supported")
    exists = await pool.fetchval("SELECT to_regclass('alembic_version') IS NOT NULL")
    found = await pool.fetchval("SELECT version_num FROM alembic_version") if exists else None
    if found != wanted:
        raise ConfigurationError(
            f"the database is at revision {found or 'none'}, this release needs {wanted}: run assist-service migrate"
        )


def alembic_config(database_url: str, migrations: Path) -> Config:
    """What Alembic's commands need; `migrations/env.py` reads the address."""
    config = Config()
    config.attributes["dsn"] = asyncpg_dsn(database_url)
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    return config
