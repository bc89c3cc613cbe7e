"""At the start of a question another model stands in for one that is down; later nobody does."""

import datetime as dt
import uuid
from decimal import Decimal

import asyncpg
import pytest

from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.breaker import COOLDOWN_SECONDS, FAILURES
from assist_service.domain.budget import (
    COUNTED_OVERHEAD_TOKENS,
    Price,
    cost_micros,
    size_bytes,
    stable_bytes,
    worst_case_micros,
)
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import (
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
from assist_service.services.gateway import Gateway
from assist_service.services.line import Line
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from tests.fakes.clocks import START, HandClock
from tests.fakes.models import USAGE, ScriptedModel, calls, says
from tests.postgres.money import PRICE, calls_of, refuse_unbalanced_books, worst_micros_of

DEARER = Price(input=4_000_000, cached_input=400_000, cache_write=5_000_000, output=20_000_000)

OVERLOADED = ProviderFault(ProviderFaultKind.TRANSIENT, billed=False, reason="overloaded")
RETIRED = ProviderFault(ProviderFaultKind.CLOSED, billed=False, reason="unknown_model")
TOO_LONG = ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="context_exceeded")


def request(*messages: Message, prefix: str = "Rules.") -> ModelRequest:
    return ModelRequest(
        prefix, "Screen.", (), messages or (UserText("How do I create a pool?"),), may_call=True, max_tokens=100
    )


class HangingModel:
    """Implements ports.ModelProvider: takes all the time it is given, and then has nothing."""

    model = "first"

    def __init__(self, clock: HandClock) -> None:
        self._clock = clock

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        self._clock.move(timeout_seconds)
        raise ProviderFault(ProviderFaultKind.TRANSIENT, billed=True, reason="timeout")

    async def close(self) -> None:
        """Holds nothing open."""


class Questions:
    """Questions of a gateway with two models."""

    def __init__(self, pool: asyncpg.Pool, first: ScriptedModel | HangingModel, second: ScriptedModel) -> None:
        self.clock = HandClock()
        if isinstance(first, HangingModel):
            self.clock = first._clock
        spending = Spending(4_000_000, Decimal("0.25"), dt.UTC)
        self._gateway = Gateway(
            sources=(Source(first, PRICE), Source(second, DEARER)),
            meter=Meter(ledger=PostgresLedger(pool), clock=self.clock, spending=spending),
            clock=self.clock,
        )

    def line(self, *, max_requests: int = 6) -> Line:
        return self._gateway.converse(
            person="ada",
            question_id=uuid.uuid4(),
            deadline=self.clock.monotonic() + 90,
            max_requests=max_requests,
        )

    async def refused(self) -> Code:
        with pytest.raises(AssistError) as refusal:
            await self.line().send(request())
        return refusal.value.code


def models(first: object, second: object = None) -> tuple[ScriptedModel, ScriptedModel]:
    said = [step if isinstance(step, list) else [step] for step in (first, second or says("So."))]
    return ScriptedModel(*said[0], model="first"), ScriptedModel(*said[1], model="second")


async def outcomes(pool: asyncpg.Pool) -> list[tuple[str, str]]:
    return sorted((row["model"], row["outcome"]) for row in await calls_of(pool))


@pytest.mark.parametrize("fault", [OVERLOADED, RETIRED], ids=["overloaded", "retired"])
async def test_another_model_stands_in_for_one_that_is_down(pool: asyncpg.Pool, fault: ProviderFault) -> None:
    first, second = models(fault)
    questions = Questions(pool, first, second)
    line = questions.line()

    reply = await line.send(request())

    assert reply.text == "So."
    assert (len(first.requests), len(second.requests)) == (1, 1)
    assert questions.clock.now() == START, "nobody waits while somebody else can answer"
    assert [(spent.model, spent.cost_micros) for spent in line.spent] == [
        ("first", 0),
        ("second", cost_micros(DEARER, USAGE)),
    ]
    assert await outcomes(pool) == [("first", fault.reason), ("second", "ok")]
    await refuse_unbalanced_books(pool)


async def test_each_model_is_reserved_at_its_own_price(pool: asyncpg.Pool) -> None:
    first, second = models(OVERLOADED)
    await Questions(pool, first, second).line().send(request())
    worst = {row["model"]: row["worst_micros"] for row in await calls_of(pool)}
    assert worst == {"first": worst_micros_of(request()), "second": 2 * worst_micros_of(request())}


