"""What replies of OpenAI's two wires have in common: errors, counts, and the arguments of calls."""

import re
from collections.abc import Mapping

from assist_service.adapters.models.faults import TRANSIENT, Reason, Verdict, verdict_of_error
from assist_service.adapters.models.reading import can_be_sent, is_deeper, usage_of, value_of
from assist_service.domain.messages import JsonObject, ProviderFault, Usage

TELLING_CODES: Mapping[str, int] = {
    "insufficient_quota": 402,
    "billing_not_active": 402,
    "billing_hard_limit_reached": 402,
    # A retired model comes as 400 too, and another model can stand in for it.
    "model_not_found": 404,
    "model_decommissioned": 404,
}
"""Codes that say more than the status they come with."""

ERROR_STATUSES: Mapping[str, int] = {
    **TELLING_CODES,
    "invalid_request_error": 400,
    "invalid_prompt": 400,
    "context_length_exceeded": 400,
    "exceed_context_size_error": 400,
    "bio_policy": 400,
    "misalignment_policy_violation": 400,
    "invalid_api_key": 401,
    "authentication_error": 401,
    "data_residency_mismatch": 403,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "unavailable_error": 503,
}
"""The status each code or type of error would have had, for an error that came with status 200."""

USAGE_KEYS: Mapping[str, tuple[str, str]] = {
    "responses": ("input_tokens", "output_tokens"),
    "chat": ("prompt_tokens", "completion_tokens"),
}
"""What each wire calls the two sides of a request; `<side>_details` holds what the cache had."""

CALLABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Names the wires take back."""

# "functions.read_guide" is a slip of models; the next time it may be right.
BAD_NAME = Verdict(TRANSIENT, True, Reason.MALFORMED)


def error_fault(error: object, *, worked: bool) -> ProviderFault:
    """An error that came as a success: like its own status, but charged where an answer had been begun."""
    named = [error.get(key) for key in ("code", "type", "status")] if isinstance(error, dict) else []
    known = (_status_of(name) for name in named)
    status = next((status for status in known if status is not None), 500)
    verdict = verdict_of_error(status)
    return Verdict(verdict.kind, worked or verdict.billed, Reason.ERROR_ENVELOPE).fault()


def _status_of(name: object) -> int | None:
    if type(name) is int and 400 <= name <= 599:  # some servers give the number
        return name
    return ERROR_STATUSES.get(name) if isinstance(name, str) else None


def counts_of(usage: object, wire: str) -> Usage | None:
    """What was counted. These wires count the cached input in the whole; None where that does not add up."""
    if not isinstance(usage, dict):
        return None
    input_key, output_key = USAGE_KEYS[wire]
    details = usage.get(f"{input_key}_details")
    cache = details if isinstance(details, dict) else {}
    counted = usage_of(
        usage.get(input_key), cache.get("cached_tokens"), cache.get("cache_write_tokens"), usage.get(output_key)
    )
    # Some servers leave the reasoning out of the output and have it in the total.
    if counted is None or usage.get("total_tokens", _total(counted)) not in (None, _total(counted)):
        return None
    fresh = counted.input_tokens - counted.cached_input_tokens - counted.cache_write_tokens
    if fresh < 0:
        return None
    return Usage(fresh, counted.cached_input_tokens, counted.cache_write_tokens, counted.output_tokens)


def _total(counted: Usage) -> int:
    return counted.input_tokens + counted.output_tokens  # here the input still holds the cached


def arguments_of(written: str) -> JsonObject | None:
    """The arguments of a call, None where what the model wrote is no JSON object: then it is told so."""
    value = value_of(written)
    if not isinstance(value, dict) or is_deeper(value) or not can_be_sent(value):
        return None
    return value


def written_back(written: str, arguments: JsonObject | None) -> str:
    """The arguments as they go back: unchanged, or none, for servers parse them and fail on what is no object."""
    return written if arguments is not None else "{}"


def refuse_name(name: str) -> None:
    """Raises ProviderFault for the name of a call that could not go back."""
    if not CALLABLE.fullmatch(name):
        raise BAD_NAME.fault()
