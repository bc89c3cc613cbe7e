"""One Postgres for a whole test run, a clone of the migrated database for each test that asks; cases counted."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack

import asyncpg
import pytest

from assist_service.adapters.postgres.migrating import migrate
from assist_service.bootstrap.database import MIGRATIONS
from devtools.postgres import running_postgres
from tests.case_counts import PROPERTY, CountCases, Suite, lines_of

SERVER = "TEST_POSTGRES"
"""Where the run's server answers; set by the process that started it, read by its xdist workers."""

TEMPLATE = "template_of_the_tests"


def pytest_configure(config: pytest.Config) -> None:
    """Starts the server once: in the controller, or in the only process there is."""
    if SERVER in os.environ or config.option.collectonly:  # noqa: TID251 handed from controller to workers
        return
    running = ExitStack()
    config.add_cleanup(running.close)
    dsn = running.enter_context(running_postgres(durable=False))
    os.environ[SERVER] = dsn  # noqa: TID251 read by the workers
    asyncio.run(_create_template(dsn))
    migrate(database_at(dsn, TEMPLATE), MIGRATIONS)


async def _create_template(dsn: str) -> None:
    server = await asyncpg.connect(dsn)
    await server.execute(f"CREATE DATABASE {TEMPLATE}")
    await server.close()


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


@pytest.fixture
def count_cases(record_property: Callable[[str, object], None]) -> CountCases:
    """For a test of many cases: what a test prints nobody sees when it passes."""

    def count(suite: Suite, cases: int, kind: str) -> None:
        record_property(f"{PROPERTY}{suite}", [cases, kind])

    return count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how many cases ran, of tests that passed: the others did not come to their end."""
    passed = terminalreporter.getreports("passed")
    told = [each for report in passed if report.when == "call" for each in report.user_properties]
    if lines := lines_of(told):
        terminalreporter.section("cases")
        for line in lines:
            terminalreporter.line(line)
