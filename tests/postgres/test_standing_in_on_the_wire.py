"""Who is asked when a provider is down or asks for patience, at real adapters: another at a question's start only."""

import asyncpg
import pytest

from assist_service.domain.errors import Code
from assist_service.domain.loop import Answered
from assist_service.domain.outcomes import OK, Charged
from tests.fakes.clocks import START, HandClock
from tests.fakes.openai_wire import Said, calling
from tests.fakes.scripted_wire import RawReply
from tests.fakes.wires import WIRES, adapter_over, refusal_on, reply_on, server_of
from tests.postgres.wired import Met, ask

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
        case code:
            return refusal_on(wire, 400, code)


DOWN = {
    "overloaded": "overloaded",
    "retry-after: 3600": "rate_limited",
    "retired": "unknown_model",
    "gone": "unknown_model",
}
RETIRED_AS_BAD_REQUEST = ("model_not_found", "model_decommissioned")
"""Codes by which servers of OpenAI's wires tell of a retired model with a status of 400."""

CASES = [
    *((wire, how, reason) for wire in WIRES for how, reason in DOWN.items()),
    *((wire, code, "unknown_model") for wire in WIRES[1:] for code in RETIRED_AS_BAD_REQUEST),
]


@pytest.mark.parametrize(("wire", "how", "reason"), CASES)
async def test_another_model_answers_the_whole_question_at_once(
    pool: asyncpg.Pool, wire: str, how: str, reason: str
) -> None:
    first, second = server_of(wire, down(wire, how)), server_of(OTHER[wire], *whole(OTHER[wire]))
    clock = HandClock()
    async with adapter_over(wire, first) as model, adapter_over(OTHER[wire], second) as other:
        met = await ask(pool, model, other, clock=clock)
    assert met == Met(ANSWERED, ("read_guide",), tuple(sorted([(reason, Charged.NOTHING), COUNTED, COUNTED])))
    assert (len(first.requests), len(second.requests)) == (1, 2)
    assert clock.now() == START, "nobody waits while somebody else can answer"
    assert first.violations == second.violations == []


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
