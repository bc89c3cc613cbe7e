"""The Anthropic adapter, real SDK over real HTTP: what is sent, and what comes of a whole reply."""

import copy
import itertools
import json
import logging
from typing import Any

import pytest
from opentelemetry import trace

from assist_service.adapters.models.anthropic import AnthropicModel
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    Message,
    ModelReply,
    ProviderFault,
    ProviderFaultKind,
    Stop,
    ToolCall,
    ToolResult,
    ToolResults,
    Usage,
    UserText,
)
from tests.fakes.anthropic_wire import AnthropicWire, MessageReply, text_reply, tool_reply
from tests.fakes.claude import API_KEY, claude_over, request_of, step

THOUGHT = 'Ünïcode “quotes”, \\u003c, a "quote", a tab\t, \u2028 and 🧮 </thinking>'


REDACTED: dict[str, Any] = {"type": "redacted_thinking", "data": "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlx=="}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def _compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _unmarked(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**m, "content": [{k: v for k, v in b.items() if k != "cache_control"} for b in m["content"]]} for m in messages
    ]


async def _ask(model: AnthropicModel, *messages: Message, may_call: bool = True) -> ModelReply:
    return await model.send(request_of(*messages, may_call=may_call), timeout_seconds=5)


async def _three_requests(wire: AnthropicWire) -> list[ModelReply]:
    """A question answered after two steps of tools, the last request without them."""
    said: tuple[Message, ...] = (UserText("How do I share a pool?"),)
    replies = []
    async with claude_over(wire) as model:
        for may_call in (True, True, False):
            replies.append(await _ask(model, *said, may_call=may_call))
            said = (*said, *step(replies[-1]))
    return replies


def _conversation() -> AnthropicWire:
    two_calls = tool_reply(("read_guide", {"page": "a"}), ("read_guide", {"page": "b", "section": None}))
    return AnthropicWire(
        tool_reply(("read_guide", {"page": "teacher/pools"}), text="I look it up.", thinking=THOUGHT),
        MessageReply((REDACTED, *two_calls.content), "tool_use"),
        text_reply("Press Share. [s1]"),
    )


async def test_a_question_that_takes_three_requests() -> None:
    wire = _conversation()
    first, second, third = await _three_requests(wire)
    assert wire.violations == []
    assert first.stop is Stop.TOOLS
    assert first.text == "I look it up."
    assert [(call.name, call.arguments) for call in first.calls] == [("read_guide", {"page": "teacher/pools"})]
    assert [call.arguments for call in second.calls] == [{"page": "a"}, {"page": "b", "section": None}]
    assert (third.stop, third.text, third.calls) == (Stop.END, "Press Share. [s1]", ())
    assert [request.body["tool_choice"]["type"] for request in wire.requests] == ["auto", "auto", "none"]


async def test_reasoning_goes_back_byte_for_byte() -> None:
    wire = _conversation()
    first, second, _ = await _three_requests(wire)
    thinking = first.native[0]
    assert thinking["thinking"] == THOUGHT
    assert set(thinking) == {"type", "thinking", "signature"}
    assert _compact(thinking) in wire.requests[1].raw
    assert _compact(thinking) in wire.requests[2].raw
    assert second.native[0] == REDACTED
    assert _compact(REDACTED) in wire.requests[2].raw
    # What only the answer may hold has gone, what was said has not.
    assert first.native[1] == {"type": "text", "text": "I look it up."}


async def test_the_prefix_is_the_same_in_every_request_and_is_cached() -> None:
    wire = _conversation()
    replies = await _three_requests(wire)
    bodies = [request.body for request in wire.requests]
    assert bodies[0]["system"] == [
        {
            "type": "text",
            "text": "You help people with the manual.",
            "cache_control": {"type": "ephemeral"},
        },
        {"type": "text", "text": "The screen is a pool."},
    ]
    for request in wire.requests:
        assert _compact(bodies[0]["tools"]) in request.raw
        assert _compact(bodies[0]["system"]) in request.raw
    for earlier, later in itertools.pairwise(bodies):
        grown = _unmarked(later["messages"])
        assert grown[: len(earlier["messages"])] == _unmarked(earlier["messages"])
        assert later["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}
    first, second, third = (reply.usage for reply in replies)
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.cached_input_tokens, second.cached_input_tokens) == (0, first.cache_write_tokens)
    # The last request's tool_choice differs: tools and prefix are still read from the cache.
    assert 0 < third.cached_input_tokens < second.cached_input_tokens


