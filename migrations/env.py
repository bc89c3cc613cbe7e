"""Runs the migrations against the database the caller names, in one transaction each."""

import asyncio

from alembic import context
from sqlalchemy import Connection, pool
from sqlalchemy.ext.asyncio import create_async_engine

from assist_service.adapters.postgres.tables import METADATA


def _run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=METADATA, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


async def _migrate(url: str) -> None:
    engine = create_async_engine(url, poolclass=pool.NullPool)
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_run)
    finally:
        await engine.dispose()


asyncio.run(_migrate(context.config.attributes["database_url"]))
