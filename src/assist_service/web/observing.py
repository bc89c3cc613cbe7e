"""Times and logs every request without its content, and turns what nobody expected into one plain problem."""

import traceback
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assist_service import telemetry
from assist_service.domain.errors import Code
from assist_service.web.errors import problem_response

HEADERS = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
"""On every answer that does not say otherwise: what people ask stays out of caches, and nothing is taken for what it
is not."""


class Observing:
    """ASGI middleware around everything; `monotonic` gives seconds."""

    def __init__(self, app: ASGIApp, *, monotonic: Callable[[], float]) -> None:
        self._app = app
        self._monotonic = monotonic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = self._monotonic()
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                said = {name.lower() for name, _ in message["headers"]}
                ours = [header for header in HEADERS if header[0] not in said]
                message = {**message, "headers": [*message["headers"], *ours]}
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            _note(scope, status, self._monotonic() - began)


class Unfailing:
    """ASGI middleware inside CORS, so that a browser may read even this answer: what nobody expected."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:  # noqa: BLE001 whatever it is, the caller gets one plain problem
            log_unexpected(error)
            if not has_begun:
                await problem_response(Code.INTERNAL_ERROR)(scope, receive, noted)


def _note(scope: Scope, status: int, seconds: float) -> None:
    """The route's pattern stands for the address, which may hold ids."""
    route = getattr(scope.get("route"), "path", "(none)")
    telemetry.observe_request(method=_method(scope), route=route, status=status, seconds=seconds)
    telemetry.log.info("request", method=_method(scope), route=route, status=status, ms=round(seconds * 1000, 1))


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _method(scope: Scope) -> str:
    """The method, of a closed list: anything may be sent as one, and a label must stay bounded."""
    return scope["method"] if scope["method"] in _METHODS else "(other)"


def log_unexpected(error: BaseException) -> None:
    """Logs where it happened, never its message: that can quote a question or a name."""
    frames: list[Any] = [
        f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)[-12:]
    ]
    telemetry.log.error("unexpected", error=type(error).__name__, frames=frames)
