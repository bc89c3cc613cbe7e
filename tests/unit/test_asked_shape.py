"""A shape asked of an answer is put as each wire puts it, and left out where a wire has no words for it."""

import json
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

import pytest

from assist_service.domain.messages import JsonObject
from assist_service.ports import ModelProvider
from tests.fakes.anthropic_wire import AnthropicWire, text_reply
from tests.fakes.claude import claude_over, request_of
from tests.fakes.gpt import WIRES, gpt_over
from tests.fakes.openai_wire import OpenAIWire, Said

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 80},
        "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}},
    },
    "required": ["title"],
    "additionalProperties": False,
    "$defs": {"tag": {"enum": ["a", "b"]}},
}


def _nested() -> JsonObject:
    schema: JsonObject = {"type": "string"}
    for _ in range(60):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


INEXPRESSIBLE: dict[str, JsonObject] = {
    "of no type": {},
    "of several types": {"type": ["object", "null"], "properties": {"a": {"type": "string"}}},
    "of an unknown type": {"type": "thing"},
    "with keys of any name": {"type": "object", "additionalProperties": {"type": "string"}},
    "with an object of any keys inside": {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "object"}}},
    },
    "with keys by pattern": {"type": "object", "properties": {"a": {"type": "null"}}, "patternProperties": {"^x": {}}},
    "with properties that are none": {"type": "object", "properties": {"a": True}},
    "nested out of reason": _nested(),
    "with a lone surrogate": {"type": "string", "description": "\ud800"},
    "with an infinite number": {"type": "number", "enum": [float("inf")]},
    "with what is no JSON": {"type": "string", "enum": [{"a"}]},
}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


async def _sent(
    over: AbstractAsyncContextManager[ModelProvider], wire: AnthropicWire | OpenAIWire, schema: JsonObject | None
) -> dict[str, Any]:
    async with over as model:
        reply = await model.send(replace(request_of(tools=()), output_schema=schema), timeout_seconds=5)
    assert reply.text == "{}"
    assert wire.violations == []
    body = wire.requests[0].body
    assert isinstance(body, dict)
    return body


async def _asked_of_claude(schema: JsonObject | None) -> dict[str, Any]:
    wire = AnthropicWire(text_reply("{}"))
    return await _sent(claude_over(wire), wire, schema)


async def _asked_of(wire: str, schema: JsonObject | None) -> dict[str, Any]:
    server = OpenAIWire(Said("{}"))
    return await _sent(gpt_over(wire, server), server, schema)


async def test_claude_is_asked_in_the_part_of_json_schema_it_knows() -> None:
    before = json.dumps(SCHEMA)
    body = await _asked_of_claude(SCHEMA)
    shape = body["output_config"]["format"]
    assert shape["type"] == "json_schema"
    assert shape["schema"]["properties"]["title"]["type"] == "string"
    assert "maxLength" not in shape["schema"]["properties"]["title"]
    assert shape["schema"]["additionalProperties"] is False
    assert json.dumps(SCHEMA) == before


async def test_responses_is_asked_as_it_is() -> None:
    body = await _asked_of("openai", SCHEMA)
    assert body["text"] == {"format": {"type": "json_schema", "name": "answer", "schema": SCHEMA, "strict": False}}


async def test_chat_is_asked_as_it_is() -> None:
    body = await _asked_of("openai-chat", SCHEMA)
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": False},
    }


@pytest.mark.parametrize("schema", INEXPRESSIBLE.values(), ids=INEXPRESSIBLE)
async def test_what_claude_cannot_be_asked_is_left_out(schema: JsonObject) -> None:
    assert "output_config" not in await _asked_of_claude(schema)


@pytest.mark.parametrize("schema", INEXPRESSIBLE.values(), ids=INEXPRESSIBLE)
@pytest.mark.parametrize("wire", WIRES)
async def test_no_schema_breaks_a_request(wire: str, schema: JsonObject) -> None:
    await _asked_of(wire, schema)


@pytest.mark.parametrize("wire", WIRES)
async def test_without_a_schema_nothing_is_asked(wire: str) -> None:
    assert not {"text", "response_format"} & (await _asked_of(wire, None)).keys()
    assert "output_config" not in await _asked_of_claude(None)
