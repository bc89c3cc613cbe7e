"""Who is asked when a provider is down or asks for patience, at real adapters: another at a question's start only."""

import gzip
import json

import asyncpg
import pytest

from assist_service.domain.errors import Code
from assist_service.domain.loop import Answered
from assist_service.domain.outcomes import OK, Charged
from tests.fakes.clocks import START, HandClock
from tests.fakes.openai_wire import Said, calling
from tests.fakes.scripted_wire import RawReply
from tests.fakes.wires import WIRES, adapter_over, body_on, refusal_on, reply_on, server_of
from tests.postgres.wired import Met, ask

pytestmark = pytest.mark.slow

READ = calling(("read_guide", {"page": "teacher/pools"}))
ANSWER = Said("Press New pool [s1].")
ANSWERED = Answered("Press New pool [s1].")
COUNTED = (OK, Charged.COUNTED)

OTHER = {"anthropic": "openai", "openai": "openai-chat", "openai-chat": "anthropic"}
"""Who stands in for a wire: one of another dialect."""

every_wire = pytest.mark.parametrize("wire", WIRES)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def whole(wire: str) -> list[RawReply]:
    return [reply_on(wire, READ), reply_on(wire, ANSWER)]


def down(wire: str, how: str) -> RawReply:
    match how:
        case "overloaded":
            return refusal_on(wire, 529, "overloaded_error")
        case "retry-after: 3600":
            return refusal_on(wire, 429, "rate_limit_error", retry_after="3600")
        case "retired":
            return refusal_on(wire, 404, "not_found_error")
        case "gone":
            return refusal_on(wire, 410, "not_found_error")
        case "no credit":
            return _no_credit(wire)
        case "a refusal of another kind":
            return refusal_on(wire, 422, "unprocessable_entity")
        case "led elsewhere":
            return RawReply(b"", 307, {"location": "http://127.0.0.1:9/"})
        case "a success of another kind":
            return RawReply(b"", 202)
        case "no answer in it":
            return RawReply(b"{}")
        case "packed":
            return RawReply(gzip.compress(reply_on(wire, ANSWER).body), headers={"content-encoding": "gzip"})
        case "an end nobody knows":
            return _ending_unknown(wire)
        case code:
            return refusal_on(wire, 400, code)


def _no_credit(wire: str) -> RawReply:
    """Messages says it with a status of 400, in its words alone; the others with a code of their own."""
    if wire != "anthropic":
        return refusal_on(wire, 429, "insufficient_quota")
    error = {"type": "invalid_request_error", "message": "Your credit balance is too low to access the Anthropic API."}
    return RawReply(json.dumps({"type": "error", "error": error}).encode(), 400)


def _ending_unknown(wire: str) -> RawReply:
    body = body_on(wire, ANSWER)
    match wire:
        case "anthropic":
            body["stop_reason"] = "something_new"
        case "openai":
            body["status"] = "something_new"
        case _:
            body["choices"][0]["finish_reason"] = "something_new"
    return RawReply(json.dumps(body).encode())


FREE, PAID = Charged.NOTHING, Charged.WORST_CASE

DOWN = {
    "overloaded": ("overloaded", FREE),
    "retry-after: 3600": ("rate_limited", FREE),
    "retired": ("unknown_model", FREE),
    "gone": ("unknown_model", FREE),
    "no credit": ("unpaid", FREE),
    "a refusal of another kind": ("refused", FREE),
    "led elsewhere": ("redirected", FREE),
    "a success of another kind": ("malformed", PAID),
    "no answer in it": ("malformed", PAID),
    "packed": ("malformed", PAID),
    "an end nobody knows": ("unknown_stop", PAID),
}
RETIRED_AS_BAD_REQUEST = ("model_not_found", "model_decommissioned")
"""Codes by which servers of OpenAI's wires tell of a retired model with a status of 400."""

