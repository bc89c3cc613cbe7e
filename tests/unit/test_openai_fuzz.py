"""Any bytes on OpenAI's wires give a well-formed reply that can go back, or a ProviderFault, nothing else."""

import asyncio
import copy
import json
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assist_service.domain.messages import ModelReply, ProviderFault, Stop, UserText, faults_of
from assist_service.domain.strict_json import MAX_DEPTH
from assist_service.ports import ModelProvider
from tests.fakes.claude import request_of, step
from tests.fakes.gpt import WIRES, body_of, gpt_over
from tests.fakes.openai_wire import OpenAIWire, Said, calling
from tests.fakes.scripted_wire import RawReply

pytestmark = pytest.mark.slow

# Each example is a real exchange, and other tests run beside.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
CALLS = calling(("read_guide", {"page": "a"}), ("read_guide", {}), text="I look.", reasoning="Hm.")
ENDINGS = {
    "openai": ("completed", "incomplete:max_output_tokens", "incomplete:content_filter", "failed"),
    "openai-chat": ("tool_calls", "stop", "length", "content_filter", "function_call"),
}

TEXTS = st.text(st.characters(), max_size=8) | st.sampled_from(["", " ", "\ud800", "[1]", '{"a": 1}', "read_guide"])
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()  # NaN and the infinities too: Python writes and reads them
    | TEXTS
    | st.sampled_from(["function_call", "completed", "message", "reasoning", "tool_calls", "stop", "refusal"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NESTED = st.integers(1, 60).map(lambda levels: json.loads('{"a":' * levels + "1" + "}" * levels))


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from _places(inner, (*path, key))


def _worth_changing(body: Any) -> list[tuple[Any, ...]]:
    """Every place once, what is in the output more often: most rules are about it."""
    places = list(_places(body))
    within = [place for place in places if place[0] in ("output", "choices") and len(place) > 1]
    return [*places, *within * 4] or [("status",)]


@st.composite
def mutated_bodies(draw: st.DrawFn, wire: str) -> bytes:
    """A whole reply with one to three places replaced, removed or doubled, and at times a byte changed."""
    said = draw(st.sampled_from([Said("Press Share."), CALLS]))
    ending = draw(st.sampled_from(ENDINGS[wire]))
    body: Any = copy.deepcopy(body_of(wire, Said(said.text, said.calls, said.reasoning, ending=ending)))
    for _ in range(draw(st.integers(1, 3))):
        *above, last = draw(st.sampled_from(_worth_changing(body)))
        parent: Any = body
        for key in above:
            parent = parent[key]
        match draw(st.sampled_from(["replace", "remove", "double"])):
            case "remove" if last in parent or isinstance(parent, list):
                del parent[last]
            case "double" if isinstance(parent, list):
                parent.append(copy.deepcopy(parent[last]))
            case _:
                old = parent[last] if isinstance(parent, list) else parent.get(last)
                same_kind = TEXTS if isinstance(old, str) else NESTED if isinstance(old, dict) else JSON_VALUES
                parent[last] = draw(same_kind | JSON_VALUES)
    raw = bytearray(json.dumps(body).encode())
    if draw(st.integers(0, 3)) == 0:
        raw[draw(st.integers(0, len(raw) - 1))] = draw(st.integers(0, 255))
    return bytes(raw)


def _assert_well_formed(reply: ModelReply) -> None:
    assert isinstance(reply.stop, Stop)
    json.dumps([*reply.native, reply.text], ensure_ascii=False, allow_nan=False).encode()
    assert max((len(place) for place in _places(reply.native)), default=0) <= MAX_DEPTH
    assert bool(reply.calls) is (reply.stop is Stop.TOOLS)
    assert len({call.id for call in reply.calls}) == len(reply.calls)
    assert all(call.arguments is None or isinstance(call.arguments, dict) for call in reply.calls)


async def _exchange(model: ModelProvider, server: OpenAIWire, reply: RawReply) -> None:
    server.replies.clear()
    server.replies.append(reply)
    try:
        got = await model.send(request_of(), timeout_seconds=5)
    except ProviderFault:
        return
    assert reply.status == 200
    _assert_well_formed(got)
    if got.calls:
        history = (UserText("How?"), *step(got))
        assert faults_of(history) == []
        server.replies.append(Said("Press Share."))
        assert (await model.send(request_of(*history), timeout_seconds=5)).text == "Press Share."


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def exchange(wire: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[RawReply], None]]:
    """One reply through the real SDK over real HTTP; server and client stay up between examples."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server, stack = OpenAIWire(), AsyncExitStack()
    with asyncio.Runner() as runner:
        model = runner.run(stack.enter_async_context(gpt_over(wire, server)))
        yield lambda reply: runner.run(_exchange(model, server, reply))
        runner.run(stack.aclose())
    assert server.violations == []


def test_a_mutated_reply(wire: str, exchange: Callable[[RawReply], None]) -> None:
    @settings(parent=PATIENT, max_examples=200)
    @given(mutated_bodies(wire))
    def holds(raw: bytes) -> None:
        exchange(RawReply(raw))

    holds()


def test_any_status_with_any_body(exchange: Callable[[RawReply], None]) -> None:
    envelope = st.fixed_dictionaries({"error": JSON_VALUES}).map(json.dumps)
    bodies = st.binary(max_size=40) | envelope.map(str.encode)
    # 204, 205 and 304 may not have a body.
    statuses = st.integers(200, 599).filter(lambda status: status not in (204, 205, 304))
    waits = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=12)

    @settings(parent=PATIENT, max_examples=100)
    @given(statuses, bodies, waits)
    def holds(status: int, body: bytes, wait: str) -> None:
        exchange(RawReply(body, status, {"retry-after": wait}))

    holds()
