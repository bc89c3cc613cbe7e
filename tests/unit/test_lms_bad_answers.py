"""Answers of an LMS that are none: each a fault of a known kind, within bounds, and nothing of it told (F7)."""

import asyncio
import gzip
import json
import logging
from collections.abc import Awaitable

import pytest
import structlog

from assist_service.adapters.lms.rest import RestOptions
from assist_service.adapters.lms.wire import MAX_ANSWER_BYTES
from assist_service.ports import LmsFault, LmsFaultKind
from tests.fakes.broken_wire import Breakage, BrokenWire, Ending, chunked_bytes, http_bytes
from tests.fakes.scripted_lms import Seen, json_reply
from tests.fakes.scripted_wire import RawReply
from tests.unit.lms_desk import SESSION, Desk, fault_of, open_desk

pytestmark = pytest.mark.slow

K = LmsFaultKind
JSON = {"content-type": "application/json"}
PAGE = b'{"items": [], "next": null}'
CANARY = "canary-of-a-name"
LONG = b" " * (MAX_ANSWER_BYTES - len(PAGE)) + PAGE


def body(raw: bytes) -> RawReply:
    return RawReply(raw, 200, JSON)


ANSWERS: dict[str, tuple[RawReply, LmsFaultKind | None]] = {
    "a page": (body(PAGE), None),
    "a charset": (RawReply(PAGE, 200, {"content-type": "Application/JSON; charset=utf-8"}), None),
    "as long as may be": (body(LONG), None),
    "too long": (body(LONG + b" "), K.TOO_LARGE),
    "far too long": (body(b"x" * 10_000_000), K.TOO_LARGE),
    "a login page": (RawReply(b"<html>Sign in</html>", 200, {"content-type": "text/html"}), K.MALFORMED),
    "untyped": (RawReply(PAGE), K.MALFORMED),
    "typed as text": (RawReply(PAGE, 200, {"content-type": "text/json"}), K.MALFORMED),
    "html typed as JSON": (body(b"<html>"), K.MALFORMED),
    "empty": (body(b""), K.MALFORMED),
    "cut": (body(PAGE[:-1]), K.MALFORMED),
    "two values": (body(PAGE + PAGE), K.MALFORMED),
    "a list": (body(b"[]"), K.MALFORMED),
    "no UTF-8": (body(b'{"items": [], "next": "\xff"}'), K.MALFORMED),
    "UTF-16": (body(PAGE.decode().encode("utf-16")), K.MALFORMED),
    "a key twice": (body(b'{"items": [], "next": null, "next": "x"}'), K.MALFORMED),
    "NaN": (body(b'{"items": [], "next": null, "x": NaN}'), K.MALFORMED),
    "infinite": (body(b'{"items": [], "next": null, "x": 1e999}'), K.MALFORMED),
    "a lone surrogate": (body(b'{"items": [], "next": "\\ud800"}'), K.MALFORMED),
    "a NUL": (body(b'{"items": [], "next": "\\u0000"}'), K.MALFORMED),
    "deep": (body(b"[" * 100_000), K.MALFORMED),
    "deep in what is ignored": (body(b'{"items": [], "x": ' + b"[" * 40 + b"]" * 40 + b"}"), K.MALFORMED),
    "another shape": (json_reply({"courses": []}), K.MALFORMED),
    "an id that is none": (json_reply({"items": [{"id": "7", "title": CANARY}]}), K.MALFORMED),
    "a number for a title": (
        json_reply({"items": [{"id": "8a8d5a52-0c0e-4c6e-9b1e-3f1d1c9b7a11", "title": 7}]}),
        K.MALFORMED,
    ),
    "more items than a page": (
        json_reply({"items": [{"id": "8a8d5a52-0c0e-4c6e-9b1e-3f1d1c9b7a11", "title": "t"}] * 201}),
        K.MALFORMED,
    ),
    "packed": (RawReply(gzip.compress(PAGE), 200, {**JSON, "content-encoding": "gzip"}), K.MALFORMED),
    "packed by its own word": (RawReply(PAGE, 200, {**JSON, "content-encoding": "br"}), K.MALFORMED),
    "elsewhere": (RawReply(b"", 302, {"location": "http://127.0.0.1:9/"}), K.MALFORMED),
    "here": (RawReply(b"", 307, {"location": "/api/pools"}), K.MALFORMED),
    "not modified": (RawReply(b"", 304), K.MALFORMED),
    "created": (RawReply(PAGE, 201, JSON), K.MALFORMED),
    "no content": (RawReply(b"", 204), K.MALFORMED),
    "a part": (RawReply(PAGE, 206, JSON), K.MALFORMED),
    "400": (json_reply({"x": CANARY}, 400), K.REFUSED),
    "401": (json_reply({}, 401), K.SESSION_ENDED),
    "403": (json_reply({"x": CANARY}, 403), K.NOT_FOUND),
    "404": (json_reply({}, 404), K.NOT_FOUND),
    "404, far too long": (RawReply(b"x" * 10_000_000, 404, JSON), K.NOT_FOUND),
    "405": (json_reply({}, 405), K.REFUSED),
    "422": (json_reply({}, 422), K.REFUSED),
    "429": (json_reply({}, 429, {"retry-after": "3600"}), K.UNAVAILABLE),
    "500": (json_reply({}, 500), K.UNAVAILABLE),
    "503": (json_reply({}, 503), K.UNAVAILABLE),
    "599": (json_reply({}, 599), K.UNAVAILABLE),
}


