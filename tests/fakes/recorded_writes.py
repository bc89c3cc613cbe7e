"""Sees every request that could write to an LMS, byte for byte, before the LMS does."""

from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

NO_WRITES = ("/oauth/", "/demo/", "/api/questions/similar")
"""Where a POST changes nothing of a school."""


@dataclass(frozen=True)
class SentWrite:
    """One request as it arrived."""

    method: str
    path: str
    key: str
    """Of idempotency: the id of the card; empty where there was none."""
    body: bytes


@dataclass
class RecordedWrites:
    """An ASGI middleware; a proof that only wanted a nonce comes again, and is here twice."""

    sent: list[SentWrite] = field(default_factory=list)

    def before(self, lms: ASGIApp) -> ASGIApp:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or scope["method"] == "GET" or scope["path"].startswith(NO_WRITES):
                await lms(scope, receive, send)
                return
            body = await _whole(receive)
            headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
            path = scope["raw_path"].decode()
            self.sent.append(SentWrite(scope["method"], path, headers.get("idempotency-key", ""), body))
            await lms(scope, _given(body, receive), send)

        return app


async def _whole(receive: Receive) -> bytes:
    """The body, whatever pieces it came in."""
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return body
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body


def _given(body: bytes, receive: Receive) -> Receive:
    """Gives the body once, and then whatever comes."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def given() -> Message:
        return left.pop() if left else await receive()

    return given
