"""One Postgres for a whole test run, a clone of the migrated database for each test that asks."""

import os
import uuid
from collections.abc import AsyncIterator

import asyncpg
import pytest

from assist_service.adapters.postgres.migrating import migrate
from assist_service.bootstrap import MIGRATIONS
from devtools.postgres import running_postgres

SERVER = "ASSIST_TEST_SERVER"
"""Where the run's server answers; set by the process that started it, read by its xdist workers."""

TEMPLATE = "template_of_the_tests"


def pytest_configure(config: pytest.Config) -> None:
    """Starts the server once: in the controller, or in the only process there is."""
    if SERVER in os.environ or config.option.collectonly:  # noqa: TID251 handed from controller to workers
        return
    server = running_postgres(durable=False)
    dsn = server.__enter__()
    config.add_cleanup(lambda: server.__exit__(None, None, None))
    os.environ[SERVER] = dsn  # noqa: TID251 read by the workers
    config.add_cleanup(lambda: os.environ.pop(SERVER, None))  # noqa: TID251 set above
    _make_template(dsn)


def _make_template(dsn: str) -> None:
    import asyncio

    async def create() -> None:
        connection = await asyncpg.connect(dsn)
        await connection.execute(f"CREATE DATABASE {TEMPLATE}")
        await connection.close()

    asyncio.run(create())
    migrate(database_at(dsn, TEMPLATE), MIGRATIONS)


def database_at(dsn: str, name: str) -> str:
    """The same server, another database."""
    return dsn.replace("/postgres?", f"/{name}?", 1)


@pytest.fixture
async def database_url() -> AsyncIterator[str]:
    """A migrated, empty database of this test's own."""
    dsn, name = os.environ[SERVER], f"test_{uuid.uuid4().hex}"  # noqa: TID251 set by the controller
    server = await asyncpg.connect(dsn)
    await server.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    try:
        yield database_at(dsn, name)
    finally:
        await server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await server.close()


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[asyncpg.Pool]:
    """A pool on this test's database."""
    async with asyncpg.create_pool(database_url, min_size=1, max_size=10) as made:
        yield made
