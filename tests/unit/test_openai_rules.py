"""The rules that requests to OpenAI's wires are held to can fail, each by its own example."""

import copy
import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.fakes.openai_rules import CHAT, RESPONSES, violations_of
from tests.fakes.openai_wire import OpenAIWire, Said, calling
from tests.fakes.serving import serve

MARK = {"mode": "explicit"}
SCHEMA = {"type": "object", "properties": {"any": {}}, "additionalProperties": False}
BEARER = {"authorization": "Bearer k"}


def _reasoning(number: int) -> dict[str, Any]:
    return {"id": f"rs_{number}", "type": "reasoning", "summary": [], "encrypted_content": "gAAA"}


def _call(call_id: str) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": "read_guide", "arguments": '{"any": []}'}


def _output(call_id: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": [{"type": "input_text", "text": "Share."}]}


ASKED: dict[str, Any] = {
    "model": "gpt-6.2-sol",
    "max_output_tokens": 100,
    "store": False,
    "include": ["reasoning.encrypted_content"],
    "tools": [{"type": "function", "name": "read_guide", "parameters": SCHEMA, "strict": False}],
    "tool_choice": "auto",
    "input": [
        {"role": "developer", "content": [{"type": "input_text", "text": "Help.", "prompt_cache_breakpoint": MARK}]},
        {"role": "user", "content": "How?"},
        _reasoning(1),
        _call("a"),
        _call("b"),
        _output("a"),
        _output("b"),
        _reasoning(2),
        _call("c"),
        _output("c"),
    ],
}


def _chat_call(call_id: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "read_guide", "arguments": "{}"}}


def _result(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "Share."}


CHATTED: dict[str, Any] = {
    "model": "m",
    "max_tokens": 100,
    "tools": [{"type": "function", "function": {"name": "read_guide", "parameters": SCHEMA}}],
    "tool_choice": "auto",
    "messages": [
        {"role": "system", "content": "Help."},
        {"role": "user", "content": "How?"},
        {"role": "assistant", "content": None, "tool_calls": [_chat_call("a"), _chat_call("b")]},
        _result("a"),
        _result("b"),
        {"role": "assistant", "content": "So.", "tool_calls": [_chat_call("c")]},
        _result("c"),
    ],
}


def test_whole_requests_break_no_rule() -> None:
    assert violations_of(RESPONSES, ASKED) == []
    assert violations_of(CHAT, CHATTED) == []


Break = tuple[Callable[[Any], object], str]

OF_RESPONSES: dict[str, Break] = {
    "an unknown key": (lambda b: b.update(max_tokens=0), "max_tokens"),
    "an unknown key of an item": (lambda b: b["input"][2].update(logprobs=[]), "$.input"),
    "a null of an answer only": (lambda b: b["input"][2].update(status=None), "$.input"),
    "an unknown key of a tool": (lambda b: b["tools"][0].update(schema={}), "$.tools"),
    "an unknown key of a mark": (lambda b: b["input"][0]["content"][0].update(cache_control={}), "$.input"),
    "no input": (lambda b: b.pop("input"), "'input' is a required"),
    "no model": (lambda b: b.pop("model"), "'model' is a required"),
    "a tool that says not whether it is strict": (lambda b: b["tools"][0].pop("strict"), "$.tools"),
    "a tool's schema that is none": (lambda b: b["tools"][0].update(parameters={"type": 3}), "tools: read_guide"),
    "a tool twice": (lambda b: b["tools"].append(b["tools"][0]), "tools: a name twice"),
    "no tools": (lambda b: b.update(tools=[]), "tools: empty"),
    "a choice without tools": (lambda b: b.pop("tools"), "tool_choice: without tools"),
    "stored": (lambda b: b.pop("store"), "store: the provider would keep it"),
    "reasoning unsealed": (lambda b: b.pop("include"), "include: reasoning would come unsealed"),
    "unsealed reasoning": (lambda b: b["input"][2].pop("encrypted_content"), "input[2]: reasoning unsealed"),
    "reasoning of nothing": (lambda b: b["input"].insert(5, _reasoning(3)), "input[5]: reasoning of nothing"),
    "an orphan output": (lambda b: b["input"].append(_output("z")), "input[10]: an orphan output"),
    "an output twice": (lambda b: b["input"].append(_output("c")), "input[10]: an orphan output"),
    "an output left out": (lambda b: b["input"].pop(6), "input[6]: calls left without output"),
    "a person between": (
        lambda b: b["input"].insert(5, {"role": "user", "content": "And?"}),
        "input[5]: calls left without output",
    ),
    "calls left open": (lambda b: b["input"].pop(), "the last calls have no outputs"),
    "an id twice": (lambda b: b["input"][4].update(call_id="a"), "input[4]: a call's id twice"),
    "an empty id": (lambda b: b["input"][3].update(call_id=" "), "input[3]: a call without an id"),
    "a name of no function": (lambda b: b["input"][3].update(name="functions.read"), "input[3]: a call of no name"),
    "arguments that are no JSON": (lambda b: b["input"][3].update(arguments='{"a'), "arguments that are no JSON"),
    "arguments that are a list": (lambda b: b["input"][3].update(arguments="[]"), "arguments that are no object"),
    "empty text": (lambda b: b["input"][1].update(content=" "), "content: empty"),
    "an empty output": (lambda b: b["input"][5]["output"][0].update(text="\n"), "text: empty"),
    "rules later on": (lambda b: b["input"].insert(2, b["input"][0]), "input[2]: the stable part is not first"),
    "an assistant last": (
        lambda b: b["input"].append({"role": "assistant", "content": "So."}),
        "input: the last is not the user's",
    ),
}

