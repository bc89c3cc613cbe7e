"""Deletes what has been kept for its time, by the policy, and settles what dead processes left reserved."""

import datetime as dt
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from assist_service import telemetry
from assist_service.domain.conversation import Kind
from assist_service.domain.policy import Policy
from assist_service.ports import Clock, KeptFor, Ledger, Purging

FIRST_SECONDS = (120.0, 600.0)
"""When after its start a replica first purges, at a moment of its own: a start is busy, and replicas start together."""


@dataclass(frozen=True, kw_only=True)
class Purge:
    """Safe beside traffic and safe to run again; of all processes one at a time."""

    policy: Policy
    purging: Purging
    ledger: Ledger
    clock: Clock

    async def __call__(self) -> Mapping[str, int] | None:
        """The number of rows deleted by table, and of reservations settled; None where another process is at it."""
        now = self.clock.now()
        retention = self.policy.retention
        kept = KeptFor(
            exchanges={kind: dt.timedelta(days=retention.days(kind)) for kind in Kind},
            audit=dt.timedelta(days=retention.audit_days),
        )
        deleted = await self.purging(kept, now=now)
        if deleted is None:
            return None
        return {**deleted, "reservations_settled": await self.ledger.settle_dead(now=now)}


@dataclass(frozen=True, kw_only=True)
class PurgeSchedule:
    """Purges again and again. Every replica does: whatever one deleted, the next finds gone."""

    purge: Callable[[], Awaitable[Mapping[str, int] | None]]
    every_seconds: float
    clock: Clock
    jitter: Callable[[], float]
    """Anything from 0 to 1, another one in each replica."""

    async def run(self) -> None:
        """Runs until it is cancelled. A purge that fails is told, and its next time comes."""
        telemetry.show_purge_schedule(every_seconds=self.every_seconds, at=self.clock.now())
        earliest, latest = FIRST_SECONDS
        await self.clock.sleep(min(earliest + self.jitter() * (latest - earliest), self.every_seconds))
        while True:
            await self._once()
            await self.clock.sleep(self.every_seconds)

    async def _once(self) -> None:
        try:
            deleted = await self.purge()
        except Exception as error:  # noqa: BLE001 whatever it is, the next one may succeed
            telemetry.log.error("purge_failed", error=type(error).__name__)
            return
        if deleted is None:
            telemetry.log.info("purge_elsewhere")
            return
        telemetry.log.info("purged", **deleted)
        telemetry.count_purged(deleted, at=self.clock.now())
