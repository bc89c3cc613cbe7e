"""At the start of a question another model stands in for one that is down; later nobody does."""

import asyncpg
import pytest

from assist_service.domain.breaker import COOLDOWN_SECONDS, FAILURES
from assist_service.domain.budget import (
    COUNTED_OVERHEAD_TOKENS,
    cost_micros,
    size_bytes,
    stable_bytes,
    worst_case_micros,
)
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import (
    AssistantTurn,
    ProviderFault,
    ToolResult,
    ToolResults,
    Usage,
    UserText,
)
from tests.fakes.clocks import START, HandClock
from tests.fakes.models import USAGE, ScriptedModel, calls, says
from tests.postgres.money import PRICE, calls_of, refuse_unbalanced_books, worst_micros_of
from tests.postgres.two_models import (
    DEARER,
    OVERLOADED,
    RETIRED,
    TOO_LONG,
    HangingModel,
    Questions,
    models,
    request,
)


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


@pytest.mark.parametrize(("seconds", "waited"), [(90, 30), (40, 20)], ids=["patience", "half of what is left"])
async def test_a_model_that_hangs_leaves_time_for_the_one_that_stands_in(
    pool: asyncpg.Pool, seconds: float, waited: float
) -> None:
    first, second = HangingModel(HandClock()), ScriptedModel(says("So."), model="second")
    reply = await Questions(pool, first, second).line(seconds=seconds).send(request())
    assert reply.text == "So."
    assert first.given == [waited]
    assert (first.clock.now() - START).total_seconds() == waited
    await refuse_unbalanced_books(pool)


async def test_who_nobody_can_stand_in_for_gets_all_the_time_there_is(pool: asyncpg.Pool) -> None:
    alone = HangingModel(HandClock())
    assert await Questions(pool, alone).refused() is Code.LLM_UNAVAILABLE
    assert alone.given == [90]
    first, second = ScriptedModel(RETIRED, model="first"), HangingModel(HandClock(), model="second")
    assert await Questions(pool, first, second).refused() is Code.LLM_UNAVAILABLE
    assert second.given == [90], "the first will not be asked again"


async def test_two_that_hang_leave_time_to_each_other(pool: asyncpg.Pool) -> None:
    clock = HandClock()
    first, second = HangingModel(clock), HangingModel(clock, model="second")
    assert await Questions(pool, first, second).refused() is Code.LLM_UNAVAILABLE
    assert (first.given[:2], second.given[:2]) == ([30, 15], [30, 7.5])


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
