"""Every provider request is reserved before it is made and settled after, however it ends."""

import asyncio
import datetime as dt
import uuid
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import asyncpg
import pytest

from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.budget import (
    COUNTED_OVERHEAD_TOKENS,
    cost_micros,
    input_token_bound,
    size_bytes,
    worst_case_micros,
)
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    Message,
    ModelReply,
    ModelRequest,
    ProviderFault,
    ProviderFaultKind,
    ToolResult,
    ToolResults,
    Usage,
    UserText,
)
from assist_service.ports import Exhausted, ModelProvider, Reservation
from assist_service.services.gateway import Gateway
from assist_service.services.line import Line
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from tests.fakes.clocks import START, HandClock
from tests.fakes.models import USAGE, ScriptedModel, calls, says
from tests.postgres.blocking import until_blocked
from tests.postgres.money import (
    DAY,
    PRICE,
    Day,
    calls_of,
    day_of,
    refuse_unbalanced_books,
    reserve,
    settle,
    worst_micros_of,
)

COST = cost_micros(PRICE, USAGE)

QUESTION = UserText("How do I create a pool?")

OVERLOADED = ProviderFault(ProviderFaultKind.TRANSIENT, billed=False, reason="overloaded")
LOST = ProviderFault(ProviderFaultKind.TRANSIENT, billed=True, reason="timeout")
UNKNOWN_MODEL = ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="status_404")
MALFORMED = ProviderFault(ProviderFaultKind.PERMANENT, billed=True, reason="malformed")


def asking_to_wait(seconds: float) -> ProviderFault:
    return ProviderFault(ProviderFaultKind.TRANSIENT, billed=False, reason="rate_limited", retry_after_seconds=seconds)


def request(*messages: Message, prefix: str = "Rules.") -> ModelRequest:
    return ModelRequest(prefix, "Screen.", (), messages or (QUESTION,), may_call=True, max_tokens=100)


WORST = worst_micros_of(request())


class HangingModel:
    """Implements ports.ModelProvider: takes the question and never answers."""

    model = "stub"

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def close(self) -> None:
        """Holds nothing open."""


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


def line_on(
    pool: asyncpg.Pool,
    provider: ModelProvider,
    *,
    clock: HandClock | None = None,
    share_micros: int = 1_000_000,
    seconds: float = 90.0,
    max_requests: int = 6,
    tz: dt.tzinfo = dt.UTC,
    ledger: PostgresLedger | None = None,
) -> Line:
    """A line of a question that has `seconds`, under a cap of which the chat has `share_micros`."""
    clock = clock or HandClock()
    spending = Spending(4 * share_micros, Decimal("0.25"), tz)
    gateway = Gateway(
        sources=(Source(provider, PRICE),),
        meter=Meter(ledger=ledger or PostgresLedger(pool), clock=clock, spending=spending),
        clock=clock,
    )
    return gateway.converse(
        person="ada",
        question_id=uuid.uuid4(),
        deadline=clock.monotonic() + seconds,
        max_requests=max_requests,
    )


async def refused(line: Line, *messages: Message) -> Code:
    """The code of the refusal that sending must end in."""
    with pytest.raises(AssistError) as caught:
        await line.send(request(*messages))
    return caught.value.code


def settled(rows: list[asyncpg.Record]) -> list[tuple[Any, ...]]:
    return [(row["outcome"], row["cost_micros"]) for row in rows]


async def test_a_reply_settles_at_what_the_provider_counted(pool: asyncpg.Pool) -> None:
    line = line_on(pool, ScriptedModel(says("Like this.")))
    await line.send(request())
    [row] = await calls_of(pool)
    assert (row["worst_micros"], row["cost_micros"], row["outcome"]) == (WORST, COST, "ok")
    assert row["lease_until"] == START + dt.timedelta(seconds=90 + 30)
    assert [(spent.usage, spent.cost_micros) for spent in line.spent] == [(USAGE, COST)]
    assert await day_of(pool) == Day(spent=COST, chat_spent=COST)


async def test_a_reply_without_usage_settles_at_the_worst_case(pool: asyncpg.Pool) -> None:
    line = line_on(pool, ScriptedModel(says("Like this.", usage=None)))
    await line.send(request())
    assert settled(await calls_of(pool)) == [("ok", WORST)]
    assert [spent.cost_micros for spent in line.spent] == [WORST]
    await refuse_unbalanced_books(pool)


@pytest.mark.parametrize(
    "usage",
    [Usage(10**6, 0, 0, 20), Usage(1, 0, 0, 10**6), Usage(0, 0, 0, 20), Usage(100, 0, 0, 0), Usage(0, 0, 0, 0)],
    ids=["too much read", "too much written", "nothing read", "nothing written", "nothing"],
)
async def test_counts_that_cannot_be_are_charged_at_the_worst_case(pool: asyncpg.Pool, usage: Usage) -> None:
    line = line_on(pool, ScriptedModel(says("Like this.", usage=usage)))
    await line.send(request())
    await line.send(request())
    rows = await calls_of(pool)
    assert settled(rows) == [("ok", WORST)] * 2
    assert [row["input_tokens"] for row in rows] == [None, None]
    assert [spent.usage for spent in line.spent] == [None, None]
    await refuse_unbalanced_books(pool)


