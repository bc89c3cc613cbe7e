"""Whatever a provider or a network does, the Anthropic adapter gives a whole reply or a ProviderFault."""

import asyncio
import gzip
import itertools
import json
import socket
import time
from collections.abc import Mapping
from typing import Any

import aiohttp
import httpx2
import pytest
from aiohttp.client_reqrep import ConnectionKey

from assist_service.adapters.models.anthropic import AnthropicModel
from assist_service.adapters.models.bounded import MAX_REPLY_BYTES
from assist_service.adapters.models.faults import fault_of_connection, retry_after_seconds
from assist_service.domain.messages import ModelReply, ProviderFault, ProviderFaultKind, UserText
from tests.fakes.anthropic_wire import (
    AnthropicWire,
    MessageReply,
    RawReply,
    Reply,
    error_reply,
    message_body,
    text_reply,
    tool_reply,
)
from tests.fakes.broken_wire import Breakage, BrokenWire, Ending, chunked_bytes, http_bytes
from tests.fakes.claude import claude_at, claude_over, request_of, step
from tests.fakes.serving import serve

TRANSIENT = ProviderFaultKind.TRANSIENT
PERMANENT = ProviderFaultKind.PERMANENT
CLOSED = ProviderFaultKind.CLOSED

USAGE = {
    "input_tokens": 1,
    "cache_read_input_tokens": 0,
    "cache_creation_input_tokens": 0,
    "output_tokens": 1,
}
NOTHING = dict.fromkeys(USAGE, 0)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


async def _fault(model: AnthropicModel, *, timeout_seconds: float = 5) -> ProviderFault:
    with pytest.raises(ProviderFault) as caught:
        await model.send(request_of(UserText("The canary?")), timeout_seconds=timeout_seconds)
    # Nothing of the exchange hangs on the fault, where a log of the traceback would find it.
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "canary" not in repr(caught.value)
    return caught.value


async def _fault_after(reply: Reply) -> ProviderFault:
    wire = AnthropicWire(reply)
    async with claude_over(wire) as model:
        fault = await _fault(model)
    assert len(wire.requests) == 1  # no retry of the SDK's
    return fault


STATUSES: dict[int, tuple[ProviderFaultKind, bool, str]] = {
    302: (PERMANENT, False, "redirected"),
    400: (PERMANENT, False, "bad_request"),
    401: (CLOSED, False, "unauthenticated"),
    402: (CLOSED, False, "unpaid"),
    403: (CLOSED, False, "forbidden"),
    404: (CLOSED, False, "unknown_model"),
    408: (TRANSIENT, True, "timeout"),
    409: (TRANSIENT, False, "conflict"),
    410: (CLOSED, False, "unknown_model"),
    413: (PERMANENT, False, "too_large"),
    418: (PERMANENT, False, "refused"),
    422: (PERMANENT, False, "refused"),
    425: (TRANSIENT, False, "conflict"),
    429: (TRANSIENT, False, "rate_limited"),
    499: (TRANSIENT, True, "timeout"),
    500: (TRANSIENT, True, "server_error"),
    501: (TRANSIENT, True, "server_error"),
    502: (TRANSIENT, True, "server_error"),
    503: (TRANSIENT, False, "overloaded"),
    504: (TRANSIENT, True, "server_error"),
    529: (TRANSIENT, False, "overloaded"),
    202: (PERMANENT, True, "malformed"),
}


@pytest.mark.parametrize(("status", "meaning"), STATUSES.items())
async def test_what_each_status_means(status: int, meaning: tuple[ProviderFaultKind, bool, str]) -> None:
    fault = await _fault_after(error_reply(status))
    assert (fault.kind, fault.billed, fault.reason, fault.retry_after_seconds) == (*meaning, None)


