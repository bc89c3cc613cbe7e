"""A small Messages API on loopback: scripted answers, every request recorded and held to the wire's rules.

`AnthropicWire` is an ASGI app for `serving.serve`; answers that no honest server gives are in `broken_wire`.
"""

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.scripted_wire import RawReply, Script, ScriptedWire
from tests.fakes.wire_rules import JsonObject, violations_of

__all__ = [
    "AnthropicWire",
    "MessageReply",
    "RawReply",
    "Reply",
    "error_reply",
    "message_body",
    "text_reply",
    "tool_reply",
]

BYTES_PER_TOKEN = 4
_ids = itertools.count(1)


@dataclass(frozen=True)
class MessageReply:
    """A whole message. `usage` None: counted from the bytes, with a cache that works as the marks say."""

    content: tuple[JsonObject, ...]
    stop_reason: str
    usage: Mapping[str, Any] | None = None
    after_seconds: float = 0.0


Reply = MessageReply | RawReply


def text_reply(
    text: str,
    *,
    stop: str = "end_turn",
    thinking: str | None = None,
    usage: Mapping[str, Any] | None = None,
    after_seconds: float = 0.0,
) -> MessageReply:
    """An answer in words."""
    content = (*_thinking(thinking), {"type": "text", "text": text})
    return MessageReply(content, stop, usage, after_seconds)


def tool_reply(
    *calls: tuple[str, JsonObject],
    text: str | None = None,
    stop: str = "tool_use",
    thinking: str | None = None,
    usage: Mapping[str, Any] | None = None,
    after_seconds: float = 0.0,
) -> MessageReply:
    """An answer that calls tools, each a name and its arguments; the ids are new each time."""
    said = () if text is None else ({"type": "text", "text": text},)
    uses = tuple(
        {"type": "tool_use", "id": f"toolu_{next(_ids):06}", "name": name, "input": arguments}
        for name, arguments in calls
    )
    return MessageReply((*_thinking(thinking), *said, *uses), stop, usage, after_seconds)


def error_reply(status: int, error_type: str = "api_error", *, headers: Mapping[str, str] | None = None) -> RawReply:
    """A refusal in the provider's envelope."""
    envelope = {"type": "error", "error": {"type": error_type, "message": "no"}, "request_id": "req_1"}
    return RawReply(json.dumps(envelope).encode(), status, headers or {})


def _thinking(thinking: str | None) -> tuple[JsonObject, ...]:
    if thinking is None:
        return ()
    signature = hashlib.sha256(thinking.encode()).hexdigest()
    return ({"type": "thinking", "thinking": thinking, "signature": f"Er+/{signature}=="},)


def message_body(reply: MessageReply, usage: Mapping[str, Any], *, model: str = "claude-test") -> bytes:
    """The bytes of a message as the API sends it, output-only keys included."""
    message = {
        "id": f"msg_{next(_ids):06}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{**block, "citations": None} if block.get("type") == "text" else block for block in reply.content],
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "usage": {**usage, "service_tier": "standard"},
    }
    return json.dumps(message, ensure_ascii=False).encode()


class PromptCache:
    """Counts as the provider's cache does: what stands before a mark is written once and read after."""

    def __init__(self) -> None:
        self._written: set[str] = set()

    def usage_of(self, body: JsonObject, output: bytes) -> dict[str, int]:
        read = marked = total = 0
        marks: list[str] = []
        for digest, size, is_mark in _growing_prefixes(body):
            total = size
            read = size if digest in self._written else read
            if is_mark:
                marked = size
                marks.append(digest)
        self._written.update(marks)
        marked = max(marked, read)
        return {
            "input_tokens": (total - marked) // BYTES_PER_TOKEN,
            "cache_creation_input_tokens": (marked - read) // BYTES_PER_TOKEN,
            "cache_read_input_tokens": read // BYTES_PER_TOKEN,
            "output_tokens": max(len(output) // BYTES_PER_TOKEN, 1),
        }


def _growing_prefixes(body: JsonObject) -> Iterator[tuple[str, int, bool]]:
    """The prompt block by block in the cache's order: digest and size up to there, and whether marked."""
    digest, size = hashlib.sha256(body["model"].encode()), 0
    for block in _prompt(body):
        plain = {key: value for key, value in block.items() if key != "cache_control"}
        part = json.dumps(plain, ensure_ascii=False).encode()
        digest.update(part)
        size += len(part)
        yield digest.hexdigest(), size, "cache_control" in block


def _prompt(body: JsonObject) -> Iterator[JsonObject]:
    yield from body.get("tools", [])
    yield from _content_blocks(body.get("system", []))
    # Another choice keeps the tools and the system part in the cache, and loses the messages.
    yield {"tool_choice": body.get("tool_choice")}
    for message in body["messages"]:
        for block in _content_blocks(message["content"]):
            yield {"role": message["role"], **block}


def _content_blocks(content: str | list[JsonObject]) -> list[JsonObject]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


class AnthropicWire(ScriptedWire[Reply]):
    """`POST /v1/messages`, answering from a queue or from a script that reads the request."""

    def __init__(self, *replies: Reply, script: Script[Reply] | None = None) -> None:
        super().__init__(*replies, script=script)
        self._cache = PromptCache()

    def faults(self, target: str, headers: Mapping[str, str], body: Any) -> list[str]:
        return [*_door_faults(target, headers), *violations_of(body)]

    def refusal(self) -> RawReply:
        return error_reply(400, "invalid_request_error")

    def written(self, reply: Reply, target: str, body: JsonObject) -> RawReply:
        if isinstance(reply, RawReply):
            return reply
        usage = reply.usage
        if usage is None:
            usage = self._cache.usage_of(body, json.dumps(reply.content, ensure_ascii=False).encode())
        return RawReply(message_body(reply, usage, model=body["model"]), after_seconds=reply.after_seconds)


def _door_faults(target: str, headers: Mapping[str, str]) -> Iterator[str]:
    if target != "POST /v1/messages":
        yield f"{target} is not offered"
    if not headers.get("authorization", "").startswith("Bearer "):
        yield "no bearer"
    if "anthropic-version" not in headers:
        yield "no anthropic-version"
