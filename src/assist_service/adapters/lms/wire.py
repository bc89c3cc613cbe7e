"""One HTTP request to the LMS and what came back, within bounds. Nothing here says what was asked or answered.

What goes wrong is returned, not raised: an exception of the client's would carry the address and the body with it.
"""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TypeVar

import httpx2
from pydantic import BaseModel

from assist_service.adapters.lms.faults import OK
from assist_service.domain.strict_json import foreign, parse
from assist_service.ports import LmsFaultKind

MAX_ANSWER_BYTES = 2 * 1024 * 1024
"""Far above any page of a list or any gradebook: the longest text of a question has 200,000 characters."""

KEEPALIVE_SECONDS = 4.0
"""Below the 5 s after which common servers hang up: a read is not sent again when its connection just closed."""

PACKING = "identity"
"""A packed answer's size cannot be told before it is unpacked, so none is asked for, and none taken."""

READ_BODIES = frozenset({OK})
"""Of other answers to a read nobody wants the body."""

Result = TypeVar("Result")
Model = TypeVar("Model", bound=BaseModel)

_ERROR = re.compile(r'(?:^|[\s,])error="?([a-z_]{1,64})"?')


@dataclass(frozen=True)
class Sending:
    """One request, ready to be sent."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    params: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes | None = field(default=None, repr=False)
    bodies: frozenset[int] = READ_BODIES
    """The statuses whose answers are read to their end."""


@dataclass(frozen=True)
class Answer:
    """What the LMS said; of a body that was not read, nothing."""

    status: int
    headers: httpx2.Headers = field(repr=False)
    body: bytes = field(repr=False)

    def read_as(self, model: type[Model]) -> Model | None:
        """The body as this model; None for one that is not JSON, not strictly, or of another shape."""
        try:
            self._json()
            return model.model_validate_json(self.body)
        except (ValueError, RecursionError):  # a ValidationError is a ValueError
            return None

    def is_empty_or_json(self) -> bool:
        """Whether the body is what an endpoint for programs answers, not a page for browsers."""
        try:
            if self.body.strip():
                self._json()
        except (ValueError, RecursionError):
            return False
        return True

    def has_error(self) -> bool:
        """Whether the body is an object with an `error`, whatever the status says."""
        return "error" in self._object()

    def oauth_error(self) -> str | None:
        """The `error` of a refusal by the token endpoint (RFC 6749, section 5.2)."""
        error = self._object().get("error") if self.status in (400, 401) else None
        return error if isinstance(error, str) else None

    def challenge_error(self) -> str | None:
        """The `error` of a 401 by the API (RFC 6750, section 3)."""
        if self.status != 401:
            return None
        found = _ERROR.search(", ".join(self.headers.get_list("www-authenticate")))
        return found[1] if found else None

    def _object(self) -> Mapping[str, object]:
        """The body where it is a JSON object; empty for any other."""
        try:
            told = self._json()
        except (ValueError, RecursionError):
            return {}
        return told if isinstance(told, dict) else {}

    def _json(self) -> object:
        """Raises ValueError for a body that is no strict JSON, or does not call itself JSON."""
        media_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise ValueError("another type")
        value: object = parse(self.body.decode())
        if foreign(value):
            raise ValueError("holds what may not be there")
        return value


@dataclass(frozen=True)
class Unanswered:
    """Why there is no answer, and whether the LMS may have taken the request all the same."""

    fault: LmsFaultKind
    may_be_taken: bool = True


NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
"""Faults before the first byte of a request."""


class Wire:
    """Sends to one LMS, over connections of its own."""

    def __init__(self, *, connections: int, connect_seconds: float, seconds: float) -> None:
        self._client = httpx2.AsyncClient(
            verify=_trust(),
            trust_env=False,
            follow_redirects=False,
            cookies=CookieJar(
                DefaultCookiePolicy(allowed_domains=())
            ),  # else one person's would go with another's read
            timeout=httpx2.Timeout(seconds, connect=connect_seconds),
            limits=httpx2.Limits(
                max_connections=connections,
                max_keepalive_connections=connections,
                keepalive_expiry=KEEPALIVE_SECONDS,
            ),
        )

    async def send(self, sending: Sending) -> Answer | LmsFaultKind:
        """Sends once. The caller sets the deadline of the whole, see `within`."""
        answer = await self.attempt(sending)
        return answer.fault if isinstance(answer, Unanswered) else answer

    async def attempt(self, sending: Sending) -> Answer | Unanswered:
        """Sends once, as `send` does, for who has to know what a fault may have left behind."""
        try:
            request = self._client.build_request(
                sending.method,
                httpx2.URL(sending.url, params=sending.params) if sending.params else sending.url,
                headers={**sending.headers, "Accept": "application/json", "Accept-Encoding": PACKING},
                content=sending.content,
            )
        except (ValueError, httpx2.InvalidURL):  # a lone surrogate, or longer than an address may be
            return Unanswered(LmsFaultKind.REFUSED, may_be_taken=False)
        try:
            return await self._exchange(request, sending.bodies)
        except NOT_SENT:
            return Unanswered(LmsFaultKind.UNAVAILABLE, may_be_taken=False)
        except (httpx2.HTTPError, httpx2.StreamError, OSError):
            return Unanswered(LmsFaultKind.UNAVAILABLE)
        except ValueError:  # an answer that no HTTP client can read
            return Unanswered(LmsFaultKind.MALFORMED)

    async def _exchange(self, request: httpx2.Request, bodies: frozenset[int]) -> Answer | Unanswered:
        response = await self._client.send(request, stream=True)
        try:
            if response.status_code not in bodies:
                return Answer(response.status_code, response.headers, b"")
            if response.headers.get("content-encoding", PACKING).lower() != PACKING:
                return Unanswered(LmsFaultKind.MALFORMED)
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > MAX_ANSWER_BYTES:
                    return Unanswered(LmsFaultKind.TOO_LARGE)
            return Answer(response.status_code, response.headers, bytes(body))
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        await self._client.aclose()


async def within(seconds: float, work: Awaitable[Result]) -> Result | LmsFaultKind:
    """What the work brings, or UNAVAILABLE when the time is over: the client's own limits are for each step only."""
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        return LmsFaultKind.UNAVAILABLE


@cache
def _trust() -> ssl.SSLContext:
    """Whom a connection trusts: read once, for it takes a tenth of a second."""
    return httpx2.create_ssl_context()
