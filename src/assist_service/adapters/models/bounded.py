"""Bounds what is read of a provider's answer: a body without end must not fill the memory."""

from collections.abc import AsyncIterator

import httpx2

MAX_REPLY_BYTES = 4 * 1024 * 1024
"""Far above any answer: 64,000 output tokens are about 400 kB of JSON."""


class ReplyTooLong(httpx2.StreamError):
    """A body past its bound, or packed so that its size cannot be told."""


class _Bounded(httpx2.AsyncByteStream):
    """A response's bytes, up to the bound."""

    def __init__(self, stream: httpx2.AsyncByteStream, limit: int) -> None:
        self._stream = stream
        self._left = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise ReplyTooLong("the answer is longer than any")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def bound_response(response: httpx2.Response) -> None:
    """A response hook. The request asks for no packing, so a packed body is no answer to it."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise ReplyTooLong("the answer is packed")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream, MAX_REPLY_BYTES)


UNPACKED = {"Accept-Encoding": "identity"}
"""Headers that ask for a body whose size is its size."""
