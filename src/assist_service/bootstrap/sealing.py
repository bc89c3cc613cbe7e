"""The keys that seal, for the operator: made, counted, and all rows brought under the first."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from assist_service.adapters import sealing
from assist_service.adapters.clock import SystemClock
from assist_service.adapters.postgres.rotating import PostgresRotating
from assist_service.bootstrap.database import open_database
from assist_service.services.rotation import KeyRows, Rotated, Rotation
from assist_service.settings import SealingSettings


def new_key() -> str:
    """A fresh key, as it stands in the setting."""
    return sealing.new_key()


@asynccontextmanager
async def open_rotation(settings: SealingSettings) -> AsyncIterator[Rotation]:
    """The rotation with its database. Raises ConfigurationError for keys that are none, or without a database."""
    sealer = sealing.AesGcmSealer(sealing.keys_of(settings.secret_keys.get_secret_value()))
    async with open_database(settings) as pool:
        yield Rotation(rotating=PostgresRotating(pool, sealer), clock=SystemClock())


async def rotate(settings: SealingSettings) -> Rotated:
    """Brings every sealed row under the first key. Raises ConfigurationError."""
    async with open_rotation(settings) as rotation:
        return await rotation()


async def rows_by_key(settings: SealingSettings) -> tuple[KeyRows, ...]:
    """How many rows stand under which key. Raises ConfigurationError."""
    async with open_rotation(settings) as rotation:
        return await rotation.status()
