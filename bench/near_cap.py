"""How far the worst case lies above the true cost, and what is refused near the cap that would have fitted.

Twenty at once ask questions of three requests. So many are asked as fit beneath 10 USD by their true costs, which are
drawn before, and one more. Who is refused though the true costs leave room was refused for the sake of a worst case.
All that takes time, the provider and the waiting for room alike, runs ten times as fast: the bench takes a minute.
"""

import asyncio
import datetime as dt
import itertools
import random
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.models.prices import load_prices
from assist_service.adapters.postgres.engine import open_pool
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.migrating import migrate
from assist_service.bootstrap.database import MIGRATIONS
from assist_service.domain.budget import cost_micros, size_bytes
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import (
    AssistantTurn,
    Message,
    ModelReply,
    ModelRequest,
    Stop,
    ToolCall,
    ToolResult,
    ToolResults,
    Usage,
    UserText,
)
from assist_service.ports import Clock
from assist_service.services.gateway import Gateway
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from bench.world import MODEL
from devtools.postgres import running_postgres

IN_FLIGHT = 20
STEPS = 3

CAP_MICROS = 10_000_000
"""The 10 USD: the chat's quarter of a day's cap of 40."""

SPEED = 10.0

SECONDS = (3.5, 0.5)
"""Median and sigma of a request's time, log-normal: four seconds on average, one in a hundred eleven."""

BURST_CAP_MICROS = 250_000
"""Several times what the burst costs, and a few of its worst cases."""

BURST_SECONDS = (4.0, 0.1)
"""Longer than a request waits for others to settle."""

DEADLINE_SECONDS = 90

PREFIX = "The rules, the index of the manual and the screens. " * 350
RESULT = "A section of the manual, as it was given. " * 60
BYTES_PER_TOKEN = 4
MAX_TOKENS = 4_096
PRICE = load_prices(None)[MODEL]


def request_of(question: int, step: int) -> ModelRequest:
    """The same each time: what a request costs is known before it is sent."""
    messages: tuple[Message, ...] = (UserText(f"{question:06} How do I share a pool with a colleague?"),)
    for earlier in range(step):
        reply = reply_of(request_of(question, earlier))
        results = ToolResults(tuple(ToolResult(call.id, RESULT) for call in reply.calls))
        messages = (*messages, AssistantTurn(reply.native, reply.text, reply.calls), results)
    return ModelRequest(PREFIX, "Screen.", (), messages, may_call=True, max_tokens=MAX_TOKENS)


def reply_of(request: ModelRequest) -> ModelReply:
    """Two calls and an answer, counted as a provider with a warm cache counts."""
    question, step = _place_of(request)
    tokens, cached = size_bytes(request) // BYTES_PER_TOKEN, len(PREFIX) // BYTES_PER_TOKEN
    usage = Usage(tokens - cached, cached, 0, _drawing(question, step).randint(60, 500))
    if step == STEPS - 1:
        return ModelReply(Stop.END, "Like this.", (), [{"type": "text", "text": "Like this."}], usage)
    call = ToolCall(f"call_{question}_{step}", "read_guide", {"page": "teacher/pools"})
    return ModelReply(Stop.TOOLS, "", (call,), [{"type": "tool_use", "id": call.id}], usage)


def _place_of(request: ModelRequest) -> tuple[int, int]:
    said = request.messages[0]
    assert isinstance(said, UserText)
    return int(said.text[:6]), len(request.messages) // 2


def _drawing(question: int, step: int) -> random.Random:
    return random.Random(f"{question} {step}")


def cost_of(request: ModelRequest) -> int:
    usage = reply_of(request).usage
    assert usage is not None
    return cost_micros(PRICE, usage)


class FastClock:
    """Implements ports.Clock: the system's, but faster."""

    def __init__(self) -> None:
        self._system = SystemClock()
        self._began, self._began_at = self._system.monotonic(), self._system.now()

    def monotonic(self) -> float:
        return (self._system.monotonic() - self._began) * SPEED

    def now(self) -> dt.datetime:
        return self._began_at + dt.timedelta(seconds=self.monotonic())

    async def sleep(self, seconds: float) -> None:
        await self._system.sleep(seconds / SPEED)


