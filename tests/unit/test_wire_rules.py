"""The rules that requests are held to can fail, each by its own example."""

import copy
import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.fakes.anthropic_wire import AnthropicWire, text_reply
from tests.fakes.serving import serve
from tests.fakes.wire_rules import violations_of

MARK = {"type": "ephemeral"}


def _call(call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "read_guide", "input": {"any": {"thing": []}}}


def _result(call_id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "Press Share."}


VALID: dict[str, Any] = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 100,
    "system": [
        {"type": "text", "text": "Help.", "cache_control": MARK},
        {"type": "text", "text": "A screen."},
    ],
    "tools": [
        {
            "name": "read_guide",
            "description": "Reads a page.",
            "input_schema": {"type": "object", "properties": {}, "additionalProperties": False},
        }
    ],
    "tool_choice": {"type": "auto"},
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "How?"}]},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "", "signature": "Er/+=="}, _call("a"), _call("b")],
        },
        {
            "role": "user",
            "content": [_result("a"), {**_result("b"), "is_error": True, "cache_control": MARK}],
        },
        {"role": "assistant", "content": [_call("c")]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
    ],
}


def test_a_whole_request_breaks_no_rule() -> None:
    assert violations_of(VALID) == []


def test_a_request_in_the_short_form_breaks_no_rule() -> None:
    request = {
        "model": "m",
        "max_tokens": 1,
        "messages": [{"role": "user", "content": "How?"}],
        "system": "Help.",
    }
    assert violations_of(request) == []


def _blocks(body: Any, position: int) -> Any:
    return body["messages"][position]["content"]


BREAKS: dict[str, tuple[Callable[[Any], object], str]] = {
    "an unknown key": (lambda b: b.update(temperature=0), "temperature"),
    "an unknown key of a message": (lambda b: b["messages"][0].update(name="x"), "$.messages[0]"),
    "an unknown key of a block": (lambda b: _blocks(b, 1)[1].update(index=0), "$.messages[1]"),
    "an unknown key of a tool": (lambda b: b["tools"][0].update(schema={}), "$.tools[0]"),
    "an unknown key of a cache mark": (
        lambda b: b["system"][0].update(cache_control={**MARK, "x": 1}),
        "$.system",
    ),
    "a key of an answer only": (lambda b: _blocks(b, 1)[0].update(citations=None), "$.messages[1]"),
    "a null of an answer only": (lambda b: _blocks(b, 1)[1].update(caller=None), "$.messages[1]"),
    "a cache mark on reasoning": (lambda b: _blocks(b, 1)[0].update(cache_control=MARK), "$.messages[1]"),
    "no max_tokens": (lambda b: b.pop("max_tokens"), "max_tokens"),
    "a tool choice that is none": (lambda b: b.update(tool_choice={"type": "never"}), "$.tool_choice"),
    "a tool's schema of no object": (
        lambda b: b["tools"][0].update(input_schema={"type": "array"}),
        "$.tools[0]",
    ),
    "a tool's schema that is none": (
        lambda b: b["tools"][0]["input_schema"].update(additionalProperties=3),
        "tools: read_guide",
    ),
    "a tool twice": (lambda b: b["tools"].append(b["tools"][0]), "tools: a name twice"),
    "a choice without tools": (lambda b: b.pop("tools"), "tool_choice: without tools"),
    "no tools": (lambda b: b.update(tools=[]), "tools: empty"),
    "an orphan result": (lambda b: _blocks(b, 4).append(_result("z")), "messages[4]: the results"),
    "a result twice": (lambda b: _blocks(b, 4).append(_result("c")), "messages[4]: the results"),
    "a result left out": (lambda b: _blocks(b, 2).pop(), "messages[2]: the results"),
    "a result too late": (lambda b: _blocks(b, 4).append(_blocks(b, 2).pop()), "messages[2]: the results"),
    "calls left open": (lambda b: b["messages"].pop(), "the last calls have no results"),
    "an id twice in a turn": (lambda b: _blocks(b, 1)[1].update(id="b"), "messages[1]: a call's id twice"),
    "an id of an earlier turn": (
        lambda b: (_blocks(b, 3)[0].update(id="a"), _blocks(b, 4)[0].update(tool_use_id="a")),
        "messages[3]: a call's id twice",
    ),
    "text before the results": (
        lambda b: _blocks(b, 2).insert(0, {"type": "text", "text": "So."}),
        "messages[2]: something stands before",
    ),
    "a call by the user": (lambda b: _blocks(b, 0).append(_call("u")), "messages[0]: a block of the other"),
    "empty text": (lambda b: _blocks(b, 0)[0].update(text=" \n"), "a block's text: empty"),
    "an empty result": (lambda b: _blocks(b, 2)[0].update(content=""), "a block's content: empty"),
    "an empty system part": (lambda b: b["system"][1].update(text=""), "a block's text: empty"),
    "a message of nothing": (lambda b: b["messages"][0].update(content=[]), "messages[0]: empty"),
    "no messages": (lambda b: b.update(messages=[]), "messages: empty"),
    "an assistant first": (lambda b: b["messages"].pop(0), "messages[0]: assistant is not next"),
    "one side twice": (
        lambda b: b["messages"].append({"role": "user", "content": "And?"}),
        "messages[5]: user is not next",
    ),
    "an assistant last": (
        lambda b: b["messages"].append({"role": "assistant", "content": "So"}),
        "messages: the last is not the user's",
    ),
    "five cache marks": (
        lambda b: [block.update(cache_control=MARK) for block in (b["system"][1], b["tools"][0], _blocks(b, 0)[0])],
        "5 cache marks",
    ),
}


