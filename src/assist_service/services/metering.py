"""One provider request's money: reserved at its worst case before it is made, settled however it ends."""

import asyncio
import datetime as dt
from collections.abc import Coroutine
from dataclasses import dataclass, field
from decimal import Decimal

from assist_service import telemetry
from assist_service.domain.budget import ASSIST, allowance_of
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import Usage
from assist_service.domain.outcomes import Bound
from assist_service.ports import LEASE_MARGIN, CallOrigin, Clock, Exhausted, Ledger, Reservation

SETTLING_WAIT_SECONDS = 3.0
"""How long a request that would fit once others have settled waits for them."""

SETTLING_POLL_SECONDS = 0.05

CLOSING_SECONDS = 5.0


@dataclass(frozen=True)
class Spending:
    """What a day may cost, in micro-units, the chat's share of it, and where days begin."""

    cap_micros: int
    share: Decimal
    tz: dt.tzinfo


@dataclass(frozen=True, kw_only=True)
class Meter:
    """Reserves and settles; `deadline` is always a moment of the clock's `monotonic`."""

    ledger: Ledger
    clock: Clock
    spending: Spending
    _settling: set[asyncio.Task[None]] = field(default_factory=set, init=False)

    async def reserve(self, origin: CallOrigin, worst_micros: int, *, deadline: float) -> Reservation:
        """Waits a while where those in flight may leave room. Raises AssistError `llm_budget_exhausted`."""
        answer = await self._try_reserve(origin, worst_micros, deadline)
        if isinstance(answer, Exhausted):
            await self.ledger.settle_dead(now=self.clock.now())  # no room will come of the dead
        wait_until = self.clock.monotonic() + SETTLING_WAIT_SECONDS
        while isinstance(answer, Exhausted):
            if not answer.fits_once_settled or self.clock.monotonic() >= wait_until:
                await self._refuse(origin, worst_micros, answer.bound)
            await self.clock.sleep(SETTLING_POLL_SECONDS)
            answer = await self._try_reserve(origin, worst_micros, deadline)
        return answer

    async def _refuse(self, origin: CallOrigin, worst_micros: int, bound: Bound) -> None:
        """The chat's refusal leaves no row: its share is a limit like any other. The cap's is for somebody to see."""
        now = self.clock.now()
        if origin.purpose != ASSIST:
            await self.ledger.note_cap_refused(origin, worst_micros=worst_micros, day=self._day(now), now=now)
        telemetry.count_budget_refusal(purpose=origin.purpose, bound=bound)
        raise AssistError(Code.LLM_BUDGET_EXHAUSTED)

    async def _try_reserve(self, origin: CallOrigin, worst_micros: int, deadline: float) -> Reservation | Exhausted:
        left, now = deadline - self.clock.monotonic(), self.clock.now()
        if left <= 0:
            raise AssistError(Code.LLM_UNAVAILABLE)
        return await self.ledger.reserve(
            origin,
            worst_micros=worst_micros,
            allowance=allowance_of(origin.purpose, cap_micros=self.spending.cap_micros, share=self.spending.share),
            day=self._day(now),
            now=now,
            lease_until=now + dt.timedelta(seconds=left) + LEASE_MARGIN,
        )

    def today(self) -> dt.date:
        """The day that a request made now is charged to."""
        return self._day(self.clock.now())

    def _day(self, now: dt.datetime) -> dt.date:
        return now.astimezone(self.spending.tz).date()

    async def settle(self, reservation: Reservation, *, cost_micros: int, usage: Usage | None, outcome: str) -> None:
        """To its end, even when the question is stopped meanwhile: a cost once known is never lost."""
        settling = self.ledger.settle(
            reservation, cost_micros=cost_micros, usage=usage, outcome=outcome, now=self.clock.now()
        )
        await self._to_the_end(settling)

    async def _to_the_end(self, settling: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(settling)
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        await asyncio.shield(task)

    async def close(self) -> None:
        """Waits a while for what still settles; what is left then, its lease settles."""
        if self._settling:
            await asyncio.wait(self._settling, timeout=CLOSING_SECONDS)
