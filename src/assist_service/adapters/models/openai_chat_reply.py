"""An answer of Chat Completions becomes a ModelReply; what plain servers leave out is borne, what is wrong is not."""

import itertools
import json
from collections.abc import Collection, Mapping
from typing import Any

from assist_service.adapters.models.faults import CLOSED, Reason, Verdict
from assist_service.adapters.models.openai_reading import (
    arguments_of,
    counts_of,
    error_fault,
    refuse_name,
    written_back,
)
from assist_service.adapters.models.reading import (
    MALFORMED,
    NO_CALLS,
    can_be_sent,
    is_charged,
    is_deeper,
    object_of,
    refuse_calls,
)
from assist_service.domain.messages import JsonObject, ModelReply, Stop, ToolCall, Usage

STOPS: Mapping[str, Stop] = {
    "stop": Stop.END,
    "tool_calls": Stop.TOOLS,
    "length": Stop.LENGTH,
    "content_filter": Stop.REFUSAL,
}
"""The finish reasons that end a reply. What is absent here is a fault."""

FAULTY_STOPS: Mapping[str, Reason] = {"function_call": Reason.MALFORMED}
"""Finish reasons that are known and no end of a reply: the older form of calls is never offered."""

FAILED = "error"
"""The finish reason by which a router says that the server behind it failed, with the error in the choice."""

THOUGHT_BEGINS, THOUGHT_ENDS = "<think>", "</think>"
"""How servers that do not part reasoning from what is said leave it in the text. Some write its end only."""


def read_reply(raw: bytes, *, used_ids: Collection[str]) -> ModelReply:
    """The reply in a body of status 200. Raises ProviderFault; `used_ids` are the calls of earlier turns."""
    body = object_of(raw)
    if body.get("error") is not None:
        raise error_fault(body["error"], worked=bool(body.get("choices") or body.get("usage")))
    if body.get("object") == "error":  # vLLM's older form
        raise error_fault(body, worked=False)
    usage = counts_of(body.get("usage"), "chat")
    choice = _choice_of(body)
    if choice.get("error") is not None or choice.get("finish_reason") == FAILED:
        raise error_fault(choice.get("error"), worked=True)
    stop = _stop_of(choice.get("finish_reason"), usage)
    message = choice.get("message")
    if not isinstance(message, dict) or is_deeper(message):
        raise MALFORMED.fault()
    text = _said(_text(message, "content"))
    if _text(message, "refusal").strip():
        stop = Stop.REFUSAL
    written = _written_calls(message, used_ids) if stop is Stop.TOOLS else []
    calls = tuple(ToolCall(call_id, name, arguments_of(arguments)) for call_id, name, arguments in written)
    refuse_calls(calls, used_ids)
    if stop is Stop.TOOLS and not calls:
        raise NO_CALLS.fault()
    native = _native_of(text, calls, [arguments for _, _, arguments in written])
    if not can_be_sent(native):
        raise MALFORMED.fault()
    return ModelReply(stop=stop, text=text, calls=calls, native=native, usage=usage)


def _choice_of(body: JsonObject) -> JsonObject:
    choices = body.get("choices")
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        raise MALFORMED.fault()
    return choices[0]


def _stop_of(finish_reason: object, usage: Usage | None) -> Stop:
    if not isinstance(finish_reason, str):
        raise MALFORMED.fault()
    stop = STOPS.get(finish_reason)
    if stop is None:
        raise Verdict(CLOSED, is_charged(usage), FAULTY_STOPS.get(finish_reason, Reason.UNKNOWN_STOP)).fault()
    return stop


def _text(message: JsonObject, key: str) -> str:
    text = message.get(key)
    if text is not None and not isinstance(text, str):
        raise MALFORMED.fault()
    return text or ""


def _said(text: str) -> str:
    """The text without the reasoning left in it, which would pass for an answer; nothing where that never ended."""
    _, ends, said = text.rpartition(THOUGHT_ENDS)
    if ends:
        return said.lstrip()
    return "" if text.lstrip().startswith(THOUGHT_BEGINS) else text


def _written_calls(message: JsonObject, used_ids: Collection[str]) -> list[tuple[str, str, str]]:
    """Id, name and arguments of each call. Some servers give no ids: then they are ours, for the results to name."""
    calls = message.get("tool_calls")
    if calls is None:
        return []
    if not isinstance(calls, list):
        raise MALFORMED.fault()
    fresh = (name for name in map("call_{}".format, itertools.count(1)) if name not in used_ids)
    written = []
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or call.get("type", "function") not in (None, "function"):
            raise MALFORMED.fault()
        call_id = call.get("id")
        if call_id is None or call_id == "":
            call_id = next(fresh)
        if not isinstance(call_id, str) or not isinstance(function.get("name"), str):
            raise MALFORMED.fault()
        refuse_name(function["name"])
        written.append((call_id, function["name"], _written(function.get("arguments"))))
    return written


def _written(arguments: Any) -> str:
    """Arguments as text: some servers leave out those of a call that has none, or give the object itself."""
    if arguments is None or (isinstance(arguments, str) and not arguments.strip()):
        return "{}"
    if isinstance(arguments, dict):
        return json.dumps(arguments)
    if not isinstance(arguments, str):
        raise MALFORMED.fault()
    return arguments


def _native_of(text: str, calls: Collection[ToolCall], written: Collection[str]) -> list[JsonObject]:
    """The one message that goes back. Reasoning does not: this wire has no place for it, and models take none."""
    if not calls:
        return [{"role": "assistant", "content": text}] if text.strip() else []
    tool_calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": written_back(arguments, call.arguments)},
        }
        for call, arguments in zip(calls, written, strict=True)
    ]
    return [{"role": "assistant", "content": text if text.strip() else None, "tool_calls": tool_calls}]
