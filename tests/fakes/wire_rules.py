"""What is wrong with a Messages request: by the SDK's own types, closed, and as a conversation."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from pydantic import TypeAdapter

JsonObject = dict[str, Any]

MAX_CACHE_MARKS = 4
"""The API refuses a request with more."""

SIDE_OF_BLOCK: Mapping[str, str] = {
    "tool_use": "assistant",
    "thinking": "assistant",
    "redacted_thinking": "assistant",
    "tool_result": "user",
}
"""The one role that may say a block; text both may."""


def violations_of(body: Any) -> list[str]:
    """Every rule that a request body breaks, in words; empty when the API would take it."""
    broken = best_match(_validator().iter_errors(body))
    if broken is not None:
        return [f"{broken.json_path}: {broken.message[:300]}"]
    return [*_tool_faults(body), *_text_faults(body), *_cache_faults(body), *_turn_faults(body["messages"])]


@cache
def _validator() -> Draft202012Validator:
    schema = TypeAdapter(MessageCreateParamsNonStreaming).json_schema()
    definitions = schema["$defs"]
    for shape in objects_in(schema):
        shape["additionalProperties"] = False
    # A tool's schema is open by nature, and no other object than a schema.
    definitions["InputSchemaTyped"]["additionalProperties"] = True
    definitions["ToolParam"]["properties"]["input_schema"] = {"$ref": "#/$defs/InputSchemaTyped"}
    # The types also take the SDK's answer models as blocks; over the wire they may hold what the API refuses.
    definitions.update({name: False for name in definitions if f"{name}Param" in definitions})
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def objects_in(schema: Any) -> Iterator[JsonObject]:
    """Every schema of an object with named properties; a mapping that is open by nature has none."""
    if isinstance(schema, list):
        for inner in schema:
            yield from objects_in(inner)
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from objects_in(inner)


def _tool_faults(body: JsonObject) -> Iterator[str]:
    tools = body.get("tools", [])
    names = [tool.get("name") for tool in tools]
    if len(set(names)) < len(names):
        yield "tools: a name twice"
    if "tool_choice" in body and not tools:
        yield "tool_choice: without tools"
    for tool in tools:
        try:
            Draft202012Validator.check_schema(tool.get("input_schema", {}))
        except SchemaError as error:
            yield f"tools: {tool.get('name')}: {error.message[:300]}"


def _text_faults(body: JsonObject) -> Iterator[str]:
    for key in ("system", "messages", "tools"):
        if key in body and not body[key]:
            yield f"{key}: empty"
    blocks = _blocks({"content": body.get("system", [])}) + [
        block for message in body["messages"] for block in _blocks(message)
    ]
    for block in blocks:
        for key in ("text", "content"):
            value = block.get(key)
            if value is not None and not (value.strip() if isinstance(value, str) else value):
                yield f"a block's {key}: empty"


def _cache_faults(body: JsonObject) -> Iterator[str]:
    marks = json.dumps([body.get("tools"), body.get("system"), body["messages"]]).count('"cache_control": {')
    if marks > MAX_CACHE_MARKS:
        yield f"{marks} cache marks"


def _turn_faults(messages: Sequence[JsonObject]) -> Iterator[str]:
    """Calls and results paired, sides in turn, nothing empty."""
    expected: list[str] = []
    seen: set[str] = set()
    for position, message in enumerate(messages):
        where, role, blocks = f"messages[{position}]", message["role"], _blocks(message)
        if role != ("user", "assistant")[position % 2]:
            yield f"{where}: {role} is not next"
        if not blocks:
            yield f"{where}: empty"
        if any(SIDE_OF_BLOCK.get(block["type"], role) != role for block in blocks):
            yield f"{where}: a block of the other side"
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if sorted(results) != sorted(expected):
            yield f"{where}: the results are not those of the calls before"
        if any(block["type"] != "tool_result" for block in blocks[: len(results)]):
            yield f"{where}: something stands before the results"
        if len(set(calls)) < len(calls) or seen & set(calls):
            yield f"{where}: a call's id twice"
        expected, seen = calls, seen | set(calls)
    if expected:
        yield "messages: the last calls have no results"
    if messages and messages[-1]["role"] != "user":
        yield "messages: the last is not the user's"


def _blocks(message: JsonObject) -> list[JsonObject]:
    content = message["content"]
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content)
