"""A reply on OpenAI's wires that is no whole, understood one is a ProviderFault with its own word."""

from typing import Any

import pytest

from assist_service.domain.messages import ProviderFaultKind
from tests.fakes.claude import Meaning, meaning_of
from tests.fakes.gpt import WIRES, body_of, fault_after, raw_of
from tests.fakes.openai_wire import Said, call_item, calling, message_item, sealed
from tests.fakes.scripted_wire import RawReply

TRANSIENT = ProviderFaultKind.TRANSIENT
PERMANENT = ProviderFaultKind.PERMANENT
CLOSED = ProviderFaultKind.CLOSED

MALFORMED: Meaning = (CLOSED, True, "malformed")
AGAIN: Meaning = (TRANSIENT, True, "malformed")

both = pytest.mark.parametrize("wire", WIRES)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


ENVELOPES: dict[str, tuple[Any, Meaning]] = {
    "a code": ({"code": "rate_limit_exceeded", "message": "The canary"}, (TRANSIENT, False, "error_envelope")),
    "a type": ({"type": "invalid_request_error", "code": None}, (PERMANENT, False, "error_envelope")),
    "a number": ({"code": 503, "message": "The canary"}, (TRANSIENT, False, "error_envelope")),
    "a number of a server": ({"code": 502}, (TRANSIENT, False, "error_envelope")),
    "a number of a refusal": ({"code": 400}, (PERMANENT, False, "error_envelope")),
    "a number of a refusal of another kind": ({"code": 422}, (CLOSED, False, "error_envelope")),
    "a number of no status": ({"code": 7}, (TRANSIENT, False, "error_envelope")),
    "a wait given up": ({"code": 504}, (TRANSIENT, True, "error_envelope")),
    "a wait given up on the way": ({"code": 408}, (TRANSIENT, True, "error_envelope")),
    "no credit": ({"code": "insufficient_quota", "type": "insufficient_quota"}, (CLOSED, False, "error_envelope")),
    "no access": ({"code": "invalid_api_key"}, (CLOSED, False, "error_envelope")),
    "policy": ({"code": "invalid_prompt"}, (PERMANENT, False, "error_envelope")),
    "unknown": ({"code": "something_new"}, (TRANSIENT, False, "error_envelope")),
    "of strange kinds": ({"code": [], "type": {}}, (TRANSIENT, False, "error_envelope")),
    "a text": ("The canary", (TRANSIENT, False, "error_envelope")),
}


@both
@pytest.mark.parametrize(("error", "meaning"), ENVELOPES.values(), ids=ENVELOPES)
async def test_an_error_that_comes_as_a_success(wire: str, error: Any, meaning: Meaning) -> None:
    assert meaning_of(await fault_after(wire, raw_of({"error": error}))) == meaning


BEGUN: list[tuple[str, dict[str, Any], bool]] = [
    ("openai", {"output": [], "usage": None}, False),
    ("openai", {"output": [message_item("Half a")]}, True),
    ("openai", {"output": [], "usage": {"input_tokens": 9, "output_tokens": 1}}, True),
    ("openai-chat", {"choices": [], "usage": None}, False),
    ("openai-chat", {"choices": [{"index": 0, "finish_reason": "error", "message": {"content": "Half a"}}]}, True),
    ("openai-chat", {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 1}}, True),
]


@pytest.mark.parametrize(("wire", "begun", "billed"), BEGUN)
async def test_an_error_is_charged_once_an_answer_had_been_begun(
    wire: str, begun: dict[str, Any], billed: bool
) -> None:
    body = {"error": {"code": "server_error", "message": "The canary"}, **begun}
    assert meaning_of(await fault_after(wire, raw_of(body))) == (TRANSIENT, billed, "error_envelope")


@pytest.mark.parametrize(("error", "why"), [({"code": "server_error"}, "an error"), (None, "no error")])
async def test_a_response_that_failed_is_charged_once_it_had_been_begun(error: Any, why: str) -> None:
    begun = body_of("openai", Said("Half a", ending="failed"), error=error)
    assert meaning_of(await fault_after("openai", raw_of(begun))) == (TRANSIENT, True, "error_envelope"), why
    nothing = {**begun, "output": [], "usage": None}
    assert meaning_of(await fault_after("openai", raw_of(nothing))) == (TRANSIENT, False, "error_envelope"), why


async def test_the_older_envelope_of_a_compatible_server() -> None:
    body = {"object": "error", "message": "The canary", "type": "BadRequestError", "code": 400}
    assert meaning_of(await fault_after("openai-chat", raw_of(body))) == (PERMANENT, False, "error_envelope")


