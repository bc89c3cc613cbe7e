"""Proofs of possession on the wire, and the nonces an LMS asks for (RFC 9449)."""

import asyncio
from collections.abc import AsyncIterator

import jwt
import pytest
import structlog

from assist_service.ports import LmsFaultKind
from tests.fakes.scripted_lms import json_reply
from tests.fakes.scripted_wire import RawReply
from tests.unit.lms_desk import SESSION, Desk, fault_of, open_desk

EXCHANGE, REVOKE, COURSES = "POST /oauth/token", "POST /oauth/revoke", "GET /api/courses"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with open_desk() as opened:
        yield opened


async def read_once(desk: Desk) -> LmsFaultKind | None:
    async with desk.rest.reading(SESSION) as reads:
        return await fault_of(reads.courses())


async def test_a_proof_is_for_this_request_and_this_token(desk: Desk) -> None:
    # The LMS holds each proof to htm, htu, iat, ath, a fresh jti and a public key: the desk fails on a violation.
    async with desk.rest.reading(SESSION) as reads:
        await reads.pools(search="a?b#c", cursor="next page")
        desk.clock.move(40)
        await reads.similar_questions("x", pool=None, limit=3)
    proofs = [seen.header("dpop") for seen in desk.lms.requests]
    assert [proof is not None for proof in proofs] == [True, True, True, False]
    keys = {jwt.get_unverified_header(proof)["jwk"]["x"] for proof in proofs if proof}
    assert len(keys) == 1


async def test_another_process_has_another_key(desk: Desk) -> None:
    await read_once(desk)
    other = desk.another()
    async with other.reading(SESSION) as reads:
        await reads.courses()
    await other.aclose()
    proofs = [proof for seen in desk.lms.requests if (proof := seen.header("dpop"))]
    assert len({jwt.get_unverified_header(proof)["jwk"]["x"] for proof in proofs}) == 2


async def test_nonces_are_taken_from_refusals_and_kept_for_each_place(desk: Desk) -> None:
    desk.lms.nonces = {"token": "nonce-of-tokens", "api": "nonce-of-the-api"}
    assert await read_once(desk) is None
    assert await read_once(desk) is None
    assert desk.lms.paths() == [EXCHANGE, EXCHANGE, COURSES, COURSES, REVOKE, EXCHANGE, COURSES, REVOKE]
    desk.lms.nonces["api"] = "another-one"
    assert await read_once(desk) is None
    assert desk.lms.paths()[-4:] == [EXCHANGE, COURSES, COURSES, REVOKE]


async def test_a_nonce_that_comes_with_an_answer_is_used_next(desk: Desk) -> None:
    desk.lms.replies["/api/courses"] = json_reply({"items": [], "next": None}, headers={"DPoP-Nonce": "the-next-one"})
    assert await read_once(desk) is None
    desk.lms.nonces["api"] = "the-next-one"
    assert await read_once(desk) is None
    assert desk.lms.paths()[-3:] == [EXCHANGE, COURSES, REVOKE]


@pytest.mark.parametrize("nonce", ["", "with space", 'a"b', "a\\b", "x" * 513])
async def test_what_is_no_nonce_is_not_sent_back(desk: Desk, nonce: str) -> None:
    headers = {"WWW-Authenticate": 'DPoP error="use_dpop_nonce"', "DPoP-Nonce": nonce}
    desk.lms.replies["/api/courses"] = json_reply({}, 401, headers)
    assert await read_once(desk) is LmsFaultKind.UNAVAILABLE
    assert desk.lms.paths() == [EXCHANGE, COURSES, REVOKE]


async def test_a_request_is_sent_again_once_and_no_more(desk: Desk) -> None:
    headers = {"WWW-Authenticate": 'DPoP error="use_dpop_nonce"', "DPoP-Nonce": "never-good"}
    desk.lms.nonces["api"] = "never-good"
    desk.lms.replies["/api/courses"] = json_reply({}, 401, headers)
    with structlog.testing.capture_logs() as logs:
        assert await read_once(desk) is LmsFaultKind.UNAVAILABLE
    assert desk.lms.paths() == [EXCHANGE, COURSES, COURSES, REVOKE]
    assert [entry["event"] for entry in logs] == ["lms_refused_client"]

    async def hook(seen: object) -> RawReply:
        return json_reply({"error": "use_dpop_nonce"}, 400, {"DPoP-Nonce": "never-good"})

    desk.lms.requests.clear()
    desk.lms.hook = hook
    assert await read_once(desk) is LmsFaultKind.UNAVAILABLE
    assert desk.lms.paths() == [EXCHANGE, EXCHANGE]


@pytest.mark.parametrize(
    ("challenge", "kind"),
    [
        ('DPoP error="invalid_token", algs="ES256"', LmsFaultKind.SESSION_ENDED),
        ('DPoP algs="ES256"', LmsFaultKind.SESSION_ENDED),
        ('DPoP algs="ES256", error="invalid_dpop_proof"', LmsFaultKind.UNAVAILABLE),
        ('Bearer realm="x", DPoP error=use_dpop_nonce', LmsFaultKind.UNAVAILABLE),
        ('DPoP error_description="error", x="1"', LmsFaultKind.SESSION_ENDED),
    ],
)
async def test_a_401_ends_the_session_but_not_where_the_proof_was_refused(
    desk: Desk, challenge: str, kind: LmsFaultKind
) -> None:
    desk.lms.replies["/api/courses"] = json_reply({}, 401, {"WWW-Authenticate": challenge})
    assert await read_once(desk) is kind
    assert desk.lms.paths() == [EXCHANGE, COURSES, REVOKE]


async def test_reads_side_by_side_each_find_their_way_to_a_nonce(desk: Desk) -> None:
    desk.lms.nonces = {"token": "one", "api": "two"}
    async with desk.rest.reading(SESSION) as reads:
        await asyncio.gather(*(reads.courses() for _ in range(8)))
    assert len(desk.lms.issued) == 1