@pytest.mark.parametrize("name", ANSWERS)
async def test_an_answer_counts_only_whole_and_of_its_shape(name: str, caplog: pytest.LogCaptureFixture) -> None:
    reply, kind = ANSWERS[name]
    caplog.set_level(logging.WARNING)
    async with open_desk() as desk:
        desk.lms.replies["/api/courses"] = reply
        with structlog.testing.capture_logs() as logs:
            async with desk.rest.reading(SESSION) as reads:
                told = await told_of(reads.courses())
        assert desk.lms.paths() == ["POST /oauth/token", "GET /api/courses", "POST /oauth/revoke"]
        assert desk.lms.live == set()
    assert told == (None if kind is None else (kind, str(kind), f"LmsFault('{kind}')"))
    assert CANARY not in f"{logs} {caplog.text}"


async def told_of(work: Awaitable[object]) -> tuple[LmsFaultKind, str, str] | None:
    """Everything a fault says of itself."""
    try:
        await work
    except LmsFault as raised:
        fault = raised
    else:
        return None
    assert fault.__cause__ is fault.__context__ is None
    return fault.kind, str(fault), repr(fault)


BREAKAGES: dict[str, tuple[Breakage, LmsFaultKind]] = {
    "hung up": (Breakage(), K.UNAVAILABLE),
    "reset": (Breakage(ending=Ending.RESET), K.UNAVAILABLE),
    "silence": (Breakage(ending=Ending.HANG), K.UNAVAILABLE),
    "cut": (Breakage([http_bytes(PAGE, content_length=900)]), K.UNAVAILABLE),
    "cut and reset": (Breakage([http_bytes(PAGE, content_length=900)], Ending.RESET), K.UNAVAILABLE),
    "cut in chunks": (Breakage([chunked_bytes([PAGE], ends=False)]), K.UNAVAILABLE),
    "no end": (Breakage([http_bytes(PAGE, content_length=900)], Ending.HANG), K.UNAVAILABLE),
    "trickled": (Breakage([http_bytes(b"", content_length=900), *[b" "] * 200], pause_seconds=0.02), K.UNAVAILABLE),
    "no HTTP": (Breakage([b"hello\r\n\r\n"]), K.UNAVAILABLE),
    "headers without end": (Breakage([b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 50_000]), K.UNAVAILABLE),
    "a length that is none": (
        Breakage([b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: x\r\n\r\n" + PAGE]),
        K.UNAVAILABLE,
    ),
    "strange headers": (
        Breakage([b"HTTP/1.1 200 OK\r\ncontent-type: \xff\xfe\r\ncontent-length: 2\r\n\r\n{}"]),
        K.MALFORMED,
    ),
    "a strange redirect": (
        Breakage([b"HTTP/1.1 302 Found\r\nlocation: http://[::/\xff\r\ncontent-length: 0\r\n\r\n"]),
        K.MALFORMED,
    ),
    "a strange nonce": (
        Breakage([b"HTTP/1.1 500 No\r\ndpop-nonce: \xff\r\nwww-authenticate: \xfe\r\ncontent-length: 0\r\n\r\n"]),
        K.UNAVAILABLE,
    ),
}


@pytest.mark.parametrize("name", BREAKAGES)
async def test_a_broken_wire_is_a_fault_before_the_deadline(name: str) -> None:
    breakage, kind = BREAKAGES[name]
    async with open_desk() as desk, BrokenWire(breakage).serve() as broken:
        lms = desk.lms
        lms.base_url = broken
        options = RestOptions(seconds=0.5, revoke_seconds=0.2, close_seconds=1)
        other = Desk(lms, desk.rest, desk.clock, options).another()
        started = desk_time()
        assert await fault_of(other.standing("somebody")) is kind
        async with other.reading(SESSION) as reads:
            assert await fault_of(reads.courses()) in {K.UNAVAILABLE, K.MALFORMED, K.SESSION_ENDED}
        assert desk_time() - started < 5
        await other.aclose()


def desk_time() -> float:
    return asyncio.get_running_loop().time()


async def test_a_read_is_over_at_its_deadline_its_exchange_included() -> None:
    async with open_desk(RestOptions(seconds=1.0)) as desk:

        async def hook(seen: Seen) -> None:
            await asyncio.sleep(0.8 if seen.path == "/oauth/token" else 0.0 if "/oauth/" in seen.path else 60)

        desk.lms.hook = hook
        started = desk_time()
        async with desk.rest.reading(SESSION) as reads:
            assert await fault_of(reads.courses()) is K.UNAVAILABLE
            assert desk_time() - started < 1.5
        assert desk.lms.live == set()


async def test_an_exchange_that_trickles_is_over_at_its_deadline() -> None:
    trickle = Breakage([http_bytes(b"", content_length=9000), *[b" "] * 5000], pause_seconds=0.01)
    async with open_desk() as desk, BrokenWire(trickle).serve() as broken:
        desk.lms.base_url = broken
        other = Desk(desk.lms, desk.rest, desk.clock, RestOptions(seconds=0.5, close_seconds=20)).another()
        started = desk_time()
        async with other.reading(SESSION) as reads:
            assert await fault_of(reads.courses()) is K.UNAVAILABLE
        await other.aclose()
        assert desk_time() - started < 3


async def test_an_lms_that_is_not_there_is_unavailable() -> None:
    async with open_desk() as desk:
        desk.lms.base_url = "http://127.0.0.1:9"
        other = desk.another()
        async with other.reading(SESSION) as reads:
            assert await fault_of(reads.courses()) is K.UNAVAILABLE
        assert await fault_of(other.standing("somebody")) is K.UNAVAILABLE
        await other.aclose()


async def test_keys_that_no_model_names_are_left_behind() -> None:
    async with open_desk() as desk:
        course = {"id": "8a8d5a52-0c0e-4c6e-9b1e-3f1d1c9b7a11", "title": "Chemistry", "secret": CANARY}
        desk.lms.replies["/api/courses"] = json_reply({"items": [course], "next": None, "more": CANARY})
        async with desk.rest.reading(SESSION) as reads:
            page = await reads.courses()
        assert CANARY not in json.dumps(page.model_dump(mode="json"))
        assert page.items[0].title == "Chemistry"