NO_ENDS: list[tuple[str, str, Meaning]] = [
    ("openai", "failed", (TRANSIENT, True, "error_envelope")),
    ("openai", "cancelled", (TRANSIENT, True, "paused")),
    ("openai", "in_progress", (CLOSED, True, "paused")),
    ("openai", "queued", (CLOSED, True, "paused")),
    ("openai", "incomplete", (CLOSED, True, "unknown_stop")),
    ("openai", "incomplete:max_messages", (CLOSED, True, "paused")),
    ("openai", "incomplete:steered", (CLOSED, True, "paused")),
    ("openai", "incomplete:something_new", (CLOSED, True, "unknown_stop")),
    ("openai", "something_new", (CLOSED, True, "unknown_stop")),
    ("openai-chat", "function_call", MALFORMED),
    ("openai-chat", "something_new", (CLOSED, True, "unknown_stop")),
    ("openai-chat", "", MALFORMED),
]


@pytest.mark.parametrize(("wire", "ending", "meaning"), NO_ENDS)
@pytest.mark.parametrize("said", [Said("The canary."), calling(("read_guide", {}))], ids=["text", "calls"])
async def test_an_end_that_is_none_is_a_fault(wire: str, ending: str, meaning: Meaning, said: Said) -> None:
    body = body_of(wire, Said(said.text, said.calls, ending=ending or None))
    if not ending:
        body["choices"][0]["finish_reason"] = None
    assert meaning_of(await fault_after(wire, raw_of(body))) == meaning


async def test_an_end_that_is_none_is_not_charged_where_nothing_was_counted() -> None:
    nothing = {"input_tokens": 0, "output_tokens": 0}
    fault = await fault_after("openai", Said("a", ending="cancelled", usage=nothing))
    assert meaning_of(fault) == (TRANSIENT, False, "paused")
    nothing = {"prompt_tokens": 0, "completion_tokens": 0}
    fault = await fault_after("openai-chat", Said("a", ending="something_new", usage=nothing))
    assert meaning_of(fault) == (CLOSED, False, "unknown_stop")


NO_BODIES: dict[str, tuple[bytes, Meaning]] = {
    "no JSON": (b"<html>The canary</html>", (TRANSIENT, True, "not_json")),
    "nothing": (b"", (TRANSIENT, True, "not_json")),
    "not UTF-8": (b'{"output": "\xff"}', (TRANSIENT, True, "not_json")),
    "NaN": (b'{"output": [NaN]}', (TRANSIENT, True, "not_json")),
    "nested out of reason": (b"[" * 100_000, (TRANSIENT, True, "not_json")),
    "a list": (b"[]", MALFORMED),
    "an empty object": (b"{}", MALFORMED),
}


@both
@pytest.mark.parametrize(("body", "meaning"), NO_BODIES.values(), ids=NO_BODIES)
async def test_a_body_that_is_none_is_a_fault(wire: str, body: bytes, meaning: Meaning) -> None:
    assert meaning_of(await fault_after(wire, RawReply(body))) == meaning


def _nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def _item(**changes: Any) -> dict[str, Any]:
    item = {**call_item("read_guide", "{}"), **changes}
    return {key: value for key, value in item.items() if value != "left out"}


def _message(*parts: Any, **changes: Any) -> dict[str, Any]:
    return {**message_item(None), "content": list(parts), **changes}


OUTPUTS: dict[str, tuple[Any, Meaning]] = {
    "no output": (None, MALFORMED),
    "output a text": ("The canary.", MALFORMED),
    "output of texts": (["The canary."], MALFORMED),
    "an item of no kind": ([{"id": "a"}], MALFORMED),
    "an item of a strange kind": ([{"type": ["message"]}], MALFORMED),
    "an item not asked for": ([{"type": "web_search_call", "id": "w", "status": "completed"}], MALFORMED),
    "a message without content": ([{"type": "message", "id": "m"}], MALFORMED),
    "a message by somebody else": ([_message(role="user")], MALFORMED),
    "a part of a strange kind": ([_message({"type": "output_audio", "text": "a"})], MALFORMED),
    "a part of reasoning": ([_message({"type": "summary_text", "text": "a"})], MALFORMED),
    "text that is none": ([_message({"type": "output_text", "text": 3})], MALFORMED),
    "text with a lone surrogate": ([_message({"type": "output_text", "text": "\ud800"})], MALFORMED),
    "reasoning without a summary": ([{"type": "reasoning", "id": "r"}], MALFORMED),
    "reasoning with a seal that is none": ([{**sealed("a"), "encrypted_content": 3}], MALFORMED),
    "reasoning of a strange summary": ([{**sealed("a"), "summary": ["a"]}], MALFORMED),
    "nested too deep": ([{**sealed("a"), "summary": [_nested(40)]}], MALFORMED),
    "a call without id": ([_item(call_id="left out")], MALFORMED),
    "a call with an empty id": ([_item(call_id=" ")], MALFORMED),
    "a call without name": ([_item(name="left out")], MALFORMED),
    "a call of a name that cannot go back": ([_item(name="functions.read_guide")], AGAIN),
    "a call of no name": ([_item(name="")], AGAIN),
    "a call without arguments": ([_item(arguments="left out")], MALFORMED),
    "a call with arguments as an object": ([_item(arguments={})], MALFORMED),
    "half a call": ([_item(status="incomplete")], MALFORMED),
    "a call in progress": ([_item(status="in_progress")], MALFORMED),
    "two calls of one id": ([_item(call_id="c"), _item(call_id="c")], AGAIN),
}


