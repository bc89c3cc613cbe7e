"""Stands before the reference LMS: remembers the bytes of every write, and holds a request where a test wants it."""

import asyncio
from dataclasses import dataclass, field
from enum import StrEnum

from starlette.types import ASGIApp, Message, Receive, Scope, Send

WRITES_BEGIN = "/api/"
"""Each POST below it is a write, but for the search."""

SEARCH = "/api/questions/similar"

UNAUTHENTICATED = 401
"""Of a request that comes again with another nonce: it is not the one a test waits for."""

PATIENCE_SECONDS = 20.0


class When(StrEnum):
    """Where a request is held."""

    BEFORE = "before"
    """The LMS has all of it, and has done nothing."""
    AFTER = "after"
    """The LMS has done all of it, and nothing of its answer is on the way."""


@dataclass
class Hold:
    """One request that is kept waiting, the first that fits."""

    method: str
    prefix: str
    when: When
    has_come: asyncio.Event = field(default_factory=asyncio.Event)
    has_ended: asyncio.Event = field(default_factory=asyncio.Event)
    """It went on, and whatever was to be done for it is done."""
    is_lost: bool = False
    _may_go: asyncio.Event = field(default_factory=asyncio.Event)

    async def reached(self) -> None:
        await asyncio.wait_for(self.has_come.wait(), PATIENCE_SECONDS)

    async def wait(self) -> None:
        self.has_come.set()
        await self._may_go.wait()

    def let_go(self) -> None:
        self._may_go.set()

    async def gone(self) -> None:
        """Lets it go, and returns when it has ended."""
        self.let_go()
        await asyncio.wait_for(self.has_ended.wait(), PATIENCE_SECONDS)

    async def lose(self) -> None:
        """It never comes to the LMS's ears."""
        self.is_lost = True
        await self.gone()


@dataclass(frozen=True)
class Sent:
    """A write as it came: its address, the very bytes of its body, and what it was answered."""

    path: str
    body: bytes
    key: str
    tool: str
    status: int


@dataclass
class Gate:
    """ASGI middleware, the outermost."""

    app: ASGIApp
    sent: list[Sent] = field(default_factory=list)
    _holds: list[Hold] = field(default_factory=list)

    def hold(self, prefix: str, when: When = When.BEFORE, *, method: str = "GET") -> Hold:
        """Keeps the next such request waiting, whoever sends it; those after it pass."""
        self._holds.append(hold := Hold(method, prefix, when))
        return hold

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = await _body_of(receive)
        hold = self._take(scope, When.BEFORE)
        if hold is not None:
            await hold.wait()
        try:
            if hold is not None and hold.is_lost:
                await _answer_nothing(send)
                return
            await self._pass_on(scope, body, receive, send)
        finally:
            if hold is not None:
                hold.has_ended.set()

    async def _pass_on(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        answer: list[Message] = []

        async def collect(message: Message) -> None:
            answer.append(message)

        # A reset has to be sent by the server's own `send`, and none is ordered here: all answers are whole.
        await self.app(scope, _once(body, receive), collect)
        status = answer[0]["status"]
        if _is_write(scope):
            self.sent.append(_sent(scope, body, status))
        hold = None if status == UNAUTHENTICATED else self._take(scope, When.AFTER)
        if hold is not None:
            await hold.wait()
        for message in answer:
            await send(message)
        if hold is not None:
            hold.has_ended.set()

    def _take(self, scope: Scope, when: When) -> Hold | None:
        for hold in self._holds:
            if (hold.method, hold.when) == (scope["method"], when) and scope["path"].startswith(hold.prefix):
                self._holds.remove(hold)
                return hold
        return None


def _is_write(scope: Scope) -> bool:
    return bool(scope["method"] == "POST" and scope["path"].startswith(WRITES_BEGIN) and scope["path"] != SEARCH)


def _sent(scope: Scope, body: bytes, status: int) -> Sent:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    raw_path = scope["raw_path"].decode("latin-1")
    return Sent(raw_path, body, headers.get(b"idempotency-key", ""), headers.get(b"x-assist-tool", ""), status)


async def _body_of(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return body


def _once(body: bytes, receive: Receive) -> Receive:
    """The body that was read already, though its sender may have gone; then whatever comes."""
    is_told = False

    async def replay() -> Message:
        nonlocal is_told
        if is_told:
            return await receive()
        is_told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def _answer_nothing(send: Send) -> None:
    """Whoever asked has gone; the server wants an answer all the same."""
    await send({"type": "http.response.start", "status": 503, "headers": []})
    await send({"type": "http.response.body", "body": b""})
