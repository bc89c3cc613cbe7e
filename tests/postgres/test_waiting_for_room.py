"""A request that fits once others have settled waits for them: not long, not in vain, and each is woken in its turn."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.errors import Code
from assist_service.ports import Exhausted, Reservation
from assist_service.services.metering import SETTLING_POLL_SECONDS, SETTLING_WAIT_SECONDS, Meter
from tests.fakes.clocks import START, HandClock
from tests.fakes.models import ScriptedModel, says
from tests.postgres.money import calls_of, origin, refuse_unbalanced_books, reserve, settle
from tests.postgres.one_model import WORST, line_on, refused, request, settled


class EventfulClock(HandClock):
    """A hand clock at which something happens once a sleep has reached a moment."""

    def __init__(self, *, after_seconds: float, happens: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._moment = START + dt.timedelta(seconds=after_seconds)
        self._happens: Callable[[], Awaitable[None]] | None = happens

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        if self._happens is not None and self.now() >= self._moment:
            happens, self._happens = self._happens, None
            await happens()


class StandingClock(HandClock):
    """A hand clock at which no sleep ends: who waits goes on only when told."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.Event().wait()


class CountingLedger(PostgresLedger):
    """Counts how often it was asked for money."""

    asked = 0

    async def reserve(self, *args: Any, **kwargs: Any) -> Reservation | Exhausted:
        self.asked += 1
        return await super().reserve(*args, **kwargs)


async def test_a_request_waits_for_those_in_flight_where_it_will_fit(pool: asyncpg.Pool) -> None:
    ledger = PostgresLedger(pool)
    other = await reserve(ledger, WORST)

    async def other_settles() -> None:
        await settle(ledger, other, 1)

    clock = EventfulClock(after_seconds=2.0, happens=other_settles)
    model = ScriptedModel(says("Like this."))
    await line_on(pool, model, clock=clock, share_micros=WORST + 1).send(request())
    assert dt.timedelta(seconds=2) <= clock.now() - START < dt.timedelta(seconds=2.1)
    await refuse_unbalanced_books(pool)


async def test_it_waits_three_seconds_and_no_longer(pool: asyncpg.Pool) -> None:
    await reserve(PostgresLedger(pool), WORST)
    model, clock = ScriptedModel(says("Never.")), HandClock()
    assert await refused(line_on(pool, model, clock=clock, share_micros=WORST)) is Code.LLM_BUDGET_EXHAUSTED
    assert dt.timedelta(seconds=3) <= clock.now() - START < dt.timedelta(seconds=3.1)
    assert model.requests == []
    assert len(await calls_of(pool)) == 1


async def test_it_does_not_wait_for_the_dead(pool: asyncpg.Pool) -> None:
    await reserve(PostgresLedger(pool), WORST, lease_until=START - dt.timedelta(seconds=1))
    model, clock = ScriptedModel(says("Never.")), HandClock()
    assert await refused(line_on(pool, model, clock=clock, share_micros=WORST)) is Code.LLM_BUDGET_EXHAUSTED
    assert clock.now() - START < dt.timedelta(seconds=0.1)
    assert settled(await calls_of(pool)) == [("left_behind", WORST)]


async def test_it_does_not_wait_beyond_the_deadline(pool: asyncpg.Pool) -> None:
    await reserve(PostgresLedger(pool), WORST)
    model, clock = ScriptedModel(says("Never.")), HandClock()
    line = line_on(pool, model, clock=clock, share_micros=WORST, seconds=1.0)
    assert await refused(line) in {Code.LLM_BUDGET_EXHAUSTED, Code.LLM_UNAVAILABLE}
    assert clock.now() - START < dt.timedelta(seconds=1.1)
    assert model.requests == []


async def test_it_does_not_wait_for_room_that_will_not_come(pool: asyncpg.Pool) -> None:
    ledger = PostgresLedger(pool)
    await settle(ledger, await reserve(ledger, WORST), 1)
    model, clock = ScriptedModel(says("Never.")), HandClock()
    assert await refused(line_on(pool, model, clock=clock, share_micros=WORST)) is Code.LLM_BUDGET_EXHAUSTED
    assert clock.now() == START
    assert model.requests == []


async def test_for_other_processes_it_looks_now_and_then(pool: asyncpg.Pool) -> None:
    await reserve(PostgresLedger(pool), WORST)
    ledger = CountingLedger(pool)
    line = line_on(pool, ScriptedModel(says("Never.")), share_micros=WORST, ledger=ledger)
    assert await refused(line) is Code.LLM_BUDGET_EXHAUSTED
    assert ledger.asked == 1 + SETTLING_WAIT_SECONDS / SETTLING_POLL_SECONDS


async def held(meter: Meter, deadline: float) -> Reservation:
    return await meter.reserve(origin(), WORST, deadline=deadline)


async def gives_back(meter: Meter, reservation: Reservation) -> None:
    await meter.settle(reservation, cost_micros=0, usage=None, outcome="ok")


async def waits(meter: Meter, count: int) -> None:
    """Returns once so many wait for room."""
    async with asyncio.timeout(5):
        while len(meter._waiting) < count:  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.002)


async def test_each_settlement_of_its_own_process_wakes_the_one_that_waited_longest(pool: asyncpg.Pool) -> None:
    clock, ledger = StandingClock(), CountingLedger(pool)
    meter = line_on(pool, ScriptedModel(says("Never.")), clock=clock, share_micros=2 * WORST, ledger=ledger).meter
    deadline = clock.monotonic() + 90
    first, second = await held(meter, deadline), await held(meter, deadline)
    waiting = []
    for number in (1, 2, 3):
        waiting.append(asyncio.create_task(held(meter, deadline)))
        await waits(meter, number)
    asked = ledger.asked

    await gives_back(meter, first)

    third = await asyncio.wait_for(waiting[0], timeout=5)
    assert ledger.asked == asked + 1, "the others were let be"
    await gives_back(meter, second)
    fourth = await asyncio.wait_for(waiting[1], timeout=5)
    await gives_back(meter, third)
    await gives_back(meter, fourth)
    await gives_back(meter, await asyncio.wait_for(waiting[2], timeout=5))
    assert ledger.asked == asked + 3
    await refuse_unbalanced_books(pool)


async def test_one_that_is_stopped_waits_no_more_and_takes_nobodys_turn(pool: asyncpg.Pool) -> None:
    clock = StandingClock()
    meter = line_on(pool, ScriptedModel(says("Never.")), clock=clock, share_micros=WORST).meter
    deadline = clock.monotonic() + 90
    first = await held(meter, deadline)
    stopped = asyncio.create_task(held(meter, deadline))
    await waits(meter, 1)
    waiting = asyncio.create_task(held(meter, deadline))
    await waits(meter, 2)
    stopped.cancel()
    await asyncio.wait([stopped])

    await gives_back(meter, first)

    await gives_back(meter, await asyncio.wait_for(waiting, timeout=5))
    await refuse_unbalanced_books(pool)
