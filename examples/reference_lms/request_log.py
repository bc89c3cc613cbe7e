"""Every request made to the LMS is on the log before its answer is on the wire, the last 10,000 kept."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, ConfigDict
from starlette.types import ASGIApp, Message, Receive, Scope, Send

KEPT_ENTRIES = 10_000
"""How many requests the log holds; the oldest give way."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that change nothing (RFC 9110, section 9.2.1); whatever is not listed counts as a write."""


NO_WRITES = frozenset({"/api/questions/similar", "/oauth/token", "/oauth/revoke"})
"""Paths where a POST changes nothing of the school: a search, and the two of OAuth."""

_NOTE = "reference_lms.note"
"""Under which key of the ASGI scope a request carries its note."""


@dataclass
class Note:
    """What a handler knows of its request and the log should."""

    actor: str | None = None
    acting_for: str | None = None
    replayed: bool = False
    """The answer was kept from an earlier request: this one has written nothing."""
    asked_again: bool = False
    """Only a nonce was wanting: this one was carried out for nobody, and comes again."""
    is_page: bool = False
    """A page for people: no request to the API."""
    status: int | None = None
    """What was answered, where a fault then sent something else."""
    record: Callable[[int], None] = lambda _: None
    """Puts the request on the log at once, for an answer that will never be sent."""


def note_of(scope: Scope) -> Note:
    note = scope.setdefault(_NOTE, Note())
    assert isinstance(note, Note)
    return note


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
        self._writes: deque[LogEntry] = deque(maxlen=KEPT_ENTRIES)

    def add(self, entry: LogEntry, *, was_tried: bool = True) -> None:
        self._entries.append(entry)
        if entry.method not in SAFE_METHODS and entry.path not in NO_WRITES and was_tried:
            self._writes.append(entry)

    def requests(self) -> list[LogEntry]:
        return list(self._entries)

    def writes(self) -> list[LogEntry]:
        """Writes, refused ones too; what was answered from memory, or only asked for a nonce, is none."""
        return list(self._writes)


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
        note = note_of(scope)  # made here: routers below hand copies of the scope on
        logged = False

        def record(status: int) -> None:
            nonlocal logged
            if not logged and not note.is_page:
                logged = True
                entry = _entry(scope, note, at=arrived, status=note.status or status)
                self._log.add(entry, was_tried=not (note.replayed or note.asked_again))

        note.record = record

        async def send_logged(message: Message) -> None:
            # Before the first byte leaves: who has read an answer finds its request on the log.
            if message["type"] == "http.response.start":
                record(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, send_logged)
        finally:
            record(500)  # what the server answers in the place of an application that did not


def _is_unlogged(path: str) -> bool:
    return path in {"/healthz", "/demo"} or path.startswith("/demo/")


def _entry(scope: Scope, note: Note, *, at: datetime, status: int) -> LogEntry:
    headers = dict(scope["headers"])
    tool = headers.get(b"x-assist-tool")
    # The path as it was sent: decoded, an escaped `/` or `..` in an id would look like another request.
    raw_path = scope.get("raw_path")
    return LogEntry(
        at=at,
        actor=note.actor,
        acting_for=note.acting_for,
        tool=None if tool is None else tool.decode("latin-1"),
        method=scope["method"],
        path=scope["path"] if raw_path is None else raw_path.decode("latin-1"),
        status=status,
    )
