"""OpenAI's moderation over the real SDK: one whole judgement for each text, or nothing is known of it."""

import itertools
import json
from typing import Any

import pytest

from assist_service.adapters.models.openai_moderation import (
    AT_ONCE,
    OVERLAP_CHARACTERS,
    PIECE_CHARACTERS,
    pieces_of,
)
from assist_service.domain.moderation import MODERATED_CHARACTERS
from assist_service.ports import ModerationFault
from tests.fakes.broken_wire import Breakage, BrokenWire, Ending, http_bytes
from tests.fakes.clocks import HandClock
from tests.fakes.moderation_wire import FLAGGED, ModerationWire, judged, judgement, moderation_at, moderation_over
from tests.fakes.openai_wire import error_reply
from tests.fakes.scripted_wire import RawReply
from tests.fakes.serving import serve

WHOLE = json.dumps(judgement(flagged=False)).encode()


async def fault_after(wire: ModerationWire, text: str = "A question?", clock: HandClock | None = None) -> str:
    async with moderation_over(wire, clock) as moderator:
        with pytest.raises(ModerationFault) as fault:
            await moderator.refuses(text)
    assert wire.violations == []
    assert fault.value.__cause__ is None
    return str(fault.value)


@pytest.mark.parametrize("flagged", [True, False])
async def test_a_whole_judgement(flagged: bool) -> None:
    wire = ModerationWire(lambda _: judged(flagged=flagged))
    async with moderation_over(wire) as moderator:
        assert await moderator.refuses("Is this a question?") is flagged
        assert (moderator.name, moderator.provider) == ("openai:omni-moderation-latest", "an OpenAI-compatible server")
    assert wire.violations == []
    assert [request.body for request in wire.requests] == [
        {"model": "omni-moderation-latest", "input": "Is this a question?"}
    ]


async def test_another_model_named_in_the_answer_is_no_fault() -> None:
    async with moderation_over(ModerationWire(lambda _: judged(flagged=False, model="another"))) as moderator:
        assert await moderator.refuses("a") is False


UNWHOLE: dict[str, Any] = {
    "no result": judgement(flagged=False, results=[]),
    "two results": judgement(flagged=False, results=judgement(flagged=False)["results"] * 2),
    "results that are none": judgement(flagged=False, results={"flagged": False}),
    "no results at all": {"id": "modr-1", "model": "m"},
    "a result that is none": judgement(flagged=False, results=[False]),
    "flagged missing": judgement(flagged=False, results=[{"categories": {}}]),
    "flagged as a text": judgement(flagged="false"),
    "flagged as nothing": judgement(flagged=None),
    "flagged as a number": judgement(flagged=0),
    "a list": [judgement(flagged=False)],
    "an error in a success": {"error": {"message": "no", "type": "server_error", "code": None}},
}


@pytest.mark.parametrize("body", UNWHOLE.values(), ids=UNWHOLE)
async def test_what_is_no_single_judgement_is_a_fault(body: Any) -> None:
    wire = ModerationWire(lambda _: RawReply(json.dumps(body).encode()))
    assert await fault_after(wire) == "malformed"
    assert len(wire.requests) == 1


