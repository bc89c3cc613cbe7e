"""Whatever a server or a network does, OpenAI's adapters give a ProviderFault, within their time and bounds."""

import asyncio
import gzip
import json
import socket
import time
from collections.abc import Mapping

import pytest

from assist_service.adapters.models.bounded import MAX_REPLY_BYTES
from assist_service.domain.messages import ProviderFault, ProviderFaultKind, UserText
from tests.fakes.broken_wire import Breakage, BrokenWire, Ending, chunked_bytes, http_bytes
from tests.fakes.claude import Meaning, fault_of, meaning_of, request_of, step
from tests.fakes.gpt import WIRES, body_of, fault_after, gpt_at, gpt_over, raw_of
from tests.fakes.openai_wire import OpenAIWire, Said, calling, error_reply
from tests.fakes.scripted_wire import RawReply
from tests.fakes.serving import serve

TRANSIENT = ProviderFaultKind.TRANSIENT
PERMANENT = ProviderFaultKind.PERMANENT
CLOSED = ProviderFaultKind.CLOSED

MALFORMED: Meaning = (CLOSED, True, "malformed")
AGAIN: Meaning = (TRANSIENT, True, "malformed")

both = pytest.mark.parametrize("wire", WIRES)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


STATUSES: dict[int, Meaning] = {
    202: (CLOSED, True, "malformed"),
    302: (CLOSED, False, "redirected"),
    400: (PERMANENT, False, "bad_request"),
    401: (CLOSED, False, "unauthenticated"),
    402: (CLOSED, False, "unpaid"),
    403: (CLOSED, False, "forbidden"),
    404: (CLOSED, False, "unknown_model"),
    408: (TRANSIENT, True, "timeout"),
    409: (TRANSIENT, False, "conflict"),
    410: (CLOSED, False, "unknown_model"),
    413: (PERMANENT, False, "too_large"),
    422: (CLOSED, False, "refused"),
    425: (TRANSIENT, False, "conflict"),
    429: (TRANSIENT, False, "rate_limited"),
    499: (TRANSIENT, True, "timeout"),
    500: (TRANSIENT, False, "server_error"),
    502: (TRANSIENT, False, "server_error"),
    503: (TRANSIENT, False, "overloaded"),
    504: (TRANSIENT, True, "timeout"),
    529: (TRANSIENT, False, "overloaded"),
}


@both
@pytest.mark.parametrize(("status", "meaning"), STATUSES.items())
async def test_what_each_status_means(wire: str, status: int, meaning: Meaning) -> None:
    assert meaning_of(await fault_after(wire, error_reply(status))) == meaning


@both
@pytest.mark.parametrize("code", ["insufficient_quota", "billing_not_active"])
async def test_used_up_credit_is_no_limit_that_passes(wire: str, code: str) -> None:
    assert meaning_of(await fault_after(wire, error_reply(429, code))) == (CLOSED, False, "unpaid")


NO_FORMS = [b"", b"<html>The canary</html>", b'{"error": "The canary"}', b'{"error": null}', b"[]", b'{"error": {']


@both
@pytest.mark.parametrize("body", NO_FORMS)
@pytest.mark.parametrize("status", [500, 502])
async def test_a_bare_server_error_may_have_been_charged(wire: str, status: int, body: bytes) -> None:
    assert meaning_of(await fault_after(wire, RawReply(body, status))) == (TRANSIENT, True, "server_error")


@both
@pytest.mark.parametrize("body", NO_FORMS)
async def test_a_refusal_in_no_envelope_means_its_status(wire: str, body: bytes) -> None:
    assert meaning_of(await fault_after(wire, RawReply(body, 429))) == (TRANSIENT, False, "rate_limited")


@both
@pytest.mark.parametrize("status", [429, 503, 500])
async def test_a_long_wait_is_reported_and_not_waited(wire: str, status: int) -> None:
    started = time.monotonic()
    fault = await fault_after(wire, error_reply(status, headers={"retry-after": "3600", "x-should-retry": "true"}))
    assert fault.retry_after_seconds == 3600.0
    assert time.monotonic() - started < 30


@both
async def test_a_redirect_is_not_followed(wire: str) -> None:
    elsewhere = OpenAIWire(Said("a"))
    async with serve(elsewhere) as url:
        fault = await fault_after(wire, RawReply(b"", 307, {"location": f"{url}/v1/responses"}))
    assert fault.reason == "redirected"
    assert elsewhere.requests == []


