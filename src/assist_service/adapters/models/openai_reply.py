"""An answer of the Responses API becomes a ModelReply only when every part of it is whole and understood."""

from collections.abc import Collection, Mapping, Sequence

from assist_service.adapters.models.faults import CLOSED, TRANSIENT, Reason, Verdict
from assist_service.adapters.models.openai_reading import (
    arguments_of,
    counts_of,
    error_fault,
    refuse_name,
    written_back,
)
from assist_service.adapters.models.reading import (
    MALFORMED,
    can_be_sent,
    is_charged,
    object_of,
    refuse_calls,
)
from assist_service.domain.messages import JsonObject, ModelReply, Stop, ToolCall, Usage

STOPS: Mapping[tuple[str, str | None], Stop] = {
    ("completed", None): Stop.END,
    ("incomplete", "max_output_tokens"): Stop.LENGTH,
    ("incomplete", "content_filter"): Stop.REFUSAL,
}
"""The statuses, with the reason where one is incomplete, that end a reply. What is absent here is a fault.

A completed reply with calls is one for tools; one with a refusal in it is a refusal.
"""

FAULTY_STOPS: Mapping[tuple[str, str | None], Verdict] = {
    ("incomplete", "max_messages"): Verdict(CLOSED, True, Reason.PAUSED),
    ("incomplete", "steered"): Verdict(CLOSED, True, Reason.PAUSED),
    ("in_progress", None): Verdict(CLOSED, True, Reason.PAUSED),
    ("queued", None): Verdict(CLOSED, True, Reason.PAUSED),
    ("cancelled", None): Verdict(TRANSIENT, True, Reason.PAUSED),
}
"""Statuses that are known and no end of a reply; any other is `unknown_stop`. `failed` goes by its error."""

UNKNOWN_STOP = Verdict(CLOSED, True, Reason.UNKNOWN_STOP)

ITEMS: Mapping[str, Mapping[str, type]] = {
    "reasoning": {"id": str, "summary": list},
    "message": {"id": str, "content": list},
    "function_call": {"call_id": str, "name": str, "arguments": str},
}
"""The kinds of item that may come, each with the keys that must be there."""

GOES_BACK: Mapping[str, Collection[str]] = {
    "reasoning": ("type", "id", "summary", "content", "encrypted_content", "status"),
    "message": ("type", "id", "role", "content", "status", "phase"),
    "function_call": ("type", "id", "call_id", "name", "arguments", "status"),
}
"""The keys the API takes back. It sends nulls that it refuses: these stay behind."""

PARTS: Mapping[str, str] = {
    "output_text": "text",
    "refusal": "refusal",
    "summary_text": "text",
    "reasoning_text": "text",
}
"""What a part of each kind says, by its key."""

COMMENTARY, FINAL = "commentary", "final_answer"


def read_reply(raw: bytes, *, used_ids: Collection[str]) -> ModelReply:
    """The reply in a body of status 200. Raises ProviderFault; `used_ids` are the calls of earlier turns."""
    body = object_of(raw)
    if body.get("error") is not None:
        raise error_fault(body["error"], worked=_worked(body))
    usage = counts_of(body.get("usage"), "responses")
    stop = _stop_of(body, usage)
    output = body.get("output")
    if not isinstance(output, list):
        raise MALFORMED.fault()
    items = [_item(item) for item in output]
    messages = [item for item in items if item["type"] == "message"]
    if any(part["type"] == "refusal" for message in messages for part in message["content"]):
        stop = Stop.REFUSAL
    if stop is Stop.END and any(item["type"] == "function_call" for item in items):
        stop = Stop.TOOLS
    calls = _calls_of(items) if stop is Stop.TOOLS else ()
    refuse_calls(calls, used_ids)
    native = _native_of(items, stop)
    if not can_be_sent(native):
        raise MALFORMED.fault()
    return ModelReply(stop=stop, text=_text_of(messages), calls=calls, native=native, usage=usage)


def _stop_of(body: JsonObject, usage: Usage | None) -> Stop:
    status, details = body.get("status"), body.get("incomplete_details")
    if not isinstance(status, str):
        raise MALFORMED.fault()
    if status == "failed":
        raise error_fault(None, worked=_worked(body))  # it failed and has no error
    reason = details.get("reason") if status == "incomplete" and isinstance(details, dict) else None
    ending = (status, reason if isinstance(reason, str) else None)
    stop = STOPS.get(ending)
    if stop is None:
        verdict = FAULTY_STOPS.get(ending, UNKNOWN_STOP)
        raise Verdict(verdict.kind, is_charged(usage), verdict.reason).fault()
    return stop


