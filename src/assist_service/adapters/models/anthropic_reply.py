"""An answer of the Messages API becomes a ModelReply only when every part of it is whole and understood."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from assist_service.adapters.models.faults import CLOSED, PERMANENT, Reason, Verdict, verdict_of_error
from assist_service.adapters.models.reading import (
    MALFORMED,
    NO_CALLS,
    can_be_sent,
    is_charged,
    is_deeper,
    object_of,
    refuse_calls,
    usage_of,
)
from assist_service.domain.messages import JsonObject, ModelReply, ProviderFault, Stop, ToolCall, Usage

STOPS: Mapping[str, Stop] = {
    "end_turn": Stop.END,
    "stop_sequence": Stop.END,
    "tool_use": Stop.TOOLS,
    "max_tokens": Stop.LENGTH,
    "refusal": Stop.REFUSAL,
}
"""The stop reasons that end a reply. What is absent here is a fault."""

FAULTY_STOPS: Mapping[str, Reason] = {
    "model_context_window_exceeded": Reason.CONTEXT_EXCEEDED,
    "pause_turn": Reason.PAUSED,
}
"""Stop reasons that are known and no end of a reply; any other is `unknown_stop`."""

BLOCKS: Mapping[str, Mapping[str, type]] = {
    "text": {"text": str},
    "tool_use": {"id": str, "name": str, "input": dict},
    "thinking": {"thinking": str, "signature": str},
    "redacted_thinking": {"data": str},
}
"""The kinds of block that may come, each with the keys the API takes back; others are its output only."""

ENVELOPE_STATUSES: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status each type of error would have had, for an error that came with status 200."""

USAGE_KEYS = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
"""In the order of Usage's fields."""


def read_reply(raw: bytes, *, used_ids: Collection[str]) -> ModelReply:
    """The reply in a body of status 200. Raises ProviderFault; `used_ids` are the calls of earlier turns."""
    body = object_of(raw)
    if body.get("type") == "error":
        raise _envelope_fault(body)
    usage = _usage_of(body.get("usage"))
    stop = _stop_of(body.get("stop_reason"), usage)
    native = _native_of(body.get("content"), stop)
    calls = _calls_of(native, used_ids)
    if stop is Stop.TOOLS and not calls:
        raise NO_CALLS.fault()
    text = "".join(block["text"] for block in native if block["type"] == "text")
    return ModelReply(stop=stop, text=text, calls=calls, native=native, usage=usage)


def _envelope_fault(body: JsonObject) -> ProviderFault:
    """An error that came as a success: like its own status."""
    error = body.get("error")
    kind = error.get("type") if isinstance(error, dict) else None
    status = ENVELOPE_STATUSES.get(kind, 500) if isinstance(kind, str) else 500
    return replace(verdict_of_error(status), reason=Reason.ERROR_ENVELOPE).fault()


def _usage_of(usage: object) -> Usage | None:
    return usage_of(*(usage.get(key) for key in USAGE_KEYS)) if isinstance(usage, dict) else None


def _stop_of(stop_reason: object, usage: Usage | None) -> Stop:
    if not isinstance(stop_reason, str):
        raise MALFORMED.fault()
    stop = STOPS.get(stop_reason)
    if stop is None:
        reason = FAULTY_STOPS.get(stop_reason, Reason.UNKNOWN_STOP)
        # Only too long a context is the request's own fault.
        kind = PERMANENT if reason is Reason.CONTEXT_EXCEEDED else CLOSED
        raise Verdict(kind, is_charged(usage), reason).fault()
    return stop


def _native_of(content: object, stop: Stop) -> list[JsonObject]:
    """The blocks as they came, less what cannot go back: empty text, and calls that must not run.

    A call on any stop but `tool_use` may be half a call, even where it is valid (F2).
    """
    if not isinstance(content, list) or is_deeper(content):
        raise MALFORMED.fault()
    native: list[JsonObject] = []
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(kind, str) or kind not in BLOCKS:
            raise MALFORMED.fault()
        if kind == "tool_use" and stop is not Stop.TOOLS:
            continue
        reduced = _reduced(block, BLOCKS[kind])
        if kind != "text" or reduced["text"].strip():
            native.append(reduced)
    if not can_be_sent(native):
        raise MALFORMED.fault()
    return native


def _reduced(block: JsonObject, keys: Mapping[str, type]) -> JsonObject:
    if not all(isinstance(block.get(key), kind) for key, kind in keys.items()):
        raise MALFORMED.fault()
    return {key: value for key, value in block.items() if key == "type" or key in keys}


def _calls_of(native: Sequence[JsonObject], used_ids: Collection[str]) -> tuple[ToolCall, ...]:
    calls = tuple(
        ToolCall(id=block["id"], name=block["name"], arguments=block["input"])
        for block in native
        if block["type"] == "tool_use"
    )
    refuse_calls(calls, used_ids)
    return calls