@pytest.mark.parametrize(("break_it", "told"), BREAKS.values(), ids=BREAKS)
def test_a_broken_request_is_told(break_it: Callable[[Any], object], told: str) -> None:
    body = copy.deepcopy(VALID)
    break_it(body)
    found = violations_of(body)
    assert any(told in fault for fault in found), found


@pytest.mark.parametrize("body", [None, [], "a", 3])
def test_what_is_no_object_is_told(body: Any) -> None:
    assert violations_of(body)


HEADERS = {"authorization": "Bearer k", "anthropic-version": "2026-10-21"}


@pytest.mark.parametrize(
    ("path", "headers", "content"),
    [
        ("/v1/messages", HEADERS, json.dumps({**VALID, "temperature": 0})),
        ("/v1/messages", HEADERS, "no JSON"),
        ("/v1/messages", {"anthropic-version": "2026-10-21"}, json.dumps(VALID)),
        ("/v1/messages", {"authorization": "Bearer k"}, json.dumps(VALID)),
        ("/v1/complete", HEADERS, json.dumps(VALID)),
    ],
    ids=["an unknown key", "no JSON", "no bearer", "no version", "another path"],
)
async def test_the_wire_refuses_and_records_what_breaks_a_rule(
    path: str, headers: dict[str, str], content: str
) -> None:
    wire = AnthropicWire(text_reply("a"), text_reply("b"))
    async with serve(wire) as url, httpx2.AsyncClient(base_url=url, trust_env=False) as client:
        refused = await client.post(path, headers=headers, content=content)
        taken = await client.post("/v1/messages", headers=HEADERS, content=json.dumps(VALID))
    assert refused.status_code == 400
    assert refused.json()["error"]["type"] == "invalid_request_error"
    assert taken.json()["content"][0]["text"] == "a"
    assert len(wire.violations) >= 1
    assert len(wire.requests) == 2


async def test_the_wire_refuses_what_nobody_scripted() -> None:
    wire = AnthropicWire()
    async with serve(wire) as url, httpx2.AsyncClient(base_url=url, trust_env=False) as client:
        refused = await client.post("/v1/messages", headers=HEADERS, content=json.dumps(VALID))
    assert refused.status_code == 400
    assert wire.violations == ["a request that no reply was scripted for"]