def _worked(body: JsonObject) -> bool:
    """Whether a response that failed had got as far as to cost something."""
    return bool(body.get("output") or body.get("usage"))


def _item(item: object) -> JsonObject:
    """One item, reduced to what can go back; nothing but that is changed."""
    kind = item.get("type") if isinstance(item, dict) else None
    if not isinstance(item, dict) or not isinstance(kind, str) or kind not in ITEMS:
        raise MALFORMED.fault()
    if not all(isinstance(item.get(key), expected) for key, expected in ITEMS[kind].items()):
        raise MALFORMED.fault()
    reduced = {key: item[key] for key in item if key in GOES_BACK[kind] and item[key] is not None}
    for key in ("summary", "content"):
        if key in reduced:
            reduced[key] = _parts(reduced[key], of_reasoning=kind == "reasoning")
    if kind == "message":
        reduced.setdefault("role", "assistant")
        reduced.setdefault("status", "completed")
        if reduced.get("phase", FINAL) not in (COMMENTARY, FINAL):
            del reduced["phase"]
    if not _is_typed(reduced):
        raise MALFORMED.fault()
    return reduced


def _parts(parts: object, *, of_reasoning: bool) -> list[JsonObject]:
    if not isinstance(parts, list):
        raise MALFORMED.fault()
    kinds = ("summary_text", "reasoning_text") if of_reasoning else ("output_text", "refusal")
    reduced: list[JsonObject] = []
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind not in kinds or not isinstance(part.get(PARTS[kind]), str):
            raise MALFORMED.fault()
        said = {key: part[key] for key in part if key in ("type", PARTS[kind], "annotations")}
        if kind == "output_text":
            # Annotations are of hosted tools, and none is offered; but the key must be there.
            said["annotations"] = []
        reduced.append(said)
    return reduced


def _is_typed(item: JsonObject) -> bool:
    texts = ("id", "encrypted_content", "status")
    return item.get("role", "assistant") == "assistant" and all(isinstance(item.get(key, ""), str) for key in texts)


def _calls_of(items: Sequence[JsonObject]) -> tuple[ToolCall, ...]:
    calls = []
    for item in items:
        if item["type"] == "function_call":
            refuse_name(item["name"])
            calls.append(ToolCall(item["call_id"], item["name"], arguments_of(item["arguments"])))
    return tuple(calls)


def _native_of(items: Sequence[JsonObject], stop: Stop) -> list[JsonObject]:
    """The items as they came, less what cannot go back.

    A call on any other end than a whole one may be half a call, even where it is valid. Reasoning that came
    unsealed the provider could not read again, as it stores nothing; reasoning that leads to nothing it refuses.
    """
    native = []
    for item in items:
        match item["type"]:
            case "function_call" if stop is Stop.TOOLS:
                arguments = arguments_of(item["arguments"])
                native.append({**item, "arguments": written_back(item["arguments"], arguments)})
            case "reasoning" if item.get("encrypted_content"):
                native.append(_without_blanks(item))
            case "message":
                said = [part for part in item["content"] if part["type"] == "output_text" and part["text"].strip()]
                native += [{**item, "content": said}] if said else []
    while native and native[-1]["type"] == "reasoning":
        native.pop()
    if stop is Stop.TOOLS and any(item.get("status", "completed") != "completed" for item in native):
        raise MALFORMED.fault()
    return native


def _without_blanks(reasoning: JsonObject) -> JsonObject:
    """Some servers send their open reasoning as an empty list or with empty parts; the wire takes neither back."""
    said = [part for part in reasoning.get("content", ()) if part["text"].strip()]
    if said:
        return {**reasoning, "content": said}
    return {key: value for key, value in reasoning.items() if key != "content"}


def _text_of(messages: Sequence[JsonObject]) -> str:
    """What was said: without the model's remarks on its way, unless they are all there is."""
    final = [message for message in messages if message.get("phase") != COMMENTARY] or messages
    parts = (part for message in final for part in message["content"])
    return "".join(part["text"] for part in parts if part["type"] == "output_text")
