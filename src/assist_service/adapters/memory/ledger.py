"""The money of one run in memory: one process, no days, and the same bounds as the ledger of the database."""

import datetime as dt
import uuid

from assist_service.domain.budget import Allowance
from assist_service.domain.messages import Usage
from assist_service.domain.outcomes import Bound
from assist_service.ports import CallOrigin, Exhausted, PurposeMoney, Reservation


class RunLedger:
    """Implements ports.Ledger for requests of one purpose. A day does not matter: the run's cap goes over midnight."""

    def __init__(self) -> None:
        self._open: dict[uuid.UUID, int] = {}
        self._spent_micros = 0

    @property
    def spent_micros(self) -> int:
        return self._spent_micros

    @property
    def reserved_micros(self) -> int:
        return sum(self._open.values())

    async def reserve(
        self,
        origin: CallOrigin,
        *,
        worst_micros: int,
        allowance: Allowance,
        day: dt.date,
        now: dt.datetime,
        lease_until: dt.datetime,
    ) -> Reservation | Exhausted:
        bound = allowance.day_micros
        if allowance.purpose_micros is not None:
            bound = min(bound, allowance.purpose_micros)
        if self._spent_micros + self.reserved_micros + worst_micros > bound:
            return Exhausted(fits_once_settled=self._spent_micros + worst_micros <= bound, bound=Bound.CAP)
        reservation = Reservation(uuid.uuid4(), worst_micros)
        self._open[reservation.id] = worst_micros
        return reservation

    async def settle(
        self, reservation: Reservation, *, cost_micros: int, usage: Usage | None, outcome: str, now: dt.datetime
    ) -> None:
        if self._open.pop(reservation.id, None) is not None:
            self._spent_micros += cost_micros

    async def note_cap_refused(self, origin: CallOrigin, *, worst_micros: int, day: dt.date, now: dt.datetime) -> None:
        """A run says itself that it met its cap."""

    async def money_of(self, day: dt.date) -> tuple[PurposeMoney, ...]:
        """Nobody watches a run's money by day."""
        return ()

    async def settle_dead(self, *, now: dt.datetime) -> int:
        """What this process left behind went with it."""
        return 0
