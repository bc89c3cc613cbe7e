"""What a provider counted bounds what comes after it, as far as counts can be believed."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.budget import (
    COUNTED_OVERHEAD_TOKENS,
    MOST_BYTES_PER_TOKEN,
    cost_micros,
    input_token_bound,
    size_bytes,
    stable_bytes,
    worst_case_micros,
)
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    Message,
    ModelReply,
    ToolResult,
    ToolResults,
    Usage,
)
from assist_service.services.gateway import Gateway
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from tests.fakes.clocks import HandClock
from tests.fakes.models import ScriptedModel, calls, says
from tests.fakes.openai_wire import Said
from tests.fakes.scripted_wire import RawReply
from tests.fakes.wires import WIRES, adapter_over, reply_on, server_of
from tests.postgres.money import PRICE, calls_of, refuse_unbalanced_books, worst_micros_of
from tests.postgres.one_model import LOST, QUESTION, WORST, line_on, request, settled

PREFIX = "The rules and the index of the manual. " * 200
"""7,800 bytes, of which a provider counts some 1,800 tokens."""

LONG = request(prefix=PREFIX)


@pytest.mark.parametrize(
    "usage",
    [Usage(10**6, 0, 0, 20), Usage(1, 0, 0, 10**6), Usage(0, 0, 0, 20), Usage(100, 0, 0, 0), Usage(0, 0, 0, 0)],
    ids=["too much read", "too much written", "nothing read", "nothing written", "nothing"],
)
async def test_counts_that_cannot_be_are_charged_at_the_worst_case(pool: asyncpg.Pool, usage: Usage) -> None:
    line = line_on(pool, ScriptedModel(says("Like this.", usage=usage)))
    await line.send(request())
    await line.send(request())
    rows = await calls_of(pool)
    assert settled(rows) == [("ok", WORST)] * 2
    assert [row["input_tokens"] for row in rows] == [None, None]
    assert [spent.usage for spent in line.spent] == [None, None]
    await refuse_unbalanced_books(pool)


async def test_counts_that_come_to_the_very_worst_case_are_believed(pool: asyncpg.Pool) -> None:
    usage = Usage(0, 0, input_token_bound(size_bytes(request()), None), 100)
    line = line_on(pool, ScriptedModel(says("Like this.", usage=usage)))
    await line.send(request())
    [row] = await calls_of(pool)
    assert (row["cost_micros"], row["cache_write_tokens"]) == (WORST, usage.cache_write_tokens)


async def test_a_second_request_is_bound_by_what_was_counted_for_the_first(pool: asyncpg.Pool) -> None:
    """A token is rarely a single byte: bytes alone would reserve several times what such a request can cost."""
    prefix = "The rules and the index of the manual. " * 200
    asks = calls(("read_guide", {"page": "teacher/pools"}), usage=Usage(1_800, 0, 0, 30))
    turn = AssistantTurn(asks.native, asks.text, asks.calls)
    results = ToolResults((ToolResult(asks.calls[0].id, "A pool holds questions. " * 20),))
    first, second = request(prefix=prefix), request(QUESTION, turn, results, prefix=prefix)
    line = line_on(pool, ScriptedModel(asks, says("So.", usage=Usage(1_950, 0, 0, 100))))
    await line.send(first)
    await line.send(second)

    rows = sorted(await calls_of(pool), key=lambda row: row["input_tokens"])
    added = size_bytes(second) - size_bytes(first)
    assert rows[1]["worst_micros"] == worst_case_micros(
        PRICE, input_token_bound=1_800 + added + COUNTED_OVERHEAD_TOKENS, max_tokens=100
    )
    assert rows[1]["cost_micros"] <= rows[1]["worst_micros"] < worst_micros_of(second) / 2
    assert rows[0]["worst_micros"] > rows[1]["worst_micros"]


async def test_a_request_without_a_count_leaves_the_last_count_standing(pool: asyncpg.Pool) -> None:
    prefix = "The rules and the index of the manual. " * 200
    line = line_on(pool, ScriptedModel(says("One."), says("Two.", usage=None), LOST, says("Four.")))
    for _ in range(3):
        await line.send(request(prefix=prefix))
    by_bytes, *counted = sorted((row["worst_micros"] for row in await calls_of(pool)), reverse=True)
    assert len(counted) == 3
    assert len(set(counted)) == 1
    assert counted[0] < by_bytes


async def test_a_result_that_was_masked_anew_is_bound_by_what_stands_before_it(pool: asyncpg.Pool) -> None:
    """What was counted of a text bounds no other text of that length: placeholders have more tokens than names."""
    names, placeholders = "Maria Santos, " * 400, "bcdfghjkmnpqrs" * 400
    before = calls(("list_evaluations", {}), usage=Usage(1_800, 0, 0, 20))
    meanwhile = calls(("get_classroom_results", {}), usage=Usage(3_300, 0, 0, 20))

    def said(asks: ModelReply, content: str) -> tuple[Message, ...]:
        return AssistantTurn(asks.native, asks.text, asks.calls), ToolResults((ToolResult(asks.calls[0].id, content),))

    first = request(QUESTION, prefix=PREFIX)
    second = request(QUESTION, *said(before, names), prefix=PREFIX)
    third = request(QUESTION, *said(before, placeholders), *said(meanwhile, "None."), prefix=PREFIX)
    true = Usage(1_800 + len(placeholders), 0, 0, 100)
    line = line_on(pool, ScriptedModel(before, meanwhile, says("So.", usage=true)))
    with capture_logs() as logs:
        for each in (first, second, third):
            await line.send(each)
    rows = {row["input_tokens"]: row for row in await calls_of(pool)}
    assert rows[true.input_tokens]["worst_micros"] == bounded_by(
        1_800, added_bytes=size_bytes(third) - size_bytes(first)
    )
    assert rows[true.input_tokens]["cost_micros"] <= rows[true.input_tokens]["worst_micros"]
    assert rows[3_300]["worst_micros"] == bounded_by(1_800, added_bytes=size_bytes(second) - size_bytes(first))
    assert logs == []


async def test_a_history_that_was_masked_anew_is_bound_by_what_stands_before_it(pool: asyncpg.Pool) -> None:
    """It stands before everything of this question, so no count of this question bounds it: only the prefix's does."""
    named, placeholders = "Maria Santos, " * 400, "bcdfghjkmnpqrs" * 400
    asks = calls(("get_classroom_results", {}), usage=Usage(3_300, 0, 0, 20))
    results = ToolResults((ToolResult(asks.calls[0].id, "None."),))
    this = (QUESTION, AssistantTurn(asks.native, asks.text, asks.calls), results)
    first = request(QUESTION, AssistantText(named), QUESTION, prefix=PREFIX)
    second = request(QUESTION, AssistantText(placeholders), *this, prefix=PREFIX)
    true = Usage(1_800 + len(placeholders), 0, 0, 100)
    line = line_on(pool, ScriptedModel(says("One.", usage=Usage(1_800, 0, 0, 20)), asks, says("So.", usage=true)))
    with capture_logs() as logs:
        for each in (request(QUESTION, prefix=PREFIX), first, second):
            await line.send(each)
    rows = {row["input_tokens"]: row for row in await calls_of(pool)}
    added = size_bytes(second) - size_bytes(request(QUESTION, prefix=PREFIX))
    assert rows[true.input_tokens]["worst_micros"] == bounded_by(1_800, added_bytes=added)
    assert rows[true.input_tokens]["cost_micros"] <= rows[true.input_tokens]["worst_micros"]
    assert logs == []


