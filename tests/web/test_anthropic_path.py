"""The whole path with the real SDK over real HTTP: three requests, valid by the SDK's types, prefix cached."""

import json
from typing import Any

import asyncpg

from assist_service.adapters.models.anthropic import AnthropicModel
from tests.fakes.anthropic_wire import AnthropicWire, text_reply, tool_reply
from tests.fakes.claude import API_KEY, MODEL_ID
from tests.fakes.house import running_house
from tests.fakes.serving import serve


def _without_marks(value: Any) -> Any:
    """A request's JSON without its cache marks, which move on as a conversation grows."""
    if isinstance(value, dict):
        return {key: _without_marks(item) for key, item in value.items() if key != "cache_control"}
    return [_without_marks(item) for item in value] if isinstance(value, list) else value


async def test_a_question_that_takes_three_requests(database_url: str, pool: asyncpg.Pool) -> None:
    wire = AnthropicWire(
        tool_reply(("read_guide", {"page": "teacher/pools"}), thinking="Let me look."),
        tool_reply(("read_guide", {"page": "teacher/questions"}), thinking="And there."),
        text_reply("Press **New pool** [s1]."),
    )
    async with serve(wire) as url:
        model = AnthropicModel(MODEL_ID, api_key=API_KEY, base_url=url)
        async with running_house(database_url, provider=model, model=f"anthropic:{MODEL_ID}") as house:
            answer = await house.ask()
            reply = answer.json()
            assert answer.status_code == 200, answer.text
            assert (reply["kind"], reply["answer"]) == ("manual", "Press **New pool** [1].")
            bodies = [request.body for request in wire.requests]
            assert (len(bodies), wire.violations) == (3, [])

            first, second, third = bodies
            assert {json.dumps(body["system"]) for body in bodies} == {json.dumps(first["system"])}
            assert {json.dumps(body["tools"]) for body in bodies} == {json.dumps(first["tools"])}
            assert first["system"][0]["cache_control"] == {"type": "ephemeral"}
            assert _without_marks(third["messages"][:3]) == _without_marks(second["messages"])
            assert _without_marks(second["messages"][:1]) == _without_marks(first["messages"])
            assert [block["type"] for block in third["messages"][1]["content"]] == ["thinking", "tool_use"]

            receipt = reply["receipt"]
            assert receipt["models"] == [f"anthropic:{MODEL_ID}"]
            assert receipt["requests"] == 3
            assert receipt["cached_input_tokens"] > 0
            rows = await pool.fetch("SELECT * FROM llm_calls ORDER BY reserved_at, worst_micros DESC")
            assert sum(row["cost_micros"] for row in rows) == receipt["cost_micros"]
            assert all(row["cost_micros"] <= row["worst_micros"] for row in rows)
            assert {row["outcome"] for row in rows} == {"ok"}