async def test_counts_that_come_to_the_very_worst_case_are_believed(pool: asyncpg.Pool) -> None:
    usage = Usage(0, 0, input_token_bound(size_bytes(request()), None), 100)
    line = line_on(pool, ScriptedModel(says("Like this.", usage=usage)))
    await line.send(request())
    [row] = await calls_of(pool)
    assert (row["cost_micros"], row["cache_write_tokens"]) == (WORST, usage.cache_write_tokens)


async def test_each_try_is_reserved_anew_and_a_lost_answer_costs_its_worst_case(pool: asyncpg.Pool) -> None:
    clock = HandClock()
    line = line_on(pool, ScriptedModel(OVERLOADED, LOST, says("Like this.")), clock=clock)
    assert (await line.send(request())).text == "Like this."
    rows = await calls_of(pool)
    assert settled(rows) == [("overloaded", 0), ("timeout", WORST), ("ok", COST)]
    assert [row["worst_micros"] for row in rows] == [WORST] * 3
    assert [row["reserved_at"] - START for row in rows] == [dt.timedelta(seconds=s) for s in (0, 0.5, 2.5)]
    assert len({row["question_id"] for row in rows}) == 1
    await refuse_unbalanced_books(pool)


async def test_there_are_three_tries_and_no_more(pool: asyncpg.Pool) -> None:
    model = ScriptedModel(OVERLOADED)
    assert await refused(line_on(pool, model)) is Code.LLM_UNAVAILABLE
    assert len(model.requests) == len(await calls_of(pool)) == 3
    assert await day_of(pool) == Day()


async def test_a_question_has_so_many_tries_in_all_and_the_last_may_not_call_a_tool(pool: asyncpg.Pool) -> None:
    model = ScriptedModel(OVERLOADED, says("One."), LOST, says("Two."), says("Never."))
    line = line_on(pool, model, max_requests=4)
    await line.send(request())
    await line.send(request())
    assert await refused(line) is Code.LLM_UNAVAILABLE
    assert [sent.may_call for sent in model.requests] == [True, True, True, False]
    assert len(await calls_of(pool)) == 4


async def test_a_try_that_no_longer_fits_is_not_made(pool: asyncpg.Pool) -> None:
    model = ScriptedModel(LOST)
    assert await refused(line_on(pool, model, share_micros=2 * WORST - 1)) is Code.LLM_BUDGET_EXHAUSTED
    assert len(model.requests) == 1
    assert settled(await calls_of(pool)) == [("timeout", WORST)]


@pytest.mark.parametrize(("fault", "cost"), [(UNKNOWN_MODEL, 0), (MALFORMED, WORST)], ids=["unbilled", "billed"])
async def test_a_permanent_fault_is_not_tried_again(pool: asyncpg.Pool, fault: ProviderFault, cost: int) -> None:
    model, clock = ScriptedModel(fault), HandClock()
    assert await refused(line_on(pool, model, clock=clock)) is Code.LLM_UNAVAILABLE
    assert len(model.requests) == 1
    assert clock.now() == START
    assert settled(await calls_of(pool)) == [(fault.reason, cost)]
    await refuse_unbalanced_books(pool)


@pytest.mark.parametrize("seconds", [90.0, 3600.0])
async def test_a_wait_that_would_reach_the_deadline_is_not_begun(pool: asyncpg.Pool, seconds: float) -> None:
    model, clock = ScriptedModel(asking_to_wait(seconds)), HandClock()
    assert await refused(line_on(pool, model, clock=clock)) is Code.LLM_UNAVAILABLE
    assert len(model.requests) == 1
    assert clock.now() == START
    assert await day_of(pool) == Day()


async def test_the_provider_is_waited_for_as_long_as_it_asks_within_the_deadline(pool: asyncpg.Pool) -> None:
    clock = HandClock()
    await line_on(pool, ScriptedModel(asking_to_wait(80.0), says("Late.")), clock=clock).send(request())
    assert clock.now() == START + dt.timedelta(seconds=80)


async def test_nothing_starts_after_the_deadline(pool: asyncpg.Pool) -> None:
    model, clock = ScriptedModel(says("Too late.")), HandClock()
    line = line_on(pool, model, clock=clock)
    clock.move(90)
    assert await refused(line) is Code.LLM_UNAVAILABLE
    assert model.requests == []
    assert await calls_of(pool) == []


class SlowLedger(PostgresLedger):
    """Takes its time over a reservation."""

    def __init__(self, pool: asyncpg.Pool, clock: HandClock) -> None:
        super().__init__(pool)
        self._clock = clock

    async def reserve(self, *args: Any, **kwargs: Any) -> Reservation | Exhausted:
        reserved = await super().reserve(*args, **kwargs)
        self._clock.move(90)
        return reserved


