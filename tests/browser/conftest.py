"""What the tests of the panel stand in: one browser, one event loop and two houses for each worker of a run."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.acting import Acting, acting_house
from tests.browser.acts_shown import Act, Tick, acts_of
from tests.browser.chromium import SIZES, chromium
from tests.browser.shared_house import SharedHouse, shared_house
from tests.case_counts import CountCases
from tests.conftest import PUBLISHED, cloned

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One event loop for all tests in a browser: it is started once for each worker, and so are its houses."""
    for item in items:
        if HERE in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def database_url() -> AsyncIterator[str]:
    """A migrated database of this test's own, with the shipped manual live."""
    async with cloned(PUBLISHED) as url:
        yield url


@pytest_asyncio.fixture(loop_scope="session")
async def pool(database_url: str) -> AsyncIterator[asyncpg.Pool]:
    """A pool on this test's database."""
    async with asyncpg.create_pool(database_url, min_size=1, max_size=10) as made:
        yield made


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def started() -> AsyncIterator[Browser]:
    """The worker's own. Its scroll bars are to be seen, as a person's are: a page that loses its own would jump."""
    async with chromium(without=["--hide-scrollbars"]) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def browser(started: Browser) -> AsyncIterator[Browser]:
    """As new: no test leaves a window, or anything that a window keeps, to the next."""
    yield started
    for context in started.contexts:
        await context.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared(started: Browser) -> AsyncIterator[SharedHouse]:
    async with shared_house(started) as house:
        yield house


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def acting() -> AsyncIterator[Acting]:
    """Its teacher has made what other tests confirmed, and its clock has moved."""
    async with cloned(PUBLISHED) as url, acting_house(url) as house:
        yield house


@pytest.fixture
def tick(request: pytest.FixtureRequest, count_cases: CountCases) -> Iterator[Tick]:
    """Says that an act was shown at this test's size; fails at the end of a test that has not shown all of its own."""
    shown: set[Act] = set()
    width, height = SIZES[request.node.callspec.params["size"]]

    def told(act: Act) -> None:
        assert act not in shown
        shown.add(act)
        count_cases("browser", 1, f"{width}x{height}")

    yield told
    assert shown == acts_of(f"{request.module.__name__.rpartition('.')[2]}.{request.function.__name__}")
