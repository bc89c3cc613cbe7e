"""How far the worst case lies above the true cost, and what is refused near the cap that would have fitted.

Questions of three requests are asked, twenty at once, until a day's 10 USD for the chat are used up; the model
answers at once to nobody: each request takes as long as one of a provider may, in small.
"""

import asyncio
import datetime as dt
import itertools
import random
import uuid
from dataclasses import dataclass, field
from decimal import Decimal

import asyncpg

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.models.prices import load_prices
from assist_service.adapters.postgres.engine import open_pool
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.migrating import migrate
from assist_service.bootstrap.database import MIGRATIONS
from assist_service.domain.budget import size_bytes
from assist_service.domain.errors import AssistError
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
from assist_service.services.gateway import Gateway
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from bench.world import MODEL
from devtools.postgres import running_postgres

IN_FLIGHT = 20
CHAT_MICROS = 10_000_000
"""The 10 USD: the chat's quarter of a day's cap of 40."""

PREFIX = "The rules, the index of the manual and the screens. " * 350
RESULT = "A section of the manual, as it was given. " * 60
BYTES_PER_TOKEN = 4
MAX_TOKENS = 4_096
SECONDS = (0.02, 0.12)


@dataclass
class PlausibleModel:
    """Implements ports.ModelProvider: two calls and an answer, counted as a provider with a warm cache counts."""

    model: str = MODEL
    drawing: random.Random = field(default_factory=lambda: random.Random(11))
    ids: "itertools.count[int]" = field(default_factory=itertools.count)

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        await asyncio.sleep(self.drawing.uniform(*SECONDS))
        tokens, cached = size_bytes(request) // BYTES_PER_TOKEN, len(PREFIX) // BYTES_PER_TOKEN
        usage = Usage(tokens - cached, cached, 0, self.drawing.randint(60, 500))
        if len(request.messages) >= 5:
            return ModelReply(Stop.END, "Like this.", (), [{"type": "text", "text": "Like this."}], usage)
        call = ToolCall(f"call_{next(self.ids)}", "read_guide", {"page": "teacher/pools"})
        return ModelReply(Stop.TOOLS, "", (call,), [{"type": "tool_use", "id": call.id}], usage)

    async def close(self) -> None:
        """Holds nothing open."""


async def _ask(gateway: Gateway) -> int:
    """The requests of one question that were answered; its last may have been refused."""
    clock = gateway.clock
    line = gateway.converse(
        person=str(uuid.uuid4()), question_id=uuid.uuid4(), deadline=clock.monotonic() + 90, max_requests=6
    )
    messages: tuple[Message, ...] = (UserText("How do I share a pool with a colleague?"),)
    for step in range(3):
        try:
            reply = await line.send(ModelRequest(PREFIX, "Screen.", (), messages, may_call=True, max_tokens=MAX_TOKENS))
        except AssistError:
            return step
        results = ToolResults(tuple(ToolResult(call.id, RESULT) for call in reply.calls))
        messages = (*messages, AssistantTurn(reply.native, reply.text, reply.calls), results)
    return 3


async def _spend(dsn: str) -> dict[str, float]:
    pool = await open_pool(dsn, size=10)
    clock = SystemClock()
    spending = Spending(4 * CHAT_MICROS, Decimal("0.25"), dt.UTC)
    gateway = Gateway(
        sources=(Source(PlausibleModel(), load_prices(None)[MODEL]),),
        meter=Meter(ledger=PostgresLedger(pool), clock=clock, spending=spending),
        clock=clock,
    )

    async def until_refused() -> None:
        while await _ask(gateway) == 3:
            pass

    await asyncio.gather(*(until_refused() for _ in range(IN_FLIGHT)))
    figures = await _figures(pool)
    await gateway.close()
    await pool.close()
    return figures


async def _figures(pool: asyncpg.Pool) -> dict[str, float]:
    """What was left would have paid for more; near the cap is where the worst cases in flight no longer all fit."""
    row = await pool.fetchrow(
        "SELECT avg(worst_micros)::float8 AS worst, avg(cost_micros)::float8 AS mean, sum(cost_micros) AS spent"
        " FROM llm_calls WHERE cost_micros > 0"
    )
    assert row is not None
    assert row["spent"] <= CHAT_MICROS, "the cap was passed"
    left = CHAT_MICROS - int(row["spent"])
    return {
        "worst_case_ratio": round(row["worst"] / row["mean"], 2),
        "near_cap_refused_percent": round(100 * left / (IN_FLIGHT * row["worst"]), 2),
        "near_cap_left_micros": left,
    }


def measure() -> dict[str, float]:
    """The figures of one day spent to its end."""
    with running_postgres(durable=True) as dsn:
        migrate(dsn, MIGRATIONS)
        return asyncio.run(_spend(dsn))


if __name__ == "__main__":
    print(measure())