NOON = "Wed, 21 Oct 2026 12:00:00 GMT"
RETRY_AFTER: list[tuple[Mapping[str, str], float | None]] = [
    ({"retry-after": "3600"}, 3600.0),
    ({"retry-after": " 0.5 "}, 0.5),
    ({"retry-after": "0"}, 0.0),
    ({"retry-after": "Wed, 21 Oct 2026 12:00:30 GMT", "date": NOON}, 30.0),
    ({"retry-after": "Wed, 21 Oct 2026 11:00:00 GMT", "date": NOON}, 0.0),
    ({"retry-after": "Wed, 21 Oct 2026 12:00:30 -0000", "date": NOON}, 30.0),
    ({"retry-after": "Wed, 21 Oct 2026 12:00:30 GMT"}, None),
    ({"retry-after": "Wed, 99 Oct 2026 12:00:30 GMT", "date": NOON}, None),
    ({"retry-after": "soon", "date": NOON}, None),
    ({"retry-after": "-5"}, None),
    ({"retry-after": "nan"}, None),
    ({"retry-after": "inf"}, None),
    ({"retry-after": "1e9"}, None),
    ({"retry-after": "9" * 400}, None),
    ({"retry-after": ""}, None),
    ({}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), RETRY_AFTER)
def test_the_wait_a_provider_asks_for(headers: Mapping[str, str], seconds: float | None) -> None:
    assert retry_after_seconds(headers) == seconds


@pytest.mark.parametrize("status", [429, 503, 529, 500])
async def test_a_long_wait_is_reported_and_not_waited(status: int) -> None:
    started = time.monotonic()
    fault = await _fault_after(error_reply(status, headers={"retry-after": "3600"}))
    assert fault.retry_after_seconds == 3600.0
    assert time.monotonic() - started < 30


async def test_a_redirect_is_not_followed() -> None:
    elsewhere = AnthropicWire(text_reply("a"))
    async with serve(elsewhere) as url:
        fault = await _fault_after(RawReply(b"", 307, {"location": f"{url}/v1/messages"}))
    assert fault.reason == "redirected"
    assert elsewhere.requests == []


def _whole(**changes: Any) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(message_body(text_reply("The canary."), USAGE))
    message.update(changes)
    return {key: value for key, value in message.items() if value != "left out"}


def _call(**changes: Any) -> dict[str, Any]:
    call = {"type": "tool_use", "id": "toolu_1", "name": "read_guide", "input": {}} | changes
    return {key: value for key, value in call.items() if value != "left out"}


def _calling(*blocks: Any) -> dict[str, Any]:
    return _whole(stop_reason="tool_use", content=list(blocks))


def _nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


