"""One provider request's money: reserved at its worst case before it is made, settled however it ends."""

import asyncio
import datetime as dt
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeVar

from assist_service import telemetry
from assist_service.domain.budget import ASSIST, allowance_of
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import Usage
from assist_service.domain.outcomes import Bound
from assist_service.ports import LEASE_MARGIN, CallOrigin, Clock, Exhausted, Ledger, Reservation

SETTLING_WAIT_SECONDS = 3.0
"""How long a request that would fit once others have settled waits for them."""

SETTLING_POLL_SECONDS = 0.25
"""How often it looks whether another process has settled one; of this process's own it is told."""

SETTLING_PAUSES = (0.5, 2.0, 10.0, 30.0)
"""The pauses before a settlement that failed is tried again; after the last its lease settles it, at its worst case."""

CLOSING_SECONDS = 5.0
STOPPING_SECONDS = 2.0

Result = TypeVar("Result")


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
    _settling: set[asyncio.Task[Any]] = field(default_factory=set, init=False)
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque, init=False)
    """Who waits for room, the longest first: each settlement wakes one."""

    async def reserve(self, origin: CallOrigin, worst_micros: int, *, deadline: float) -> Reservation:
        """Waits a while where those in flight may leave room. Raises AssistError `llm_budget_exhausted`."""
        answer = await self._try_reserve(origin, worst_micros, deadline)
        if isinstance(answer, Exhausted) and await self.ledger.settle_dead(now=self.clock.now()):
            answer = await self._try_reserve(origin, worst_micros, deadline)  # no room will come of the dead
        wait_until = self.clock.monotonic() + SETTLING_WAIT_SECONDS
        while isinstance(answer, Exhausted):
            if not answer.fits_once_settled or self.clock.monotonic() >= wait_until:
                await self._refuse(origin, worst_micros, answer.bound)
            await self._room_or_poll()
            answer = await self._try_reserve(origin, worst_micros, deadline)
        return answer

    async def _room_or_poll(self) -> None:
        """Until a request of this process has settled, at most until others should be looked at."""
        room = asyncio.get_running_loop().create_future()
        self._waiting.append(room)
        poll = asyncio.ensure_future(self.clock.sleep(SETTLING_POLL_SECONDS))
        try:
            await asyncio.wait({room, poll}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            poll.cancel()
            if room in self._waiting:
                self._waiting.remove(room)

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
        """A cost once known is never lost: one that fails does not fail its answer, and is tried again beside it."""
        now = self.clock.now()

        async def settle() -> None:
            await self.ledger.settle(reservation, cost_micros=cost_micros, usage=usage, outcome=outcome, now=now)

        if not await self._settled(settle):
            self.beside(self._again(settle))

    async def _again(self, settle: Callable[[], Awaitable[None]]) -> None:
        for pause in SETTLING_PAUSES:
            await self.clock.sleep(pause)
            if await self._settled(settle):
                return
        telemetry.log.error("settling_given_up")

    async def _settled(self, settle: Callable[[], Awaitable[None]]) -> bool:
        try:
            await settle()
        except Exception as error:  # noqa: BLE001  whatever the store raises, the answer has been paid
            telemetry.log.warning("settling_failed", error=type(error).__name__)
            return False
        if self._waiting:
            self._waiting.popleft().set_result(None)
        return True

    def beside(self, work: Coroutine[None, None, Result]) -> asyncio.Task[Result]:
        """Work that goes on when whoever waits for it is stopped, until the service closes."""
        task = asyncio.create_task(work)
        self._settling.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._settling.discard(task)
        if not task.cancelled():
            task.exception()  # looked at here: whoever waited for it may be gone

    async def close(self) -> None:
        """Waits a while for what is on its way, then stops it; what does not settle even then, its lease settles."""
        await self._ending(CLOSING_SECONDS)
        for task in self._settling:
            task.cancel()
        await self._ending(STOPPING_SECONDS)

    async def _ending(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._settling:  # one that fails the first time begins another
                    await asyncio.wait(set(self._settling))
