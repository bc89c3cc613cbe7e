"""One Postgres for a whole test run, a clone of the migrated database for each test that asks; cases counted."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager

import asyncpg
import hypothesis
import pytest
from xdist.remote import Producer
from xdist.scheduler import Scheduling

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.postgres.migrating import migrate
from assist_service.bootstrap.database import MIGRATIONS
from assist_service.bootstrap.manuals import make_publishing
from assist_service.settings import ROOT
from devtools.postgres import running_postgres
from tests.case_counts import PROPERTY, CountCases, Suite, lines_of
from tests.fakes.clocks import HandClock
from tests.together import Together

# A machine may be busy: how long an example takes is no property of the code (`make bench` measures).
hypothesis.settings.register_profile("assist", deadline=None)
hypothesis.settings.load_profile("assist")

SERVER = "TEST_POSTGRES"
"""Where the run's server answers; set by the process that started it, read by its xdist workers."""

TEMPLATE = "template_of_the_tests"

PUBLISHED = "published_template_of_the_tests"
"""The same with the shipped manual live: publishing it takes as long as all else of a service's start."""


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """That of the slow run; None for the usual one."""
    return Together(config, log) if config.getvalue("dist") == "loadgroup" else None


def pytest_configure(config: pytest.Config) -> None:
    """Starts the server once: in the controller, or in the only process there is."""
    if SERVER in os.environ or config.option.collectonly:  # noqa: TID251 handed from controller to workers
        return
    running = ExitStack()
    config.add_cleanup(running.close)
    dsn = running.enter_context(running_postgres(durable=False))
    os.environ[SERVER] = dsn  # noqa: TID251 read by the workers
    asyncio.run(_create(dsn, TEMPLATE))
    migrate(database_at(dsn, TEMPLATE), MIGRATIONS)
    asyncio.run(_create(dsn, PUBLISHED, of=TEMPLATE))
    asyncio.run(_publish(database_at(dsn, PUBLISHED)))


async def _create(dsn: str, name: str, *, of: str = "template1") -> None:
    server = await asyncpg.connect(dsn)
    await server.execute(f"CREATE DATABASE {name} TEMPLATE {of}")
    await server.close()


async def _publish(dsn: str) -> None:
    async with asyncpg.create_pool(dsn, min_size=1, max_size=2) as pool:
        publishing = make_publishing(pool, policy=load_policy("default"), clock=HandClock())
        await publishing.publish_if_new(read_manual(ROOT / "corpus"))


def database_at(dsn: str, name: str) -> str:
    """The same server, another database."""
    return dsn.replace("/postgres?", f"/{name}?", 1)


@pytest.fixture
async def database_url() -> AsyncIterator[str]:
    """A migrated, empty database of this test's own."""
    async with cloned(TEMPLATE) as url:
        yield url


@asynccontextmanager
async def cloned(template: str) -> AsyncIterator[str]:
    """A database like this template, until the block is left."""
    dsn, name = os.environ[SERVER], f"test_{uuid.uuid4().hex}"  # noqa: TID251 set by the controller
    server = await asyncpg.connect(dsn)
    await server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
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
