"""An answer is given over HTTP even where its cost cannot be written down at once; it is written down all the same."""

import asyncio

import asyncpg

from assist_service.domain.budget import cost_micros
from assist_service.domain.messages import ModelReply, ModelRequest
from tests.fakes.house import running_house
from tests.fakes.models import USAGE, says
from tests.postgres.money import PRICE, refuse_unbalanced_books

LOCK_TIMEOUT = "1s"
"""How long the service's statements wait for a lock here: long enough for an answer to come between two of them."""


class LockingModel:
    """Implements ports.ModelProvider: answers, and by then another transaction holds the day's row."""

    model = "stub"

    def __init__(self, other: asyncpg.Connection) -> None:
        self._other = other

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        await self._other.execute("SELECT * FROM llm_days FOR UPDATE")
        return says('{"points": 1, "comment": ""}' if request.output_schema is not None else "From memory.")

    async def close(self) -> None:
        """Holds nothing open."""


async def test_an_answer_does_not_wait_for_a_day_that_somebody_holds(pool: asyncpg.Pool, database_url: str) -> None:
    name = await pool.fetchval("SELECT current_database()")
    await pool.execute(f"ALTER DATABASE {name} SET lock_timeout = '{LOCK_TIMEOUT}'")
    other = await asyncpg.connect(database_url)
    try:
        async with running_house(database_url, provider=LockingModel(other), policy="teacher-assistant") as house:
            for is_completion in (False, True):
                async with other.transaction():
                    answer = await house.complete() if is_completion else await house.ask("How?")
                    assert answer.status_code == 200
                    assert await pool.fetchval("SELECT count(*) FROM llm_calls WHERE settled_at IS NULL") == 1
                await _until_settled(pool)
    finally:
        await other.close()
    rows = await pool.fetch("SELECT outcome, cost_micros FROM llm_calls")
    assert [tuple(row) for row in rows] == [("ok", cost_micros(PRICE, USAGE))] * 2
    await refuse_unbalanced_books(pool)


async def _until_settled(pool: asyncpg.Pool) -> None:
    """By the house's clock the pauses pass at once; the statement itself still waits for its lock."""
    async with asyncio.timeout(10):
        while await pool.fetchval("SELECT count(*) FROM llm_calls WHERE settled_at IS NULL"):  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.01)