def counted_on(wire: str, tokens: int, output: int = 20) -> RawReply:
    """A whole answer that the provider counted so many input tokens for."""
    usage = {
        "anthropic": {"input_tokens": tokens, "output_tokens": output},
        "openai": {"input_tokens": tokens, "output_tokens": output, "total_tokens": tokens + output},
        "openai-chat": {"prompt_tokens": tokens, "completion_tokens": output, "total_tokens": tokens + output},
    }[wire]
    return reply_on(wire, Said("Press New pool."), usage=usage)


def bounded_by(tokens: int, *, added_bytes: int) -> int:
    """The worst case of a request that begins with what was counted at so many tokens."""
    bound = tokens + added_bytes + COUNTED_OVERHEAD_TOKENS
    return worst_case_micros(PRICE, input_token_bound=bound, max_tokens=LONG.max_tokens)


def told(logs: Any) -> list[tuple[str, str]]:
    return [(entry["log_level"], entry["event"]) for entry in logs]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


async def asked(pool: asyncpg.Pool, wire: str, *replies: RawReply) -> tuple[list[asyncpg.Record], Any]:
    """The rows of as many questions with one beginning, one after the other, and what was logged of them."""
    server, clock = server_of(wire, *replies), HandClock()
    meter = Meter(ledger=PostgresLedger(pool), clock=clock, spending=Spending(4_000_000, Decimal("0.25"), dt.UTC))
    with capture_logs() as logs:
        async with adapter_over(wire, server) as model:
            gateway = Gateway(sources=(Source(model, PRICE),), meter=meter, clock=clock)
            for _ in replies:
                line = gateway.converse(
                    person="ada", question_id=uuid.uuid4(), deadline=clock.monotonic() + 90, max_requests=1
                )
                await line.send(LONG)
                clock.move(1)
    await refuse_unbalanced_books(pool)
    return await calls_of(pool), logs


