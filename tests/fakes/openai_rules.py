"""What is wrong with a request to OpenAI's wires: by the SDK's own types, closed, and as a conversation."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter

from tests.fakes.wire_rules import JsonObject, objects_in

RESPONSES = "POST /v1/responses"
CHAT = "POST /v1/chat/completions"

TYPES: Mapping[str, Any] = {
    RESPONSES: ResponseCreateParamsNonStreaming,
    CHAT: CompletionCreateParamsNonStreaming,
}

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What the API takes as the name of a function."""


def violations_of(target: str, body: Any) -> list[str]:
    """Every rule that a request body breaks, in words; empty when the API would take it."""
    broken = best_match(_validator(target).iter_errors(body))
    if broken is not None:
        return [f"{broken.json_path}: {broken.message[:300]}"]
    turns: Callable[[JsonObject], Iterator[str]] = {RESPONSES: _item_faults, CHAT: _message_faults}[target]
    return [*_tool_faults(body), *_text_faults(body), *turns(body)]


def prepare() -> None:
    """Builds the rules from the types, two seconds' work, so that no request has to wait for it."""
    for target in TYPES:
        _validator(target)


@cache
def _validator(target: str) -> Draft202012Validator:
    schema = TypeAdapter(TYPES[target]).json_schema()
    for shape in objects_in(schema):
        shape["additionalProperties"] = False
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator({**schema, "required": ["model", {RESPONSES: "input", CHAT: "messages"}[target]]})


def _tool_faults(body: JsonObject) -> Iterator[str]:
    tools = [tool.get("function", tool) for tool in body.get("tools", [])]
    names = [str(tool.get("name")) for tool in tools]
    if len(set(names)) < len(names):
        yield "tools: a name twice"
    if "tools" in body and not tools:
        yield "tools: empty"
    for key in ("tool_choice", "parallel_tool_calls"):
        if key in body and not tools:
            yield f"{key}: without tools"
    for tool in tools:
        try:
            Draft202012Validator.check_schema(tool.get("parameters") or {})
        except SchemaError as error:
            yield f"tools: {tool.get('name')}: {error.message[:300]}"


def _text_faults(body: JsonObject) -> Iterator[str]:
    for item in body.get("input") or body.get("messages") or []:
        parts = [item, *(part for key in ("content", "output") for part in _inside(item.get(key)))]
        for part in parts:
            for key in ("text", "content", "output"):
                value = part.get(key)
                if value is not None and not (value.strip() if isinstance(value, str) else value):
                    yield f"{key}: empty"


def _inside(value: Any) -> list[JsonObject]:
    return value if isinstance(value, list) else []


def _call_faults(where: str, call_id: str, name: str, arguments: str, seen: set[str]) -> Iterator[str]:
    if not call_id.strip():
        yield f"{where}: a call without an id"
    if call_id in seen:
        yield f"{where}: a call's id twice"
    seen.add(call_id)
    if not NAME.fullmatch(name):
        yield f"{where}: a call of no name"
    try:
        if not isinstance(json.loads(arguments), dict):
            yield f"{where}: arguments that are no object"
    except ValueError:
        yield f"{where}: arguments that are no JSON"


def _item_faults(body: JsonObject) -> Iterator[str]:
    """Calls and outputs paired, reasoning sealed and in its place, nothing stored."""
    if body.get("store") is not False or "previous_response_id" in body:
        yield "store: the provider would keep it"
    if "reasoning.encrypted_content" not in (body.get("include") or []):
        yield "include: reasoning would come unsealed"
    items: Sequence[JsonObject] = body["input"]
    open_calls: list[str] = []
    seen: set[str] = set()
    answering = False
    for position, item in enumerate(items):
        where, kind = f"input[{position}]", item.get("type", "message")
        if kind == "function_call_output":
            answering = True
            if item["call_id"] not in open_calls:
                yield f"{where}: an orphan output"
                continue
            open_calls.remove(item["call_id"])
            continue
        if open_calls and (answering or item.get("role", "assistant") != "assistant"):
            yield f"{where}: calls left without output"
            open_calls = []
        answering = False
        if kind == "function_call":
            yield from _call_faults(where, item["call_id"], item["name"], item["arguments"], seen)
            open_calls.append(item["call_id"])
        if kind == "reasoning":
            if not item.get("encrypted_content"):
                yield f"{where}: reasoning unsealed"
            after = items[position + 1] if position + 1 < len(items) else {}
            if after.get("type", "") not in ("reasoning", "message", "function_call"):
                yield f"{where}: reasoning of nothing"
        if item.get("role") in ("system", "developer") and position > 0:
            yield f"{where}: the stable part is not first"
    if open_calls:
        yield "input: the last calls have no outputs"
    last = items[-1] if items else {}
    if last.get("role") != "user" and last.get("type") != "function_call_output":
        yield "input: the last is not the user's"


def _message_faults(body: JsonObject) -> Iterator[str]:
    """Calls and results paired, sides in turn, one system message."""
    expected: list[str] = []
    seen: set[str] = set()
    speaker = "assistant"
    for position, message in enumerate(body["messages"]):
        where, role = f"messages[{position}]", message["role"]
        if role == "tool":
            if message["tool_call_id"] not in expected:
                yield f"{where}: an orphan result"
            else:
                expected.remove(message["tool_call_id"])
            speaker = "user"
            continue
        if expected:
            yield f"{where}: calls left without result"
            expected = []
        if role in ("system", "developer"):
            if position > 0:
                yield f"{where}: the stable part is not first"
            continue
        if role == speaker:
            yield f"{where}: {role} is not next"
        speaker = role
        calls = message.get("tool_calls", [])
        if message.get("content") is None and not calls:
            yield f"{where}: says nothing"
        for call in calls:
            yield from _call_faults(where, call["id"], call["function"]["name"], call["function"]["arguments"], seen)
            expected.append(call["id"])
    if expected:
        yield "messages: the last calls have no results"
    if not body["messages"] or body["messages"][-1]["role"] not in ("user", "tool"):
        yield "messages: the last is not the user's"
