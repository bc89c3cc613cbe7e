"""OpenAI's two adapters, real SDK over real HTTP: what is sent, and what goes back of a reply."""

import copy
import itertools
import json
from typing import Any

import pytest

from assist_service.domain.messages import (
    AssistantText,
    Message,
    ModelReply,
    ProviderFault,
    ProviderFaultKind,
    Stop,
    ToolResult,
    ToolResults,
    UserText,
    faults_of,
)
from tests.fakes.claude import request_of, step
from tests.fakes.gpt import WIRES, ask, body_of, gpt_over, raw_of
from tests.fakes.openai_wire import OpenAIWire, Said, call_item, calling, message_item, sealed

THOUGHT = 'Ünïcode “quotes”, \\u003c, a "quote", a tab\t, \u2028 and 🧮'
MARK = {"mode": "explicit"}

both = pytest.mark.parametrize("wire", WIRES)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def _compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _said(body: dict[str, Any]) -> list[Any]:
    said = body.get("input") or body["messages"]
    assert isinstance(said, list)
    return said


def _conversation() -> OpenAIWire:
    return OpenAIWire(
        calling(("read_guide", {"page": "teacher/pools"}), text="I look it up.", reasoning=THOUGHT),
        calling(("read_guide", {"page": "a"}), ("read_guide", {"page": "b", "section": None}), reasoning="Hm."),
        Said("Press Share. [s1]"),
    )


async def _three_requests(wire: str, server: OpenAIWire) -> list[ModelReply]:
    """A question answered after two steps of tools, the last request without them."""
    said: tuple[Message, ...] = (UserText("How do I share a pool?"),)
    replies = []
    async with gpt_over(wire, server) as model:
        for may_call in (True, True, False):
            replies.append(await ask(model, *said, may_call=may_call))
            said = (*said, *step(replies[-1]))
    return replies


@both
async def test_a_question_that_takes_three_requests(wire: str) -> None:
    server = _conversation()
    first, second, third = await _three_requests(wire, server)
    assert server.violations == []
    assert (first.stop, first.text) == (Stop.TOOLS, "I look it up.")
    assert [(call.name, call.arguments) for call in first.calls] == [("read_guide", {"page": "teacher/pools"})]
    assert [call.arguments for call in second.calls] == [{"page": "a"}, {"page": "b", "section": None}]
    assert (third.stop, third.text, third.calls) == (Stop.END, "Press Share. [s1]", ())
    assert [request.body["tool_choice"] for request in server.requests] == ["auto", "auto", "none"]


@both
async def test_each_request_begins_with_the_one_before_and_the_cache_reads_it(wire: str) -> None:
    server = _conversation()
    replies = await _three_requests(wire, server)
    bodies = [request.body for request in server.requests]
    for earlier, later in itertools.pairwise(bodies):
        assert later["tools"] == earlier["tools"]
        assert _said(later)[: len(_said(earlier))] == _said(earlier)
    for request in server.requests:
        assert _compact(bodies[0]["tools"]) in request.raw
        assert _compact(_said(bodies[0])[0]) in request.raw
    if wire == "openai":
        first, second, third = (reply.usage for reply in replies)
        assert first is not None
        assert second is not None
        assert third is not None
        assert 0 == first.cached_input_tokens < second.cached_input_tokens < third.cached_input_tokens


async def test_what_responses_is_asked() -> None:
    server = OpenAIWire(Said("a"))
    async with gpt_over("openai", server) as model:
        await ask(model, UserText("Hello"), AssistantText("Hello."), UserText("How?"))
    body = server.requests[0].body
    assert body["input"] == [
        {
            "role": "developer",
            "content": [
                {
                    "type": "input_text",
                    "text": "You help people with the manual.",
                    "prompt_cache_breakpoint": MARK,
                },
                {"type": "input_text", "text": "The screen is a pool."},
            ],
        },
        {"role": "user", "content": [{"type": "input_text", "text": "Hello", "prompt_cache_breakpoint": MARK}]},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": [{"type": "input_text", "text": "How?", "prompt_cache_breakpoint": MARK}]},
    ]
    assert (body["store"], body["include"]) == (False, ["reasoning.encrypted_content"])
    assert (body["max_output_tokens"], body["parallel_tool_calls"]) == (1_000, True)
    assert [(tool["type"], tool["name"], tool["strict"]) for tool in body["tools"]] == [
        ("function", "read_guide", False)
    ]
    assert "text" not in body
    assert "stream" not in body


async def test_what_chat_is_asked() -> None:
    server = OpenAIWire(Said("a"))
    async with gpt_over("openai-chat", server) as model:
        await ask(model, UserText("Hello"), AssistantText("Hello."), UserText("How?"))
    body = server.requests[0].body
    assert body["messages"] == [
        {"role": "system", "content": "You help people with the manual.\n\nThe screen is a pool."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "How?"},
    ]
    assert body.keys() == {"model", "messages", "max_tokens", "tools", "tool_choice"}


async def test_the_same_prefix_has_the_same_cache_key() -> None:
    server = OpenAIWire(Said("a"), Said("b"), Said("c"))
    async with gpt_over("openai", server) as model:
        for prefix, screen in (("p", "one"), ("p", "two"), ("q", "one")):
            await model.send(request_of(prefix=prefix, screen=screen), timeout_seconds=5)
    one, other_screen, other_prefix = (request.body["prompt_cache_key"] for request in server.requests)
    assert one == other_screen != other_prefix


