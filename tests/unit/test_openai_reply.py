"""What comes of a whole reply on OpenAI's two wires."""

import json
from typing import Any

import pytest

from assist_service.domain.messages import Stop, Usage, UserText
from tests.fakes.claude import step
from tests.fakes.gpt import WIRES, ask, body_of, gpt_over, raw_of
from tests.fakes.openai_wire import OpenAIWire, Said, calling, message_item
from tests.fakes.scripted_wire import RawReply

both = pytest.mark.parametrize("wire", WIRES)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@both
async def test_a_name_nobody_knows_is_a_call_all_the_same(wire: str) -> None:
    server = OpenAIWire(calling(("no_such_tool", {"a": 1})), Said("So."))
    async with gpt_over(wire, server) as model:
        reply = await ask(model)
        await ask(model, UserText("How?"), *step(reply))
    assert [call.name for call in reply.calls] == ["no_such_tool"]
    assert server.violations == []


async def test_reasoning_that_leads_to_nothing_does_not_go_back() -> None:
    body: Any = body_of("openai", calling(("read_guide", {"page": "a"}), reasoning="First the page."))
    (thought,) = (item for item in body["output"] if item["type"] == "reasoning")
    body["output"].append({**thought, "id": "rs_last"})
    server = OpenAIWire(RawReply(json.dumps(body).encode()), Said("So."))
    async with gpt_over("openai", server) as model:
        reply = await ask(model)
        await ask(model, UserText("How?"), *step(reply))
    assert [item["type"] for item in reply.native] == ["reasoning", "function_call"]
    assert server.violations == []


def _open(*texts: str) -> list[dict[str, str]]:
    return [{"type": "reasoning_text", "text": text} for text in texts]


@pytest.mark.parametrize(
    ("content", "goes_back"),
    [
        ([], None),
        (_open(""), None),
        (_open(" ", "First the page.", "\n"), _open("First the page.")),
        (_open("First the page."), _open("First the page.")),
    ],
    ids=["none", "empty", "empty parts", "whole"],
)
async def test_empty_reasoning_beside_its_seal_stays_behind(content: Any, goes_back: Any) -> None:
    body: Any = body_of("openai", calling(("read_guide", {"page": "a"}), reasoning="First the page."))
    body["output"][0]["content"] = content
    server = OpenAIWire(raw_of(body), Said("So."))
    async with gpt_over("openai", server) as model:
        reply = await ask(model)
        await ask(model, UserText("How?"), *step(reply))
    assert reply.native[0]["encrypted_content"] == body["output"][0]["encrypted_content"]
    assert reply.native[0].get("content") == goes_back
    assert server.violations == []


ENDS: list[tuple[str, str, Stop]] = [
    ("openai", "completed", Stop.END),
    ("openai", "incomplete:max_output_tokens", Stop.LENGTH),
    ("openai", "incomplete:content_filter", Stop.REFUSAL),
    ("openai-chat", "stop", Stop.END),
    ("openai-chat", "length", Stop.LENGTH),
    ("openai-chat", "content_filter", Stop.REFUSAL),
]


@pytest.mark.parametrize(("wire", "ending", "stop"), ENDS)
async def test_what_each_end_means(wire: str, ending: str, stop: Stop) -> None:
    async with gpt_over(wire, OpenAIWire(Said("Half a", ending=ending))) as model:
        reply = await ask(model)
    assert (reply.stop, reply.text, reply.calls) == (stop, "Half a", ())


@pytest.mark.parametrize(("wire", "ending", "stop"), [end for end in ENDS if end[1] != "completed"])
async def test_a_call_counts_on_the_tool_stop_only(wire: str, ending: str, stop: Stop) -> None:
    said = calling(("read_guide", {"page": "a"}), text="Half a", ending=ending)
    async with gpt_over(wire, OpenAIWire(said)) as model:
        reply = await ask(model)
    assert (reply.stop, reply.text, reply.calls) == (stop, "Half a", ())
    assert "read_guide" not in json.dumps(reply.native)


@both
async def test_a_refusal_is_one_and_runs_no_calls(wire: str) -> None:
    server = OpenAIWire(Said(refusal="I will not."), calling(("read_guide", {}), refusal="No."))
    async with gpt_over(wire, server) as model:
        for _ in range(2):
            reply = await ask(model)
            assert (reply.stop, reply.text, reply.calls, list(reply.native)) == (Stop.REFUSAL, "", (), [])


