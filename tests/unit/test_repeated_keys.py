"""A key that stands twice in what a provider or a model wrote is never read one way or the other (`strict_json`)."""

from typing import Any

import pytest

from assist_service.adapters.models.reading import object_of, value_of
from assist_service.domain.messages import ProviderFault, ToolResult, ToolResults, UserText
from tests.fakes.anthropic_wire import AnthropicWire, message_body, text_reply
from tests.fakes.claude import claude_over, request_of, step
from tests.fakes.gpt import WIRES, ask, body_of, fault_after, gpt_over, raw_of
from tests.fakes.openai_wire import OpenAIWire, Said
from tests.fakes.scripted_wire import RawReply

TWICE = {
    "a page": '{"page": "nowhere", "page": "teacher/pools"}',
    "a page, once escaped": '{"page": "nowhere", "p\\u0061ge": "teacher/pools"}',
    "the same page": '{"page": "teacher/pools", "page": "teacher/pools"}',
    "far in": '{"page": [{"a": 1, "a": 2}]}',
}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("written", TWICE.values(), ids=TWICE)
async def test_arguments_with_a_key_twice_are_none_and_the_model_is_told(wire: str, written: str) -> None:
    server = OpenAIWire(Said(calls=(("read_guide", written),)), Said("So."))
    async with gpt_over(wire, server) as model:
        reply = await ask(model)
        assert [call.arguments for call in reply.calls] == [None]
        turn, _ = step(reply)
        told = ToolResults((ToolResult(reply.calls[0].id, "no object", is_error=True),))
        await ask(model, UserText("How?"), turn, told)
    assert server.violations == []
    sent = server.requests[1].raw.decode()
    assert "no object" in sent
    assert "nowhere" not in sent


def _doubled(raw: bytes) -> RawReply:
    """The body with its first key once more."""
    return RawReply(b'{"id": "canary", "id": "other", ' + raw[1:])


@pytest.mark.parametrize("wire", WIRES)
async def test_a_reply_with_a_key_twice_is_malformed(wire: str) -> None:
    body: Any = {key: value for key, value in body_of(wire, Said("Press Share.")).items() if key != "id"}
    fault = await fault_after(wire, _doubled(raw_of(body).body))
    assert (fault.billed, fault.reason) == (True, "malformed")


async def test_a_message_with_a_key_twice_is_malformed() -> None:
    whole = message_body(text_reply("Press Share."), {"input_tokens": 1, "output_tokens": 1})
    wire = AnthropicWire(RawReply(b'{"type": "message", ' + whole[1:]))
    async with claude_over(wire) as model:
        with pytest.raises(ProviderFault) as error:
            await model.send(request_of(), timeout_seconds=5)
    assert (error.value.billed, error.value.reason) == (True, "malformed")


def test_what_is_no_json_at_all_stays_another_fault() -> None:
    for raw, reason in ((b"{", "not_json"), (b"\xff", "not_json"), (b'{"a": NaN}', "not_json"), (b"[]", "malformed")):
        with pytest.raises(ProviderFault) as error:
            object_of(raw)
        assert error.value.reason == reason
        assert error.value.__context__ is None
    assert value_of("[" * 100_000) is None
    assert value_of(b'{"a": 1, "a": 1}') is None
    assert value_of('{"a": {"b": 1}, "b": 1}') == {"a": {"b": 1}, "b": 1}
