"""How a provider request can end, and why one is not made: closed lists, fit for logs and for labels of metrics."""

from enum import StrEnum


class Bound(StrEnum):
    """Which bound of the day a request met: the chat's share, or what the whole day may come to."""

    SHARE = "share"
    CAP = "cap"


class Charged(StrEnum):
    """What a request was settled at."""

    COUNTED = "counted"
    WORST_CASE = "worst_case"
    NOTHING = "nothing"


OK = "ok"
"""A whole, understood reply."""

ABANDONED = "abandoned"
"""Stopped while the provider was waited for."""

NOT_SENT = "not_sent"
"""Reserved too late to be sent."""

FAULTS = frozenset(
    {
        "bad_request",
        "conflict",
        "connection_lost",
        "context_exceeded",
        "credentials",
        "error_envelope",
        "forbidden",
        "malformed",
        "no_calls",
        "not_connected",
        "not_json",
        "overloaded",
        "paused",
        "rate_limited",
        "redirected",
        "refused",
        "server_error",
        "timeout",
        "too_large",
        "unauthenticated",
        "unknown",
        "unknown_model",
        "unknown_stop",
        "unpaid",
        "unsendable",
    }
)
"""Every reason of a ProviderFault that the adapters give; a test compares them."""

OUTCOMES = FAULTS | {OK, ABANDONED, NOT_SENT}
"""All that a provider request can come to."""
