"""Every provider request is reserved before it is made and settled after, however it ends."""

import asyncio
import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import asyncpg
import pytest

from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.errors import Code
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    Message,
    ModelReply,
    ModelRequest,
    ProviderFault,
    ProviderFaultKind,
    ToolResults,
    UserText,
)
from assist_service.ports import Exhausted, Reservation
from tests.fakes.clocks import START, HandClock
from tests.fakes.models import USAGE, ScriptedModel, says
from tests.postgres.money import DAY, Day, calls_of, day_of, refuse_unbalanced_books
from tests.postgres.one_model import (
    COST,
    LOST,
    OVERLOADED,
    QUESTION,
    WORST,
    HangingModel,
    line_on,
    refused,
    request,
    settled,
)

BAD_REQUEST = ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="bad_request")
UNKNOWN_MODEL = ProviderFault(ProviderFaultKind.CLOSED, billed=False, reason="unknown_model")
MALFORMED = ProviderFault(ProviderFaultKind.CLOSED, billed=True, reason="malformed")


def asking_to_wait(seconds: float) -> ProviderFault:
    return ProviderFault(ProviderFaultKind.TRANSIENT, billed=False, reason="rate_limited", retry_after_seconds=seconds)


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


@pytest.mark.parametrize(
    ("fault", "cost"),
    [(BAD_REQUEST, 0), (UNKNOWN_MODEL, 0), (MALFORMED, WORST)],
    ids=["the request's", "unbilled", "billed"],
)
async def test_a_fault_that_another_try_would_meet_again_gets_none(
    pool: asyncpg.Pool, fault: ProviderFault, cost: int
) -> None:
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


@pytest.mark.parametrize("seconds", [0.0, 0.1])
async def test_a_provider_that_asks_for_less_than_the_pause_is_given_the_pause(
    pool: asyncpg.Pool, seconds: float
) -> None:
    clock, hurries = HandClock(), asking_to_wait(seconds)
    await line_on(pool, ScriptedModel(hurries, hurries, says("Late.")), clock=clock).send(request())
    assert clock.now() == START + dt.timedelta(seconds=0.5 + 2.0)


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


async def test_a_question_stopped_in_mid_call_settles_at_its_true_cost(pool: asyncpg.Pool) -> None:
    model = ScriptedModel(says("To nobody."))
    model.hold()
    line = line_on(pool, model)
    sending = asyncio.create_task(line.send(request()))
    await model.asked(1)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert await day_of(pool) == Day(reserved=WORST, chat_reserved=WORST)
    model.let_go()
    await line.meter.close()
    assert settled(await calls_of(pool)) == [("ok", COST)]
    assert await day_of(pool) == Day(spent=COST, chat_spent=COST)


@pytest.mark.slow  # for as long as closing waits
async def test_a_stopped_call_that_never_ends_settles_at_the_worst_case_when_the_service_closes(
    pool: asyncpg.Pool,
) -> None:
    model = HangingModel()
    line = line_on(pool, model)
    sending = asyncio.create_task(line.send(request()))
    await model.asked.wait()
    assert await day_of(pool) == Day(reserved=WORST, chat_reserved=WORST)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    await line.meter.close()
    assert settled(await calls_of(pool)) == [("abandoned", WORST)]
    assert await day_of(pool) == Day(spent=WORST, chat_spent=WORST)


async def test_a_fault_nobody_foresaw_settles_at_the_worst_case_and_is_raised(pool: asyncpg.Pool) -> None:
    def breaks(_: ModelRequest) -> ModelReply:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await line_on(pool, ScriptedModel(breaks)).send(request())
    assert settled(await calls_of(pool)) == [("abandoned", WORST)]


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
