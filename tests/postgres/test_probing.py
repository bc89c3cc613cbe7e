"""Who finds out whether a model that was down is back: one request at a time, and only one that tells something."""

import asyncio

import asyncpg
import pytest

from assist_service.domain.breaker import COOLDOWN_SECONDS, FAILURES, State
from assist_service.domain.errors import Code
from tests.fakes.models import says
from tests.postgres.blocking import until_blocked
from tests.postgres.money import refuse_unbalanced_books
from tests.postgres.two_models import MALFORMED, OVERLOADED, RETIRED, TOO_LONG, Questions, models, request

IN_FLIGHT = 12


async def down(questions: Questions) -> None:
    """Lets the first model fail until it is let be, and then waits until it may be tried."""
    for _ in range(FAILURES):
        assert await questions.answered() == "So."
    assert questions.first_is() is State.OPEN
    questions.clock.move(COOLDOWN_SECONDS)


async def test_requests_that_were_on_their_way_do_not_keep_it_away_longer(pool: asyncpg.Pool) -> None:
    first, second = models([*[OVERLOADED] * IN_FLIGHT, says("Back.")])
    questions = Questions(pool, first, second)
    first.hold()
    asked = [asyncio.create_task(questions.answered()) for _ in range(IN_FLIGHT)]
    await first.asked(IN_FLIGHT)
    questions.clock.move(1)
    first.let_go()
    assert await asyncio.gather(*asked) == ["So."] * IN_FLIGHT

    questions.clock.move(COOLDOWN_SECONDS)

    assert questions.first_is() is State.HALF_OPEN
    assert await questions.answered() == "Back."
    assert questions.first_is() is State.CLOSED


async def test_an_answer_that_was_on_its_way_does_not_bring_it_back(pool: asyncpg.Pool) -> None:
    first, second = models([*[OVERLOADED] * FAILURES, says("Late."), says("Back.")])
    questions = Questions(pool, first, second)
    first.hold()
    asked = [asyncio.create_task(questions.answered()) for _ in range(FAILURES + 1)]
    await first.asked(FAILURES + 1)
    questions.clock.move(1)
    first.let_go()
    assert sorted(await asyncio.gather(*asked)) == ["Late.", *["So."] * FAILURES]

    assert questions.first_is() is State.OPEN
    assert await questions.answered() == "So."


async def test_a_refusal_by_the_share_leaves_the_try_to_the_next_question(pool: asyncpg.Pool) -> None:
    first, second = models([*[OVERLOADED] * FAILURES, says("Back.")])
    questions = Questions(pool, first, second)
    await down(questions)
    await pool.execute("UPDATE llm_days SET chat_spent_micros = chat_spent_micros + 1000000")

    assert await questions.refused() is Code.LLM_BUDGET_EXHAUSTED

    assert questions.first_is() is State.HALF_OPEN
    await pool.execute("UPDATE llm_days SET chat_spent_micros = chat_spent_micros - 1000000")
    assert await questions.answered() == "Back."
    await refuse_unbalanced_books(pool)


async def test_a_question_stopped_before_it_was_sent_leaves_the_try_to_the_next(
    pool: asyncpg.Pool, database_url: str
) -> None:
    first, second = models([*[OVERLOADED] * FAILURES, says("Back.")])
    questions = Questions(pool, first, second)
    await down(questions)
    other = await asyncpg.connect(database_url)
    try:
        async with other.transaction():
            await other.execute("SELECT * FROM llm_days FOR UPDATE")
            asking = asyncio.create_task(questions.answered())
            await until_blocked(pool)
            assert questions.first_is() is State.OPEN, "one is let through at a time"
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
    finally:
        await other.close()
    assert questions.first_is() is State.HALF_OPEN
    assert await questions.answered() == "Back."


async def test_the_try_of_a_question_that_was_stopped_ends_by_itself_and_tells(pool: asyncpg.Pool) -> None:
    first, second = models([*[OVERLOADED] * FAILURES, says("Nobody hears this."), says("Back.")])
    questions = Questions(pool, first, second)
    await down(questions)
    first.hold()
    asking = asyncio.create_task(questions.answered())
    await first.asked(FAILURES + 1)
    assert questions.first_is() is State.OPEN

    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking

    assert questions.first_is() is State.OPEN
    first.let_go()
    async with asyncio.timeout(5):
        while questions.first_is() is not State.CLOSED:  # noqa: ASYNC110 a breaker tells nobody
            await asyncio.sleep(0.01)
    assert await questions.answered() == "Back."


async def test_a_stopped_try_does_not_shorten_the_pause_of_one_that_failed_meanwhile(pool: asyncpg.Pool) -> None:
    """Where the second is down too the first is asked all the same, and may fail while the try waits for its money."""
    first, second = models(OVERLOADED, RETIRED)
    questions = Questions(pool, first, second)
    for _ in range(FAILURES):
        await questions.refused()
    now = questions.clock.monotonic()
    questions.clock.move((questions.sources[0].breaker.open_until or 0) - now)
    source = questions.sources[0]
    line = questions.line()
    async with pool.acquire() as other, other.transaction():
        await other.execute("SELECT * FROM llm_days FOR UPDATE")
        trying = asyncio.create_task(line.send(request()))
        await until_blocked(pool)
        questions.clock.move(1)
        sent = questions.clock.monotonic()
        source.failed(OVERLOADED, sent, began=sent)
        trying.cancel()
        with pytest.raises(asyncio.CancelledError):
            await trying
    assert questions.first_is() is State.OPEN


async def test_a_request_that_is_refused_for_what_it_is_shows_that_the_model_is_back(pool: asyncpg.Pool) -> None:
    first, second = models([*[OVERLOADED] * FAILURES, TOO_LONG, OVERLOADED, says("Back.")])
    questions = Questions(pool, first, second)
    await down(questions)

    assert await questions.refused() is Code.LLM_UNAVAILABLE

    assert questions.first_is() is State.CLOSED
    assert await questions.answered() == "So."
    assert questions.first_is() is State.CLOSED, "a row of failures begins anew"
    assert await questions.answered() == "Back."


async def test_a_model_whose_answers_are_none_is_let_be_as_well(pool: asyncpg.Pool) -> None:
    first, second = models(MALFORMED)
    questions = Questions(pool, first, second)
    for _ in range(FAILURES + 2):
        assert await questions.answered() == "So."
    assert len(first.requests) == FAILURES
