"""A provider's API on loopback: scripted answers, every request recorded and held to the wire's rules.

A subclass says what the rules are and how an answer is written; it is an ASGI app for `serving.serve`.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from starlette.types import Receive, Scope, Send

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class RawReply:
    """Any status and bytes."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after_seconds: float = 0.0


@dataclass(frozen=True)
class WireRequest:
    """One request as it arrived; `body` is None where it was no JSON."""

    headers: Mapping[str, str]
    raw: bytes
    body: Any


R = TypeVar("R")
Script = Callable[[JsonObject], R]


class ScriptedWire(ABC, Generic[R]):
    """Answers from a queue or from a script that reads the request.

    A request that breaks a rule is noted in `violations` and refused with 400, so no test passes by accident.
    """

    def __init__(self, *replies: R, script: Script[R] | None = None) -> None:
        self.replies: deque[R] = deque(replies)
        self.script = script
        self.requests: list[WireRequest] = []
        self.violations: list[str] = []

    @abstractmethod
    def faults(self, target: str, headers: Mapping[str, str], body: Any) -> list[str]:
        """Every rule that a request breaks, in words."""

    @abstractmethod
    def refusal(self) -> RawReply:
        """A 400 in the provider's envelope."""

    @abstractmethod
    def written(self, reply: R, target: str, body: JsonObject) -> RawReply:
        """A scripted reply as bytes."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        reply = self._answer(f"{scope['method']} {scope['path']}", headers, await _whole_body(receive))
        await asyncio.sleep(reply.after_seconds)
        named = {"content-type": "application/json", **reply.headers}
        fields = [(name.encode(), value.encode()) for name, value in named.items()]
        fields.append((b"content-length", str(len(reply.body)).encode()))
        await send({"type": "http.response.start", "status": reply.status, "headers": fields})
        await send({"type": "http.response.body", "body": reply.body})

    def _answer(self, target: str, headers: Mapping[str, str], raw: bytes) -> RawReply:
        body = _parsed(raw)
        self.requests.append(WireRequest(headers, raw, body))
        faults = self.faults(target, headers, body)
        if not faults and self.script is None and not self.replies:
            faults = ["a request that no reply was scripted for"]
        if faults:
            self.violations += faults
            return self.refusal()
        reply = self.script(body) if self.script else self.replies.popleft()
        return self.written(reply, target, body)


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None  # the rules say what is wrong with it


async def _whole_body(receive: Receive) -> bytes:
    body = b""
    while True:
        event = await receive()
        body += bytes(event.get("body", b""))
        if not event.get("more_body"):
            return body


async def _live(receive: Receive, send: Send) -> None:
    for stage in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{stage}.complete"})