BODIES = {
    "no JSON": (b"<html>", "not_json"),
    "half a body": (WHOLE[: len(WHOLE) // 2], "not_json"),
    "nothing": (b"", "not_json"),
    "a key twice": (b'{"results": [], "results": [{"flagged": false}]}', "malformed"),
    "not UTF-8": (b'{"results": "\xff"}', "not_json"),
}


@pytest.mark.parametrize(("body", "reason"), BODIES.values(), ids=BODIES)
async def test_what_is_no_json_is_a_fault(body: bytes, reason: str) -> None:
    assert await fault_after(ModerationWire(lambda _: RawReply(body))) == reason


STATUSES = {
    400: ("bad_request", 1),
    401: ("unauthenticated", 1),
    403: ("forbidden", 1),
    404: ("unknown_model", 1),
    429: ("rate_limited", 2),
    500: ("server_error", 2),
    503: ("overloaded", 2),
    204: ("malformed", 1),
    302: ("redirected", 1),
}


@pytest.mark.parametrize(("status", "meaning"), STATUSES.items(), ids=map(str, STATUSES))
async def test_another_status_is_a_fault_and_tried_again_where_that_may_help(
    status: int, meaning: tuple[str, int]
) -> None:
    wire = ModerationWire(lambda _: error_reply(status, "a_code", headers={"location": "http://127.0.0.1:1/"}))
    reason, requests = meaning
    assert await fault_after(wire) == reason
    assert len(wire.requests) == requests


async def test_a_fault_that_passes_is_tried_again_once() -> None:
    wire = ModerationWire()
    replies = [error_reply(500), judged(flagged=True)]
    wire.judge = lambda _: replies.pop(0)
    clock = HandClock()
    before = clock.monotonic()
    async with moderation_over(wire, clock) as moderator:
        assert await moderator.refuses("a") is True
    assert clock.monotonic() - before == pytest.approx(0.25)


@pytest.mark.parametrize(("asked_for", "requests", "waited"), [("1", 2, 1.0), ("3600", 1, 0.0)])
async def test_a_long_wait_is_not_waited(asked_for: str, requests: int, waited: float) -> None:
    wire, clock = ModerationWire(lambda _: error_reply(429, headers={"retry-after": asked_for})), HandClock()
    before = clock.monotonic()
    assert await fault_after(wire, clock=clock) == "rate_limited"
    assert len(wire.requests) == requests
    assert clock.monotonic() - before == pytest.approx(waited)


BROKEN = {
    "hung up on": Breakage(),
    "reset": Breakage(ending=Ending.RESET),
    "cut in the middle": Breakage([http_bytes(WHOLE)[:-20]]),
    "longer than it says": Breakage([http_bytes(WHOLE, content_length=len(WHOLE) - 9)]),
    "shorter than it says": Breakage([http_bytes(WHOLE, content_length=len(WHOLE) + 9)]),
}


@pytest.mark.parametrize("breakage", BROKEN.values(), ids=BROKEN)
async def test_a_broken_answer_is_a_fault_after_a_second_try(breakage: Breakage) -> None:
    server = BrokenWire(breakage)
    async with server.serve() as url, moderation_at(url) as moderator:
        with pytest.raises(ModerationFault):
            await moderator.refuses("A question?")
    assert server.connections == 2


async def test_a_server_that_is_not_there_is_a_fault() -> None:
    async with moderation_at("http://127.0.0.1:9") as moderator:
        with pytest.raises(ModerationFault, match="not_connected"):
            await moderator.refuses("A question?")


@pytest.mark.parametrize("length", [0, 1, PIECE_CHARACTERS, PIECE_CHARACTERS + 1, 20_000, 100_001])
def test_pieces_hold_every_letter_and_overlap(length: int) -> None:
    text = "".join(chr(0x4E00 + number % 20_000) for number in range(length))
    pieces = list(pieces_of(text))
    assert all(len(piece) <= PIECE_CHARACTERS for piece in pieces)
    assert all(one[-OVERLAP_CHARACTERS:] == other[:OVERLAP_CHARACTERS] for one, other in itertools.pairwise(pieces))
    assert "".join(pieces[:1] + [piece[OVERLAP_CHARACTERS:] for piece in pieces[1:]]) == text


@pytest.mark.parametrize("at", [0, 7_900, 8_000, 15_700, 59_990])
async def test_a_long_text_goes_in_pieces_and_any_may_refuse_it(at: int) -> None:
    wire = ModerationWire()
    text = "x" * at + f" {FLAGGED} " + "x" * (60_000 - at)
    async with moderation_over(wire) as moderator:
        assert await moderator.refuses(text) is True
        assert await moderator.refuses(text.replace(FLAGGED, "")) is False
    assert wire.violations == []


def test_the_longest_text_is_sixteen_pieces() -> None:
    assert len(list(pieces_of("x" * MODERATED_CHARACTERS))) == 16


async def test_one_piece_that_cannot_be_judged_is_a_fault_of_the_whole() -> None:
    replies = [judged(flagged=False)] * (AT_ONCE - 1)
    wire = ModerationWire(lambda _: replies.pop() if replies else error_reply(401))
    assert await fault_after(wire, "x" * 30_000) == "unauthenticated"


async def test_the_text_and_the_key_are_in_no_fault_and_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    wire = ModerationWire(lambda _: RawReply(b'{"echo": "canaryquestion"'))
    assert await fault_after(wire, "canaryquestion") == "not_json"
    assert "canaryquestion" not in caplog.text
    async with serve(wire) as url, moderation_at(url) as moderator:
        assert await raised(moderator.refuses("canaryquestion")) is None


async def raised(judging: Any) -> BaseException | None:
    try:
        await judging
    except ModerationFault as fault:
        return fault.__context__
    raise AssertionError
