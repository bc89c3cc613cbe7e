"""What takes a while is there once: a Kolibri for all the suites that ask it, and the shipped manual, live already."""

from collections.abc import AsyncIterator, Iterator

import pytest

from assist_service.adapters.lms.kolibri import KolibriLms
from tests.case_counts import CountCases
from tests.conftest import PUBLISHED, cloned
from tests.slow.kolibri_school import Check, School, open_school


@pytest.fixture
async def database_url() -> AsyncIterator[str]:
    """A migrated database of this test's own, with the shipped manual alone: none here is about publishing."""
    async with cloned(PUBLISHED) as url:
        yield url


@pytest.fixture(scope="session")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    """Nothing is skipped where it cannot be installed or started: whoever asks for it fails, and says why."""
    with open_school(tmp_path_factory.mktemp("kolibri")) as running:
        yield running


@pytest.fixture
async def lms(school: School) -> AsyncIterator[KolibriLms]:
    made = school.lms()
    yield made
    await made.aclose()


@pytest.fixture
def check(count_cases: CountCases, request: pytest.FixtureRequest) -> Check:
    def equal(found: object, expected: object) -> None:
        assert found == expected
        count_cases("kolibri", 1, request.node.name)

    return equal
