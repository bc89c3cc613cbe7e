"""A scrape shows the day's money as the ledger has it, seldom asks, and outlives a ledger that fails or hangs."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from assist_service import telemetry
from assist_service.domain.budget import Price
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import ProviderFault, ProviderFaultKind
from assist_service.domain.withdrawals import Withdrawals
from assist_service.ports import Edition, Ledger, PurposeMoney
from assist_service.services import gauges as module
from assist_service.services.gauges import READ_EVERY_SECONDS, Gauges
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from tests.fakes.clocks import HandClock
from tests.fakes.models import ScriptedModel, says

MODEL = "anthropic:scraped"

DOWN = ProviderFault(ProviderFaultKind.TRANSIENT, billed=False, reason="overloaded")


class ReadableLedger:
    """The part of ports.Ledger that a scrape reads; remembers the days it was asked for."""

    def __init__(self, answer: Callable[[], Awaitable[tuple[PurposeMoney, ...]]]) -> None:
        self.answer = answer
        self.days: list[dt.date] = []

    async def money_of(self, day: dt.date) -> tuple[PurposeMoney, ...]:
        self.days.append(day)
        return await self.answer()


class OneManual:
    """Implements ports.Manuals: there is one, or there is none."""

    def __init__(self) -> None:
        self.is_there = True

    def active(self) -> Edition:
        if not self.is_there:
            raise AssistError(Code.MANUAL_UNAVAILABLE)
        return cast("Edition", None)  # nobody looks into it

    def withdrawn(self) -> Withdrawals:
        return Withdrawals()


async def known() -> tuple[PurposeMoney, ...]:
    return (PurposeMoney("assist", 70, 30),)


async def broken() -> tuple[PurposeMoney, ...]:
    raise ConnectionRefusedError


async def hanging() -> tuple[PurposeMoney, ...]:
    await asyncio.Event().wait()
    raise AssertionError


async def hanging_even_when_cancelled() -> tuple[PurposeMoney, ...]:
    """As a connection does whose peer is gone: giving it up is waited for, too."""
    for _ in range(3):
        try:
            await asyncio.sleep(4)
        except asyncio.CancelledError:
            continue
    return ()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


def gauges_of(ledger: ReadableLedger, clock: HandClock, *, tz: dt.tzinfo = dt.UTC, **changes: Any) -> Gauges:
    meter = Meter(ledger=cast("Ledger", ledger), clock=clock, spending=Spending(1_000, Decimal("0.25"), tz))
    return Gauges(**{"meter": meter, "sources": (), "manuals": OneManual(), "clock": clock, **changes})


def value(name: str, **labels: str) -> float | None:
    return telemetry.REGISTRY.get_sample_value(name, labels)


def chat_spent() -> float | None:
    return value("assist_budget_spent_micros", purpose="assist")


async def test_a_scrape_shows_the_days_money(clock: HandClock) -> None:
    await gauges_of(ReadableLedger(known), clock)()
    assert (value("assist_budget_up"), chat_spent()) == (1, 70)
    assert value("assist_budget_reserved_micros", purpose="assist") == 30


async def test_the_day_is_that_of_the_settings_time_zone() -> None:
    evening = HandClock(dt.datetime(2026, 11, 2, 16, 30, tzinfo=dt.UTC))
    ledger = ReadableLedger(known)
    await gauges_of(ledger, evening, tz=ZoneInfo("Asia/Manila"))()
    assert ledger.days == [dt.date(2026, 11, 3)]


async def test_the_ledger_is_read_once_in_five_seconds_however_many_scrape(clock: HandClock) -> None:
    ledger = ReadableLedger(known)
    gauges = gauges_of(ledger, clock)
    await asyncio.gather(*(gauges() for _ in range(20)))
    clock.move(READ_EVERY_SECONDS - 0.1)
    await gauges()
    assert len(ledger.days) == 1
    clock.move(0.2)
    await gauges()
    assert len(ledger.days) == 2


async def test_a_ledger_that_fails_leaves_nothing_to_see_but_that_and_is_not_asked_more_often(clock: HandClock) -> None:
    ledger = ReadableLedger(known)
    gauges = gauges_of(ledger, clock)
    await gauges()
    ledger.answer = broken
    clock.move(READ_EVERY_SECONDS)
    await gauges()
    await gauges()
    assert (value("assist_budget_up"), chat_spent(), len(ledger.days)) == (0, None, 2)
    ledger.answer = known
    clock.move(READ_EVERY_SECONDS)
    await gauges()
    assert (value("assist_budget_up"), chat_spent()) == (1, 70)


@pytest.mark.parametrize("hangs", [hanging, hanging_even_when_cancelled])
async def test_a_ledger_that_hangs_holds_up_no_scrape(
    hangs: Callable[[], Awaitable[tuple[PurposeMoney, ...]]], clock: HandClock
) -> None:
    ledger = ReadableLedger(hangs)
    gauges = gauges_of(ledger, clock)
    async with asyncio.timeout(module.READ_SECONDS + 1):
        await gauges()
    assert (value("assist_budget_up"), chat_spent()) == (0, None)
    async with asyncio.timeout(module.READ_SECONDS + 1):
        await gauges()
    assert len(ledger.days) == 1


async def test_a_scrape_that_is_given_up_ends_the_reading_of_nobody_else(clock: HandClock) -> None:
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slow() -> tuple[PurposeMoney, ...]:
        begun.set()
        await may_end.wait()
        return await known()

    gauges = gauges_of(ReadableLedger(slow), clock)
    given_up, patient = asyncio.create_task(gauges()), asyncio.create_task(gauges())
    await begun.wait()
    given_up.cancel()
    await asyncio.sleep(0)
    may_end.set()
    await patient
    assert chat_spent() == 70


async def test_breakers_and_the_manual_are_as_they_are_now(clock: HandClock) -> None:
    source = Source(ScriptedModel(says("So."), model=MODEL), Price(input=1, cached_input=1, cache_write=1, output=1))
    manuals = OneManual()
    telemetry.declare(models=(MODEL,), purposes=(), cap_micros=1, share_micros=0)
    gauges = gauges_of(ReadableLedger(known), clock, sources=(source,), manuals=manuals)

    async def shown() -> tuple[float | None, float | None]:
        await gauges()
        return value("assist_breaker_state", model=MODEL), value("assist_publication_live")

    assert await shown() == (0, 1)
    for _ in range(3):
        source.failed(DOWN, clock.monotonic(), began=clock.monotonic())
    manuals.is_there = False
    assert await shown() == (2, 0)
    clock.move(30)  # nothing happens but time
    assert await shown() == (1, 0)
