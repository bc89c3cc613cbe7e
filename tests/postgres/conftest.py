"""The stores of one test on its database, the purge over it, and a connection that stands in the way."""

from collections.abc import AsyncIterator
from functools import partial

import asyncpg
import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.postgres.engine import connect_alone
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.purging import PostgresPurge
from assist_service.domain.policy import Retention
from assist_service.services.purge import Purge
from tests.fakes.clocks import HandClock
from tests.postgres.exchanges import Stores, stores_on
from tests.postgres.purged import AUDIT_DAYS, LIVE_DAYS, MANUAL_DAYS


@pytest.fixture
def stores(pool: asyncpg.Pool) -> Stores:
    return stores_on(pool)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def purge(pool: asyncpg.Pool, database_url: str, clock: HandClock) -> Purge:
    """As the service runs it, under a policy that keeps manual answers 90 days, live ones 30, and the audit log 400."""
    retention = Retention(manual_days=MANUAL_DAYS, live_days=LIVE_DAYS, audit_days=AUDIT_DAYS)
    return Purge(
        policy=load_policy("default").model_copy(update={"retention": retention}),
        purging=PostgresPurge(partial(connect_alone, database_url)),
        ledger=PostgresLedger(pool),
        clock=clock,
    )


@pytest.fixture
async def other(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection beside the pool, to stand in the way of others with."""
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()
