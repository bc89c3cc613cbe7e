"""The stores of one test, on its database."""

import asyncpg
import pytest

from tests.postgres.exchanges import Stores, stores_on


@pytest.fixture
def stores(pool: asyncpg.Pool) -> Stores:
    return stores_on(pool)
