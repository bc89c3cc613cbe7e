"""Time, injected, and how long what a question takes may outlive it."""

import datetime as dt
from typing import Protocol

LEASE_MARGIN = dt.timedelta(seconds=30)
"""What a question takes (reservations, its conversation, its key) outlives its deadline by this much: then it counts
as left behind by a dead process, and binds nobody."""


class Clock(Protocol):
    """Time, injected."""

    def now(self) -> dt.datetime:
        """The present moment, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never run backwards, for waits and deadlines."""
        ...

    async def sleep(self, seconds: float) -> None: ...
