"""Exporting and erasing one person at the command line: the database is opened, no model and no manual is."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.postgres.exporting import PostgresPersonData
from assist_service.adapters.sealing import AesGcmSealer, keys_of
from assist_service.bootstrap.database import open_database
from assist_service.services.privacy import Privacy
from assist_service.settings import Settings


@asynccontextmanager
async def open_privacy(settings: Settings) -> AsyncIterator[Privacy]:
    """The use case on the open database. Raises ConfigurationError where the database is not ready for it."""
    sealer = AesGcmSealer(keys_of(settings.secret_keys.get_secret_value()))
    async with open_database(settings) as pool:
        yield Privacy(people=PostgresPersonData(pool, sealer), clock=SystemClock())
