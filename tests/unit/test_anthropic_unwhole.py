"""A reply of the Messages API that is no whole, understood one is a ProviderFault with its own word."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from assist_service.domain.messages import ProviderFault, ProviderFaultKind, UserText
from tests.fakes.anthropic_wire import AnthropicWire, MessageReply, RawReply, message_body, text_reply, tool_reply
from tests.fakes.claude import Meaning, claude_over, fault_after, meaning_of, request_of, step

TRANSIENT = ProviderFaultKind.TRANSIENT
PERMANENT = ProviderFaultKind.PERMANENT
CLOSED = ProviderFaultKind.CLOSED

MALFORMED: Meaning = (CLOSED, True, "malformed")

USAGE = {
    "input_tokens": 1,
    "cache_read_input_tokens": 0,
    "cache_creation_input_tokens": 0,
    "output_tokens": 1,
}
NOTHING = dict.fromkeys(USAGE, 0)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def _whole(**changes: Any) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(message_body(text_reply("The canary."), USAGE))
    message.update(changes)
    return {key: value for key, value in message.items() if value != "left out"}


def _call(**changes: Any) -> dict[str, Any]:
    call = {"type": "tool_use", "id": "toolu_1", "name": "read_guide", "input": {}} | changes
    return {key: value for key, value in call.items() if value != "left out"}


def _calling(*blocks: Any) -> dict[str, Any]:
    return _whole(stop_reason="tool_use", content=list(blocks))


def _nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


NOT_WHOLE: dict[str, tuple[Any, Meaning]] = {
    "no JSON": (b"<html>The canary</html>", (TRANSIENT, True, "not_json")),
    "nothing": (b"", (TRANSIENT, True, "not_json")),
    "not UTF-8": (b'{"content": "\xff"}', (TRANSIENT, True, "not_json")),
    "NaN": (b'{"content": [NaN]}', (TRANSIENT, True, "not_json")),
    "nested out of reason": (b"[" * 100_000, (TRANSIENT, True, "not_json")),
    "a list": ([], MALFORMED),
    "an empty object": ({}, MALFORMED),
    "no stop_reason": (_whole(stop_reason="left out"), MALFORMED),
    "stop_reason null": (_whole(stop_reason=None), MALFORMED),
    "stop_reason a list": (_whole(stop_reason=["end_turn"]), MALFORMED),
    "no content": (_whole(content="left out"), MALFORMED),
    "content a text": (_whole(content="The canary."), MALFORMED),
    "content of texts": (_whole(content=["The canary."]), MALFORMED),
    "a block of no kind": (_whole(content=[{"text": "a"}]), MALFORMED),
    "a block of a strange kind": (_whole(content=[{"type": ["text"]}]), MALFORMED),
    "a block not asked for": (
        _whole(content=[{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}]),
        MALFORMED,
    ),
    "text that is none": (_whole(content=[{"type": "text", "text": 3}]), MALFORMED),
    "text with a lone surrogate": (
        _whole(content=[{"type": "text", "text": "\ud800"}]),
        MALFORMED,
    ),
    "thinking unsigned": (
        _whole(content=[{"type": "thinking", "thinking": "a"}]),
        MALFORMED,
    ),
    "redacted thinking without data": (
        _whole(content=[{"type": "redacted_thinking"}]),
        MALFORMED,
    ),
    "a call without id": (_calling(_call(id="left out")), MALFORMED),
    "a call with an empty id": (_calling(_call(id=" ")), MALFORMED),
    "a call without name": (_calling(_call(name="left out")), MALFORMED),
    "a call with an empty name": (_calling(_call(name="")), MALFORMED),
    "a call without input": (_calling(_call(input="left out")), MALFORMED),
    "a call with half an input": (_calling(_call(input='{"page": ')), MALFORMED),
    "a call with an infinite number": (
        json.dumps(_calling(_call(input={"n": 0.5}))).replace("0.5", "1e999").encode(),
        MALFORMED,
    ),
    "a call nested too deep": (_calling(_call(input=_nested(40))), MALFORMED),
    "two calls of one id": (_calling(_call(), _call()), (TRANSIENT, True, "malformed")),
    "a tool stop without calls": (
        _calling({"type": "text", "text": "The canary."}),
        (TRANSIENT, True, "no_calls"),
    ),
}


@pytest.mark.parametrize(("body", "meaning"), NOT_WHOLE.values(), ids=NOT_WHOLE)
async def test_what_is_not_whole_is_a_fault(body: Any, meaning: Meaning) -> None:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    fault = await fault_after(RawReply(raw))
    assert meaning_of(fault) == meaning


STOPS_THAT_ARE_NONE: list[tuple[str, Mapping[str, int], Meaning]] = [
    ("model_context_window_exceeded", USAGE, (PERMANENT, True, "context_exceeded")),
    ("model_context_window_exceeded", NOTHING, (PERMANENT, False, "context_exceeded")),
    ("pause_turn", USAGE, (CLOSED, True, "paused")),
    ("compaction", USAGE, (CLOSED, True, "unknown_stop")),
    ("compaction", NOTHING, (CLOSED, False, "unknown_stop")),
    ("compaction", {}, (CLOSED, True, "unknown_stop")),
    ("", USAGE, (CLOSED, True, "unknown_stop")),
]


@pytest.mark.parametrize(("stop", "usage", "meaning"), STOPS_THAT_ARE_NONE)
async def test_a_stop_that_is_no_end_is_a_fault(stop: str, usage: Mapping[str, int], meaning: Meaning) -> None:
    fault = await fault_after(tool_reply(("read_guide", {}), text="The canary.", stop=stop, usage=usage))
    assert meaning_of(fault) == meaning


async def test_an_id_of_an_earlier_turn_is_a_fault() -> None:
    first = tool_reply(("read_guide", {"page": "a"}))
    wire = AnthropicWire(first, MessageReply(first.content, "tool_use"))
    async with claude_over(wire) as model:
        reply = await model.send(request_of(), timeout_seconds=5)
        with pytest.raises(ProviderFault) as fault:
            await model.send(request_of(UserText("How?"), *step(reply)), timeout_seconds=5)
    assert (fault.value.kind, fault.value.reason) == (TRANSIENT, "malformed")
