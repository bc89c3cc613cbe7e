"""A server where every name of the world ends up: what a browser asks for is written down and answered with nothing."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

BROWSERS_OWN = re.compile(r"(^|\.)(google|googleapis|gstatic|gvt1)\.com$")
"""Chromium asks its maker for the time and the like, whatever the flags; no hostile answer names these hosts."""


TLS_HANDSHAKE = b"\x16"
SERVER_NAME = 0
"""The number of the extension that carries it."""


@dataclass
class Sink:
    """`asked` has a line for each connection: the host of a plain request, or the name in a TLS greeting."""

    port: int = 0
    asked: list[str] = field(default_factory=list)

    @property
    def flag(self) -> str:
        """For Chromium: every name but this machine's own leads here."""
        return f"--host-resolver-rules=MAP * 127.0.0.1:{self.port}, EXCLUDE 127.0.0.1"

    def note(self, host: str) -> None:
        if not BROWSERS_OWN.search(host):
            self.asked.append(host)


async def _host_of(reader: asyncio.StreamReader) -> str | None:
    """Who a connection is for, by its first bytes; None where it was closed without any."""
    first = await reader.read(1)
    if first == b"":
        return None
    if first == TLS_HANDSHAKE:
        length = int.from_bytes((await reader.readexactly(4))[2:])
        return server_name(await reader.readexactly(length))
    head = first + await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"^host: *([^:\r\n]*)", head, re.IGNORECASE | re.MULTILINE)
    return found[1].decode("latin-1") if found else "?"


def server_name(greeting: bytes) -> str:
    """The name in a TLS ClientHello (RFC 8446, 4.1.2; RFC 6066, 3), each part by its length; `?` where it has none."""
    at = 4 + 2 + 32  # the message's head, its version, its random bytes
    for size in (1, 2, 1):  # session id, cipher suites, compression methods
        at += size + int.from_bytes(greeting[at : at + size])
    at += 2
    while at < len(greeting):
        kind, length = int.from_bytes(greeting[at : at + 2]), int.from_bytes(greeting[at + 2 : at + 4])
        if kind == SERVER_NAME:
            return greeting[at + 9 : at + 4 + length].decode("latin-1")
        at += 4 + length
    return "?"


@asynccontextmanager
async def sink() -> AsyncIterator[Sink]:
    made = Sink()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError, TimeoutError):
            async with asyncio.timeout(5):
                if (host := await _host_of(reader)) is not None:
                    made.note(host)
            writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    made.port = int(server.sockets[0].getsockname()[1])
    async with server:
        yield made
