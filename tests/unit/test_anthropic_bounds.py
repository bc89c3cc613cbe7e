"""No answer of a provider fills the memory: neither one without end, nor one packed small."""

import gzip
from collections.abc import AsyncIterator

import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from assist_service.adapters.models.bounded import MAX_REPLY_BYTES
from assist_service.domain.messages import ProviderFault, ProviderFaultKind, UserText
from tests.fakes.claude import claude_at, request_of
from tests.fakes.serving import serve

CHUNK = b"x" * 65_536


class EndlessWire:
    """Answers every request with a body that goes on for as long as anyone reads it, up to a gigabyte."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.sent_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        await request.body()
        await StreamingResponse(self._chunks(request), self.status, media_type="application/json")(scope, receive, send)

    async def _chunks(self, request: Request) -> AsyncIterator[bytes]:
        for _ in range(16_384):
            if await request.is_disconnected():
                return
            self.sent_bytes += len(CHUNK)
            yield CHUNK


@pytest.mark.parametrize("status", [200, 500])
async def test_an_answer_without_end_is_read_up_to_its_bound(status: int) -> None:
    wire = EndlessWire(status)
    async with serve(wire) as url, claude_at(url) as model:
        with pytest.raises(ProviderFault) as caught:
            await model.send(request_of(UserText("Hello?")), timeout_seconds=30)
    assert caught.value.kind is ProviderFaultKind.CLOSED
    assert caught.value.billed
    assert wire.sent_bytes < 4 * MAX_REPLY_BYTES


async def test_a_packed_answer_is_none() -> None:
    asked: list[str] = []

    async def packed(scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(Request(scope).headers["accept-encoding"])
        body = gzip.compress(b" " * 50_000_000 + b"{}")
        await Response(body, headers={"content-encoding": "gzip"}, media_type="application/json")(scope, receive, send)

    async with serve(packed) as url, claude_at(url) as model:
        with pytest.raises(ProviderFault) as caught:
            await model.send(request_of(UserText("Hello?")), timeout_seconds=30)
    assert (caught.value.kind, caught.value.billed) == (ProviderFaultKind.CLOSED, True)
    assert asked == ["identity"]
