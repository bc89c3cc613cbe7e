"""The database: opened for the service; migrated and purged for the operator."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from random import random

import asyncpg

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.configuration import load_policy
from assist_service.adapters.postgres.engine import connect_alone, open_pool
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.purging import PostgresPurge
from assist_service.adapters.postgres.revision import refuse_other_revision
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.policy import Policy
from assist_service.ports import Clock
from assist_service.services.purge import Purge, PurgeSchedule
from assist_service.settings import ROOT, DatabaseSettings, Settings

MIGRATIONS = ROOT / "migrations"

NO_DATABASE = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError, ValueError, TypeError)
"""What connecting to a database that is not there, or an address that is none, can raise."""


@asynccontextmanager
async def open_database(settings: DatabaseSettings) -> AsyncIterator[asyncpg.Pool]:
    """A pool on a database at this release's revision. Raises ConfigurationError where there is none."""
    try:
        pool = await open_pool(settings.database_url.get_secret_value(), size=settings.database_connections)
    except NO_DATABASE as error:
        # The message of a connection error can hold the address with its password.
        raise ConfigurationError(
            f"ASSIST_DATABASE_URL: the database does not answer ({type(error).__name__})"
        ) from None
    try:
        await refuse_other_revision(pool)
        yield pool
    finally:
        await pool.close()


def migrate_database(settings: DatabaseSettings) -> None:
    """Brings the database to this release's revision. Raises ConfigurationError where it does not answer."""
    from sqlalchemy.exc import SQLAlchemyError  # here, since a start must not wait for these two

    from assist_service.adapters.postgres.migrating import migrate

    try:
        migrate(settings.database_url.get_secret_value(), MIGRATIONS)
    except (*NO_DATABASE, SQLAlchemyError) as error:
        raise ConfigurationError(f"ASSIST_DATABASE_URL: cannot migrate ({type(error).__name__})") from None


async def purge(settings: Settings) -> Mapping[str, int] | None:
    """Runs the purge once; None where another process is at it. Raises ConfigurationError as the service would."""
    async with open_database(settings) as pool:
        return await make_purge(pool, settings, policy=load_policy(settings.policy), clock=SystemClock())()


def make_purge(pool: asyncpg.Pool, settings: DatabaseSettings, *, policy: Policy, clock: Clock) -> Purge:
    connect = partial(connect_alone, settings.database_url.get_secret_value())
    return Purge(policy=policy, purging=PostgresPurge(connect), ledger=PostgresLedger(pool), clock=clock)


@asynccontextmanager
async def purging(
    pool: asyncpg.Pool, settings: Settings, *, policy: Policy, clock: Clock, jitter: Callable[[], float] = random
) -> AsyncIterator[None]:
    """Purges by itself while the block runs, if the settings say how often."""
    if settings.purge_every_hours is None:
        yield
        return
    schedule = PurgeSchedule(
        purge=make_purge(pool, settings, policy=policy, clock=clock),
        every_seconds=settings.purge_every_hours * 3600,
        clock=clock,
        jitter=jitter,
    )
    running = asyncio.create_task(schedule.run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.wait([running])