@dataclass
class Day:
    """A model with a day's true costs, beside the ledger. Implements ports.ModelProvider."""

    cap_micros: int
    clock: Clock
    median_seconds: float
    sigma: float
    model: str = MODEL
    committed_micros: int = 0
    """The true cost of all that was sent, those in flight among them."""
    answered: int = 0
    refused_that_fitted: int = 0

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        self.committed_micros += cost_of(request)
        question, step = _place_of(request)
        drawn = _drawing(step, question).lognormvariate(0.0, self.sigma)
        await self.clock.sleep(self.median_seconds * drawn)
        self.answered += 1
        return reply_of(request)

    def refused(self, requests: Iterable[ModelRequest]) -> None:
        """Those that would have been sent one after another, and so many of them fit as come before the cap."""
        costs = itertools.accumulate(map(cost_of, requests), initial=self.committed_micros)
        self.refused_that_fitted += sum(after <= self.cap_micros for after in costs) - 1

    @property
    def refused_percent(self) -> float:
        """Of the requests that would have fitted."""
        return round(100 * self.refused_that_fitted / (self.answered + self.refused_that_fitted), 2)

    async def close(self) -> None:
        """Holds nothing open."""


@dataclass(frozen=True)
class Run:
    """One day's cap, spent through the real gateway on a ledger of its own."""

    day: Day
    gateway: Gateway
    questions: "itertools.count[int]" = field(default_factory=itertools.count)

    async def asker(self, *, questions: int, steps: int) -> None:
        """Asks one question after another, until all are asked."""
        while (question := next(self.questions)) < questions:
            await self._ask(question, steps)

    async def _ask(self, question: int, steps: int) -> None:
        """A refused request takes with it what would have come after it."""
        deadline = self.gateway.clock.monotonic() + DEADLINE_SECONDS
        line = self.gateway.converse(
            person=str(uuid.uuid4()), question_id=uuid.uuid4(), deadline=deadline, max_requests=2 * STEPS
        )
        for step in range(steps):
            try:
                await line.send(request_of(question, step))
            except AssistError as error:
                if error.code is not Code.LLM_BUDGET_EXHAUSTED:
                    raise
                self.day.refused(request_of(question, later) for later in range(step, steps))
                return


def fitting(cap_micros: int) -> int:
    """How many questions fit beneath the cap by their true costs."""
    spent = 0
    for question in itertools.count():
        spent += sum(cost_of(request_of(question, step)) for step in range(STEPS))
        if spent > cap_micros:
            return question
    raise AssertionError


async def _spend(dsn: str, day: Day, *, questions: int, steps: int) -> dict[str, float]:
    """Spends the day; what the ledger says of it."""
    pool, clock = await open_pool(dsn, size=10), day.clock
    await pool.execute("TRUNCATE llm_days, llm_calls")
    spending = Spending(4 * day.cap_micros, Decimal("0.25"), dt.UTC)
    meter = Meter(ledger=PostgresLedger(pool), clock=clock, spending=spending)
    run = Run(day, Gateway(sources=(Source(day, PRICE),), meter=meter, clock=clock))
    await asyncio.gather(*(run.asker(questions=questions, steps=steps) for _ in range(IN_FLIGHT)))
    row = await pool.fetchrow(
        "SELECT avg(worst_micros)::float8 AS worst, avg(cost_micros)::float8 AS mean, sum(cost_micros) AS spent"
        " FROM llm_calls WHERE cost_micros > 0"
    )
    await run.gateway.close()
    await pool.close()
    assert row is not None
    assert row["spent"] == day.committed_micros <= day.cap_micros, "the cap was passed, or a cost was lost"
    return {"worst_case_ratio": round(row["worst"] / row["mean"], 2), "left_micros": day.cap_micros - row["spent"]}


async def _measure(dsn: str) -> dict[str, float]:
    clock = FastClock()
    day = Day(CAP_MICROS, clock, *SECONDS)
    told = await _spend(dsn, day, questions=fitting(CAP_MICROS) + 1, steps=STEPS)
    burst = Day(BURST_CAP_MICROS, clock, *BURST_SECONDS)
    await _spend(dsn, burst, questions=IN_FLIGHT, steps=1)
    return {
        "worst_case_ratio": told["worst_case_ratio"],
        "near_cap_refused_percent": day.refused_percent,
        "near_cap_refused": day.refused_that_fitted,
        "near_cap_answered": day.answered,
        "near_cap_left_micros": int(told["left_micros"]),
        "near_cap_burst_refused_percent": burst.refused_percent,
    }


def measure() -> dict[str, float]:
    """The figures of one day spent to its end, and of a small one that twenty begin at once."""
    with running_postgres(durable=True) as dsn:
        migrate(dsn, MIGRATIONS)
        return asyncio.run(_measure(dsn))


if __name__ == "__main__":
    print(measure())
