"""What a test of a route begins with: a database in which the shipped manual is live already."""

from collections.abc import AsyncIterator

import pytest

from tests.conftest import PUBLISHED, cloned


@pytest.fixture
async def database_url() -> AsyncIterator[str]:
    """A migrated database of this test's own, with nothing in it but the shipped manual."""
    async with cloned(PUBLISHED) as url:
        yield url