async def test_a_request_reserved_too_late_to_be_sent_costs_nothing(pool: asyncpg.Pool) -> None:
    model, clock = ScriptedModel(says("Too late.")), HandClock()
    line = line_on(pool, model, clock=clock, ledger=SlowLedger(pool, clock))
    assert await refused(line) is Code.LLM_UNAVAILABLE
    assert model.requests == []
    assert settled(await calls_of(pool)) == [("not_sent", 0)]
    assert await day_of(pool) == Day()


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


async def test_a_second_request_is_bound_by_what_was_counted_for_the_first(pool: asyncpg.Pool) -> None:
    """A token is rarely a single byte: bytes alone would reserve several times what such a request can cost."""
    prefix = "The rules and the index of the manual. " * 200
    asks = calls(("read_guide", {"page": "teacher/pools"}), usage=Usage(1_800, 0, 0, 30))
    turn = AssistantTurn(asks.native, asks.text, asks.calls)
    results = ToolResults((ToolResult(asks.calls[0].id, "A pool holds questions. " * 20),))
    first, second = request(prefix=prefix), request(QUESTION, turn, results, prefix=prefix)
    line = line_on(pool, ScriptedModel(asks, says("So.", usage=Usage(1_950, 0, 0, 100))))
    await line.send(first)
    await line.send(second)

    rows = sorted(await calls_of(pool), key=lambda row: row["input_tokens"])
    added = size_bytes(second) - size_bytes(first)
    assert rows[1]["worst_micros"] == worst_case_micros(
        PRICE, input_token_bound=1_800 + added + COUNTED_OVERHEAD_TOKENS, max_tokens=100
    )
    assert rows[1]["cost_micros"] <= rows[1]["worst_micros"] < worst_micros_of(second) / 2
    assert rows[0]["worst_micros"] > rows[1]["worst_micros"]


async def test_a_request_without_a_count_leaves_the_last_count_standing(pool: asyncpg.Pool) -> None:
    prefix = "The rules and the index of the manual. " * 200
    line = line_on(pool, ScriptedModel(says("One."), says("Two.", usage=None), LOST, says("Four.")))
    for _ in range(3):
        await line.send(request(prefix=prefix))
    by_bytes, *counted = sorted((row["worst_micros"] for row in await calls_of(pool)), reverse=True)
    assert len(counted) == 3
    assert len(set(counted)) == 1
    assert counted[0] < by_bytes


async def test_a_request_whose_day_ends_is_charged_to_the_day_it_began_in(pool: asyncpg.Pool) -> None:
    manila = ZoneInfo("Asia/Manila")
    clock = HandClock(dt.datetime(2026, 11, 2, 15, 59, 59, tzinfo=dt.UTC))

    def takes_two_seconds(_: ModelRequest) -> ModelReply:
        clock.move(2)
        return says("Past midnight there.")

    line = line_on(pool, ScriptedModel(takes_two_seconds), clock=clock, tz=manila)
    await line.send(request())
    assert await day_of(pool, DAY) == Day(spent=COST, chat_spent=COST)
    await line.send(request())
    assert await day_of(pool, DAY + dt.timedelta(days=1)) == Day(spent=COST, chat_spent=COST)


async def test_a_question_stopped_in_mid_call_settles_at_the_worst_case(pool: asyncpg.Pool) -> None:
    model = HangingModel()
    line = line_on(pool, model)
    sending = asyncio.create_task(line.send(request()))
    await model.asked.wait()
    assert await day_of(pool) == Day(reserved=WORST, chat_reserved=WORST)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert settled(await calls_of(pool)) == [("abandoned", WORST)]
    assert await day_of(pool) == Day(spent=WORST, chat_spent=WORST)


async def test_a_fault_nobody_foresaw_settles_at_the_worst_case_and_is_raised(pool: asyncpg.Pool) -> None:
    def breaks(_: ModelRequest) -> ModelReply:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await line_on(pool, ScriptedModel(breaks)).send(request())
    assert settled(await calls_of(pool)) == [("abandoned", WORST)]


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


@pytest.mark.parametrize(
    "messages",
    [
        (AssistantText("Me first."),),
        (QUESTION, QUESTION),
        (UserText("  "),),
        (QUESTION, AssistantTurn((), "", ()), ToolResults(())),
        (QUESTION, AssistantText("Done.")),
    ],
    ids=["assistant first", "twice the person", "empty", "a turn without calls", "nothing asked"],
)
async def test_a_malformed_history_is_refused_before_anything_is_reserved(messages: tuple[Message, ...]) -> None:
    model = ScriptedModel(says("Never."))

    class Untouched:
        """A pool that must not be asked for anything."""

    line = line_on(Untouched(), model)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="malformed history"):
        await line.send(request(*messages))
    assert model.requests == []
