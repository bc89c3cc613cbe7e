"""Deletes what has been kept for its time, by the policy, and settles what dead processes left reserved."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from assist_service.domain.conversation import Kind
from assist_service.domain.policy import Policy
from assist_service.ports import Clock, Ledger, Purging


@dataclass(frozen=True, kw_only=True)
class Purge:
    """Safe beside traffic and safe to run again."""

    policy: Policy
    purging: Purging
    ledger: Ledger
    clock: Clock

    async def __call__(self) -> Mapping[str, int]:
        """The number of rows deleted by table, and of reservations settled."""
        now = self.clock.now()
        kept = {kind: dt.timedelta(days=self.policy.retention.days(kind)) for kind in Kind}
        settled = await self.ledger.settle_dead(now=now)
        return {**await self.purging(kept, now=now), "reservations_settled": settled}