async def test_remarks_on_the_way_are_no_answer() -> None:
    remark = {**message_item("Let me see."), "phase": "commentary"}
    final = {**message_item("Press Share."), "phase": "final_answer"}
    bodies = [body_of("openai", Said(), output=output) for output in ([remark, final], [remark])]
    async with gpt_over("openai", OpenAIWire(*map(raw_of, bodies))) as model:
        assert (await ask(model)).text == "Press Share."
        assert (await ask(model)).text == "Let me see."


COUNTS: list[tuple[str, dict[str, Any], Usage | None]] = [
    ("all", {"in": 100, "cached": 60, "written": 30, "out": 7, "total": 107}, Usage(10, 60, 30, 7)),
    ("no total", {"in": 100, "cached": 60, "written": 30, "out": 7}, Usage(10, 60, 30, 7)),
    ("no cache", {"in": 100, "out": 7, "total": 107}, Usage(100, 0, 0, 7)),
    ("cache null", {"in": 100, "cached": None, "written": None, "out": 7}, Usage(100, 0, 0, 7)),
    ("more cached than there was", {"in": 100, "cached": 90, "written": 11, "out": 7}, None),
    ("a total that holds more", {"in": 100, "out": 7, "total": 150}, None),
    ("no input", {"out": 7}, None),
    ("no output", {"in": 100}, None),
    ("negative", {"in": 100, "out": -1}, None),
    ("negative cache", {"in": 100, "cached": -1, "out": 7}, None),
    ("a fraction", {"in": 100.0, "out": 7}, None),
    ("a word", {"in": "100", "out": 7}, None),
    ("a truth", {"in": True, "out": 7}, None),
    ("beyond belief", {"in": 2**31, "out": 7}, None),
]


def _usage(wire: str, counts: dict[str, Any]) -> dict[str, Any]:
    given, made = {"openai": ("input", "output"), "openai-chat": ("prompt", "completion")}[wire]
    names = {"in": f"{given}_tokens", "out": f"{made}_tokens", "total": "total_tokens"}
    details = {"cached": "cached_tokens", "written": "cache_write_tokens"}
    usage: dict[str, Any] = {names[key]: value for key, value in counts.items() if key in names}
    cache = {details[key]: value for key, value in counts.items() if key in details}
    return {**usage, f"{given}_tokens_details": cache} if cache else usage


@both
@pytest.mark.parametrize(("counts", "expected"), [case[1:] for case in COUNTS], ids=[case[0] for case in COUNTS])
async def test_usage_is_what_was_counted_or_none(wire: str, counts: dict[str, Any], expected: Usage | None) -> None:
    async with gpt_over(wire, OpenAIWire(Said("a", usage=_usage(wire, counts)))) as model:
        assert (await ask(model)).usage == expected


@both
@pytest.mark.parametrize("usage", [None, [], "7"])
async def test_without_usage_there_is_none(wire: str, usage: Any) -> None:
    async with gpt_over(wire, OpenAIWire(raw_of(body_of(wire, Said("a"), usage=usage)))) as model:
        assert (await ask(model)).usage is None


async def test_chat_bears_what_a_plain_server_leaves_out() -> None:
    call = {"function": {"name": "read_guide"}}
    whole = {"function": {"name": "read_guide", "arguments": {"page": "a"}}, "id": "", "type": None}
    bodies: list[dict[str, Any]] = [
        {"choices": [{"finish_reason": "stop", "message": {"content": "Press Share."}}]},
        {"choices": [{"finish_reason": "tool_calls", "message": {"tool_calls": [call, whole]}}]},
        {"choices": [{"finish_reason": "tool_calls", "message": {"tool_calls": [call], "content": ""}}]},
    ]
    server = OpenAIWire(*map(raw_of, bodies), Said("So."))
    async with gpt_over("openai-chat", server) as model:
        assert (await ask(model)).text == "Press Share."
        first = await ask(model)
        assert [(c.id, c.arguments) for c in first.calls] == [("call_1", {}), ("call_2", {"page": "a"})]
        second = await ask(model, UserText("How?"), *step(first))
        assert [c.id for c in second.calls] == ["call_3"]
        await ask(model, UserText("How?"), *step(first), *step(second))
    assert server.violations == []