@pytest.mark.parametrize(("output", "meaning"), OUTPUTS.values(), ids=OUTPUTS)
async def test_output_that_is_not_whole_is_a_fault(output: Any, meaning: Meaning) -> None:
    assert meaning_of(await fault_after("openai", raw_of(body_of("openai", Said(), output=output)))) == meaning


def _choice(message: Any, reason: Any = "stop") -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": reason, "message": message}]}


def _calls(*calls: Any) -> dict[str, Any]:
    return _choice({"role": "assistant", "content": None, "tool_calls": list(calls)}, "tool_calls")


def _call(call_id: Any = "c", name: Any = "read_guide", arguments: Any = "{}", **more: Any) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}, **more}


CHOICES: dict[str, tuple[Any, Meaning]] = {
    "an error in the choice": (
        {"choices": [{**_choice({"content": "The canary."}, "error")["choices"][0], "error": {"code": 502}}]},
        (TRANSIENT, True, "error_envelope"),
    ),
    "a refusal in the choice": (
        {"choices": [{**_choice({"content": "The canary."})["choices"][0], "error": {"code": 400}}]},
        (PERMANENT, True, "error_envelope"),
    ),
    "an end in an error": (_choice({"content": "The canary."}, "error"), (TRANSIENT, True, "error_envelope")),
    "no choice": ({"choices": []}, MALFORMED),
    "choices a text": ({"choices": "The canary."}, MALFORMED),
    "choices of texts": ({"choices": ["The canary."]}, MALFORMED),
    "two choices": ({"choices": _choice({"content": "a"})["choices"] * 2}, MALFORMED),
    "no message": (_choice(None), MALFORMED),
    "no reason": (_choice({"content": "a"}, None), MALFORMED),
    "a reason of a strange kind": (_choice({"content": "a"}, ["stop"]), MALFORMED),
    "content of parts": (_choice({"content": [{"type": "text", "text": "a"}]}), MALFORMED),
    "content a number": (_choice({"content": 3}), MALFORMED),
    "a refusal of a strange kind": (_choice({"content": "a", "refusal": True}), MALFORMED),
    "text with a lone surrogate": (_choice({"content": "\ud800"}), MALFORMED),
    "nested too deep": (_choice({"content": "a", "more": _nested(40)}), MALFORMED),
    "a tool stop without calls": (_choice({"content": "The canary."}, "tool_calls"), (TRANSIENT, True, "no_calls")),
    "a tool stop with no calls": (_calls(), (TRANSIENT, True, "no_calls")),
    "calls a text": (_choice({"tool_calls": "The canary."}, "tool_calls"), MALFORMED),
    "calls of texts": (_calls("The canary."), MALFORMED),
    "a call without function": (_calls({"id": "c", "type": "function"}), MALFORMED),
    "a call of another kind": (_calls(_call(type="custom")), MALFORMED),
    "a call with a blank id": (_calls(_call(" ")), MALFORMED),
    "a call with an id of a strange kind": (_calls(_call(3)), MALFORMED),
    "a call without name": (_calls(_call(name=None)), MALFORMED),
    "a call of a name that cannot go back": (_calls(_call(name="functions.read_guide")), AGAIN),
    "a call of no name": (_calls(_call(name="")), AGAIN),
    "arguments as a list": (_calls(_call(arguments=[])), MALFORMED),
    "two calls of one id": (_calls(_call(), _call()), AGAIN),
}


@pytest.mark.parametrize(("body", "meaning"), CHOICES.values(), ids=CHOICES)
async def test_a_choice_that_is_not_whole_is_a_fault(body: Any, meaning: Meaning) -> None:
    assert meaning_of(await fault_after("openai-chat", raw_of(body))) == meaning