@both
async def test_an_id_of_an_earlier_turn_is_a_fault(wire: str) -> None:
    reply = raw_of(body_of(wire, calling(("read_guide", {"page": "a"}))))
    async with gpt_over(wire, OpenAIWire(reply, reply)) as model:
        first = await model.send(request_of(), timeout_seconds=5)
        with pytest.raises(ProviderFault) as fault:
            await model.send(request_of(UserText("How?"), *step(first)), timeout_seconds=5)
    assert meaning_of(fault.value) == AGAIN


def _body(wire: str) -> bytes:
    return json.dumps(body_of(wire, Said("Öffnen.")), ensure_ascii=False).encode()


def _breakages(body: bytes) -> Mapping[str, Breakage]:
    return {
        "hung up on": Breakage(),
        "hung up on before the request was read": Breakage(reads_request=False),
        "reset": Breakage(ending=Ending.RESET),
        "reset in the body": Breakage([http_bytes(body)[:-9]], ending=Ending.RESET),
        "a length too long": Breakage([http_bytes(body, content_length=len(body) + 1)]),
        "a length too short": Breakage([http_bytes(body, content_length=len(body) - 1)]),
        "a length of nothing": Breakage([http_bytes(body, content_length=0)]),
        "the last chunk missing": Breakage([chunked_bytes([body], ends=False)]),
        "no HTTP": Breakage([b"SSH-2.0-OpenSSH_9.9\r\n"]),
    }


@both
async def test_a_connection_that_breaks_is_charged_and_may_be_tried_again(wire: str) -> None:
    for name, breakage in _breakages(_body(wire)).items():
        server = BrokenWire(breakage)
        async with server.serve() as url, gpt_at(wire, url) as model:
            fault = await fault_of(model)
        assert (fault.kind, fault.billed) == (TRANSIENT, True), name
        assert fault.reason in ("connection_lost", "not_json"), name
        assert server.connections == 1, name


@both
async def test_an_answer_is_read_up_to_its_bound_and_a_packed_one_not_at_all(wire: str) -> None:
    body = _body(wire)
    room = MAX_REPLY_BYTES - len(body)
    server = OpenAIWire(
        RawReply(body + b" " * room),
        RawReply(body + b" " * (room + 1)),
        RawReply(gzip.compress(body), headers={"content-encoding": "gzip"}),
    )
    async with gpt_over(wire, server) as model:
        assert (await model.send(request_of(), timeout_seconds=5)).text == "Öffnen."
        assert meaning_of(await fault_of(model)) == MALFORMED
        assert meaning_of(await fault_of(model)) == MALFORMED
    assert server.requests[0].headers["accept-encoding"] == "identity"


@both
async def test_a_refused_connection_is_not_charged(wire: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    async with gpt_at(wire, f"http://127.0.0.1:{port}") as model:
        assert meaning_of(await fault_of(model)) == (TRANSIENT, False, "not_connected")


@both
async def test_no_wait_beyond_the_timeout(wire: str) -> None:
    whole = http_bytes(_body(wire))
    slow = [
        Breakage(ending=Ending.HANG),
        Breakage([whole[:-1]], ending=Ending.HANG),
        Breakage([whole[at : at + 1] for at in range(len(whole))], pause_seconds=0.02),
    ]
    for breakage in slow:
        server = BrokenWire(breakage)
        async with server.serve() as url, gpt_at(wire, url) as model:
            started = time.monotonic()
            fault = await fault_of(model, timeout_seconds=0.4)
            waited = time.monotonic() - started
        assert meaning_of(fault) == (TRANSIENT, True, "timeout")
        assert 0.3 < waited < 3  # trickled out, the answer would take six seconds


@both
async def test_without_time_nothing_is_sent(wire: str) -> None:
    server = OpenAIWire(Said("a"))
    async with gpt_over(wire, server) as model:
        for timeout_seconds in (0.0, -1.0):
            fault = await fault_of(model, timeout_seconds=timeout_seconds)
            assert meaning_of(fault) == (TRANSIENT, False, "timeout")
    assert server.requests == []


@both
async def test_a_cancelled_question_is_cancelled_and_no_fault(wire: str) -> None:
    server = BrokenWire(Breakage(ending=Ending.HANG))
    async with server.serve() as url, gpt_at(wire, url) as model:
        sending = asyncio.create_task(model.send(request_of(), timeout_seconds=5))
        await server.connected.wait()
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending


@both
async def test_a_closed_model_is_a_fault(wire: str) -> None:
    async with gpt_over(wire, OpenAIWire(Said("a"))) as model:
        await model.close()
        assert meaning_of(await fault_of(model)) == (CLOSED, True, "unknown")