async def test_a_question_stays_with_the_model_that_answered_first(pool: asyncpg.Pool) -> None:
    asks = calls(("read_guide", {"page": "teacher/pools"}))
    first, second = models([asks, OVERLOADED])
    line = Questions(pool, first, second).line()
    await line.send(request())
    results = ToolResults((ToolResult(asks.calls[0].id, "A pool holds questions."),))
    turn = AssistantTurn(asks.native, asks.text, asks.calls)

    with pytest.raises(AssistError) as refusal:
        await line.send(request(UserText("How do I create a pool?"), turn, results))

    assert refusal.value.code is Code.LLM_UNAVAILABLE
    assert (len(first.requests), len(second.requests)) == (4, 0)
    await refuse_unbalanced_books(pool)


async def test_what_no_model_could_answer_is_asked_of_no_other(pool: asyncpg.Pool) -> None:
    first, second = models([*[TOO_LONG] * FAILURES, says("Shorter.")])
    questions = Questions(pool, first, second)
    for number in range(1, FAILURES + 1):
        assert await questions.refused() is Code.LLM_UNAVAILABLE
        assert (len(first.requests), len(second.requests)) == (number, 0)
    assert (await questions.line().send(request())).text == "Shorter.", "it was the request's fault, not the model's"


async def test_where_both_are_down_the_tries_are_bounded_and_take_turns(pool: asyncpg.Pool) -> None:
    first, second = models(OVERLOADED, OVERLOADED)
    questions = Questions(pool, first, second)
    assert await questions.refused() is Code.LLM_UNAVAILABLE
    assert (len(first.requests), len(second.requests)) == (3, 3)
    await refuse_unbalanced_books(pool)


async def test_a_model_that_hangs_leaves_time_for_the_one_that_stands_in(pool: asyncpg.Pool) -> None:
    clock = HandClock()
    second = ScriptedModel(says("So."), model="second")
    reply = await Questions(pool, HangingModel(clock), second).line().send(request())
    assert reply.text == "So."
    assert (clock.now() - START).total_seconds() == 45
    await refuse_unbalanced_books(pool)


async def test_a_model_that_was_down_is_let_be_until_one_question_has_tried_it_again(pool: asyncpg.Pool) -> None:
    first, second = models([*[OVERLOADED] * FAILURES, says("Back."), says("Back.")])
    questions = Questions(pool, first, second)
    for _ in range(FAILURES + 2):
        assert (await questions.line().send(request())).text == "So."
    assert len(first.requests) == FAILURES

    questions.clock.move(COOLDOWN_SECONDS)

    assert (await questions.line().send(request())).text == "Back."
    assert (await questions.line().send(request())).text == "Back."
    assert len(first.requests) == FAILURES + 2


async def test_a_question_is_never_left_without_a_try(pool: asyncpg.Pool) -> None:
    first, second = models([*[RETIRED] * FAILURES, says("Back.")], RETIRED)
    questions = Questions(pool, first, second)
    for _ in range(FAILURES):
        assert await questions.refused() is Code.LLM_UNAVAILABLE
    assert (await questions.line().send(request())).text == "Back."


async def test_the_next_question_is_bound_by_what_was_counted_for_the_same_beginning(pool: asyncpg.Pool) -> None:
    prefix = "The rules and the index of the manual. " * 200
    first, second = models([says("So.", usage=Usage(1_900, 0, 0, 30)), says("So.", usage=Usage(1_850, 0, 0, 30))])
    questions = Questions(pool, first, second)
    for _ in range(3):
        await questions.line().send(request(prefix=prefix))
    other = request(prefix=prefix + "!")
    await questions.line().send(other)

    added = size_bytes(other) - stable_bytes(other)
    bounds = [counted + added + COUNTED_OVERHEAD_TOKENS for counted in (1_900, 1_850)]
    worst = sorted(row["worst_micros"] for row in await calls_of(pool))
    assert worst == sorted(
        [
            worst_micros_of(request(prefix=prefix)),
            *(worst_case_micros(PRICE, input_token_bound=bound, max_tokens=100) for bound in bounds),
            worst_micros_of(other),
        ]
    )
