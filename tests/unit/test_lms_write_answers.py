"""What an answer to a write says: made, refused and why, or that nobody knows, whatever the wire does (B4, W5)."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable
from dataclasses import replace
from uuid import UUID

import pytest
import structlog

from assist_service.adapters.lms.rest import RestOptions
from assist_service.adapters.lms.writing import RestWriter
from assist_service.domain.errors import WriteFailure
from assist_service.domain.writes import WriteRequest, WriteTool
from assist_service.ports import LmsFault, LmsFaultKind, WriteRefused, WriteUnknown, Written
from tests.fakes.broken_wire import Breakage, BrokenWire, Ending, chunked_bytes, http_bytes
from tests.fakes.scripted_lms import json_reply
from tests.fakes.scripted_wire import RawReply
from tests.unit.lms_desk import SESSION, Desk, answering, open_desk

ID = UUID("8a8d5a52-0c0e-4c6e-9b1e-3f1d1c9b7a11")
OTHER = UUID("5b2c1f0e-6a77-4f8e-9d3c-2f6f0e1d7b22")
KEY = UUID("0d6f0f57-9a5e-4a83-8a3c-6f5a3a1d9c02")
CANARY = "canary-of-a-title"
REQUEST = WriteRequest.of(WriteTool.CREATE_CATEGORY, ID, {"title": "Bonus"})
PATH = f"/api/pools/{ID}/categories"
JSON = {"content-type": "application/json"}
MADE = {"id": str(OTHER), "title": "Bonus"}
WHOLE = json_reply(MADE).body

Told = Written | WriteFailure | LmsFaultKind | None
"""None: nobody knows."""


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with open_desk() as opened:
        yield opened


async def told(work: Awaitable[Written]) -> Told:
    """What becomes of a write; fails where the exception says more than that."""
    error: Exception
    try:
        return await work
    except (WriteRefused, WriteUnknown, LmsFault) as raised:
        error = raised
    assert error.__cause__ is error.__context__ is None
    match error:
        case WriteRefused():
            assert error.args == (error.failure.value,)
            return error.failure
        case LmsFault():
            assert error.args == (error.kind.value,)
            return error.kind
    assert error.args == ()
    return None


F, K = WriteFailure, LmsFaultKind

STATUSES: dict[int, WriteFailure | LmsFaultKind | None] = {
    400: F.INVALID,
    401: K.SESSION_ENDED,
    402: F.FAILED,
    403: F.REFUSED,
    404: F.NOT_FOUND,
    405: F.FAILED,
    408: F.FAILED,
    409: F.REFUSED,
    410: F.FAILED,
    413: F.INVALID,
    418: F.FAILED,
    422: F.INVALID,
    429: K.UNAVAILABLE,
    499: F.FAILED,
    202: None,
    204: None,
    206: None,
    300: None,
    302: None,
    304: None,
    307: None,
    308: None,
    500: None,
    501: None,
    502: None,
    503: None,
    504: None,
    599: None,
    600: None,
    999: None,
}


@pytest.mark.parametrize("status", STATUSES)
async def test_a_status_means_one_thing_and_is_asked_for_once(desk: Desk, status: int) -> None:
    body = b"" if status in {204, 304} else json_reply({**MADE, "error": CANARY}).body
    desk.lms.replies[PATH] = RawReply(body, status, {**JSON, "location": "/api/templates", "retry-after": "1"})
    with structlog.testing.capture_logs() as logs:
        async with desk.rest.writing(SESSION, WriteTool.CREATE_CATEGORY) as writer:
            assert await told(writer.write(REQUEST, key=KEY)) is STATUSES[status]
    assert desk.lms.paths() == ["POST /oauth/token", f"POST {PATH}", "POST /oauth/revoke"]
    assert desk.lms.live == set()
    assert CANARY not in str(logs)


BODIES: dict[str, tuple[RawReply, bool]] = {
    "made": (json_reply(MADE, 201), True),
    "made before": (json_reply(MADE, 200), True),
    "more keys": (json_reply({**MADE, "config": {"a": [1]}, "status": "draft"}, 201), True),
    "no id": (json_reply({"title": "x"}, 201), False),
    "no title": (json_reply({"id": str(ID)}, 201), False),
    "an id that is none": (json_reply({"id": 7, "title": "x"}, 201), False),
    "a title that is none": (json_reply({"id": str(ID), "title": None}, 201), False),
    "a title without end": (json_reply({"id": str(ID), "title": "x" * 501}, 201), False),
    "a list": (json_reply([MADE], 201), False),
    "a login page": (RawReply(b"<html>", 200, {"content-type": "text/html"}), False),
    "untyped": (RawReply(WHOLE, 201), False),
    "cut": (RawReply(WHOLE[:-1], 201, JSON), False),
    "a key twice": (RawReply(WHOLE[:-1] + b', "title": "y"}', 201, JSON), False),
    "empty": (RawReply(b"", 201, JSON), False),
    "too long": (RawReply(b"x" * 3_000_000, 201, JSON), False),
    "packed": (RawReply(gzip.compress(WHOLE), 201, {**JSON, "content-encoding": "gzip"}), False),
}


@pytest.mark.parametrize("name", BODIES)
async def test_only_what_can_be_read_was_made(desk: Desk, name: str) -> None:
    desk.lms.replies[PATH], is_made = BODIES[name]
    async with desk.rest.writing(SESSION, WriteTool.CREATE_CATEGORY) as writer:
        assert await told(writer.write(REQUEST, key=KEY)) == (Written(OTHER, "Bonus") if is_made else None)
    assert desk.lms.live == set()


@pytest.mark.parametrize(
    ("tool", "path"),
    [
        (WriteTool.ADD_QUESTIONS_TO_TEMPLATE, f"/api/templates/{ID}/questions"),
        (WriteTool.LINK_POOL_TO_COURSE, f"/api/courses/{ID}/pools"),
    ],
)
async def test_what_was_changed_is_what_was_named(desk: Desk, tool: WriteTool, path: str) -> None:
    request = WriteRequest.of(tool, ID, {})
    answering(desk, path, json_reply({**MADE, "id": str(OTHER)}, 201), json_reply({**MADE, "id": str(ID)}, 201))
    async with desk.rest.writing(SESSION, tool) as writer:
        assert await told(writer.write(request, key=KEY)) is None
        assert await told(writer.write(request, key=KEY)) == Written(ID, "Bonus")


async def test_a_nonce_that_is_asked_for_is_the_one_reason_to_send_again(desk: Desk) -> None:
    desk.lms.nonces = {"api": "another"}
    desk.lms.replies[PATH] = json_reply(MADE, 201)
    async with desk.rest.writing(SESSION, WriteTool.CREATE_CATEGORY) as writer:
        assert await told(writer.write(REQUEST, key=KEY)) == Written(OTHER, "Bonus")
    first, second = [seen for seen in desk.lms.requests if seen.path == PATH]
    assert first.body == second.body == REQUEST.body
    assert first.header("idempotency-key") == second.header("idempotency-key") == str(KEY)
    assert first.header("dpop") != second.header("dpop")


CHALLENGE = {"DPoP-Nonce": "n", "WWW-Authenticate": 'DPoP error="use_dpop_nonce"'}


@pytest.mark.parametrize("status", [200, 201, 202, 400, 403, 409, 422, 429, 500, 503])
async def test_no_other_status_is_a_challenge(desk: Desk, status: int) -> None:
    desk.lms.replies[PATH] = json_reply(MADE, status, CHALLENGE)
    async with desk.rest.writing(SESSION, WriteTool.CREATE_CATEGORY) as writer:
        await told(writer.write(REQUEST, key=KEY))
    assert desk.lms.paths().count(f"POST {PATH}") == 1


@pytest.mark.parametrize("error", ["use_dpop_nonce", "invalid_dpop_proof"])
async def test_a_proof_that_is_refused_has_written_nothing_and_ends_no_session(desk: Desk, error: str) -> None:
    refused = json_reply({}, 401, {"DPoP-Nonce": "n", "WWW-Authenticate": f'DPoP error="{error}"'})
    answering(desk, PATH, *[refused] * 5)
    with structlog.testing.capture_logs() as logs:
        async with desk.rest.writing(SESSION, WriteTool.CREATE_CATEGORY) as writer:
            assert await told(writer.write(REQUEST, key=KEY)) is K.UNAVAILABLE
    assert desk.lms.paths().count(f"POST {PATH}") == (2 if error == "use_dpop_nonce" else 1)
    assert [(entry["event"], entry["error"]) for entry in logs] == [("lms_refused_client", error)]


async def test_an_answer_that_does_not_come_in_time_is_unknown_then() -> None:
    async with open_desk(RestOptions(seconds=0.5)) as desk:
        answering(desk, PATH, json_reply(MADE, 201), replace(json_reply(MADE, 201), after_seconds=30))
        async with desk.rest.writing(SESSION, WriteTool.CREATE_CATEGORY) as writer:
            assert await told(writer.write(REQUEST, key=KEY)) == Written(OTHER, "Bonus")
            started = asyncio.get_running_loop().time()
            assert await told(writer.write(REQUEST, key=KEY)) is None
            assert asyncio.get_running_loop().time() - started < 3
        assert desk.lms.live == set()


BREAKAGES: dict[str, Breakage] = {
    "hung up": Breakage(),
    "hung up unread": Breakage(reads_request=False),
    "reset": Breakage(ending=Ending.RESET),
    "silence": Breakage(ending=Ending.HANG),
    "cut": Breakage([http_bytes(WHOLE, content_length=900)]),
    "cut and reset": Breakage([http_bytes(WHOLE, content_length=900)], Ending.RESET),
    "cut in chunks": Breakage([chunked_bytes([WHOLE], ends=False)]),
    "trickled": Breakage([http_bytes(b"", content_length=900), *[b" "] * 900], pause_seconds=0.02),
    "no HTTP": Breakage([b"hello\r\n\r\n"]),
    "a strange redirect": Breakage([b"HTTP/1.1 302 Found\r\nlocation: http://[::/\xff\r\ncontent-length: 0\r\n\r\n"]),
}


@pytest.mark.parametrize("name", BREAKAGES)
async def test_a_wire_that_breaks_leaves_it_unknown_and_is_tried_once(desk: Desk, name: str) -> None:
    wire, started = BrokenWire(BREAKAGES[name]), asyncio.get_running_loop().time()
    async with wire.serve() as broken, desk.rest.writing(SESSION, WriteTool.CREATE_CATEGORY) as writer:
        assert isinstance(writer, RestWriter)
        assert await told(replace(writer, url=broken, seconds=0.5).write(REQUEST, key=KEY)) is None
    assert asyncio.get_running_loop().time() - started < 5
    assert wire.connections == 1
    assert desk.lms.live == set()
