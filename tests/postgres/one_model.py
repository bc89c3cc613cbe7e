"""Questions of a gateway that has one model: what each may cost, and how each can be refused."""

import asyncio
import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import asyncpg
import pytest

from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.budget import cost_micros
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import (
    Message,
    ModelReply,
    ModelRequest,
    ProviderFault,
    ProviderFaultKind,
    UserText,
)
from assist_service.ports import Clock, ModelProvider
from assist_service.services.gateway import Gateway
from assist_service.services.line import Line
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from tests.fakes.clocks import HandClock
from tests.fakes.models import USAGE
from tests.postgres.money import PRICE, worst_micros_of

COST = cost_micros(PRICE, USAGE)

QUESTION = UserText("How do I create a pool?")

OVERLOADED = ProviderFault(ProviderFaultKind.TRANSIENT, billed=False, reason="overloaded")
LOST = ProviderFault(ProviderFaultKind.TRANSIENT, billed=True, reason="timeout")


def request(*messages: Message, prefix: str = "Rules.") -> ModelRequest:
    return ModelRequest(prefix, "Screen.", (), messages or (QUESTION,), may_call=True, max_tokens=100)


WORST = worst_micros_of(request())


class HangingModel:
    """Implements ports.ModelProvider: takes the question and never answers."""

    model = "stub"

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def close(self) -> None:
        """Holds nothing open."""


def line_on(
    pool: asyncpg.Pool,
    provider: ModelProvider,
    *,
    clock: Clock | None = None,
    share_micros: int = 1_000_000,
    seconds: float = 90.0,
    max_requests: int = 6,
    tz: dt.tzinfo = dt.UTC,
    ledger: PostgresLedger | None = None,
) -> Line:
    """A line of a question that has `seconds`, under a cap of which the chat has `share_micros`."""
    clock = clock or HandClock()
    spending = Spending(4 * share_micros, Decimal("0.25"), tz)
    gateway = Gateway(
        sources=(Source(provider, PRICE),),
        meter=Meter(ledger=ledger or PostgresLedger(pool), clock=clock, spending=spending),
        clock=clock,
    )
    return gateway.converse(
        person="ada",
        question_id=uuid.uuid4(),
        deadline=clock.monotonic() + seconds,
        max_requests=max_requests,
    )


async def refused(line: Line, *messages: Message) -> Code:
    """The code of the refusal that sending must end in."""
    with pytest.raises(AssistError) as caught:
        await line.send(request(*messages))
    return caught.value.code


def settled(rows: list[asyncpg.Record]) -> list[tuple[Any, ...]]:
    return [(row["outcome"], row["cost_micros"]) for row in rows]
