"""One bounded exchange through a provider's SDK: the body of a 200, or a ProviderFault that quotes nobody."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx2

from assist_service.adapters.models.bounded import UNPACKED, bound_response
from assist_service.adapters.models.faults import (
    PERMANENT,
    TIMED_OUT,
    TRANSIENT,
    Reason,
    Verdict,
    fault_of_connection,
    fault_of_status,
)
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.messages import (
    AssistantTurn,
    JsonObject,
    Message,
    ModelRequest,
    ProviderFault,
    faults_of,
)

CONNECT_SECONDS = 5.0
"""A host that has not taken the connection by then is not there; never more than half of a request's time, so
that an attempt that sent nothing is told apart from one that may be charged."""


@cache
def _trust() -> ssl.SSLContext:
    """Whom a connection trusts: read once, for it takes a tenth of a second."""
    return httpx2.create_ssl_context()


def guarded() -> dict[str, Any]:
    """What an SDK's own HTTP client is made with."""
    return {
        "follow_redirects": False,
        "headers": UNPACKED,
        "event_hooks": {"response": [bound_response]},
        "verify": _trust(),
    }


NO_TIME = Verdict(TRANSIENT, False, Reason.TIMEOUT)
UNSENDABLE = Verdict(PERMANENT, False, Reason.UNSENDABLE)
CREDENTIALS = Verdict(TRANSIENT, False, Reason.CREDENTIALS)
UNKNOWN = Verdict(PERMANENT, True, Reason.UNKNOWN)


@dataclass(frozen=True)
class Answer:
    """What came back, unread."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Post = Callable[[JsonObject, httpx2.Timeout], Awaitable[Answer]]
"""Sends the parameters of a request once."""


@dataclass(frozen=True)
class SdkErrors:
    """The exceptions of one SDK, from the most particular to `base`; both SDKs have the same four."""

    status: type[Any]
    connection: type[Exception]
    api: type[Exception]
    base: type[Exception]
    meant_status: Callable[[Any], int] = lambda error: int(error.status_code)
    """The status an error stands for, where the provider says more than its number does."""


def refuse_unsendable(request: ModelRequest, timeout_seconds: float) -> None:
    """Raises ProviderFault for what must not or cannot be sent at all."""
    if faults_of(request.messages):
        raise UNSENDABLE.fault()
    if timeout_seconds <= 0:
        raise NO_TIME.fault()


async def exchange(post: Post, params: JsonObject, *, timeout_seconds: float, errors: SdkErrors) -> bytes:
    """The body of a 200. Raises ProviderFault for all else, with no traceback that leads to the SDK's words."""
    answer = await _tried(post, params, timeout_seconds, errors)
    if isinstance(answer, ProviderFault):
        raise answer
    if answer.status != 200:
        raise fault_of_status(answer.status, answer.headers)
    return answer.body


async def _tried(post: Post, params: JsonObject, timeout_seconds: float, errors: SdkErrors) -> Answer | ProviderFault:
    patience = min(CONNECT_SECONDS, timeout_seconds / 2)
    limits = httpx2.Timeout(timeout_seconds, connect=patience, pool=patience)
    try:
        # The client's own limits are for each read: a server that trickles bytes would never meet them.
        async with asyncio.timeout(timeout_seconds):
            return await post(params, limits)
    except Exception as error:  # noqa: BLE001  the port promises ProviderFault for whatever the SDK raises
        return _fault_of(error, errors)


def _fault_of(error: Any, errors: SdkErrors) -> ProviderFault:
    if isinstance(error, errors.status):
        return fault_of_status(errors.meant_status(error), error.response.headers)
    if isinstance(error, errors.connection):
        return fault_of_connection(error.__cause__)
    if isinstance(error, httpx2.HTTPError | httpx2.StreamError):  # one SDK wraps them all, the other a part of them
        return fault_of_connection(error)
    told: Sequence[tuple[type[Exception], Verdict]] = (
        (TimeoutError, TIMED_OUT),
        (UnicodeEncodeError, UNSENDABLE),
        (errors.api, UNKNOWN),
        (errors.base, CREDENTIALS),
    )
    return next((verdict for kind, verdict in told if isinstance(error, kind)), UNKNOWN).fault()


def call_ids(messages: Sequence[Message]) -> frozenset[str]:
    """The ids of every call in a history."""
    return frozenset(call.id for message in messages if isinstance(message, AssistantTurn) for call in message.calls)


def refuse_address(address: httpx2.URL, *, variable: str) -> None:
    """Raises ConfigurationError for what nothing can be sent to."""
    if address.scheme not in ("http", "https") or not address.host:
        raise ConfigurationError(f"{variable} is no http or https address")


def refuse_key(key: str, *, variable: str) -> None:
    """Raises ConfigurationError for a key that fits into no header. The key is not told."""
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ConfigurationError(f"{variable} holds a space or a character that no key has")
