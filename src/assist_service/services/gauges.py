"""What a scrape shows beside the counters: the day's money by purpose, every breaker, the manual."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from assist_service import telemetry
from assist_service.domain.errors import AssistError
from assist_service.ports import Clock, Manuals
from assist_service.services.metering import Meter
from assist_service.services.sources import Source

READ_EVERY_SECONDS = 5.0
"""The ledger is read at most as often, however often somebody scrapes."""

READ_SECONDS = 2.0
"""How long a scrape waits for the ledger: well below Prometheus' own ten seconds."""

Money = dict[str, tuple[int, int]]
"""By purpose, micro-units spent and reserved."""


@dataclass(kw_only=True)
class Gauges:
    """Sets every gauge anew. Never fails, and never takes longer than `READ_SECONDS`, whatever the database does."""

    meter: Meter
    sources: Sequence[Source]
    manuals: Manuals
    clock: Clock
    _reading: "asyncio.Task[Money | None] | None" = field(default=None, init=False)
    _began: float = field(default=0.0, init=False)

    async def __call__(self) -> None:
        money = await self._money()
        telemetry.show_budget(money)  # nothing is awaited from here until the page is made: no other scrape between
        telemetry.show_publication(is_live=self._has_manual())
        for source in self.sources:
            source.show(self.clock.monotonic())

    def _has_manual(self) -> bool:
        try:
            self.manuals.active()
        except AssistError:
            return False
        return True

    async def _money(self) -> Money | None:
        """What was read in the last seconds, a failure too; one reading at a time, which scrapes share."""
        now = self.clock.monotonic()
        reading = self._reading
        if reading is None or (reading.done() and now - self._began >= READ_EVERY_SECONDS):
            self._began = now
            reading = self._reading = asyncio.create_task(self._read())
        # Not `asyncio.timeout`: that waits for the end of what it cancels, which a dead connection may put off.
        await asyncio.wait([reading], timeout=READ_SECONDS)
        if not reading.done():
            reading.cancel()
            return None
        return None if reading.cancelled() else reading.result()

    async def _read(self) -> Money | None:
        try:
            day = await self.meter.ledger.money_of(self.meter.today())
        except Exception as error:  # noqa: BLE001 whatever it is, the other metrics are still shown
            telemetry.log.warning("budget_not_read", error=type(error).__name__)
            return None
        return {money.purpose: (money.spent_micros, money.reserved_micros) for money in day}
