"""What a reply of any wire is read with: whole JSON, counts that can be, calls that can go back.

Replies are read from the raw body: the SDKs' models accept bodies with parts missing or of the wrong type.
"""

import json
from collections.abc import Collection, Sequence
from typing import Any

from assist_service.adapters.models.faults import CLOSED, TRANSIENT, Reason, Verdict
from assist_service.domain.messages import JsonObject, ToolCall, Usage
from assist_service.domain.strict_json import MAX_DEPTH, RepeatedKey, parse

MAX_TOKENS_BELIEVED = 2**31 - 1
"""A count above this is no count."""

NOT_JSON = Verdict(TRANSIENT, True, Reason.NOT_JSON)
MALFORMED = Verdict(CLOSED, True, Reason.MALFORMED)
# The same question may get its calls, or other ids and names, the next time.
NO_CALLS = Verdict(TRANSIENT, True, Reason.NO_CALLS)
REPEATED_ID = Verdict(TRANSIENT, True, Reason.MALFORMED)


def object_of(raw: bytes) -> JsonObject:
    """The JSON object that a body of status 200 is. Raises ProviderFault."""
    verdict = MALFORMED
    try:
        body = _parsed(raw)
    except RepeatedKey:
        body = None
    except ValueError:
        body, verdict = None, NOT_JSON
    # Raised out here: a JSON error carries the text with it.
    if not isinstance(body, dict):
        raise verdict.fault()
    return body


def value_of(written: bytes | str) -> object:
    """A JSON text's value, None where it has none. Nothing is raised: a JSON error carries the text with it."""
    try:
        return _parsed(written)
    except ValueError:
        return None


def _parsed(written: bytes | str) -> object:
    return parse(written.decode() if isinstance(written, bytes) else written)


def usage_of(fresh: object, cached: object, written: object, output: object) -> Usage | None:
    """What was counted, in the order of Usage's fields; None, and so the worst case, if a count cannot be.

    Only the two cache counts may be missing: a server without a cache has none of them.
    """
    counts = (fresh, 0 if cached is None else cached, 0 if written is None else written, output)
    known = [count for count in counts if type(count) is int and 0 <= count <= MAX_TOKENS_BELIEVED]
    return Usage(*known) if len(known) == len(counts) else None


def is_charged(usage: Usage | None) -> bool:
    """Whether a reply that is no success may have been charged: unless it was counted, and nothing was."""
    return usage is None or usage.all_input_tokens + usage.output_tokens > 0


def refuse_calls(calls: Sequence[ToolCall], used_ids: Collection[str]) -> None:
    """Raises ProviderFault for calls whose results could not be told apart."""
    ids = {call.id for call in calls}
    if not all(call.id.strip() and call.name.strip() for call in calls):
        raise MALFORMED.fault()
    if len(ids) < len(calls) or not ids.isdisjoint(used_ids):
        raise REPEATED_ID.fault()


def is_deeper(value: object, levels: int = MAX_DEPTH) -> bool:
    """Whether a JSON value nests deeper than that, found without recursion."""
    inside: list[Any] = [value]
    for _ in range(levels):
        inside = [inner for item in inside for inner in _parts(item)]
        if not inside:
            return False
    return True


def _parts(value: object) -> Collection[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def can_be_sent(value: object) -> bool:
    """Whether a value can go back: a lone surrogate or an infinite number (1e999) may come and cannot."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return True
