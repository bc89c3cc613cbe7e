"""Each fault seen in public reports, replayed at every adapter: no wrong answer, no wrong tool, the money exact.

Its body cut at every byte is in `tests/slow/test_cut_bodies.py`, the trimmed history in
`tests/web/test_history_on_the_wire.py`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg
import pytest

from assist_service.domain.errors import Code
from assist_service.domain.loop import Answered, Declined, Failed, Outcome
from assist_service.domain.messages import (
    AssistantTurn,
    Message,
    ProviderFault,
    ProviderFaultKind,
    ToolCall,
    ToolResult,
    ToolResults,
    UserText,
)
from assist_service.domain.outcomes import OK, Charged
from tests.fakes.broken_wire import Breakage, BrokenWire, http_bytes
from tests.fakes.claude import request_of
from tests.fakes.clocks import START, HandClock
from tests.fakes.openai_wire import Said, calling
from tests.fakes.scripted_wire import RawReply
from tests.fakes.wires import CUT, FILTERED, WIRES, adapter_at, adapter_over, body_on, refusal_on, reply_on, server_of
from tests.postgres.wired import Met, ask

pytestmark = pytest.mark.slow

PAGE = {"page": "teacher/pools"}
READ = calling(("read_guide", PAGE))
ANSWER = Said("Press New pool [s1].")
ANSWERED = Answered("Press New pool [s1].")
NO_ANSWER = Code.LLM_UNAVAILABLE

Request = tuple[str, Charged]
COUNTED: Request = (OK, Charged.COUNTED)
UNCOUNTED: Request = (OK, Charged.WORST_CASE)
TWO_READS = ("read_guide", "read_guide")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@dataclass(frozen=True)
class Fault:
    """What a server says, on any wire, and what must come of it."""

    replies: Callable[[str], Sequence[RawReply]]
    outcome: Outcome | Code
    requests: Sequence[Request]
    read: tuple[str, ...] = ()


def said(*replies: Said) -> Callable[[str], Sequence[RawReply]]:
    return lambda wire: [reply_on(wire, reply) for reply in replies]


def first(reply: Callable[[str], RawReply]) -> Callable[[str], Sequence[RawReply]]:
    """That reply, then those of a question without a fault."""
    return lambda wire: [reply(wire), *said(READ, ANSWER)(wire)]


def refusal(status: int, code: str, **headers: str) -> Callable[[str], Sequence[RawReply]]:
    return lambda wire: [refusal_on(wire, status, code, **headers)]


def _overload(wire: str) -> RawReply:
    error = {"type": "overloaded_error", "code": "server_is_overloaded", "message": "Overloaded"}
    return RawReply(json.dumps({"type": "error", "error": error}).encode())


def _error_over_half(wire: str) -> RawReply:
    """An error in place of the rest of an answer; Messages has one form for both, and then nothing of an answer."""
    if wire == "anthropic":
        return _overload(wire)
    error = {"code": "server_error", "message": "It broke off."}
    return reply_on(wire, Said("Press New"), error=error)


def _half(wire: str) -> RawReply:
    whole = reply_on(wire, ANSWER).body
    return RawReply(whole[: len(whole) // 2])


def _one_id_twice(wire: str) -> RawReply:
    body = body_on(wire, calling(("read_guide", PAGE), ("read_guide", PAGE)))
    calls = {
        "anthropic": lambda: body["content"],
        "openai": lambda: body["output"],
        "openai-chat": lambda: body["choices"][0]["message"]["tool_calls"],
    }[wire]()
    for call in calls:
        call["call_id" if wire == "openai" else "id"] = "call_once"
    return RawReply(json.dumps(body).encode())


def _without_usage(wire: str) -> Sequence[RawReply]:
    bodies = [body_on(wire, reply) for reply in (READ, ANSWER)]
    return [RawReply(json.dumps({key: body[key] for key in body if key != "usage"}).encode()) for body in bodies]


def _too_long(wire: str) -> Sequence[RawReply]:
    code = "invalid_request_error" if wire == "anthropic" else "context_length_exceeded"
    return [refusal_on(wire, 400, code)]


def _half_thought(wire: str) -> Sequence[RawReply]:
    """Reasoning broken off, yet a call after it."""
    body: Any = body_on(wire, calling(("decline", {}), reasoning="Let me s"))
    match wire:
        case "anthropic":
            del body["content"][0]["signature"]
        case "openai":
            body["output"][0]["status"] = "incomplete"
        case _:
            body["choices"][0]["finish_reason"] = "length"
    return [RawReply(json.dumps(body).encode())]


MALFORMED: Request = ("malformed", Charged.WORST_CASE)

FAULTS: Mapping[str, Fault] = {
    "overload in a 200 body": Fault(
        first(_overload), ANSWERED, [("error_envelope", Charged.NOTHING), COUNTED, COUNTED], ("read_guide",)
    ),
    "an error as a success over half an answer": Fault(
        first(_error_over_half), ANSWERED, [("error_envelope", Charged.WORST_CASE), COUNTED, COUNTED], ("read_guide",)
    ),
    "a server's error in its own form": Fault(
        first(lambda wire: refusal_on(wire, 500, "api_error")),
        ANSWERED,
        [("server_error", Charged.NOTHING), COUNTED, COUNTED],
        ("read_guide",),
    ),
    "a server's error in no form": Fault(
        first(lambda _: RawReply(b"Bad Gateway", 502)),
        ANSWERED,
        [("server_error", Charged.WORST_CASE), COUNTED, COUNTED],
        ("read_guide",),
    ),
    "a wait that the provider gave up": Fault(
        first(lambda wire: refusal_on(wire, 504, "timeout_error")),
        ANSWERED,
        [("timeout", Charged.WORST_CASE), COUNTED, COUNTED],
        ("read_guide",),
    ),
    "a refusal of a kind nobody knows": Fault(
        refusal(422, "unprocessable_entity"), NO_ANSWER, [("refused", Charged.NOTHING)]
    ),
    "a body cut": Fault(first(_half), ANSWERED, [("not_json", Charged.WORST_CASE), COUNTED, COUNTED], ("read_guide",)),
    "a tool call cut by the token limit with all-optional arguments": Fault(
        said(calling(("decline", {}), ending=CUT)), Failed("cut_short"), [COUNTED]
    ),
    "the same beside words": Fault(
        said(calling(("decline", {}), text="Press New pool [s1].", ending=CUT)), Failed("cut_short"), [COUNTED]
    ),
    "malformed arguments": Fault(
        said(Said(calls=(("read_guide", '{"page": "teach'),)), READ, ANSWER),
        ANSWERED,
        [COUNTED] * 3,
        ("read_guide",),
    ),
    "malformed arguments of a tool that needs none": Fault(
        said(Said(calls=(("decline", "{"),)), READ, ANSWER), ANSWERED, [COUNTED] * 3, ("read_guide",)
    ),
    "arguments that are a list": Fault(
        said(Said(calls=(("decline", "[]"),)), READ, ANSWER), ANSWERED, [COUNTED] * 3, ("read_guide",)
    ),
    "duplicate call ids": Fault(first(_one_id_twice), ANSWERED, [MALFORMED, COUNTED, COUNTED], ("read_guide",)),
    "parallel calls": Fault(
        said(calling(("read_guide", PAGE), ("read_guide", PAGE)), ANSWER), ANSWERED, [COUNTED] * 2, TWO_READS
    ),
    "a phantom tool name": Fault(
        said(calling(("no_such_tool", PAGE)), READ, ANSWER), ANSWERED, [COUNTED] * 3, ("read_guide",)
    ),
    "empty content with a normal stop": Fault(said(Said()), Failed("empty_answer"), [COUNTED]),
    "an empty text with a normal stop": Fault(said(Said("")), Failed("empty_answer"), [COUNTED]),
    "content filter with text": Fault(said(Said("Press New pool [s1]", ending=FILTERED)), Declined(), [COUNTED]),
    "content filter without text": Fault(said(Said(ending=FILTERED)), Declined(), [COUNTED]),
    "content filter in a call": Fault(said(calling(("read_guide", PAGE), ending=FILTERED)), Declined(), [COUNTED]),
    "missing usage": Fault(_without_usage, ANSWERED, [UNCOUNTED] * 2, ("read_guide",)),
    "retry-after: 3600": Fault(
        refusal(429, "rate_limit_error", retry_after="3600"), NO_ANSWER, [("rate_limited", Charged.NOTHING)]
    ),
    "a retired model": Fault(refusal(404, "not_found_error"), NO_ANSWER, [("unknown_model", Charged.NOTHING)]),
    "a model gone": Fault(refusal(410, "not_found_error"), NO_ANSWER, [("unknown_model", Charged.NOTHING)]),
    "context overflow": Fault(_too_long, NO_ANSWER, [("bad_request", Charged.NOTHING)]),
    "an interrupted reasoning block": Fault(_half_thought, NO_ANSWER, [MALFORMED]),
    "reasoning that the token limit ended": Fault(
        said(Said(reasoning="Let me s", ending=CUT)), Failed("cut_short"), [COUNTED]
    ),
}
"""By the issue's names."""

