"""Brings a database to this release's revision, by Alembic. Imported only where that is done: it takes its time."""

from pathlib import Path

from alembic import command
from alembic.config import Config

from assist_service.adapters.postgres.engine import asyncpg_dsn


def migrate(database_url: str, migrations: Path) -> None:
    """Migrates to the newest revision; nothing to do is no error. Blocks; runs an event loop of its own."""
    command.upgrade(alembic_config(database_url, migrations), "head")


def alembic_config(database_url: str, migrations: Path) -> Config:
    """What Alembic's commands need; `migrations/env.py` reads the address."""
    config = Config()
    config.attributes["dsn"] = asyncpg_dsn(database_url)
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    return config