async def test_sending_changes_nothing_of_what_it_is_given() -> None:
    wire = AnthropicWire(tool_reply(("read_guide", {"page": "a"}), thinking=THOUGHT), text_reply("a"), text_reply("b"))
    async with claude_over(wire) as model:
        reply = await _ask(model)
        request = request_of(UserText("How?"), *step(reply))
        before = copy.deepcopy(request)
        await model.send(request, timeout_seconds=5)
        assert request == before
        await model.send(request, timeout_seconds=5)
    assert wire.requests[1].raw == wire.requests[2].raw


async def test_the_key_is_in_no_request_but_its_header(caplog: pytest.LogCaptureFixture) -> None:
    wire = AnthropicWire(text_reply("The canary answer."))
    with caplog.at_level(logging.DEBUG):
        async with claude_over(wire) as model:
            await _ask(model, UserText("The canary question?"))
    (request,) = wire.requests
    assert API_KEY.encode() not in request.raw
    assert [name for name, value in request.headers.items() if API_KEY in value] == ["authorization"]
    assert "canary" not in caplog.text


async def test_the_sdk_traces_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE", "content")
    wire = AnthropicWire(text_reply("a"))
    context = trace.SpanContext(1, 1, is_remote=False, trace_flags=trace.TraceFlags(1))
    with trace.use_span(trace.NonRecordingSpan(context)):
        async with claude_over(wire) as model:
            await _ask(model)
    # Under its own span the SDK would tell the provider which trace the question belongs to.
    assert "traceparent" not in wire.requests[0].headers


async def test_an_earlier_answer_and_an_error_result() -> None:
    wire = AnthropicWire(tool_reply(("read_guide", {"page": "x"})), text_reply("There is no such page."))
    history = (UserText("Hello"), AssistantText("Hello."), UserText("Page x?"))
    async with claude_over(wire) as model:
        reply = await _ask(model, *history)
        turn, _ = step(reply)
        refused = ToolResults((ToolResult(reply.calls[0].id, "no page", is_error=True),))
        await _ask(model, *history, turn, refused)
    first, last = wire.requests[1].body["messages"][1], wire.requests[1].body["messages"][-1]
    assert first == {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]}
    assert last["content"][0]["is_error"] is True
    assert wire.violations == []


async def test_nothing_empty_is_sent() -> None:
    wire = AnthropicWire(tool_reply(("read_guide", {"page": "x"})), text_reply("Nothing there."))
    async with claude_over(wire) as model:
        reply = await model.send(request_of(screen=" \n"), timeout_seconds=5)
        history = (UserText("Page x?"), *step(reply, content=" \n"))
        await model.send(request_of(*history, prefix="", screen="", tools=()), timeout_seconds=5)
    assert len(wire.requests[0].body["system"]) == 1
    assert wire.requests[1].body.keys() == {"model", "max_tokens", "messages"}
    assert "content" not in wire.requests[1].body["messages"][-1]["content"][0]
    assert "is_error" not in wire.requests[1].body["messages"][-1]["content"][0]
    assert wire.violations == []


CALL = {"type": "tool_use", "id": "toolu_1", "name": "read_guide", "input": {}}


