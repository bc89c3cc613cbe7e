"""A request under way at midnight is charged to the day that reserved it, in the zone that the settings name."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import asyncpg
import pytest

from tests.fakes.anthropic_wire import AnthropicWire, Reply, text_reply, tool_reply
from tests.fakes.claude import MODEL_ID, claude_over
from tests.fakes.house import House, running_house

pytestmark = pytest.mark.slow

USAGE = {"input_tokens": 100, "output_tokens": 20}
COST_MICROS = 400

TODAY, TOMORROW = dt.date(2026, 11, 2), dt.date(2026, 11, 3)
MIDNIGHTS = {
    "Asia/Manila": dt.datetime(2026, 11, 2, 16, tzinfo=dt.UTC),
    "UTC": dt.datetime(2026, 11, 3, tzinfo=dt.UTC),
    "America/New_York": dt.datetime(2026, 11, 3, 5, tzinfo=dt.UTC),
}
"""When TODAY ends there."""


def _replies(houses: list[House]) -> Iterator[Reply]:
    """A question of two requests; midnight passes while the first is answered."""
    houses[0].clock.move(2)
    yield tool_reply(("read_guide", {"page": "teacher/pools"}), usage=USAGE)
    yield text_reply("Press New pool [s1].", usage=USAGE)


@pytest.mark.parametrize("zone", MIDNIGHTS)
async def test_each_request_is_charged_to_the_day_it_began_in(
    zone: str, database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    houses: list[House] = []
    replies = _replies(houses)

    def script(_: dict[str, Any]) -> Reply:
        return next(replies)

    async with (
        claude_over(AnthropicWire(script=script)) as provider,
        running_house(database_url, provider=provider, model=f"anthropic:{MODEL_ID}", timezone=zone) as house,
    ):
        houses.append(house)
        house.clock.move((MIDNIGHTS[zone] - house.clock.now()).total_seconds() - 1)
        assert (await house.ask()).json()["receipt"]["cost_micros"] == 2 * COST_MICROS
    days = await pool.fetch("SELECT day, spent_micros, reserved_micros, chat_spent_micros FROM llm_days ORDER BY day")
    assert [tuple(day) for day in days] == [(day, COST_MICROS, 0, COST_MICROS) for day in (TODAY, TOMORROW)]
