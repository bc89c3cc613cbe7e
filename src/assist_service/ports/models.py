"""A model, and the day's money that every request to one is reserved against."""

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Protocol

from assist_service.domain.budget import Allowance
from assist_service.domain.messages import ModelReply, ModelRequest, Usage
from assist_service.domain.outcomes import Bound


class ModelProvider(Protocol):
    """One model of one provider."""

    @property
    def model(self) -> str:
        """Its name in settings and prices, such as `anthropic:<id>`."""
        ...

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        """One request, no retry. Raises ProviderFault for everything that is no whole, understood reply."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Reservation:
    """A provider request that may be made: its worst case is already counted as spent."""

    id: uuid.UUID
    worst_micros: int


@dataclass(frozen=True)
class Exhausted:
    """A reservation refused: by which bound, the share before the cap, and whether those in flight may make room."""

    fits_once_settled: bool
    bound: Bound


@dataclass(frozen=True)
class PurposeMoney:
    """What a day has spent and reserved for one purpose, in micro-units."""

    purpose: str
    spent_micros: int
    reserved_micros: int


@dataclass(frozen=True)
class CallOrigin:
    """Who and what a provider request is for, as the ledger keeps it: never any content."""

    purpose: str
    model: str
    person: str
    question_id: uuid.UUID


class Ledger(Protocol):
    """The day's money, exact over any number of processes. Every method is one round trip."""

    async def reserve(
        self,
        origin: CallOrigin,
        *,
        worst_micros: int,
        allowance: Allowance,
        day: dt.date,
        now: dt.datetime,
        lease_until: dt.datetime,
    ) -> Reservation | Exhausted: ...

    async def settle(
        self,
        reservation: Reservation,
        *,
        cost_micros: int,
        usage: Usage | None,
        outcome: str,
        now: dt.datetime,
    ) -> None:
        """Replaces the worst case by the true cost, on the day that reserved it. A second settle changes nothing."""
        ...

    async def note_cap_refused(self, origin: CallOrigin, *, worst_micros: int, day: dt.date, now: dt.datetime) -> None:
        """Keeps that a request met the day's cap: a row that costs nothing, by which health turns red (row A4)."""
        ...

    async def money_of(self, day: dt.date) -> tuple[PurposeMoney, ...]:
        """The day's money by purpose, for operators: a purpose without a request is left out."""
        ...

    async def settle_dead(self, *, now: dt.datetime) -> int:
        """Settles at the worst case what a dead process left behind; the number of such requests."""
        ...