ILL_FORMED: dict[str, tuple[Message, ...]] = {
    "an empty question": (UserText(" "),),
    "an orphan result": (UserText("a"), AssistantText("b"), ToolResults((ToolResult("toolu_1", "r"),))),
    "an empty result": (
        UserText("a"),
        AssistantTurn([CALL], "", (ToolCall("toolu_1", "read_guide", {}),)),
        ToolResults((ToolResult("toolu_1", ""),)),
    ),
    "two in a row": (UserText("a"), UserText("b")),
    "a lone surrogate": (UserText("\ud800"),),
}


@pytest.mark.parametrize("history", ILL_FORMED.values(), ids=ILL_FORMED)
async def test_an_ill_formed_history_is_not_sent(history: tuple[Message, ...]) -> None:
    wire = AnthropicWire(text_reply("a"))
    async with claude_over(wire) as model:
        with pytest.raises(ProviderFault) as fault:
            await _ask(model, *history)
    assert (fault.value.kind, fault.value.billed) == (ProviderFaultKind.PERMANENT, False)
    assert fault.value.reason == "unsendable"
    assert wire.requests == []


STOPS = {
    "end_turn": Stop.END,
    "stop_sequence": Stop.END,
    "max_tokens": Stop.LENGTH,
    "refusal": Stop.REFUSAL,
}


@pytest.mark.parametrize(("stop_reason", "stop"), STOPS.items())
async def test_a_call_counts_on_the_tool_stop_only(stop_reason: str, stop: Stop) -> None:
    wire = AnthropicWire(tool_reply(("read_guide", {}), text="Half a", stop=stop_reason, thinking="Hm."))
    async with claude_over(wire) as model:
        reply = await _ask(model)
    assert (reply.stop, reply.text, reply.calls) == (stop, "Half a", ())
    assert [block["type"] for block in reply.native] == ["thinking", "text"]


async def test_text_of_several_blocks_is_one_and_empty_blocks_are_left_out() -> None:
    texts = ("Press ", "", "Share", " \n", ".")
    wire = AnthropicWire(MessageReply(tuple({"type": "text", "text": text} for text in texts), "end_turn"))
    async with claude_over(wire) as model:
        reply = await _ask(model)
    assert reply.text == "Press Share."
    assert [block["text"] for block in reply.native] == ["Press ", "Share", "."]


async def test_a_reply_that_says_nothing_is_a_reply() -> None:
    wire = AnthropicWire(MessageReply((), "refusal"))
    async with claude_over(wire) as model:
        reply = await _ask(model)
    assert (reply.stop, reply.text, reply.native) == (Stop.REFUSAL, "", [])


COUNTED = {
    "input_tokens": 7,
    "cache_read_input_tokens": 11,
    "cache_creation_input_tokens": 13,
    "output_tokens": 17,
}


CACHE_COUNTS = ("cache_read_input_tokens", "cache_creation_input_tokens")


UNCOUNTED: list[dict[str, Any]] = [
    {key: wrong for key, wrong in {**COUNTED, changed: value}.items() if wrong != "missing"}
    for changed in COUNTED
    for value in ("missing", None, -1, 1.0, "7", True, 2**31)
    if changed not in CACHE_COUNTS or value not in ("missing", None)
]


async def test_usage_is_what_the_provider_counted() -> None:
    async with claude_over(AnthropicWire(text_reply("a", usage=COUNTED))) as model:
        assert (await _ask(model)).usage == Usage(7, 11, 13, 17)


async def test_usage_with_a_count_missing_or_wrong_is_none() -> None:
    wire = AnthropicWire(*(text_reply("a", usage=usage) for usage in UNCOUNTED))
    async with claude_over(wire) as model:
        for usage in UNCOUNTED:
            assert (await _ask(model)).usage is None, usage


@pytest.mark.parametrize("uncached", [{}, dict.fromkeys(CACHE_COUNTS)])
async def test_a_server_without_a_cache_has_counted_none_of_it(uncached: dict[str, Any]) -> None:
    usage = {"input_tokens": 7, "output_tokens": 17, **uncached}
    async with claude_over(AnthropicWire(text_reply("a", usage=usage))) as model:
        assert (await _ask(model)).usage == Usage(7, 0, 0, 17)
