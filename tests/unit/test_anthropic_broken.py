"""Whatever a network does, the Anthropic adapter gives a whole reply or a ProviderFault, within its time and bounds."""

import asyncio
import gzip
import itertools
import socket
import time

import aiohttp
import httpx2
import pytest
from aiohttp.client_reqrep import ConnectionKey

from assist_service.adapters.models.anthropic import AnthropicModel
from assist_service.adapters.models.bounded import MAX_REPLY_BYTES
from assist_service.adapters.models.faults import fault_of_connection
from assist_service.domain.messages import ModelReply, ProviderFaultKind
from tests.fakes.anthropic_wire import AnthropicWire, RawReply, message_body, text_reply, tool_reply
from tests.fakes.broken_wire import Breakage, BrokenWire, Ending, chunked_bytes, http_bytes
from tests.fakes.claude import claude_at, claude_over, fault_of, meaning_of, request_of
from tests.fakes.serving import serve

TRANSIENT = ProviderFaultKind.TRANSIENT
CLOSED = ProviderFaultKind.CLOSED

USAGE = {"input_tokens": 1, "output_tokens": 1}
REPLIES = {"text": text_reply("Öffnen."), "tools": tool_reply(("read_guide", {"page": "a"}))}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize(
    ("reply", "framing"),
    [("text", "length"), ("tools", "length"), ("tools", "connection"), ("tools", "chunks")],
)
async def test_an_answer_cut_at_any_byte_is_a_fault(reply: str, framing: str) -> None:
    body = message_body(REPLIES[reply], USAGE)
    whole = {
        "length": http_bytes(body),
        "connection": http_bytes(body, content_length=-1),
        "chunks": chunked_bytes([body[:100], body[100:]]),
    }[framing]
    wire = BrokenWire(Breakage([whole]))
    async with wire.serve() as url, claude_at(url) as model:
        assert isinstance(await model.send(request_of(), timeout_seconds=5), ModelReply)
    async with wire.serve() as url, claude_at(url) as model:  # one that holds no connection that just closed
        for length in range(len(whole)):
            wire.breakage = Breakage([whole[:length]])
            fault = await fault_of(model)
            assert (fault.kind, fault.billed) == (TRANSIENT, True), length
    assert wire.connections == len(whole) + 1


BODY = message_body(REPLIES["text"], USAGE)
BREAKAGES: dict[str, Breakage] = {
    "hung up on": Breakage(),
    "hung up on before the request was read": Breakage(reads_request=False),
    "reset": Breakage(ending=Ending.RESET),
    "reset in the body": Breakage([http_bytes(BODY)[:-9]], ending=Ending.RESET),
    "a length too long": Breakage([http_bytes(BODY, content_length=len(BODY) + 1)]),
    "a length too short": Breakage([http_bytes(BODY, content_length=len(BODY) - 1)]),
    "a length of nothing": Breakage([http_bytes(BODY, content_length=0)]),
    "the last chunk missing": Breakage([chunked_bytes([BODY], ends=False)]),
    "no HTTP": Breakage([b"SSH-2.0-OpenSSH_9.9\r\n"]),
}


@pytest.mark.parametrize("breakage", BREAKAGES.values(), ids=BREAKAGES)
async def test_a_connection_that_breaks_is_charged_and_may_be_tried_again(breakage: Breakage) -> None:
    wire = BrokenWire(breakage)
    async with wire.serve() as url, claude_at(url) as model:
        fault = await fault_of(model)
    assert (fault.kind, fault.billed) == (TRANSIENT, True)
    assert fault.reason in ("connection_lost", "not_json")
    assert wire.connections == 1


async def test_a_packed_answer_is_none() -> None:
    wire = AnthropicWire(RawReply(gzip.compress(BODY), headers={"content-encoding": "gzip"}))
    async with claude_over(wire) as model:
        fault = await fault_of(model)
    assert meaning_of(fault) == (CLOSED, True, "malformed")
    assert wire.requests[0].headers["accept-encoding"] == "identity"


async def test_an_answer_is_read_up_to_its_bound() -> None:
    room = MAX_REPLY_BYTES - len(BODY)
    wire = AnthropicWire(RawReply(BODY + b" " * room), RawReply(BODY + b" " * (room + 1)))
    async with claude_over(wire) as model:
        assert (await model.send(request_of(), timeout_seconds=5)).text == "Öffnen."
        fault = await fault_of(model)
    assert meaning_of(fault) == (CLOSED, True, "malformed")


async def test_an_answer_without_end_is_left() -> None:
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    wire = BrokenWire(Breakage([head, *itertools.repeat(b"100000\r\n" + b" " * 2**20 + b"\r\n", 64)]))
    async with wire.serve() as url, claude_at(url) as model:
        assert (await fault_of(model, timeout_seconds=60)).reason == "malformed"
    assert wire.chunks_sent < 64


