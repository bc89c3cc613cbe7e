"""A failed HTTP exchange, told as a ProviderFault: another try or not, charged or not, one closed word."""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from enum import StrEnum

import aiohttp
import httpx2

from assist_service.adapters.models.bounded import ReplyTooLong
from assist_service.domain.messages import ProviderFault, ProviderFaultKind

TRANSIENT = ProviderFaultKind.TRANSIENT
PERMANENT = ProviderFaultKind.PERMANENT
CLOSED = ProviderFaultKind.CLOSED


class Reason(StrEnum):
    """Why a provider request brought no reply. For logs and metrics: never a word of what was said."""

    TIMEOUT = "timeout"
    NOT_CONNECTED = "not_connected"
    CONNECTION_LOST = "connection_lost"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    CONFLICT = "conflict"
    SERVER_ERROR = "server_error"
    BAD_REQUEST = "bad_request"
    UNAUTHENTICATED = "unauthenticated"
    UNPAID = "unpaid"
    FORBIDDEN = "forbidden"
    UNKNOWN_MODEL = "unknown_model"
    TOO_LARGE = "too_large"
    REFUSED = "refused"
    REDIRECTED = "redirected"
    CREDENTIALS = "credentials"
    UNSENDABLE = "unsendable"
    NOT_JSON = "not_json"
    ERROR_ENVELOPE = "error_envelope"
    MALFORMED = "malformed"
    NO_CALLS = "no_calls"
    UNKNOWN_STOP = "unknown_stop"
    PAUSED = "paused"
    CONTEXT_EXCEEDED = "context_exceeded"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Verdict:
    """What one kind of failure means. A ProviderFault of its own is made for each time it happens."""

    kind: ProviderFaultKind
    billed: bool
    reason: Reason

    def fault(self, *, retry_after_seconds: float | None = None) -> ProviderFault:
        return ProviderFault(self.kind, self.billed, self.reason, retry_after_seconds)


STATUSES: Mapping[int, Verdict] = {
    400: Verdict(PERMANENT, False, Reason.BAD_REQUEST),
    401: Verdict(CLOSED, False, Reason.UNAUTHENTICATED),
    402: Verdict(CLOSED, False, Reason.UNPAID),
    403: Verdict(CLOSED, False, Reason.FORBIDDEN),
    404: Verdict(CLOSED, False, Reason.UNKNOWN_MODEL),
    # Something on the way gave up waiting; the provider may have worked all the same.
    408: Verdict(TRANSIENT, True, Reason.TIMEOUT),
    409: Verdict(TRANSIENT, False, Reason.CONFLICT),
    # Some servers say so of a model that they have retired.
    410: Verdict(CLOSED, False, Reason.UNKNOWN_MODEL),
    413: Verdict(PERMANENT, False, Reason.TOO_LARGE),
    425: Verdict(TRANSIENT, False, Reason.CONFLICT),
    429: Verdict(TRANSIENT, False, Reason.RATE_LIMITED),
    499: Verdict(TRANSIENT, True, Reason.TIMEOUT),
    504: Verdict(TRANSIENT, True, Reason.TIMEOUT),
    # The door was shut: these two are said before any work is done.
    503: Verdict(TRANSIENT, False, Reason.OVERLOADED),
    529: Verdict(TRANSIENT, False, Reason.OVERLOADED),
}
"""Statuses with a meaning of their own; `STATUS_CLASSES` has the rest."""

STATUS_CLASSES: Mapping[int, Verdict] = {
    # Following one would carry the question to a host the operator did not name.
    3: Verdict(CLOSED, False, Reason.REDIRECTED),
    4: Verdict(CLOSED, False, Reason.REFUSED),
    5: Verdict(TRANSIENT, True, Reason.SERVER_ERROR),
}

ODD_ANSWER = Verdict(CLOSED, True, Reason.MALFORMED)
"""An answer of no kind there is. The same request would hardly fare better here; another provider may answer it."""

TIMED_OUT = Verdict(TRANSIENT, True, Reason.TIMEOUT)
NOT_CONNECTED = Verdict(TRANSIENT, False, Reason.NOT_CONNECTED)
CONNECTION_LOST = Verdict(TRANSIENT, True, Reason.CONNECTION_LOST)

NEVER_CONNECTED = (
    aiohttp.ClientConnectorError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.ClientHttpProxyError,
    aiohttp.InvalidURL,
)
"""Failures that end an exchange before a byte of the request left, in the words of the transport below the SDKs.

Each SDK has other words for them, and both tell a connection that broke under the request as one that never stood.
"""


def verdict_of_status(status: int) -> Verdict:
    """What a status other than 200 means."""
    return STATUSES.get(status) or STATUS_CLASSES.get(status // 100) or ODD_ANSWER


def verdict_of_error(status: int) -> Verdict:
    """What an error means that the provider tells in its own form: it gave no answer, and charges for answers.

    A bare 500 may come from a machine in between, which does not know what was done behind it.
    """
    verdict = verdict_of_status(status)
    return replace(verdict, billed=False) if verdict.reason is Reason.SERVER_ERROR else verdict


def fault_of_status(status: int, headers: Mapping[str, str], *, in_its_form: bool) -> ProviderFault:
    """The fault of an answer with another status than 200; `in_its_form` where the provider itself says the error."""
    verdict = verdict_of_error(status) if in_its_form else verdict_of_status(status)
    return verdict.fault(retry_after_seconds=retry_after_seconds(headers))


def fault_of_connection(cause: BaseException | None) -> ProviderFault:
    """The fault of an exchange that broke; charged unless it is certain that nothing was sent."""
    if isinstance(cause, ReplyTooLong):
        return ODD_ANSWER.fault()
    beneath = cause.__cause__ if isinstance(cause, httpx2.HTTPError) else cause
    if isinstance(beneath, NEVER_CONNECTED):
        return NOT_CONNECTED.fault()
    if isinstance(beneath, TimeoutError):
        return TIMED_OUT.fault()
    return CONNECTION_LOST.fault()


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """The wait a provider asks for; None where it asks for none, or in words nobody understands.

    A date counts from the answer's own `Date`, so that no two clocks need to agree.
    """
    wanted = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", wanted):
        return float(wanted)
    until, now = _http_date(wanted), _http_date(headers.get("date", ""))
    if until is None or now is None:
        return None
    return max((until - now).total_seconds(), 0.0)


def _http_date(text: str) -> dt.datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
