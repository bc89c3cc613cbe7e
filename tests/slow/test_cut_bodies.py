"""An answer cut at any of its bytes is a fault that may be tried again, on every wire and in every framing."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial

import pytest

from assist_service.domain.messages import ModelReply, ProviderFault, ProviderFaultKind
from assist_service.ports import ModelProvider
from tests.case_counts import CountCases
from tests.fakes import anthropic_wire, gpt
from tests.fakes.broken_wire import Breakage, BrokenWire, chunked_bytes, http_bytes
from tests.fakes.claude import claude_at, request_of
from tests.fakes.openai_wire import Said, calling

pytestmark = pytest.mark.slow

ADAPTERS: Mapping[str, Callable[[str], AbstractAsyncContextManager[ModelProvider]]] = {
    "anthropic": claude_at,
    **{wire: partial(gpt.gpt_at, wire) for wire in gpt.WIRES},
}
FRAMINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "length": http_bytes,
    "connection": lambda body: http_bytes(body, content_length=-1),
    "chunks": lambda body: chunked_bytes([body[:100], body[100:]]),
}
CLAUDES_USAGE = {"input_tokens": 1, "output_tokens": 1}
CALL = ("read_guide", {"page": "ä"})


def _bodies(wire: str) -> list[bytes]:
    if wire == "anthropic":
        replies = (anthropic_wire.text_reply("Öffnen."), anthropic_wire.tool_reply(CALL, thinking="Hm."))
        return [anthropic_wire.message_body(reply, CLAUDES_USAGE) for reply in replies]
    said = (Said("Öffnen."), calling(CALL, reasoning="Hm."))
    return [json.dumps(gpt.body_of(wire, reply), ensure_ascii=False).encode() for reply in said]


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("wire", ADAPTERS)
async def test_an_answer_cut_at_any_byte_is_a_fault(
    wire: str, framing: str, monkeypatch: pytest.MonkeyPatch, count_cases: CountCases
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    cuts = 0
    for body in _bodies(wire):
        whole = FRAMINGS[framing](body)
        server = BrokenWire(Breakage([whole]))
        async with server.serve() as url:
            async with ADAPTERS[wire](url) as model:
                assert isinstance(await model.send(request_of(), timeout_seconds=10), ModelReply)
            await _cut_everywhere(wire, url, server, whole)
        assert server.connections == len(whole) + 1
        cuts += len(whole)
    assert cuts > 500
    count_cases("cut bodies", cuts, wire)


async def _cut_everywhere(wire: str, url: str, server: BrokenWire, whole: bytes) -> None:
    """By a client of its own: on a connection kept after the whole answer, the first cut would never arrive."""
    async with ADAPTERS[wire](url) as model:
        for length in range(len(whole)):
            server.breakage = Breakage([whole[:length]])
            with pytest.raises(ProviderFault) as fault:
                await model.send(request_of(), timeout_seconds=10)
            assert (fault.value.kind, fault.value.billed) == (ProviderFaultKind.TRANSIENT, True), length