async def test_a_refused_connection_is_not_charged() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    async with claude_at(f"http://127.0.0.1:{port}") as model:
        fault = await fault_of(model)
    assert meaning_of(fault) == (TRANSIENT, False, "not_connected")


def _over(beneath: Exception, cause: Exception) -> Exception:
    cause.__cause__ = beneath
    return cause


KEY = ConnectionKey("a", 443, True, True, None, None, None)

CONNECTIONS: list[tuple[BaseException | None, bool, str]] = [
    (_over(aiohttp.ClientConnectorError(KEY, OSError()), httpx2.ConnectError("a")), False, "not_connected"),
    (_over(aiohttp.ClientConnectorDNSError(KEY, OSError()), httpx2.ConnectError("a")), False, "not_connected"),
    (_over(aiohttp.ClientProxyConnectionError(KEY, OSError()), httpx2.ProxyError("a")), False, "not_connected"),
    (_over(aiohttp.ConnectionTimeoutError(), httpx2.ConnectTimeout("a")), False, "not_connected"),
    (_over(aiohttp.ServerDisconnectedError(), httpx2.ConnectError("a")), True, "connection_lost"),
    (_over(aiohttp.ServerDisconnectedError(), httpx2.ConnectTimeout("a")), True, "connection_lost"),
    (_over(aiohttp.SocketTimeoutError(), httpx2.ReadTimeout("a")), True, "timeout"),
    (_over(aiohttp.ClientOSError(), httpx2.ConnectError("a")), True, "connection_lost"),
    (httpx2.ConnectError("a"), True, "connection_lost"),
    (httpx2.WriteError("a"), True, "connection_lost"),
    (httpx2.RemoteProtocolError("a"), True, "connection_lost"),
    (RuntimeError("a"), True, "connection_lost"),
    (None, True, "connection_lost"),
]


@pytest.mark.parametrize(("cause", "billed", "reason"), CONNECTIONS)
def test_only_what_ends_before_sending_is_not_charged(cause: BaseException | None, billed: bool, reason: str) -> None:
    fault = fault_of_connection(cause)
    assert meaning_of(fault) == (TRANSIENT, billed, reason)


WHOLE = http_bytes(BODY)
SLOW: dict[str, Breakage] = {
    "never answers": Breakage(ending=Ending.HANG),
    "never ends": Breakage([WHOLE[:-1]], ending=Ending.HANG),
    "trickles": Breakage([WHOLE[at : at + 1] for at in range(len(WHOLE))], pause_seconds=0.02),
}


@pytest.mark.parametrize("breakage", SLOW.values(), ids=SLOW)
async def test_no_wait_beyond_the_timeout(breakage: Breakage) -> None:
    wire = BrokenWire(breakage)
    async with wire.serve() as url, claude_at(url) as model:
        started = time.monotonic()
        fault = await fault_of(model, timeout_seconds=0.2)
        waited = time.monotonic() - started
    assert meaning_of(fault) == (TRANSIENT, True, "timeout")
    assert 0.15 < waited < 3  # trickled out, the answer would take six seconds


@pytest.mark.parametrize("timeout_seconds", [0.0, -1.0])
async def test_without_time_nothing_is_sent(timeout_seconds: float) -> None:
    wire = AnthropicWire(text_reply("a"))
    async with claude_over(wire) as model:
        fault = await fault_of(model, timeout_seconds=timeout_seconds)
    assert meaning_of(fault) == (TRANSIENT, False, "timeout")
    assert wire.requests == []


async def test_a_cancelled_question_is_cancelled_and_no_fault() -> None:
    wire = BrokenWire(Breakage(ending=Ending.HANG))
    async with wire.serve() as url, claude_at(url) as model:
        sending = asyncio.create_task(model.send(request_of(), timeout_seconds=5))
        await wire.connected.wait()
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending


async def test_a_closed_model_is_a_fault() -> None:
    async with claude_over(AnthropicWire(text_reply("a"))) as model:
        await model.close()
        assert (await fault_of(model)).kind is TRANSIENT


async def test_credentials_that_cannot_be_had_are_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "AUTH_TOKEN", "PROFILE", "IDENTITY_TOKEN"):
        monkeypatch.delenv(f"ANTHROPIC_{name}", raising=False)
    monkeypatch.setenv("ANTHROPIC_FEDERATION_RULE_ID", "rule")
    monkeypatch.setenv("ANTHROPIC_ORGANIZATION_ID", "organisation")
    monkeypatch.setenv("ANTHROPIC_IDENTITY_TOKEN_FILE", "no-such-file")
    wire = AnthropicWire(text_reply("a"))
    async with serve(wire) as url:
        model = AnthropicModel("claude-sonnet-5-5", base_url=url)
        fault = await fault_of(model)
        await model.close()
    assert meaning_of(fault) == (TRANSIENT, False, "credentials")
    assert wire.requests == []
