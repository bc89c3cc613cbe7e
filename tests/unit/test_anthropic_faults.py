"""What each refusal of the Messages API means: its status, its own form of an error, the wait it asks for."""

import json
import time
from collections.abc import Mapping
from typing import Any

import pytest

from assist_service.adapters.models.faults import retry_after_seconds
from assist_service.domain.messages import ProviderFaultKind
from tests.fakes.anthropic_wire import AnthropicWire, RawReply, error_reply, text_reply
from tests.fakes.claude import Meaning, fault_after, meaning_of
from tests.fakes.serving import serve

TRANSIENT = ProviderFaultKind.TRANSIENT
PERMANENT = ProviderFaultKind.PERMANENT
CLOSED = ProviderFaultKind.CLOSED


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


STATUSES: dict[int, Meaning] = {
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
    418: (CLOSED, False, "refused"),
    422: (CLOSED, False, "refused"),
    425: (TRANSIENT, False, "conflict"),
    429: (TRANSIENT, False, "rate_limited"),
    499: (TRANSIENT, True, "timeout"),
    500: (TRANSIENT, False, "server_error"),
    501: (TRANSIENT, False, "server_error"),
    502: (TRANSIENT, False, "server_error"),
    503: (TRANSIENT, False, "overloaded"),
    504: (TRANSIENT, True, "timeout"),
    529: (TRANSIENT, False, "overloaded"),
    202: (CLOSED, True, "malformed"),
}


@pytest.mark.parametrize(("status", "meaning"), STATUSES.items())
async def test_what_each_status_means(status: int, meaning: Meaning) -> None:
    fault = await fault_after(error_reply(status))
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
    fault = await fault_after(error_reply(status, headers={"retry-after": "3600"}))
    assert fault.retry_after_seconds == 3600.0
    assert time.monotonic() - started < 30


async def test_a_redirect_is_not_followed() -> None:
    elsewhere = AnthropicWire(text_reply("a"))
    async with serve(elsewhere) as url:
        fault = await fault_after(RawReply(b"", 307, {"location": f"{url}/v1/messages"}))
    assert fault.reason == "redirected"
    assert elsewhere.requests == []


NO_FORMS = [b"", b"<html>The canary</html>", b'{"error": "The canary"}', b'{"error": null}', b"[]", b'{"error": {']


@pytest.mark.parametrize("body", NO_FORMS)
@pytest.mark.parametrize("status", [500, 502])
async def test_a_bare_server_error_may_have_been_charged(status: int, body: bytes) -> None:
    assert meaning_of(await fault_after(RawReply(body, status))) == (TRANSIENT, True, "server_error")


def _refusal(status: int, error_type: str, message: str) -> RawReply:
    envelope = {"type": "error", "error": {"type": error_type, "message": message}}
    return RawReply(json.dumps(envelope).encode(), status)


async def test_used_up_credit_is_no_fault_of_the_request() -> None:
    told = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."
    fault = await fault_after(_refusal(400, "invalid_request_error", told))
    assert meaning_of(fault) == (CLOSED, False, "unpaid")
    # Only the status that is otherwise the request's fault is read again.
    fault = await fault_after(_refusal(429, "rate_limit_error", told))
    assert meaning_of(fault) == (TRANSIENT, False, "rate_limited")
    fault = await fault_after(_refusal(400, "invalid_request_error", "prompt is too long"))
    assert meaning_of(fault) == (PERMANENT, False, "bad_request")


ENVELOPES: dict[str, tuple[Any, Meaning]] = {
    "an overload": ({"type": "overloaded_error", "message": "The canary"}, (TRANSIENT, False, "error_envelope")),
    "a server's": ({"type": "api_error"}, (TRANSIENT, False, "error_envelope")),
    "a wait given up": ({"type": "timeout_error"}, (TRANSIENT, True, "error_envelope")),
    "a refusal": ({"type": "invalid_request_error"}, (PERMANENT, False, "error_envelope")),
    "no credit": ({"type": "billing_error"}, (CLOSED, False, "error_envelope")),
    "of no kind": (None, (TRANSIENT, False, "error_envelope")),
    "of a strange kind": ({"type": []}, (TRANSIENT, False, "error_envelope")),
}


@pytest.mark.parametrize(("error", "meaning"), ENVELOPES.values(), ids=ENVELOPES)
async def test_an_error_that_comes_as_a_success(error: Any, meaning: Meaning) -> None:
    body = {"type": "error"} | ({"error": error} if error else {})
    assert meaning_of(await fault_after(RawReply(json.dumps(body).encode()))) == meaning
