"""Every request made to the LMS is on the log before its answer is on the wire, the last 10,000 kept."""

from collections import deque
from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel, ConfigDict
from starlette.types import ASGIApp, Message, Receive, Scope, Send

KEPT_ENTRIES = 10_000
"""How many requests the log holds; the oldest give way."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that change nothing (RFC 9110, section 9.2.1); whatever is not listed counts as a write."""


class LogEntry(BaseModel):
    """One request as it arrived and the status it got."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: datetime
    actor: str | None = None
    acting_for: str | None = None
    tool: str | None = None
    method: str
    path: str
    status: int


class RequestLog:
    """A bounded list of requests, oldest first."""

    def __init__(self) -> None:
        self._entries: deque[LogEntry] = deque(maxlen=KEPT_ENTRIES)

    def add(self, entry: LogEntry) -> None:
        self._entries.append(entry)

    def requests(self) -> list[LogEntry]:
        return list(self._entries)

    def writes(self) -> list[LogEntry]:
        return [entry for entry in self._entries if entry.method not in SAFE_METHODS]


class LogRequests:
    """ASGI middleware: logs each HTTP request but those of the demo controls and the health probe."""

    def __init__(self, app: ASGIApp, *, log: RequestLog, now: Callable[[], datetime]) -> None:
        self._app = app
        self._log = log
        self._now = now

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _is_unlogged(scope["path"]):
            await self._app(scope, receive, send)
            return
        arrived = self._now()
        logged = False

        def record(status: int) -> None:
            nonlocal logged
            logged = True
            self._log.add(_entry(scope, at=arrived, status=status))

        async def send_logged(message: Message) -> None:
            # Before the first byte leaves: who has read an answer finds its request on the log.
            if message["type"] == "http.response.start":
                record(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, send_logged)
        finally:
            if not logged:
                record(500)  # what the server answers in the place of an application that did not


def _is_unlogged(path: str) -> bool:
    return path in {"/healthz", "/demo"} or path.startswith("/demo/")


def _entry(scope: Scope, *, at: datetime, status: int) -> LogEntry:
    headers = dict(scope["headers"])
    tool = headers.get(b"x-assist-tool")
    # The path as it was sent: decoded, an escaped `/` or `..` in an id would look like another request.
    raw_path = scope.get("raw_path")
    return LogEntry(
        at=at,
        tool=None if tool is None else tool.decode("latin-1"),
        method=scope["method"],
        path=scope["path"] if raw_path is None else raw_path.decode("latin-1"),
        status=status,
    )
