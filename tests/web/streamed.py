"""A question over the event stream, and its events as they come."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2

from tests.fakes.house import TEACHER, House, question_body

EVENTS = {"Accept": "text/event-stream"}


@dataclass(frozen=True)
class Event:
    """One event; `data` as it was sent."""

    name: str
    data: str

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.data))


@dataclass
class Streamed:
    """An answer whose body comes bit by bit."""

    response: httpx2.Response
    comments: list[str] = field(default_factory=list)

    async def events(self) -> AsyncIterator[Event]:
        """Each event once it is whole; refuses whatever else a stream can hold."""
        lines: list[str] = []
        async for line in self.response.aiter_lines():
            if line.startswith(":"):
                self.comments.append(line)
            elif line:
                lines.append(line)
            elif lines:
                name, data = lines
                assert name.startswith("event: ")
                assert data.startswith("data: ")
                yield Event(name.removeprefix("event: "), data.removeprefix("data: "))
                lines = []
        assert lines == []


@asynccontextmanager
async def streaming(
    house: House,
    question: str = "How do I create a pool?",
    *,
    person: str = TEACHER,
    headers: Mapping[str, str] | None = None,
    **changes: Any,
) -> AsyncIterator[Streamed]:
    """Asks; to leave the block before the last event is to close the connection."""
    sent = {**await house.bearer(person), **EVENTS, **(headers or {})}
    body = question_body(question, **changes)
    async with house.service.stream("POST", "/assist/ask", json=body, headers=sent) as response:
        yield Streamed(response)


async def told(house: House, question: str = "How do I create a pool?", **asked: Any) -> list[Event]:
    """Every event of a question that is answered to its end."""
    async with streaming(house, question, **asked) as stream:
        assert stream.response.status_code == 200
        return [event async for event in stream.events()]


def steps(events: list[Event]) -> list[dict[str, Any]]:
    """The data of the progress events, which all come before the last."""
    assert [event.name for event in events[:-1]] == ["progress"] * (len(events) - 1)
    return [event.json for event in events[:-1]]
