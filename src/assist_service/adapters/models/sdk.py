"""A model behind a provider's SDK: one bounded request, one whole reply or a ProviderFault that quotes nobody."""

import asyncio
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import aiohttp
import httpx2
from pydantic_core import PydanticSerializationError, to_json

from assist_service.adapters.models.bounded import UNPACKED, bound_response
from assist_service.adapters.models.faults import (
    CLOSED,
    PERMANENT,
    TIMED_OUT,
    TRANSIENT,
    Reason,
    Verdict,
    fault_of_connection,
    fault_of_status,
)
from assist_service.adapters.models.reading import value_of
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.messages import (
    AssistantTurn,
    JsonObject,
    Message,
    ModelReply,
    ModelRequest,
    ProviderFault,
    faults_of,
)

CONNECT_SECONDS = 5.0
"""A host that has not taken the connection by then is not there; never more than half of a request's time, so
that an attempt that sent nothing is told apart from one that may be charged."""


MAX_CONNECTIONS = 10_000
"""More than a process has questions in flight: what bounds those is the limits and the budget, not a queue here."""


KEEPALIVE_SECONDS = 2.0
"""Well below the 5 s after which common servers hang up, for a busy loop sees late that one did: a request that is sent
into a connection that just closed is lost, and charged."""


@cache
def _trust() -> ssl.SSLContext:
    """Whom a connection trusts: read once, for it takes a tenth of a second."""
    return httpx2.create_ssl_context()


def guarded() -> dict[str, Any]:
    """What an SDK's own HTTP client is made with."""
    return {
        "follow_redirects": False,
        "headers": UNPACKED,
        "limits": httpx2.Limits(max_connections=MAX_CONNECTIONS, keepalive_expiry=KEEPALIVE_SECONDS),
        "event_hooks": {"response": [bound_response]},
        "verify": _trust(),
    }


NO_TIME = Verdict(TRANSIENT, False, Reason.TIMEOUT)
UNSENDABLE = Verdict(PERMANENT, False, Reason.UNSENDABLE)
CREDENTIALS = Verdict(TRANSIENT, False, Reason.CREDENTIALS)
UNKNOWN = Verdict(CLOSED, True, Reason.UNKNOWN)

ON_THE_WAY = (httpx2.HTTPError, httpx2.StreamError, aiohttp.ClientError)
"""What may come as it is: one SDK wraps all that its transport raises, the other a part of it."""


@dataclass(frozen=True)
class SdkErrors:
    """The exceptions of one SDK, from the most particular to `base`; both SDKs have the same four."""

    status: type[Any]
    connection: type[Exception]
    api: type[Exception]
    base: type[Exception]
    meant_status: Callable[[Any], int] = lambda error: int(error.status_code)
    """The status an error stands for, where the provider says more than its number does."""


class ReadReply(Protocol):
    """Reads the body of a 200. Raises ProviderFault for all that is no whole, understood reply."""

    def __call__(self, raw: bytes, *, used_ids: frozenset[str]) -> ModelReply: ...


@dataclass(frozen=True)
class Wire:
    """One API of a provider: where its requests go, how they are said, and how its replies are read."""

    name: str
    path: str
    params_of: Callable[[ModelRequest, str], JsonObject]
    read_reply: ReadReply
    errors: SdkErrors


class SdkModel:
    """Implements ports.ModelProvider over an SDK's client, which signs, sends and raises.

    The SDK reads no reply into its own types: what comes back is read here, and strictly.
    """

    def __init__(self, wire: Wire, model_id: str, client: Any) -> None:
        self._wire = wire
        self._model_id = model_id
        self._client = client

    @property
    def model(self) -> str:
        return f"{self._wire.name}:{self._model_id}"

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        """One request, no retry. Raises ProviderFault for everything that is no whole, understood reply."""
        if faults_of(request.messages):
            raise UNSENDABLE.fault()
        if timeout_seconds <= 0:
            raise NO_TIME.fault()
        answer = await self._exchange(self._wire.params_of(request, self._model_id), timeout_seconds)
        if isinstance(answer, ProviderFault):  # raised here, so that no traceback leads to the SDK's words
            raise answer
        if answer.status_code != 200:
            raise fault_of_answer(answer.status_code, answer)
        return self._wire.read_reply(answer.content, used_ids=call_ids(request.messages))

    async def close(self) -> None:
        await self._client.close()

    async def _exchange(self, params: JsonObject, timeout_seconds: float) -> httpx2.Response | ProviderFault:
        patience = min(CONNECT_SECONDS, timeout_seconds / 2)
        limits = httpx2.Timeout(timeout_seconds, connect=patience, pool=patience)
        try:
            # The client's own limits are for each read: a server that trickles bytes would never meet them.
            async with asyncio.timeout(timeout_seconds):
                # Written here: the SDK would copy every dictionary of it first, each tool's schema too, and keep those.
                answer: httpx2.Response = await self._client.post(
                    self._wire.path, content=_written(params), cast_to=httpx2.Response, options={"timeout": limits}
                )
                return answer
        except Exception as error:  # noqa: BLE001  the port promises ProviderFault for whatever the SDK raises
            return fault_of(error, self._wire.errors)


def _written(params: JsonObject) -> bytes:
    """The body, its texts byte for byte as both SDKs write them.

    Raises PydanticSerializationError for a lone surrogate, or for 255 levels.
    """
    # Most of it is one long text, the manual's index: the standard library looks at that character by character.
    return to_json(params)


def fault_of(error: Any, errors: SdkErrors) -> ProviderFault:
    if isinstance(error, errors.status):
        return fault_of_answer(errors.meant_status(error), error.response)
    if isinstance(error, errors.connection):
        return fault_of_connection(error.__cause__)
    if isinstance(error, ON_THE_WAY):
        return fault_of_connection(error)
    told: Sequence[tuple[type[Exception], Verdict]] = (
        (TimeoutError, TIMED_OUT),
        (PydanticSerializationError, UNSENDABLE),
        (errors.api, UNKNOWN),
        (errors.base, CREDENTIALS),
    )
    return next((verdict for kind, verdict in told if isinstance(error, kind)), UNKNOWN).fault()


def fault_of_answer(status: int, answer: httpx2.Response) -> ProviderFault:
    body = value_of(answer.content)
    in_its_form = isinstance(body, dict) and isinstance(body.get("error"), dict)
    return fault_of_status(status, answer.headers, in_its_form=in_its_form)


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
