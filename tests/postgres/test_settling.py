"""A cost once known is settled: to its end, beside the answer where the store fails, and never instead of it."""

import asyncio
import datetime as dt
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
from structlog.testing import capture_logs

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.errors import Code
from assist_service.domain.messages import ModelReply, ModelRequest, ProviderFault
from assist_service.ports import LEASE_MARGIN
from assist_service.services.metering import CLOSING_SECONDS, SETTLING_PAUSES
from tests.fakes.clocks import START, HandClock
from tests.fakes.models import says
from tests.postgres.blocking import until_blocked
from tests.postgres.money import calls_of, refuse_unbalanced_books
from tests.postgres.one_model import COST, OVERLOADED, WORST, line_on, refused, request, settled

pytestmark = pytest.mark.slow


class LockingModel:
    """Implements ports.ModelProvider: answers, and by then another transaction holds the call's row."""

    model = "stub"

    def __init__(self, other: asyncpg.Connection, said: ModelReply | ProviderFault) -> None:
        self._other = other
        self._said = said

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        await self._other.execute("SELECT * FROM llm_calls FOR UPDATE")
        if isinstance(self._said, ProviderFault):
            raise self._said
        return self._said

    async def close(self) -> None:
        """Holds nothing open."""


class CuttingModel:
    """Implements ports.ModelProvider: answers, and by then every other connection to the database was cut."""

    model = "stub"

    def __init__(self, other: asyncpg.Connection) -> None:
        self._other = other

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        await self._other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return says("Like this.")

    async def close(self) -> None:
        """Holds nothing open."""


@pytest.mark.parametrize(
    ("said", "outcome"),
    [(says("Like this."), ("ok", COST)), (OVERLOADED, ("overloaded", 0))],
    ids=["a reply", "a fault"],
)
async def test_a_question_stopped_while_it_settles_is_settled_all_the_same(
    pool: asyncpg.Pool, database_url: str, said: ModelReply | ProviderFault, outcome: tuple[str, int]
) -> None:
    other = await asyncpg.connect(database_url)
    try:
        async with other.transaction():
            line = line_on(pool, LockingModel(other, said))
            sending = asyncio.create_task(line.send(request()))
            await until_blocked(pool)
            sending.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sending
            closing = asyncio.create_task(line.meter.close())
            await asyncio.wait([closing], timeout=0.02)
            assert not closing.done()
        await closing
    finally:
        await other.close()
    assert settled(await calls_of(pool)) == [outcome]


@asynccontextmanager
async def impatient(database_url: str) -> AsyncIterator[asyncpg.Pool]:
    """A pool whose statements give up where another transaction holds their row."""
    async with asyncpg.create_pool(database_url, min_size=1, max_size=2, command_timeout=0.2) as made:
        yield made


@asynccontextmanager
async def another(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database_url)
    try:
        yield connection
    finally:
        await connection.close()


@pytest.mark.parametrize(
    ("said", "outcome"),
    [(says("Like this."), ("ok", COST)), (OVERLOADED, ("overloaded", 0))],
    ids=["a reply", "a fault"],
)
async def test_a_settlement_that_fails_is_made_beside_the_answer(
    pool: asyncpg.Pool, database_url: str, said: ModelReply | ProviderFault, outcome: tuple[str, int]
) -> None:
    clock = HandClock()
    async with impatient(database_url) as short, another(database_url) as other:
        line = line_on(short, LockingModel(other, said), clock=clock, max_requests=1)
        with capture_logs() as logs:
            async with other.transaction():
                if isinstance(said, ProviderFault):
                    assert await refused(line) is Code.LLM_UNAVAILABLE
                else:
                    assert (await line.send(request())).text == said.text
                assert settled(await calls_of(pool)) == [(None, None)]
            await line.meter.close()
    [row] = await calls_of(pool)
    assert (row["outcome"], row["cost_micros"], row["settled_at"]) == (*outcome, START)
    assert [spent.cost_micros for spent in line.spent] == [outcome[1]]
    assert {"event": "settling_failed", "error": "TimeoutError", "log_level": "warning"} in logs
    assert clock.now() > START, "it was tried again after a pause"
    await refuse_unbalanced_books(pool)


async def test_connections_that_break_while_the_provider_is_waited_for_cost_no_answer(
    pool: asyncpg.Pool, database_url: str
) -> None:
    """A settlement that came through may be made again, where its connection broke before that was told."""
    async with another(database_url) as other:
        line = line_on(pool, CuttingModel(other))
        assert (await line.send(request())).text == "Like this."
        await line.meter.close()
    assert settled(await calls_of(pool)) == [("ok", COST)]
    await refuse_unbalanced_books(pool)


async def test_what_cannot_be_settled_at_all_is_left_to_its_lease(pool: asyncpg.Pool, database_url: str) -> None:
    clock = HandClock()
    async with impatient(database_url) as short, another(database_url) as other:
        line = line_on(short, LockingModel(other, says("Like this.")), clock=clock)
        with capture_logs() as logs:
            async with other.transaction():
                assert (await line.send(request())).text == "Like this."
                await line.meter.close()
    assert [entry["event"] for entry in logs] == ["settling_failed"] * (1 + len(SETTLING_PAUSES)) + [
        "settling_given_up"
    ]
    assert (clock.now() - START).total_seconds() == sum(SETTLING_PAUSES)
    assert settled(await calls_of(pool)) == [(None, None)]
    assert await PostgresLedger(pool).settle_dead(now=START + dt.timedelta(seconds=91) + LEASE_MARGIN) == 1
    assert settled(await calls_of(pool)) == [("left_behind", WORST)]
    await refuse_unbalanced_books(pool)


async def test_closing_waits_for_the_second_try_too(pool: asyncpg.Pool, database_url: str) -> None:
    async with impatient(database_url) as short, another(database_url) as other:
        line = line_on(short, LockingModel(other, says("Like this.")), clock=SystemClock())
        async with other.transaction():
            sending = asyncio.create_task(line.send(request()))
            await until_blocked(pool)
            closing = asyncio.create_task(line.meter.close())
            assert (await sending).text == "Like this.", "the first try has failed by now"
        await closing
    assert settled(await calls_of(pool)) == [("ok", COST)]
    await refuse_unbalanced_books(pool)


async def test_closing_waits_for_what_settles_and_then_leaves_it(pool: asyncpg.Pool, database_url: str) -> None:
    async with another(database_url) as other, other.transaction():
        line = line_on(pool, LockingModel(other, says("Like this.")))
        sending = asyncio.create_task(line.send(request()))
        await until_blocked(pool)
        started = time.monotonic()
        await line.meter.close()
        waited = time.monotonic() - started
        await asyncio.wait([sending], timeout=5)
        assert sending.done()
    assert CLOSING_SECONDS <= waited < CLOSING_SECONDS + 3
    assert settled(await calls_of(pool)) == [(None, None)]