NO_OBJECT = Fault(said(), NO_ANSWER, [MALFORMED])
"""Messages has arguments as JSON: where they are no object the whole reply is none, and is not asked for again."""

OTHERWISE: Mapping[tuple[str, str], Fault] = {
    ("an error as a success over half an answer", "anthropic"): FAULTS["overload in a 200 body"],
    ("malformed arguments", "anthropic"): NO_OBJECT,
    ("malformed arguments of a tool that needs none", "anthropic"): NO_OBJECT,
    ("arguments that are a list", "anthropic"): NO_OBJECT,
    # Chat sends no reasoning back: it is the call that may be cut, and does not run.
    ("an interrupted reasoning block", "openai-chat"): Fault(said(), Failed("cut_short"), [COUNTED]),
}
"""Where a wire differs in what comes of a fault."""

every_wire = pytest.mark.parametrize("wire", WIRES)


@every_wire
@pytest.mark.parametrize("name", FAULTS)
async def test_what_comes_of_each_fault(pool: asyncpg.Pool, name: str, wire: str) -> None:
    fault = FAULTS[name]
    comes_to = OTHERWISE.get((name, wire), fault)
    server, clock = server_of(wire, *fault.replies(wire)), HandClock()
    async with adapter_over(wire, server) as model:
        met = await ask(pool, model, clock=clock)
    assert met == Met(comes_to.outcome, comes_to.read, tuple(sorted(comes_to.requests)))
    assert len(server.requests) == len(met.requests)
    assert server.violations == []
    assert (clock.now() - START).total_seconds() < 1, "a wait that leads to nothing is not begun"


