"""Questions of a gateway that has two models, one dearer than the other, and the faults they come with."""

import datetime as dt
import uuid
from decimal import Decimal

import asyncpg
import pytest

from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.breaker import State
from assist_service.domain.budget import Price
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import (
    Message,
    ModelReply,
    ModelRequest,
    ProviderFault,
    ProviderFaultKind,
    UserText,
)
from assist_service.services.gateway import Gateway
from assist_service.services.line import Line
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from tests.fakes.clocks import HandClock
from tests.fakes.models import ScriptedModel, says
from tests.postgres.money import PRICE

DEARER = Price(input=4_000_000, cached_input=400_000, cache_write=5_000_000, output=20_000_000)

OVERLOADED = ProviderFault(ProviderFaultKind.TRANSIENT, billed=False, reason="overloaded")
RETIRED = ProviderFault(ProviderFaultKind.CLOSED, billed=False, reason="unknown_model")
MALFORMED = ProviderFault(ProviderFaultKind.CLOSED, billed=True, reason="malformed")
TOO_LONG = ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="context_exceeded")


def request(*messages: Message, prefix: str = "Rules.") -> ModelRequest:
    return ModelRequest(
        prefix, "Screen.", (), messages or (UserText("How do I create a pool?"),), may_call=True, max_tokens=100
    )


class HangingModel:
    """Implements ports.ModelProvider: takes all the time it is given, and then has nothing."""

    def __init__(self, clock: HandClock, *, model: str = "first") -> None:
        self.model = model
        self.clock = clock
        self.given: list[float] = []

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        self.given.append(timeout_seconds)
        self.clock.move(timeout_seconds)
        raise ProviderFault(ProviderFaultKind.TRANSIENT, billed=True, reason="timeout")

    async def close(self) -> None:
        """Holds nothing open."""


class Questions:
    """Questions of a gateway with these models, the first of which is asked first."""

    def __init__(self, pool: asyncpg.Pool, *providers: ScriptedModel | HangingModel) -> None:
        hanging = [each.clock for each in providers if isinstance(each, HangingModel)]
        self.clock = hanging[0] if hanging else HandClock()
        spending = Spending(4_000_000, Decimal("0.25"), dt.UTC)
        self.sources = tuple(Source(each, price) for each, price in zip(providers, (PRICE, DEARER), strict=False))
        self._gateway = Gateway(
            sources=self.sources,
            meter=Meter(ledger=PostgresLedger(pool), clock=self.clock, spending=spending),
            clock=self.clock,
        )

    def line(self, *, max_requests: int = 6, seconds: float = 90) -> Line:
        return self._gateway.converse(
            person="ada",
            question_id=uuid.uuid4(),
            deadline=self.clock.monotonic() + seconds,
            max_requests=max_requests,
        )

    async def answered(self) -> str:
        return (await self.line().send(request())).text

    async def refused(self) -> Code:
        with pytest.raises(AssistError) as refusal:
            await self.line().send(request())
        return refusal.value.code

    def first_is(self) -> State:
        """Where the first model's breaker stands."""
        return self.sources[0].breaker.state(self.clock.monotonic())


def models(first: object, second: object = None) -> tuple[ScriptedModel, ScriptedModel]:
    said = [step if isinstance(step, list) else [step] for step in (first, second or says("So."))]
    return ScriptedModel(*said[0], model="first"), ScriptedModel(*said[1], model="second")
