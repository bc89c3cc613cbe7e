"""A Messages API on loopback for measuring: the same three replies to every question, after a wait that is set.

Where lookups are offered the first reply is one of them, and the only one.

Run as `python -m bench.provider PORT SECONDS`. It also serves the keys that the bench signs sessions with, and the
last three bodies it got, so that the bare loop can send the very same requests.
"""

import asyncio
import json
import sys
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send

from bench.sessions import jwks

BYTES_PER_TOKEN = 4

CALLS = (
    ("read_guide", {"page": "teacher/pools"}),
    ("search_guide", {"query": "share a pool with a colleague"}),
)

LOOKED_UP = {"operation": "list", "exam_search": "Large exam of all", "limit": 200}
"""What is looked up where that is offered."""

ANSWER = (
    "Open **Pools** and press *New pool* [s1]. Give it a title, and choose the language of its questions.\n\n"
    "- A pool can hold any number of questions.\n- Link it to a course to use it there [s2].\n"
)


class Provider:
    """An ASGI app. `seconds` is what each request waits before it is answered."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last: dict[int, bytes] = {}
        self._ids = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = bytearray()
        more = True
        while more:
            event = await receive()
            body += event.get("body", b"")
            more = event.get("more_body", False)
        match scope["path"]:
            case "/jwks":
                await _json(send, jwks())
            case "/last":
                await _json(send, [json.loads(self._last[step]) for step in range(len(CALLS) + 1)])
            case "/wait":
                self._seconds = float(body)
                await _json(send, {})
            case _:
                await asyncio.sleep(self._seconds)
                await _json(send, self._reply(bytes(body)))

    def _reply(self, body: bytes) -> dict[str, Any]:
        step = min(body.count(b'"tool_result"'), len(CALLS))
        self._last[step] = body
        self._ids += 1
        if b'"query_exam_results"' in body:
            content = [
                {"type": "tool_use", "id": f"toolu_{self._ids}", "name": "query_exam_results", "input": LOOKED_UP}
            ]
        elif step < len(CALLS):
            name, arguments = CALLS[step]
            content = [{"type": "tool_use", "id": f"toolu_{self._ids}", "name": name, "input": arguments}]
        else:
            content = [{"type": "text", "text": ANSWER}]
        return {
            "id": f"msg_{self._ids}",
            "type": "message",
            "role": "assistant",
            "model": "bench",
            "content": content,
            "stop_reason": content[0]["type"] if content[0]["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": _usage(body, content),
        }


def _usage(body: bytes, content: list[dict[str, Any]]) -> dict[str, int]:
    """As a provider with a warm cache counts: what stays the same is read, the rest is fresh."""
    tokens = len(body) // BYTES_PER_TOKEN
    cached = len(json.loads(body)["system"][0]["text"].encode()) // BYTES_PER_TOKEN
    return {
        "input_tokens": tokens - cached,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": len(json.dumps(content)) // BYTES_PER_TOKEN,
    }


async def _json(send: Send, value: object) -> None:
    body = json.dumps(value).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


if __name__ == "__main__":
    uvicorn.run(Provider(float(sys.argv[2])), port=int(sys.argv[1]), log_level="warning", backlog=4096)
