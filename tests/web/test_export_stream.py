"""An export is streamed: one that fails in the middle is no document, one that nobody reads gives all back."""

import asyncio
import json
from collections.abc import Callable, Iterator

import asyncpg
import httpx2
import pytest
import structlog

from assist_service.adapters.postgres.exporting import BATCH
from assist_service.services.privacy import AT_ONCE
from assist_service.telemetry import configure_logging
from tests.fakes.house import TEACHER, House, running_house
from tests.web.person_rows import at_data

pytestmark = pytest.mark.slow

_COPIES = """
INSERT INTO exchanges SELECT gen_random_uuid(), conversation_id, owner, at + number * interval '1 second', kind,
    language, repeat('x', 100000), topic, model, corpus_version, citations, key_id, sealed
FROM exchanges, generate_series(1, $1) AS number
"""

_IN_TRANSACTION = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction'
"""

_CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction'
"""


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    configure_logging("DEBUG")
    yield lambda: "".join(capsys.readouterr())
    structlog.reset_defaults()


async def _far_too_long(house: House, pool: asyncpg.Pool) -> None:
    """Longer than all that lies between the service and its reader can hold."""
    assert (await house.ask()).status_code == 200
    await pool.execute(_COPIES, 5 * BATCH)


async def test_one_that_fails_in_the_middle_ends_without_its_end(
    database_url: str, pool: asyncpg.Pool, logged: Callable[[], str]
) -> None:
    async with running_house(database_url) as house:
        await _far_too_long(house, pool)
        client = {"Authorization": f"Bearer {house.clients.mint('urn:assist-service:privacy')}"}
        async with house.service.stream("GET", f"/assist/people/{TEACHER}/data", headers=client) as answer:
            assert answer.status_code == 200
            reading = answer.aiter_bytes()
            await anext(reading)
            async with asyncio.timeout(5):
                while not await pool.fetchval(_CUT):  # noqa: ASYNC110 nothing tells of it
                    await asyncio.sleep(0.01)
            with pytest.raises(httpx2.RemoteProtocolError):
                [piece async for piece in reading]
        said = logged()
        assert '"event": "unexpected"' in said
        assert TEACHER not in said
        whole = await at_data(house, "GET")
        assert len(json.loads(whole.content)["exchanges"]) == 5 * BATCH + 1
        assert logged().count('"event": "seal_broken"') == 1


async def _until(pool: asyncpg.Pool, *, in_transaction: int) -> None:
    async with asyncio.timeout(5):
        while await pool.fetchval(_IN_TRANSACTION) != in_transaction:  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.01)


async def test_one_that_nobody_reads_gives_its_connection_back(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        await _far_too_long(house, pool)
        client = {"Authorization": f"Bearer {house.clients.mint('urn:assist-service:privacy')}"}
        for _ in range(AT_ONCE + 1):
            async with house.service.stream("GET", f"/assist/people/{TEACHER}/data", headers=client) as answer:
                assert answer.status_code == 200
                reading = answer.aiter_bytes()
                await anext(reading)
                await _until(pool, in_transaction=1)
            await _until(pool, in_transaction=0)
        assert (await at_data(house, "GET")).status_code == 200