OF_CHAT: dict[str, Break] = {
    "an unknown key": (lambda b: b.update(max_output_tokens=0), "max_output_tokens"),
    "reasoning": (lambda b: b["messages"][2].update(reasoning_content="Hm."), "$.messages"),
    "no messages": (lambda b: b.pop("messages"), "'messages' is a required"),
    "a tool twice": (lambda b: b["tools"].append(b["tools"][0]), "tools: a name twice"),
    "a choice without tools": (lambda b: b.pop("tools"), "tool_choice: without tools"),
    "an orphan result": (lambda b: b["messages"].append(_result("z")), "messages[7]: an orphan result"),
    "a result left out": (lambda b: b["messages"].pop(4), "messages[4]: calls left without result"),
    "calls left open": (lambda b: b["messages"].pop(), "the last calls have no results"),
    "an id twice": (lambda b: b["messages"][2]["tool_calls"][1].update(id="a"), "messages[2]: a call's id twice"),
    "arguments that are no JSON": (
        lambda b: b["messages"][2]["tool_calls"][0]["function"].update(arguments=""),
        "messages[2]: arguments that are no JSON",
    ),
    "says nothing": (lambda b: b["messages"].insert(2, {"role": "assistant"}), "messages[2]: says nothing"),
    "one side twice": (
        lambda b: b["messages"].insert(1, {"role": "user", "content": "And?"}),
        "messages[2]: user is not next",
    ),
    "a second system message": (
        lambda b: b["messages"].insert(1, {"role": "system", "content": "More."}),
        "messages[1]: the stable part is not first",
    ),
    "empty text": (lambda b: b["messages"][1].update(content=" "), "content: empty"),
    "an assistant last": (
        lambda b: b["messages"].append({"role": "assistant", "content": "So."}),
        "messages: the last is not the user's",
    ),
}


def _assert_told(target: str, whole: dict[str, Any], break_it: Callable[[Any], object], told: str) -> None:
    body = copy.deepcopy(whole)
    break_it(body)
    found = violations_of(target, body)
    assert any(told in fault for fault in found), found


@pytest.mark.parametrize(("break_it", "told"), OF_RESPONSES.values(), ids=OF_RESPONSES)
def test_a_broken_request_to_responses_is_told(break_it: Callable[[Any], object], told: str) -> None:
    _assert_told(RESPONSES, ASKED, break_it, told)


@pytest.mark.parametrize(("break_it", "told"), OF_CHAT.values(), ids=OF_CHAT)
def test_a_broken_request_to_chat_is_told(break_it: Callable[[Any], object], told: str) -> None:
    _assert_told(CHAT, CHATTED, break_it, told)


@pytest.mark.parametrize("body", [None, [], "a", 3])
@pytest.mark.parametrize("target", [RESPONSES, CHAT])
def test_what_is_no_object_is_told(target: str, body: Any) -> None:
    assert violations_of(target, body)


async def _posted(wire: OpenAIWire, *requests: tuple[str, dict[str, str], str]) -> list[httpx2.Response]:
    async with serve(wire) as url, httpx2.AsyncClient(base_url=url, trust_env=False) as client:
        return [await client.post(path, headers=headers, content=content) for path, headers, content in requests]


async def test_the_wire_refuses_and_records_what_breaks_a_rule() -> None:
    wire = OpenAIWire(Said("a"), Said("b"))
    *refused, asked, chatted, unscripted = await _posted(
        wire,
        ("/v1/responses", {}, json.dumps(ASKED)),
        ("/v1/responses", BEARER, "no JSON"),
        ("/v1/completions", BEARER, json.dumps(CHATTED)),
        ("/v1/chat/completions", BEARER, json.dumps(ASKED)),
        ("/v1/responses", BEARER, json.dumps(ASKED)),
        ("/v1/chat/completions", BEARER, json.dumps(CHATTED)),
        ("/v1/chat/completions", BEARER, json.dumps(CHATTED)),
    )
    assert [answer.status_code for answer in refused] == [400] * 4
    assert asked.json()["output"][0]["content"][0]["text"] == "a"
    assert chatted.json()["choices"][0]["message"]["content"] == "b"
    assert unscripted.status_code == 400
    assert len(wire.violations) >= 5
    assert wire.violations[-1] == "a request that no reply was scripted for"


async def test_the_wire_knows_which_reasoning_a_call_came_with() -> None:
    wire = OpenAIWire(calling(("read_guide", {}), reasoning="Hm."), Said("a"))
    (first,) = await _posted(wire, ("/v1/responses", BEARER, json.dumps(ASKED)))
    thought, call = ({k: v for k, v in item.items() if v is not None} for item in first.json()["output"])
    said = [*ASKED["input"], thought, call, _output(call["call_id"])]
    without = [item for item in said if item is not thought]
    for items in (without, said):
        await _posted(wire, ("/v1/responses", BEARER, json.dumps({**ASKED, "input": items})))
    assert wire.violations == ["input: a call without its reasoning"]
