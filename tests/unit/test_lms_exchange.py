"""What an exchange may answer, and which answers bring a token that is used (RFC 8693)."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from assist_service.ports import LmsFaultKind
from tests.fakes.scripted_lms import json_reply
from tests.fakes.scripted_wire import RawReply
from tests.unit.lms_desk import SESSION, Desk, answering, fault_of, open_desk

EXCHANGE, REVOKE = "POST /oauth/token", "POST /oauth/revoke"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with open_desk() as opened:
        yield opened


REFUSALS: list[tuple[RawReply, LmsFaultKind]] = [
    (json_reply({"error": "invalid_grant"}, 400), LmsFaultKind.SESSION_ENDED),
    (json_reply({"error": "invalid_token"}, 400), LmsFaultKind.SESSION_ENDED),
    (json_reply({"error": "invalid_token"}, 401), LmsFaultKind.SESSION_ENDED),
    (RawReply(b"", 401), LmsFaultKind.SESSION_ENDED),
    (json_reply({"error": "invalid_client"}, 401), LmsFaultKind.UNAVAILABLE),
    (json_reply({"error": "invalid_client"}, 400), LmsFaultKind.UNAVAILABLE),
    (json_reply({"error": "invalid_dpop_proof"}, 400), LmsFaultKind.UNAVAILABLE),
    (json_reply({"error": "use_dpop_nonce"}, 400), LmsFaultKind.UNAVAILABLE),
    (json_reply({"error": "invalid_scope"}, 400), LmsFaultKind.REFUSED),
    (json_reply({"error": ["invalid_grant"]}, 400), LmsFaultKind.REFUSED),
    (json_reply(["error"], 400), LmsFaultKind.REFUSED),
    (RawReply(b"<html>", 400, {"content-type": "text/html"}), LmsFaultKind.REFUSED),
    (RawReply(b"[" * 50_000, 400, {"content-type": "application/json"}), LmsFaultKind.REFUSED),
    (RawReply(b"", 403), LmsFaultKind.REFUSED),
    (RawReply(b"", 404), LmsFaultKind.UNAVAILABLE),
    (RawReply(b"", 429), LmsFaultKind.UNAVAILABLE),
    (RawReply(b"", 500), LmsFaultKind.UNAVAILABLE),
    (RawReply(b"", 302, {"location": "http://127.0.0.1:1/"}), LmsFaultKind.MALFORMED),
    (RawReply(b"", 204), LmsFaultKind.MALFORMED),
    (RawReply(b"x" * 3_000_000, 200, {"content-type": "application/json"}), LmsFaultKind.TOO_LARGE),
]


@pytest.mark.parametrize(("reply", "kind"), REFUSALS)
async def test_a_refused_exchange_is_one_fault_and_one_request(desk: Desk, reply: RawReply, kind: LmsFaultKind) -> None:
    answering(desk, "/oauth/token", *[reply] * 5)
    async with desk.rest.reading(SESSION) as reads:
        assert await fault_of(reads.courses()) is kind
        assert await fault_of(reads.pools()) is kind
    assert desk.lms.paths() == [EXCHANGE]


UNUSABLE = {"event": "lms_token_unusable", "log_level": "warning"}

GOOD: dict[str, Any] = {"access_token": "an-opaque-word", "token_type": "DPoP", "expires_in": 900}


@pytest.mark.parametrize(
    "changes", [{}, {"token_type": "dpop"}, {"expires_in": 1}, {"scope": "assist:read"}, {"more": [1]}], ids=str
)
async def test_an_answer_that_is_whole_gives_a_token(desk: Desk, changes: dict[str, Any]) -> None:
    desk.lms.live.add("an-opaque-word")
    answering(desk, "/oauth/token", json_reply({**GOOD, **changes}))
    async with desk.rest.reading(SESSION) as reads:
        await reads.courses()
    assert desk.lms.live == set()


@pytest.mark.parametrize(
    "changes",
    [
        {"token_type": "Bearer"},
        {"token_type": "N_A"},
        {"token_type": None},
        {"expires_in": 0},
        {"expires_in": 901},
        {"expires_in": "900"},
        {"expires_in": True},
        {"expires_in": 60.5},
        {"scope": "assist:write:create_question"},
        {"scope": "assist:read assist:write:create_question"},
    ],
    ids=str,
)
async def test_a_token_that_nobody_asked_for_is_not_used_and_revoked(desk: Desk, changes: dict[str, Any]) -> None:
    desk.lms.live.add("an-opaque-word")
    answering(desk, "/oauth/token", json_reply({**GOOD, **changes}))
    async with desk.rest.reading(SESSION) as reads:
        with capture_logs() as logs:
            assert await fault_of(reads.courses()) is LmsFaultKind.MALFORMED
    assert desk.lms.paths() == [EXCHANGE, REVOKE]
    assert desk.lms.live == set()
    assert logs == [{**UNUSABLE, "revocable": True}]


TEXTS = ["a b", "é", "a\r\nX: y", "\t", "\x01\x7f", "🔑" * 8_192, "x" * 4_097, "x" * 8_192]


@pytest.mark.parametrize("token", TEXTS, ids=range(len(TEXTS)))
async def test_a_text_that_fits_no_header_is_not_used_and_revoked(desk: Desk, token: str) -> None:
    answering(desk, "/oauth/token", json_reply({**GOOD, "access_token": token}))
    with capture_logs() as logs:
        async with desk.rest.reading(SESSION) as reads:
            assert await fault_of(reads.courses()) is LmsFaultKind.MALFORMED
            assert await fault_of(reads.pools()) is LmsFaultKind.MALFORMED
    assert desk.lms.paths() == [EXCHANGE, REVOKE]
    assert desk.lms.requests[-1].form["token"] == token
    assert logs == [{**UNUSABLE, "revocable": True}]


@pytest.mark.parametrize(
    "body",
    [
        *(json_reply({**GOOD, "access_token": token}).body for token in ["", "x" * 8_193, "x" * 100_000, 7, ["t"]]),
        *(json_reply({**GOOD, "access_token": token}).body for token in ["a\x00b", "\ud800"]),
        json_reply({}).body,
        b'{"access_token": "one", "access_token": "two", "token_type": "DPoP", "expires_in": 900}',
        b'{"access_token": "an-opaque-word", "token_type": "DPoP", "expires_in": 900, "n": NaN}',
        b"[]",
        b"<html>",
        b"\xff",
        b"",
    ],
    ids=lambda body: str(body[:40]),
)
async def test_a_token_that_is_none_is_never_sent_anywhere(desk: Desk, body: bytes) -> None:
    answering(desk, "/oauth/token", RawReply(body, 200, {"content-type": "application/json"}))
    with capture_logs() as logs:
        async with desk.rest.reading(SESSION) as reads:
            assert await fault_of(reads.courses()) is LmsFaultKind.MALFORMED
    assert desk.lms.paths() == [EXCHANGE]
    assert logs == [{**UNUSABLE, "revocable": False}]
