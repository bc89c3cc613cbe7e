"""Within a question a provider's reasoning goes back to it byte for byte, through the loop and at every later step."""

import json
from typing import Any

import asyncpg
import pytest

from assist_service.domain.loop import Answered, Failed, Outcome
from tests.fakes import gpt
from tests.fakes.openai_wire import Said, calling
from tests.fakes.wires import adapter_over, body_on, reply_on, server_of
from tests.postgres.wired import ask

THOUGHT = 'Ünïcode “quotes”, \\u003c, a "quote", a tab\t, \u2028 and 🧮'
READ = ("read_guide", {"page": "teacher/pools"})

REASONED = {
    "anthropic": ("content", ("thinking", "redacted_thinking")),
    "openai": ("output", ("reasoning",)),
}
"""Where each wire has its reasoning, and the kinds of it; Chat takes none back."""


def _compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _reasoned(wire: str, thought: str) -> dict[str, Any]:
    """A call after reasoning; on Messages also after some that the provider keeps to itself."""
    body = body_on(wire, calling(READ, reasoning=thought))
    if wire == "anthropic":
        body["content"].insert(1, {"type": "redacted_thinking", "data": f"Emw/+{len(thought)}=="})
    return body


@pytest.mark.parametrize("wire", REASONED)
async def test_reasoning_goes_back_at_each_step(pool: asyncpg.Pool, wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    where, kinds = REASONED[wire]
    bodies = [_reasoned(wire, THOUGHT), _reasoned(wire, "And there.")]
    answer = Said("Press New pool [s1].")
    server = server_of(wire, *(gpt.raw_of(body) for body in bodies), reply_on(wire, answer))
    async with adapter_over(wire, server) as model:
        met = await ask(pool, model)
    assert met.outcome == Answered("Press New pool [s1].")
    assert server.violations == []
    for number, body in enumerate(bodies, start=1):
        thoughts = [block for block in body[where] if block["type"] in kinds]
        assert len(thoughts) == len(kinds)
        for request in server.requests[number:]:
            # Nulls are of the answer only: the API refuses them.
            sent = [_compact({key: value for key, value in block.items() if value is not None}) for block in thoughts]
            assert all(each in request.raw for each in sent)


LEFT_IN: dict[str, tuple[str, Outcome]] = {
    "broken off": ("<think>The page says [s1], so", Failed("empty_answer")),
    "broken off after a line end": ("\n<think>\nThe page says [s1], so", Failed("empty_answer")),
    "ended": ("<think>The page says [s1].</think>\n\nPress New pool [s1].", Answered("Press New pool [s1].")),
    "begun by the template": ("The page says [s1].</think>Press New pool [s1].", Answered("Press New pool [s1].")),
    "none": ("Press <think> [s1].", Answered("Press <think> [s1].")),
}


@pytest.mark.parametrize(("text", "outcome"), LEFT_IN.values(), ids=LEFT_IN)
async def test_reasoning_that_a_plain_server_leaves_in_the_text_is_no_answer(
    pool: asyncpg.Pool, text: str, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = server_of("openai-chat", *(reply_on("openai-chat", said) for said in (calling(READ), Said(text))))
    async with adapter_over("openai-chat", server) as model:
        assert (await ask(pool, model)).outcome == outcome


async def test_reasoning_left_beside_a_call_does_not_go_back(
    pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    steps = (calling(READ, text="<think>Let me look.</think>I look it up."), Said("Press New pool [s1]."))
    server = server_of("openai-chat", *(reply_on("openai-chat", said) for said in steps))
    async with adapter_over("openai-chat", server) as model:
        assert (await ask(pool, model)).read == ("read_guide",)
    assert server.requests[1].body["messages"][2]["content"] == "I look it up."
    assert server.violations == []
