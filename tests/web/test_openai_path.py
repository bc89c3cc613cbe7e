"""The whole path with OpenAI's real SDK over real HTTP, on both wires: three requests, valid by the SDK's types."""

from pathlib import Path

import asyncpg
import pytest

from tests.fakes.gpt import MODEL_ID, WIRES, gpt_over
from tests.fakes.house import running_house
from tests.fakes.openai_wire import OpenAIWire, Said, calling

PRICE = """
["openai-chat:gpt-6.2-sol"]
input = 2_000_000
cached_input = 200_000
cache_write = 2_500_000
output = 10_000_000
"""


@pytest.mark.parametrize("wire", WIRES)
async def test_a_question_that_takes_three_requests(
    wire: str, database_url: str, pool: asyncpg.Pool, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICE, encoding="utf-8")
    server = OpenAIWire(
        calling(("read_guide", {"page": "teacher/pools"}), reasoning="Let me look."),
        Said(calls=(("read_guide", '{"page": "teacher/questions"}'), ("read_guide", "[1]")), reasoning="And there."),
        Said("Press **New pool** [s1]."),
    )
    model = f"{wire}:{MODEL_ID}"
    async with (
        gpt_over(wire, server) as provider,
        running_house(database_url, provider=provider, model=model, prices=prices) as house,
    ):
        answer = await house.ask()
        reply = answer.json()
        assert answer.status_code == 200, answer.text
        assert (reply["kind"], reply["answer"]) == ("manual", "Press **New pool** [1].")
        bodies = [request.body for request in server.requests]
        assert (len(bodies), server.violations) == (3, [])

        first, second, third = ([*body["tools"], *(body.get("input") or body["messages"])] for body in bodies)
        assert second[: len(first)] == first
        assert third[: len(second)] == second
        assert b"Not run, the arguments do not fit" in server.requests[2].raw
        assert (b"encrypted_content" in server.requests[2].raw) is (wire == "openai")

        receipt = reply["receipt"]
        assert (receipt["models"], receipt["requests"]) == ([model], 3)
        assert (receipt["cached_input_tokens"] > 0) is (wire == "openai")
        rows = await pool.fetch("SELECT * FROM llm_calls ORDER BY reserved_at, worst_micros DESC")
        assert sum(row["cost_micros"] for row in rows) == receipt["cost_micros"]
        assert all(row["cost_micros"] <= row["worst_micros"] for row in rows)
        assert {row["outcome"] for row in rows} == {"ok"}