every_wire = pytest.mark.parametrize("wire", WIRES)
ADDED = size_bytes(LONG) - stable_bytes(LONG)
FLOOR = stable_bytes(LONG) // MOST_BYTES_PER_TOKEN


@every_wire
async def test_no_text_has_so_few_tokens_that_the_next_request_is_bound_by_nothing(
    pool: asyncpg.Pool, wire: str
) -> None:
    rows, logs = await asked(pool, wire, *[counted_on(wire, 1)] * 2)
    assert [row["worst_micros"] for row in rows] == [worst_micros_of(LONG), bounded_by(FLOOR, added_bytes=ADDED)]
    assert [row["cost_micros"] for row in rows] == [cost_micros(PRICE, Usage(1, 0, 0, 20))] * 2
    assert logs == []


@every_wire
async def test_counts_above_the_reservation_are_charged_and_learned_anew(pool: asyncpg.Pool, wire: str) -> None:
    low, true = FLOOR, 6_000
    rows, logs = await asked(pool, wire, *(counted_on(wire, tokens) for tokens in (low, true, true)))
    assert [row["worst_micros"] for row in rows] == [
        worst_micros_of(LONG),
        bounded_by(low, added_bytes=ADDED),
        bounded_by(true, added_bytes=ADDED),
    ]
    assert [row["cost_micros"] for row in rows] == [cost_micros(PRICE, Usage(n, 0, 0, 20)) for n in (low, true, true)]
    assert rows[1]["cost_micros"] > rows[1]["worst_micros"], "or this shows nothing"
    assert [row["input_tokens"] for row in rows] == [low, true, true]
    assert told(logs) == [("error", "usage_above_worst_case")]


@every_wire
async def test_counts_above_what_the_bytes_allow_are_not_believed_and_nothing_is_learned(
    pool: asyncpg.Pool, wire: str
) -> None:
    rows, logs = await asked(pool, wire, *(counted_on(wire, tokens) for tokens in (2_000, 100_000, 2_000)))
    learned = bounded_by(2_000, added_bytes=ADDED)
    assert [row["worst_micros"] for row in rows] == [worst_micros_of(LONG), learned, learned]
    assert [row["cost_micros"] for row in rows][1:] == [learned, cost_micros(PRICE, Usage(2_000, 0, 0, 20))]
    assert [row["input_tokens"] for row in rows] == [2_000, None, 2_000]
    assert told(logs) == [("error", "usage_unbelievable")]


async def test_within_a_question_too_what_is_learned_has_a_floor_and_is_corrected(pool: asyncpg.Pool) -> None:
    few, many = Usage(1, 0, 0, 20), Usage(6_000, 0, 0, 20)
    line = line_on(pool, ScriptedModel(says("One.", usage=few), says("Two.", usage=many), says("Three.", usage=many)))
    with capture_logs() as logs:
        for _ in range(3):
            await line.send(LONG)
    floor = size_bytes(LONG) // MOST_BYTES_PER_TOKEN
    assert sorted(row["worst_micros"] for row in await calls_of(pool)) == sorted(
        [worst_micros_of(LONG), bounded_by(floor, added_bytes=0), bounded_by(6_000, added_bytes=0)]
    )
    assert told(logs) == [("error", "usage_above_worst_case")]
    await refuse_unbalanced_books(pool)
