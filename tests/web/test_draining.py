"""A day's money drained from both sides over HTTP, exact to the micro-unit: the chat first, completions to the cap."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from decimal import Decimal

import asyncpg
import pytest

from assist_service.domain.budget import MICROS_PER_USD
from assist_service.domain.messages import ModelReply, ModelRequest, Usage
from tests.fakes.house import House, running_house
from tests.fakes.models import ScriptedModel, says

pytestmark = pytest.mark.slow

QUESTION_MICROS = 100 * 2 + 1_000 * 10
COMPLETION_MICROS = 100 * 2 + 30_000 * 10
"""What each costs at the stub's price: 2 micro-units a token of input, 10 one of output."""

RULED = {"limits": {"questions_per_minute": 1000, "questions_per_day": None}}


def _said(request: ModelRequest) -> ModelReply:
    if request.output_schema is not None:
        return says('{"points": 1, "comment": ""}', usage=Usage(100, 0, 0, 30_000))
    return says("From memory.", usage=Usage(100, 0, 0, 1_000))


@dataclass(frozen=True)
class Worst:
    """What a request reserves: the first of its kind in a process, and one after the provider counted a first."""

    first: int
    later: int


def _house(database_url: str, cap_micros: int) -> AbstractAsyncContextManager[House]:
    return running_house(
        database_url,
        provider=ScriptedModel(_said),
        policy="teacher-assistant",
        ruled=RULED,
        daily_cap_usd=Decimal(cap_micros) / MICROS_PER_USD,
    )


async def _asked(house: House) -> int:
    return (await house.ask("How?")).status_code


async def _completed(house: House) -> int:
    return (await house.complete(max_tokens=32_000)).status_code


async def _rehearsed(database_url: str, pool: asyncpg.Pool) -> tuple[Worst, Worst]:
    """The worst cases of a question and of a completion, learned with money enough; nothing of it is left."""
    async with _house(database_url, 1000 * MICROS_PER_USD) as house:
        for act in (_asked, _completed):
            assert [await act(house) for _ in range(3)] == [200] * 3
    worst = [[row["worst_micros"] for row in await pool.fetch(_WORST, purpose)] for purpose in ("assist", "grading")]
    await pool.execute("TRUNCATE llm_calls, llm_days")
    assert all(second == third < first for first, second, third in worst)
    return Worst(worst[0][0], worst[0][1]), Worst(worst[1][0], worst[1][1])


_WORST = "SELECT worst_micros FROM llm_calls WHERE purpose = $1 ORDER BY worst_micros DESC"


async def _until_refused(house: House, *, completions: bool) -> int:
    """How many were answered before the first one was refused for its money."""
    for number in range(100):
        answer = await house.complete(max_tokens=32_000) if completions else await house.ask("How?")
        if answer.status_code != 200:
            assert (answer.status_code, answer.json()["code"]) == (429, "llm_budget_exhausted")
            return number
    raise AssertionError("nothing ever refused it")


async def _budget(house: House) -> str:
    ready = await house.service.get("/readyz")
    assert ready.status_code == 200
    return str(ready.json()["checks"]["llm.budget"])


async def _day(pool: asyncpg.Pool) -> tuple[int, int]:
    """What the day and its chat have spent; nothing is reserved any more."""
    row = await pool.fetchrow("SELECT * FROM llm_days")
    assert row is not None
    assert (row["reserved_micros"], row["chat_reserved_micros"]) == (0, 0)
    assert row["spent_micros"] == await pool.fetchval("SELECT sum(cost_micros) FROM llm_calls")
    return row["spent_micros"], row["chat_spent_micros"]


async def _refused_rows(pool: asyncpg.Pool) -> list[tuple[str, int]]:
    rows = await pool.fetch("SELECT purpose, cost_micros FROM llm_calls WHERE outcome = 'cap_refused'")
    return [(row["purpose"], row["cost_micros"]) for row in rows]


@pytest.mark.parametrize("short_micros", [0, 4])
async def test_the_chat_is_refused_at_its_share_and_completions_go_on_to_the_cap(
    database_url: str, pool: asyncpg.Pool, short_micros: int
) -> None:
    question, completion = await _rehearsed(database_url, pool)
    questions = 60
    # A quarter of the cap is what the last question needs; four micro-units less of the cap, and it is one too few.
    cap = 4 * ((questions - 1) * QUESTION_MICROS + question.later) - short_micros
    admitted = questions - bool(short_micros)
    async with _house(database_url, cap) as house:
        assert await _until_refused(house, completions=False) == admitted
        assert await _day(pool) == (admitted * QUESTION_MICROS,) * 2
        assert (await _budget(house), await _refused_rows(pool)) == ("ok", [])
        left = cap - admitted * QUESTION_MICROS
        expected = (left - completion.later) // COMPLETION_MICROS + 1
        assert left >= completion.first
        assert await _until_refused(house, completions=True) == expected
        spent, chat = await _day(pool)
        assert (spent, chat) == (admitted * QUESTION_MICROS + expected * COMPLETION_MICROS, admitted * QUESTION_MICROS)
        assert spent + completion.later > cap >= spent
        assert (await _budget(house), await _refused_rows(pool)) == ("failed", [("grading", 0)])


@pytest.mark.parametrize("short_micros", [0, 1])
async def test_completions_go_on_to_the_last_micro_unit_of_the_cap(
    database_url: str, pool: asyncpg.Pool, short_micros: int
) -> None:
    _, completion = await _rehearsed(database_url, pool)
    cap = 4 * COMPLETION_MICROS + completion.later - short_micros
    async with _house(database_url, cap) as house:
        assert await _until_refused(house, completions=True) == 5 - short_micros
        assert await _budget(house) == "failed"


@pytest.mark.parametrize("short", [False, True])
async def test_the_chat_is_refused_once_the_day_would_leave_less_than_its_share_and_completions_are_served(
    database_url: str, pool: asyncpg.Pool, short: bool
) -> None:
    question, completion = await _rehearsed(database_url, pool)
    wanted = 5 * COMPLETION_MICROS + question.first
    cap = wanted * 4 // 3
    while cap - -(-cap // 4) < wanted:
        cap += 1
    while short and cap - -(-cap // 4) == wanted:
        cap -= 1
    async with _house(database_url, cap) as house:
        assert [await _completed(house) for _ in range(5)] == [200] * 5
        assert await _asked(house) == (429 if short else 200)
        assert await _completed(house) == 200
        assert await _asked(house) == 429
        assert (await _budget(house), await _refused_rows(pool)) == ("ok", [])
        chat = 0 if short else QUESTION_MICROS
        expected = (cap - chat - 6 * COMPLETION_MICROS - completion.later) // COMPLETION_MICROS + 1
        assert await _until_refused(house, completions=True) == expected
        spent, chat_spent = await _day(pool)
        assert chat_spent == chat
        assert spent + completion.later > cap >= spent
        assert await _asked(house) == 429
        assert (await _budget(house), await _refused_rows(pool)) == ("failed", [("grading", 0)])


async def test_another_day_begins_with_all_of_its_money(database_url: str, pool: asyncpg.Pool) -> None:
    _, completion = await _rehearsed(database_url, pool)
    async with _house(database_url, completion.first) as house:
        assert await _until_refused(house, completions=True) == 1
        assert await _budget(house) == "failed"
        house.clock.move(86_400)
        assert await _budget(house) == "ok"
        assert await _completed(house) == 200
