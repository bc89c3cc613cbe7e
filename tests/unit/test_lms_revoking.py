"""A token is taken back in two tries at most, holds nobody up, and where it may live on the log says so (RFC 7009)."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from assist_service.adapters.lms.rest import RestOptions
from tests.fakes.scripted_wire import RawReply
from tests.unit.lms_desk import SESSION, Desk, answering, open_desk

EXCHANGE, REVOKE, COURSES = "POST /oauth/token", "POST /oauth/revoke", "GET /api/courses"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with open_desk() as opened:
        yield opened


@pytest.mark.parametrize("status", [500, 503, 400])
async def test_a_revocation_that_fails_is_tried_once_more(desk: Desk, status: int) -> None:
    answering(desk, "/oauth/revoke", RawReply(b"", status))
    async with desk.rest.reading(SESSION) as reads:
        await reads.courses()
    assert desk.lms.paths() == [EXCHANGE, COURSES, REVOKE, REVOKE]
    assert desk.lms.live == set()


async def test_a_revocation_that_fails_twice_is_said_in_the_log_without_the_token(desk: Desk) -> None:
    answering(desk, "/oauth/revoke", *[RawReply(b"", 503)] * 5)
    with capture_logs() as logs:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()
    assert logs == [{"event": "lms_token_not_revoked", "log_level": "warning", "seen": 503}]
    assert desk.lms.paths().count(REVOKE) == 2


PAGE = {"content-type": "text/html; charset=utf-8"}
JSON = {"content-type": "application/json"}

NOT_TAKEN_BACK = {
    "a page": (RawReply(b"<html>Sign in</html>", headers=PAGE), "malformed"),
    "a page that calls itself JSON": (RawReply(b"<html>Sign in</html>", headers=JSON), "malformed"),
    "JSON that calls itself a page": (RawReply(b"{}", headers=PAGE), "malformed"),
    "a page without end": (RawReply(b"<p>" * 1_000_000, headers=PAGE), "too_large"),
    "a redirect": (RawReply(b"", 302, {"location": "/sign-in"}), 302),
    "no content": (RawReply(b"", 204), 204),
    "an error": (RawReply(b'{"error": "unsupported_token_type"}', headers=JSON), "refused"),
    "an error beside more": (RawReply(b'{"ok": true, "error": {"code": 7}}', headers=JSON), "refused"),
}


@pytest.mark.parametrize(("reply", "seen"), NOT_TAKEN_BACK.values(), ids=NOT_TAKEN_BACK)
async def test_a_revocation_that_another_page_answers_is_none_and_said_once(
    desk: Desk, reply: RawReply, seen: str | int
) -> None:
    answering(desk, "/oauth/revoke", *[reply] * 5)
    with capture_logs() as logs:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()
    assert logs == [{"event": "lms_token_not_revoked", "log_level": "warning", "seen": seen}]
    assert desk.lms.paths().count(REVOKE) == 2


@pytest.mark.parametrize(
    "reply",
    [
        RawReply(b"", headers=PAGE),
        RawReply(b"\n", headers=PAGE),
        RawReply(b"{}", headers=JSON),
        RawReply(b'["error"]', headers=JSON),
    ],
)
async def test_what_else_a_200_says_is_ignored(desk: Desk, reply: RawReply) -> None:
    answering(desk, "/oauth/revoke", reply)
    with capture_logs() as logs:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()
    assert logs == []
    assert desk.lms.paths().count(REVOKE) == 1


async def test_a_revocation_without_an_answer_is_tried_twice_and_holds_nobody_up() -> None:
    async with open_desk(RestOptions(revoke_seconds=0.2)) as desk:
        answering(desk, "/oauth/revoke", *[RawReply(b"", after_seconds=30)] * 5)
        async with asyncio.timeout(3):
            async with desk.rest.reading(SESSION) as reads:
                await reads.courses()
            assert desk.lms.paths().count(REVOKE) == 1
            await desk.rest.aclose()
        assert desk.lms.paths().count(REVOKE) == 2


async def test_closing_waits_for_revocations_only_so_long() -> None:
    async with open_desk(RestOptions(revoke_seconds=30, close_seconds=0.2)) as desk:
        answering(desk, "/oauth/revoke", RawReply(b"", after_seconds=30))

        async def question() -> None:
            async with desk.rest.reading(SESSION) as reads:
                await reads.courses()
                asking.cancel()
                await asyncio.sleep(30)

        asking = asyncio.create_task(question())
        async with asyncio.timeout(3):
            await asyncio.wait([asking])
            with capture_logs() as logs:
                await desk.rest.aclose()
        assert logs == [{"event": "lms_token_not_revoked", "log_level": "warning", "seen": "cancelled"}]
        assert desk.lms.paths().count(REVOKE) == 1


async def test_an_lms_without_revocation_is_not_asked_to_revoke() -> None:
    async with open_desk(RestOptions(revocation=False)) as desk:
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()
        assert desk.lms.paths() == [EXCHANGE, COURSES]