NOT_WHOLE: dict[str, tuple[Any, tuple[ProviderFaultKind, bool, str]]] = {
    "no JSON": (b"<html>The canary</html>", (TRANSIENT, True, "not_json")),
    "nothing": (b"", (TRANSIENT, True, "not_json")),
    "not UTF-8": (b'{"content": "\xff"}', (TRANSIENT, True, "not_json")),
    "NaN": (b'{"content": [NaN]}', (TRANSIENT, True, "not_json")),
    "nested out of reason": (b"[" * 100_000, (TRANSIENT, True, "not_json")),
    "a list": ([], (PERMANENT, True, "malformed")),
    "an empty object": ({}, (PERMANENT, True, "malformed")),
    "no stop_reason": (_whole(stop_reason="left out"), (PERMANENT, True, "malformed")),
    "stop_reason null": (_whole(stop_reason=None), (PERMANENT, True, "malformed")),
    "stop_reason a list": (_whole(stop_reason=["end_turn"]), (PERMANENT, True, "malformed")),
    "no content": (_whole(content="left out"), (PERMANENT, True, "malformed")),
    "content a text": (_whole(content="The canary."), (PERMANENT, True, "malformed")),
    "content of texts": (_whole(content=["The canary."]), (PERMANENT, True, "malformed")),
    "a block of no kind": (_whole(content=[{"text": "a"}]), (PERMANENT, True, "malformed")),
    "a block of a strange kind": (_whole(content=[{"type": ["text"]}]), (PERMANENT, True, "malformed")),
    "a block not asked for": (
        _whole(content=[{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}]),
        (PERMANENT, True, "malformed"),
    ),
    "text that is none": (_whole(content=[{"type": "text", "text": 3}]), (PERMANENT, True, "malformed")),
    "text with a lone surrogate": (
        _whole(content=[{"type": "text", "text": "\ud800"}]),
        (PERMANENT, True, "malformed"),
    ),
    "thinking unsigned": (
        _whole(content=[{"type": "thinking", "thinking": "a"}]),
        (PERMANENT, True, "malformed"),
    ),
    "redacted thinking without data": (
        _whole(content=[{"type": "redacted_thinking"}]),
        (PERMANENT, True, "malformed"),
    ),
    "a call without id": (_calling(_call(id="left out")), (PERMANENT, True, "malformed")),
    "a call with an empty id": (_calling(_call(id=" ")), (PERMANENT, True, "malformed")),
    "a call without name": (_calling(_call(name="left out")), (PERMANENT, True, "malformed")),
    "a call with an empty name": (_calling(_call(name="")), (PERMANENT, True, "malformed")),
    "a call without input": (_calling(_call(input="left out")), (PERMANENT, True, "malformed")),
    "a call with half an input": (_calling(_call(input='{"page": ')), (PERMANENT, True, "malformed")),
    "a call with an infinite number": (
        json.dumps(_calling(_call(input={"n": 0.5}))).replace("0.5", "1e999").encode(),
        (PERMANENT, True, "malformed"),
    ),
    "a call nested too deep": (_calling(_call(input=_nested(40))), (PERMANENT, True, "malformed")),
    "two calls of one id": (_calling(_call(), _call()), (TRANSIENT, True, "malformed")),
    "a tool stop without calls": (
        _calling({"type": "text", "text": "The canary."}),
        (TRANSIENT, True, "no_calls"),
    ),
    "an overload as a success": (
        {"type": "error", "error": {"type": "overloaded_error", "message": "The canary"}},
        (TRANSIENT, True, "error_envelope"),
    ),
    "a refusal as a success": (
        {"type": "error", "error": {"type": "invalid_request_error"}},
        (PERMANENT, True, "error_envelope"),
    ),
    "an error of no kind as a success": ({"type": "error"}, (TRANSIENT, True, "error_envelope")),
    "an error of a strange kind": (
        {"type": "error", "error": {"type": []}},
        (TRANSIENT, True, "error_envelope"),
    ),
}


@pytest.mark.parametrize(("body", "meaning"), NOT_WHOLE.values(), ids=NOT_WHOLE)
async def test_what_is_not_whole_is_a_fault(body: Any, meaning: tuple[ProviderFaultKind, bool, str]) -> None:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    fault = await _fault_after(RawReply(raw))
    assert (fault.kind, fault.billed, fault.reason) == meaning


STOPS_THAT_ARE_NONE = [
    ("model_context_window_exceeded", USAGE, True, "context_exceeded"),
    ("model_context_window_exceeded", NOTHING, False, "context_exceeded"),
    ("pause_turn", USAGE, True, "paused"),
    ("compaction", USAGE, True, "unknown_stop"),
    ("compaction", {}, True, "unknown_stop"),
    ("", USAGE, True, "unknown_stop"),
]


@pytest.mark.parametrize(("stop", "usage", "billed", "reason"), STOPS_THAT_ARE_NONE)
async def test_a_stop_that_is_no_end_is_a_fault(stop: str, usage: Mapping[str, int], billed: bool, reason: str) -> None:
    fault = await _fault_after(tool_reply(("read_guide", {}), text="The canary.", stop=stop, usage=usage))
    assert (fault.kind, fault.billed, fault.reason) == (PERMANENT, billed, reason)