@every_wire
async def test_what_is_wrong_with_a_call_is_told_to_the_model(pool: asyncpg.Pool, wire: str) -> None:
    calls = (("no_such_tool", json.dumps(PAGE)), ("read_guide", '{"page": 7}'), ("read_guide", json.dumps(PAGE)))
    server = server_of(wire, *said(Said(calls=calls), ANSWER)(wire))
    async with adapter_over(wire, server) as model:
        met = await ask(pool, model)
    assert met == Met(ANSWERED, ("read_guide",), (COUNTED,) * 2)
    told = server.requests[1].raw.decode()
    places = [told.index(words) for words in ("There is no such tool", "the arguments do not fit", "Press New pool.")]
    assert places == sorted(places), "the results stand in the order of the calls"


@every_wire
@pytest.mark.parametrize("name", ["a body cut", "a length too long", "a length too short"])
async def test_a_body_that_is_not_whole_is_no_answer_and_costs_its_worst_case(
    pool: asyncpg.Pool, name: str, wire: str
) -> None:
    body = reply_on(wire, ANSWER).body
    answer = {
        "a body cut": http_bytes(body)[:-1],
        "a length too long": http_bytes(body, content_length=len(body) + 1),
        "a length too short": http_bytes(body, content_length=len(body) - 1),
    }[name]
    server = BrokenWire(Breakage([answer]))
    async with server.serve() as url, adapter_at(wire, url) as model:
        met = await ask(pool, model)
    assert met.outcome is NO_ANSWER
    assert {charge for _, charge in met.requests} == {Charged.WORST_CASE}
    assert {outcome for outcome, _ in met.requests} <= {"connection_lost", "not_json"}
    assert len(met.requests) == server.connections == 3


async def test_a_reply_that_outgrew_the_context_is_no_answer(pool: asyncpg.Pool) -> None:
    reply = reply_on("anthropic", Said("Press New"), stop_reason="model_context_window_exceeded")
    async with adapter_over("anthropic", server_of("anthropic", reply)) as model:
        met = await ask(pool, model)
    assert met == Met(NO_ANSWER, (), (("context_exceeded", Charged.WORST_CASE),))


CALL = ToolCall("call_1", "read_guide", PAGE)
TURN = AssistantTurn(({"type": "whatever it was"},), "", (CALL,))
ORPHANS: Mapping[str, tuple[Message, ...]] = {
    "a call without its result": (UserText("How?"), TURN, UserText("And now?")),
    "a result without its call": (UserText("How?"), ToolResults((ToolResult("call_1", "Press."),))),
    "the result alone": (ToolResults((ToolResult("call_1", "Press."),)),),
    "the call last": (UserText("How?"), TURN),
}


@every_wire
@pytest.mark.parametrize("history", ORPHANS.values(), ids=ORPHANS)
async def test_an_orphan_of_a_trimmed_history_is_never_sent(wire: str, history: tuple[Message, ...]) -> None:
    server = server_of(wire, reply_on(wire, ANSWER))
    async with adapter_over(wire, server) as model:
        with pytest.raises(ProviderFault) as fault:
            await model.send(request_of(*history), timeout_seconds=5)
    assert (fault.value.kind, fault.value.billed, fault.value.reason) == (
        ProviderFaultKind.PERMANENT,
        False,
        "unsendable",
    )
    assert server.requests == []
