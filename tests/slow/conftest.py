"""One Kolibri for all the suites that ask it: it takes a while to start."""

from collections.abc import AsyncIterator, Iterator

import pytest

from assist_service.adapters.lms.kolibri import KolibriLms
from tests.case_counts import CountCases
from tests.slow.kolibri_school import Check, School, open_school


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process runs all that need it, so that there is one."""
    for item in items:
        if "school" in getattr(item, "fixturenames", ()) and item.path.name.startswith("test_kolibri"):
            item.add_marker(pytest.mark.xdist_group("kolibri"))


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
