"""A small Responses and Chat Completions API on loopback: scripted answers, requests held to the wires' rules.

`OpenAIWire` is an ASGI app for `serving.serve`, its base URL ends in `/v1`; answers that no honest server gives are
in `broken_wire`.
"""

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.openai_rules import CHAT, RESPONSES, TYPES, prepare, violations_of
from tests.fakes.scripted_wire import RawReply, Script, ScriptedWire
from tests.fakes.wire_rules import JsonObject

BYTES_PER_TOKEN = 4
_ids = itertools.count(1)


@dataclass(frozen=True)
class Said:
    """What a model says, whichever wire it is asked on. `calls` are pairs of a name and the arguments as text.

    `ending` is a status of Responses (`incomplete:max_output_tokens`) or a finish reason of Chat; None: the usual one.
    `usage` None: counted from the bytes, with a cache that works as the marks say.
    """

    text: str | None = None
    calls: tuple[tuple[str, str], ...] = ()
    reasoning: str | None = None
    refusal: str | None = None
    ending: str | None = None
    usage: Mapping[str, Any] | None = None
    after_seconds: float = 0.0


Reply = Said | RawReply


def calling(*calls: tuple[str, JsonObject], **said: Any) -> Said:
    """An answer that calls tools, each a name and its arguments."""
    return Said(calls=tuple((name, json.dumps(arguments)) for name, arguments in calls), **said)


def error_reply(status: int, code: str = "server_error", *, headers: Mapping[str, str] | None = None) -> RawReply:
    """A refusal in the provider's envelope."""
    error = {"message": "no", "type": "api_error", "param": None, "code": code}
    return RawReply(json.dumps({"error": error}).encode(), status, headers or {})


def sealed(reasoning: str) -> JsonObject:
    """Reasoning as an item of Responses: nulls for what was not asked for, as the API sends them."""
    seal = hashlib.sha256(reasoning.encode()).hexdigest()
    return {
        "id": f"rs_{next(_ids):06}",
        "type": "reasoning",
        "summary": [],
        "encrypted_content": f"gAAAAA/{seal}+==",
        "content": None,
        "status": None,
    }


def message_item(text: str | None, *, refusal: str | None = None, status: str = "completed") -> JsonObject:
    """What was said, as an item of Responses."""
    parts: list[JsonObject] = []
    if text is not None:
        parts.append({"type": "output_text", "annotations": [], "logprobs": [], "text": text})
    if refusal is not None:
        parts.append({"type": "refusal", "refusal": refusal})
    return {"id": f"msg_{next(_ids):06}", "type": "message", "status": status, "content": parts, "role": "assistant"}


def call_item(name: str, arguments: str, *, status: str = "completed") -> JsonObject:
    """A call, as an item of Responses."""
    number = f"{next(_ids):06}"
    return {
        "id": f"fc_{number}",
        "type": "function_call",
        "status": status,
        "arguments": arguments,
        "call_id": f"call_{number}",
        "name": name,
    }


def response(said: Said, usage: Mapping[str, Any] | None, *, model: str = "gpt-test") -> JsonObject:
    """A whole body of Responses."""
    status, _, reason = (said.ending or "completed").partition(":")
    output = [sealed(said.reasoning)] if said.reasoning is not None else []
    if said.text is not None or said.refusal is not None:
        output.append(message_item(said.text, refusal=said.refusal, status=status))
    output += [call_item(name, arguments, status=status) for name, arguments in said.calls]
    return {
        "id": f"resp_{next(_ids):06}",
        "object": "response",
        "created_at": 1_796_000_000,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "model": model,
        "output": output,
        "parallel_tool_calls": True,
        "usage": usage,
    }


