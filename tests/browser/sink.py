"""A server where every name of the world ends up: what a browser asks for is written down and answered with nothing."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

BROWSERS_OWN = re.compile(r"(^|\.)(google|googleapis|gstatic|gvt1)\.com$")
"""Chromium asks its maker for the time and the like, whatever the flags; no hostile answer names these hosts."""


@dataclass
class Sink:
    """`asked` has a line for each connection: the host of a plain request, or the name in a TLS greeting."""

    port: int = 0
    asked: list[str] = field(default_factory=list)

    @property
    def flag(self) -> str:
        """For Chromium: every name but this machine's own leads here."""
        return f"--host-resolver-rules=MAP * 127.0.0.1:{self.port}, EXCLUDE 127.0.0.1"

    def note(self, first: bytes) -> None:
        found = re.search(rb"^host: *([^:\r\n]*)", first, re.IGNORECASE | re.MULTILINE)
        # A TLS greeting carries the name as it is, between bytes that no name has.
        host = found[1] if found else next(iter(re.findall(rb"[a-z0-9][a-z0-9.-]{3,}\.[a-z]{2,}", first)), b"?")
        if first and not BROWSERS_OWN.search(host.decode("latin-1")):
            self.asked.append(host.decode("latin-1"))


@asynccontextmanager
async def sink() -> AsyncIterator[Sink]:
    made = Sink()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError):
            made.note(await asyncio.wait_for(reader.read(65536), timeout=5))
            writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    made.port = int(server.sockets[0].getsockname()[1])
    async with server:
        yield made