async def test_an_id_of_an_earlier_turn_is_a_fault() -> None:
    first = tool_reply(("read_guide", {"page": "a"}))
    wire = AnthropicWire(first, MessageReply(first.content, "tool_use"))
    async with claude_over(wire) as model:
        reply = await model.send(request_of(), timeout_seconds=5)
        with pytest.raises(ProviderFault) as fault:
            await model.send(request_of(UserText("How?"), *step(reply)), timeout_seconds=5)
    assert (fault.value.kind, fault.value.reason) == (TRANSIENT, "malformed")


REPLIES = {"text": text_reply("Öffnen."), "tools": tool_reply(("read_guide", {"page": "a"}))}


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
            fault = await _fault(model)
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
        fault = await _fault(model)
    assert (fault.kind, fault.billed) == (TRANSIENT, True)
    assert fault.reason in ("connection_lost", "not_json")
    assert wire.connections == 1


async def test_a_packed_answer_is_none() -> None:
    wire = AnthropicWire(RawReply(gzip.compress(BODY), headers={"content-encoding": "gzip"}))
    async with claude_over(wire) as model:
        fault = await _fault(model)
    assert (fault.kind, fault.billed, fault.reason) == (PERMANENT, True, "malformed")
    assert wire.requests[0].headers["accept-encoding"] == "identity"


async def test_an_answer_is_read_up_to_its_bound() -> None:
    room = MAX_REPLY_BYTES - len(BODY)
    wire = AnthropicWire(RawReply(BODY + b" " * room), RawReply(BODY + b" " * (room + 1)))
    async with claude_over(wire) as model:
        assert (await model.send(request_of(), timeout_seconds=5)).text == "Öffnen."
        fault = await _fault(model)
    assert (fault.kind, fault.billed, fault.reason) == (PERMANENT, True, "malformed")


async def test_an_answer_without_end_is_left() -> None:
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    wire = BrokenWire(Breakage([head, *itertools.repeat(b"100000\r\n" + b" " * 2**20 + b"\r\n", 64)]))
    async with wire.serve() as url, claude_at(url) as model:
        assert (await _fault(model, timeout_seconds=60)).reason == "malformed"
    assert wire.chunks_sent < 64


async def test_a_refused_connection_is_not_charged() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    async with claude_at(f"http://127.0.0.1:{port}") as model:
        fault = await _fault(model)
    assert (fault.kind, fault.billed, fault.reason) == (TRANSIENT, False, "not_connected")


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
    assert (fault.kind, fault.billed, fault.reason) == (TRANSIENT, billed, reason)


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
        fault = await _fault(model, timeout_seconds=0.2)
        waited = time.monotonic() - started
    assert (fault.kind, fault.billed, fault.reason) == (TRANSIENT, True, "timeout")
    assert 0.15 < waited < 3  # trickled out, the answer would take six seconds


@pytest.mark.parametrize("timeout_seconds", [0.0, -1.0])
async def test_without_time_nothing_is_sent(timeout_seconds: float) -> None:
    wire = AnthropicWire(text_reply("a"))
    async with claude_over(wire) as model:
        fault = await _fault(model, timeout_seconds=timeout_seconds)
    assert (fault.kind, fault.billed, fault.reason) == (TRANSIENT, False, "timeout")
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
        assert (await _fault(model)).kind is TRANSIENT


async def test_credentials_that_cannot_be_had_are_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "AUTH_TOKEN", "PROFILE", "IDENTITY_TOKEN"):
        monkeypatch.delenv(f"ANTHROPIC_{name}", raising=False)
    monkeypatch.setenv("ANTHROPIC_FEDERATION_RULE_ID", "rule")
    monkeypatch.setenv("ANTHROPIC_ORGANIZATION_ID", "organisation")
    monkeypatch.setenv("ANTHROPIC_IDENTITY_TOKEN_FILE", "no-such-file")
    wire = AnthropicWire(text_reply("a"))
    async with serve(wire) as url:
        model = AnthropicModel("claude-sonnet-5-5", base_url=url)
        fault = await _fault(model)
        await model.close()
    assert (fault.kind, fault.billed, fault.reason) == (TRANSIENT, False, "credentials")
    assert wire.requests == []
