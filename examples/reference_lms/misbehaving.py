"""ASGI middleware: answers of `/api` and `/oauth` go wrong as ordered, before or after the request was carried out."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from examples.reference_lms.fault_orders import AnyAnswerOrder, DelayOrder, StatusOrder, TrickleOrder
from examples.reference_lms.request_log import note_of
from examples.reference_lms.sockets import reset_connection

HUGE_BYTES = 10_000_000

TRICKLE_BYTES = 100_000

STANDING = "/api/assist/standing/"

ELSEWHERE = "https://elsewhere.example/login"

LOGIN_PAGE = b"<!doctype html><html><head><title>Log in</title></head><body><form>Password</form></body></html>"

OTHER_SCHEMA = b'{"data": {"rows": [{"identifier": 7, "label": null}]}, "items": "none", "id": 7, "active": "yes"}'


class Misbehaviour:
    """The answer faults in force, one for each path prefix; the longest prefix that fits counts."""

    def __init__(self) -> None:
        self._orders: dict[str | None, AnyAnswerOrder] = {}
        self._left: dict[str | None, int] = {}

    def inject(self, order: AnyAnswerOrder) -> None:
        self._orders[order.path] = order
        self._left.pop(order.path, None)
        if order.times is not None:
            self._left[order.path] = order.times

    def stop(self) -> None:
        self._orders.clear()
        self._left.clear()

    def take(self, path: str) -> AnyAnswerOrder | None:
        """What goes wrong with this request; counts it."""
        fitting = [order for order in self._orders.values() if _fits(order.path, path)]
        if not fitting:
            return None
        order = max(fitting, key=lambda each: len(each.path or ""))
        if order.path in self._left:
            self._left[order.path] -= 1
            if self._left[order.path] == 0:
                del self._left[order.path], self._orders[order.path]
        return order


def _fits(prefix: str | None, path: str) -> bool:
    if prefix is None:
        return path.startswith("/api/") and not path.startswith(STANDING)
    return path.startswith(prefix)


class Misbehave:
    """Takes the place of the application for requests that shall go wrong."""

    def __init__(self, app: ASGIApp, *, misbehaviour: Misbehaviour) -> None:
        self._app = app
        self._misbehaviour = misbehaviour

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        order = self._misbehaviour.take(scope["path"]) if scope["type"] == "http" else None
        if order is None:
            await self._app(scope, receive, send)
            return
        if order.after and not isinstance(order, DelayOrder):
            await self._app(scope, receive, _swallow(scope))
        match order:
            case StatusOrder():
                await _answer(send, status=order.status, body=b'{"error": "on_request"}')
            case DelayOrder():
                await self._delay(order, scope, receive, send)
            case TrickleOrder():
                await _trickle(receive, send, seconds=order.seconds)
            case _ if order.fault == "reset":
                note_of(scope).record(500)
                await reset_connection(scope, send)
            case _:
                await ANSWERS[order.fault](send)

    async def _delay(self, order: DelayOrder, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_late(message: Message) -> None:
            if message["type"] == "http.response.start":
                await asyncio.sleep(order.seconds)
            await send(message)

        if not order.after:
            await asyncio.sleep(order.seconds)
        await self._app(scope, receive, send_late if order.after else send)


def _swallow(scope: Scope) -> Send:
    """The log shall hold what was done, not what was then told of it."""

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            note_of(scope).status = message["status"]

    return send


async def _answer(
    send: Send, *, body: bytes, status: int = 200, media_type: str = "application/json", location: str | None = None
) -> None:
    headers = [(b"content-type", media_type.encode()), (b"content-length", str(len(body)).encode())]
    if location:
        headers.append((b"location", location.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _trickle(receive: Receive, send: Send, *, seconds: float) -> None:
    length = str(TRICKLE_BYTES).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", length)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for _ in range(TRICKLE_BYTES):
        await send({"type": "http.response.body", "body": b" ", "more_body": True})
        if await _has_gone(receive, within=seconds):
            return
    await send({"type": "http.response.body", "body": b""})


async def _has_gone(receive: Receive, *, within: float) -> bool:
    try:
        async with asyncio.timeout(within):
            while (await receive())["type"] != "http.disconnect":
                pass
    except TimeoutError:
        return False
    return True


ANSWERS: Mapping[str, Callable[[Send], Awaitable[None]]] = {
    "not_json": lambda send: _answer(send, body=b"{items: <none>"),
    "other_schema": lambda send: _answer(send, body=OTHER_SCHEMA),
    "html": lambda send: _answer(send, body=LOGIN_PAGE, media_type="text/html; charset=utf-8"),
    "redirect": lambda send: _answer(send, body=b"", status=302, location=ELSEWHERE),
    # Sound JSON of a list: only its length is wrong.
    "huge": lambda send: _answer(send, body=b'{"items": [], "next": null, "padding": "' + b"x" * HUGE_BYTES + b'"}'),
}
"""Those that take no parameter."""
