"""A connection is cut as a crashed peer cuts it, which ASGI has no word for."""

import asyncio
import socket
import struct
from typing import Any

from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

_TRANSPORT = "reference_lms.transport"

CLOSING_SECONDS = 0.02
"""Gives the server time to see that the connection is gone, before it looks for an answer."""


class FastAPIOnSockets(FastAPI):
    """Notes each request's connection before any middleware hides it; uvicorn's `send` is bound to it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[_TRANSPORT] = getattr(getattr(send, "__self__", None), "transport", None)
        await super().__call__(scope, receive, send)


async def reset_connection(scope: Scope, send: Send) -> None:
    """Sends a TCP reset in the place of an answer; without a socket, as in-process, raises."""
    transport: Any = scope.get(_TRANSPORT)
    if transport is None:
        raise ConnectionResetError("on request")
    connection = transport.get_extra_info("socket")
    # Without lingering, closing sends RST where it would send FIN.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
    await asyncio.sleep(CLOSING_SECONDS)
    # Goes nowhere; the server takes a request without an answer for a failure and says so.
    await send({"type": "http.response.start", "status": 500, "headers": []})
    await send({"type": "http.response.body", "body": b""})
