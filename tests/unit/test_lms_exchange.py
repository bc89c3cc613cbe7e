"""What an exchange may answer, and which answers bring a token that is used (RFC 8693)."""

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from assist_service.adapters.lms.rest import RestLms, RestOptions
from assist_service.ports import LmsFaultKind
from tests.fakes.clocks import HandClock
from tests.fakes.scripted_lms import CLIENT, json_reply
from tests.fakes.scripted_wire import RawReply
from tests.unit.lms_desk import KEY, SESSION, Desk, answering, fault_of, open_desk, until

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


UNKNOWN = {"event": "lms_token_unknown", "log_level": "warning"}
UNUSABLE = {"event": "lms_token_unusable", "log_level": "warning"}

GOOD: dict[str, Any] = {"access_token": "an-opaque-word", "token_type": "DPoP", "expires_in": 900}

JSON = {"content-type": "application/json"}

DOUBTS: dict[str, tuple[RawReply, str | int]] = {
    "a redirect": (RawReply(b"", 302, {"location": "/sign-in"}), 302),
    "a page that calls itself 400": (RawReply(b"<html>", 400, {"content-type": "text/html"}), 400),
    "a 400 that names no error": (json_reply({}, 400), 400),
    "another refusal": (RawReply(b"", 418), 418),
    "a fault": (RawReply(b"", 500), 500),
    "a gateway's": (RawReply(b"", 504), 504),
    "a packed token": (
        RawReply(gzip.compress(json_reply(GOOD).body), 200, {**JSON, "content-encoding": "gzip"}),
        "malformed",
    ),
    "a token in too long an answer": (json_reply({**GOOD, "more": "x" * 2_200_000}), "too_large"),
    "an answer too late": (RawReply(b"", after_seconds=30), "unavailable"),
}


@pytest.mark.parametrize(("reply", "seen"), DOUBTS.values(), ids=DOUBTS)
async def test_an_exchange_whose_end_is_unknown_is_said_in_the_log(reply: RawReply, seen: str | int) -> None:
    async with open_desk(RestOptions(seconds=1.0)) as desk:
        answering(desk, "/oauth/token", reply)
        with capture_logs() as logs:
            async with desk.rest.reading(SESSION) as reads:
                assert await fault_of(reads.courses()) is not None
        assert logs == [{**UNKNOWN, "seen": seen}]
        assert desk.lms.paths() == [EXCHANGE]


async def test_an_exchange_that_is_cut_off_at_closing_is_said_in_the_log() -> None:
    async with open_desk(RestOptions(close_seconds=0.2)) as desk:
        answering(desk, "/oauth/token", RawReply(b"", after_seconds=30))
        asking = asyncio.create_task(_courses(desk.rest))
        await until(lambda: EXCHANGE in desk.lms.paths())
        asking.cancel()
        await asyncio.wait([asking])
        with capture_logs() as logs:
            await desk.rest.aclose()
        assert logs == [{**UNKNOWN, "seen": "cancelled"}]


async def _courses(rest: RestLms) -> None:
    async with rest.reading(SESSION) as reads:
        await reads.courses()


@pytest.mark.parametrize(
    "reply",
    [
        json_reply({"error": "invalid_grant"}, 400),
        json_reply({"error": "invalid_scope"}, 400),
        *(RawReply(b"", status) for status in (401, 403, 404, 405, 429)),
    ],
    ids=lambda reply: f"{reply.status}",
)
async def test_of_an_exchange_that_was_refused_nothing_is_left_to_say(desk: Desk, reply: RawReply) -> None:
    answering(desk, "/oauth/token", reply)
    with capture_logs() as logs:
        async with desk.rest.reading(SESSION) as reads:
            assert await fault_of(reads.courses()) is not None
    assert logs == []


async def test_of_an_exchange_that_was_not_sent_nothing_is_left_to_say() -> None:
    with socket.socket() as nobodys:
        nobodys.bind(("127.0.0.1", 0))  # not listening: a connection is refused
        url = f"http://127.0.0.1:{nobodys.getsockname()[1]}"
        rest = RestLms(url, client_id=CLIENT, key=KEY, clock=HandClock())
        with capture_logs() as logs:
            assert await fault_of(_courses(rest)) is LmsFaultKind.UNAVAILABLE
        await rest.aclose()
    assert logs == []


@pytest.mark.parametrize("status", [200, 201, 202, 299])
async def test_a_token_is_used_and_revoked_whatever_its_success_is_called(desk: Desk, status: int) -> None:
    desk.lms.live.add("an-opaque-word")
    answering(desk, "/oauth/token", json_reply(GOOD, status))
    with capture_logs() as logs:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()
    assert desk.lms.live == set()
    assert logs == []


async def test_where_nothing_is_revoked_an_unusable_token_is_not_called_revocable() -> None:
    async with open_desk(RestOptions(revocation=False)) as desk:
        answering(desk, "/oauth/token", json_reply({**GOOD, "expires_in": 901}))
        with capture_logs() as logs:
            async with desk.rest.reading(SESSION) as reads:
                assert await fault_of(reads.courses()) is LmsFaultKind.MALFORMED
        assert logs == [{**UNUSABLE, "revocable": False}]
        assert desk.lms.paths() == [EXCHANGE]


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