async def test_reasoning_goes_back_byte_for_byte() -> None:
    thought = sealed(THOUGHT)
    remark = {**message_item("I look it up."), "phase": "commentary"}
    body = body_of("openai", Said(), output=[thought, remark, call_item("read_guide", '{ "page":  "a" }')])
    server = OpenAIWire(raw_of(body), Said("Press Share."))
    async with gpt_over("openai", server) as model:
        reply = await ask(model)
        await ask(model, UserText("How?"), *step(reply))
    went, last = server.requests[1].raw, server.requests[1].body["input"]
    assert _compact({key: value for key, value in thought.items() if value is not None}) in went
    assert _compact(body["output"][2]) in went
    assert [item.get("type") for item in last[2:]] == ["reasoning", "message", "function_call", "function_call_output"]
    assert last[3]["phase"] == "commentary"
    assert server.violations == []


async def test_reasoning_that_came_unsealed_stays_behind() -> None:
    thought = {**sealed("Hm."), "encrypted_content": None, "content": [{"type": "reasoning_text", "text": "Hm."}]}
    body = body_of("openai", Said(), output=[thought, call_item("read_guide", "{}")])
    server = OpenAIWire(raw_of(body), Said("Press Share."))
    async with gpt_over("openai", server) as model:
        reply = await ask(model)
        assert [item["type"] for item in reply.native] == ["function_call"]
        await ask(model, UserText("How?"), *step(reply))
    assert server.violations == []


async def test_chat_sends_no_reasoning_back() -> None:
    server = OpenAIWire(calling(("read_guide", {}), reasoning=THOUGHT), Said("Press Share."))
    async with gpt_over("openai-chat", server) as model:
        reply = await ask(model)
        await ask(model, UserText("How?"), *step(reply))
    assert b"reasoning" not in server.requests[1].raw
    (turn,) = reply.native
    assert turn["content"] is None
    assert server.violations == []


NO_OBJECTS = {
    "a list": "[1]",
    "half": '{"page": "a',
    "a word": "page",
    "NaN": '{"n": NaN}',
    "an infinite number": '{"n": 1e999}',
    "a lone surrogate": '{"page": "\\ud800"}',
    "nested out of reason": '{"a":' * 60 + "1" + "}" * 60,
    "nested past Python": "[" * 100_000,
}


@both
@pytest.mark.parametrize("written", NO_OBJECTS.values(), ids=NO_OBJECTS)
async def test_arguments_that_are_no_object_are_none_and_go_back_as_none(wire: str, written: str) -> None:
    server = OpenAIWire(Said(calls=(("read_guide", written), ("read_guide", '{"page": "a"}'))), Said("So."))
    async with gpt_over(wire, server) as model:
        reply = await ask(model)
        assert [call.arguments for call in reply.calls] == [None, {"page": "a"}]
        turn, _ = step(reply)
        results = (ToolResult(reply.calls[0].id, "no object", is_error=True), ToolResult(reply.calls[1].id, "Share."))
        assert faults_of((UserText("How?"), turn, ToolResults(results))) == []
        await ask(model, UserText("How?"), turn, ToolResults(results))
    assert server.violations == []
    assert "Error: no object" in server.requests[1].raw.decode()
    assert "Error: Share" not in server.requests[1].raw.decode()


@both
async def test_sending_changes_nothing_of_what_it_is_given(wire: str) -> None:
    server = OpenAIWire(calling(("read_guide", {"page": "a"}), reasoning=THOUGHT), Said("a"), Said("b"))
    async with gpt_over(wire, server) as model:
        request = request_of(UserText("How?"), *step(await ask(model)))
        before = copy.deepcopy(request)
        await model.send(request, timeout_seconds=5)
        assert request == before
        await model.send(request, timeout_seconds=5)
    assert server.requests[1].raw == server.requests[2].raw


@both
async def test_nothing_empty_is_sent(wire: str) -> None:
    server = OpenAIWire(calling(("read_guide", {"page": "x"}), text=" \n"), Said("Nothing there."))
    async with gpt_over(wire, server) as model:
        reply = await model.send(request_of(screen=" \n"), timeout_seconds=5)
        history = (UserText("Page x?"), *step(reply, content=" \n"))
        await model.send(request_of(*history, prefix="", screen="", tools=()), timeout_seconds=5)
    assert server.violations == []
    assert "tools" not in server.requests[1].body
    assert "tool_choice" not in server.requests[1].body


@both
@pytest.mark.parametrize("history", [(UserText(" "),), (UserText("a"), UserText("b")), (UserText("\ud800"),)])
async def test_an_ill_formed_history_is_not_sent(wire: str, history: tuple[Message, ...]) -> None:
    server = OpenAIWire(Said("a"))
    async with gpt_over(wire, server) as model:
        with pytest.raises(ProviderFault) as fault:
            await ask(model, *history)
    assert (fault.value.kind, fault.value.billed) == (ProviderFaultKind.PERMANENT, False)
    assert fault.value.reason == "unsendable"
    assert server.requests == []
