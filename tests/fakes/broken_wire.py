"""A bare socket that answers as no honest server does: cut short, miscounted, trickled, reset, or never."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Ending(StrEnum):
    """What a broken server does after its last byte."""

    CLOSE = "close"
    RESET = "reset"
    HANG = "hang"


@dataclass(frozen=True)
class Breakage:
    """The bytes of an answer, in pieces, and how the connection ends. No bytes and CLOSE: hung up on."""

    chunks: Sequence[bytes] = ()
    ending: Ending = Ending.CLOSE
    pause_seconds: float = 0.0
    reads_request: bool = True


def http_bytes(body: bytes, *, content_length: int | None = None, status: str = "200 OK") -> bytes:
    """An HTTP answer; `content_length` may lie. Below zero it is left out: the connection ends the body."""
    length = len(body) if content_length is None else content_length
    framing = f"content-length: {length}\r\n" if length >= 0 else ""
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{framing}\r\n"
    return head.encode() + body


def chunked_bytes(pieces: Iterable[bytes], *, ends: bool = True) -> bytes:
    """An HTTP answer in chunks; `ends` False leaves out the last, empty one that says it is whole."""
    chunks = b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces if piece)
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    return head + chunks + (b"0\r\n\r\n" if ends else b"")


class BrokenWire:
    """A socket that answers every request with `breakage`, which a test may change between requests."""

    def __init__(self, breakage: Breakage) -> None:
        self.breakage = breakage
        self.connections = 0
        self.chunks_sent = 0
        self.connected = asyncio.Event()
        self._running: set[asyncio.Task[Any]] = set()

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[str]:
        """Listens for the length of a `with` block and yields the base URL."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        self.connections += 1
        self.connected.set()
        try:
            await self._break(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the other side left first, or the test is over
        finally:
            writer.close()
            self._running.discard(task)

    async def _break(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        breakage = self.breakage
        if breakage.reads_request:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = head.partition("content-length:")[2].partition("\r\n")[0]
            await reader.readexactly(int(length or 0))
        for chunk in breakage.chunks:
            writer.write(chunk)
            await writer.drain()
            self.chunks_sent += 1
            await asyncio.sleep(breakage.pause_seconds)
        if breakage.ending is Ending.HANG:
            await asyncio.Event().wait()
        if breakage.ending is Ending.RESET:
            lingering = writer.get_extra_info("socket")
            lingering.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