def completion(said: Said, usage: Mapping[str, Any] | None, *, model: str = "gpt-test") -> JsonObject:
    """A whole body of Chat Completions, reasoning beside it as compatible servers send it."""
    message: JsonObject = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    if said.reasoning is not None:
        message["reasoning_content"] = said.reasoning
    if said.calls:
        message["tool_calls"] = [
            {"id": f"call_{next(_ids):06}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for name, arguments in said.calls
        ]
    reason = said.ending or ("tool_calls" if said.calls else "stop")
    return {
        "id": f"chatcmpl-{next(_ids):06}",
        "object": "chat.completion",
        "created": 1_796_000_000,
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": usage,
    }


class PromptCache:
    """Counts as the provider's cache does since gpt-5.6: what stands before a mark is written once and read after."""

    def __init__(self) -> None:
        self._written: set[str] = set()

    def counts_of(self, body: JsonObject, output: bytes) -> tuple[int, int, int, int]:
        """Input as a whole, of it read and written, and output."""
        read = marked = total = 0
        digest = hashlib.sha256(body["model"].encode())
        for part in _prompt(body):
            plain = {key: value for key, value in part.items() if key != "prompt_cache_breakpoint"}
            written = json.dumps(plain, ensure_ascii=False).encode()
            digest.update(written)
            total += len(written)
            if "prompt_cache_breakpoint" in part:
                name = digest.hexdigest()
                read = total if name in self._written else read
                marked = total
                self._written.add(name)
        counts = (total, read, max(marked - read, 0), len(output))
        whole, cached, kept, said = (count // BYTES_PER_TOKEN for count in counts)
        return whole, cached, kept, max(said, 1)


def _prompt(body: JsonObject) -> Iterator[JsonObject]:
    yield from body.get("tools", [])
    for item in body.get("input") or body.get("messages") or []:
        inside = item.get("content") or item.get("output")
        if isinstance(inside, list):
            yield {key: value for key, value in item.items() if key not in ("content", "output")}
            yield from inside
        else:
            yield item


class OpenAIWire(ScriptedWire[Reply]):
    """`POST /v1/responses` and `POST /v1/chat/completions`, from a queue or from a script that reads the request."""

    def __init__(self, *replies: Reply, script: Script[Reply] | None = None) -> None:
        super().__init__(*replies, script=script)
        prepare()
        self._cache = PromptCache()
        self._reasoned: dict[str, list[str]] = {}

    def faults(self, target: str, headers: Mapping[str, str], body: Any) -> list[str]:
        if target not in TYPES:
            return [f"{target} is not offered"]
        door = [] if headers.get("authorization", "").startswith("Bearer ") else ["no bearer"]
        return [*door, *violations_of(target, body), *self._unreasoned(target, body)]

    def _unreasoned(self, target: str, body: Any) -> Iterator[str]:
        """Calls that come back without the reasoning they came with, sealed as it was."""
        if target != RESPONSES or not isinstance(body, dict) or not isinstance(body.get("input"), list):
            return
        before: list[str] = []
        for item in body["input"]:
            match item.get("type"):
                case "reasoning":
                    before.append(str(item.get("encrypted_content")))
                case "function_call":
                    if self._reasoned.get(item.get("call_id"), before) != before:
                        yield "input: a call without its reasoning"
                case "message":
                    pass
                case _:
                    before = []

    def refusal(self) -> RawReply:
        return error_reply(400, "invalid_request_error")

    def written(self, reply: Reply, target: str, body: JsonObject) -> RawReply:
        if isinstance(reply, RawReply):
            self._note(reply.body)
            return reply
        output = json.dumps([reply.text, reply.calls, reply.reasoning], ensure_ascii=False).encode()
        usage = reply.usage if reply.usage is not None else self._usage(target, body, output)
        build = {RESPONSES: response, CHAT: completion}[target]
        raw = json.dumps(build(reply, usage, model=body["model"]), ensure_ascii=False).encode()
        self._note(raw)
        return RawReply(raw, after_seconds=reply.after_seconds)

    def _usage(self, target: str, body: JsonObject, output: bytes) -> JsonObject:
        whole, cached, kept, said = self._cache.counts_of(body, output)
        given, made = {RESPONSES: ("input", "output"), CHAT: ("prompt", "completion")}[target]
        return {
            f"{given}_tokens": whole,
            f"{given}_tokens_details": {"cached_tokens": cached, "cache_write_tokens": kept},
            f"{made}_tokens": said,
            f"{made}_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": whole + said,
        }

    def _note(self, raw: bytes) -> None:
        """Remembers the reasoning before each call of an answer, where it has any."""
        try:
            items = json.loads(raw)["output"]
            before: list[str] = []
            for item in items:
                if item["type"] == "reasoning" and item["encrypted_content"]:
                    before.append(item["encrypted_content"])
                if item["type"] == "function_call":
                    self._reasoned[item["call_id"]] = list(before)
        except (ValueError, LookupError, TypeError, RecursionError):
            return  # no answer of Responses