CASES = [
    *((wire, how, request) for wire in WIRES for how, request in DOWN.items()),
    *((wire, code, ("unknown_model", FREE)) for wire in WIRES[1:] for code in RETIRED_AS_BAD_REQUEST),
]


@pytest.mark.parametrize(("wire", "how", "request_to_first"), CASES)
async def test_another_model_answers_the_whole_question_at_once(
    pool: asyncpg.Pool, wire: str, how: str, request_to_first: tuple[str, Charged]
) -> None:
    first, second = server_of(wire, down(wire, how)), server_of(OTHER[wire], *whole(OTHER[wire]))
    clock = HandClock()
    async with adapter_over(wire, first) as model, adapter_over(OTHER[wire], second) as other:
        met = await ask(pool, model, other, clock=clock)
    assert met == Met(ANSWERED, ("read_guide",), tuple(sorted([request_to_first, COUNTED, COUNTED])))
    assert (len(first.requests), len(second.requests)) == (1, 2)
    assert clock.now() == START, "nobody waits while somebody else can answer"
    assert first.violations == second.violations == []


@every_wire
@pytest.mark.parametrize("how", [how for how, (_, charge) in DOWN.items() if charge is PAID])
async def test_an_answer_that_is_none_is_not_asked_for_again_at_the_same_model(
    pool: asyncpg.Pool, wire: str, how: str
) -> None:
    server, clock = server_of(wire, down(wire, how)), HandClock()
    async with adapter_over(wire, server) as model:
        met = await ask(pool, model, clock=clock)
    assert met == Met(Code.LLM_UNAVAILABLE, (), (DOWN[how],))
    assert clock.now() == START


@every_wire
async def test_within_a_question_nobody_stands_in(pool: asyncpg.Pool, wire: str) -> None:
    first = server_of(wire, reply_on(wire, READ), *[down(wire, "overloaded")] * 3)
    second = server_of(OTHER[wire], *whole(OTHER[wire]))
    async with adapter_over(wire, first) as model, adapter_over(OTHER[wire], second) as other:
        met = await ask(pool, model, other)
    overloaded = ("overloaded", Charged.NOTHING)
    assert met == Met(Code.LLM_UNAVAILABLE, ("read_guide",), (COUNTED, *[overloaded] * 3))
    assert second.requests == []


@every_wire
async def test_what_the_request_itself_is_refused_for_is_asked_of_nobody_else(pool: asyncpg.Pool, wire: str) -> None:
    first = server_of(wire, refusal_on(wire, 400, "context_length_exceeded"))
    second = server_of(OTHER[wire], *whole(OTHER[wire]))
    async with adapter_over(wire, first) as model, adapter_over(OTHER[wire], second) as other:
        met = await ask(pool, model, other)
    assert met == Met(Code.LLM_UNAVAILABLE, (), (("bad_request", Charged.NOTHING),))
    assert second.requests == []


@every_wire
@pytest.mark.parametrize(
    ("wanted", "waited"),
    [("20", 20.0), ("89", 89.0), ("90", None), ("3600", None)],
    ids=["short", "just within", "the whole deadline", "an hour"],
)
async def test_a_provider_is_waited_for_up_to_what_is_left_of_the_deadline(
    pool: asyncpg.Pool, wire: str, wanted: str, waited: float | None
) -> None:
    busy = refusal_on(wire, 429, "rate_limit_error", retry_after=wanted)
    server, clock = server_of(wire, busy, *whole(wire)), HandClock()
    async with adapter_over(wire, server) as model:
        met = await ask(pool, model, clock=clock)
    limited = ("rate_limited", Charged.NOTHING)
    if waited is None:
        assert met == Met(Code.LLM_UNAVAILABLE, (), (limited,))
    else:
        assert met == Met(ANSWERED, ("read_guide",), (COUNTED, COUNTED, limited))
    assert (clock.now() - START).total_seconds() == (waited or 0.0)
