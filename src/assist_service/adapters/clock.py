"""The real clock; the one place that reads the time."""

import asyncio
import datetime as dt
import time


class SystemClock:
    """Implements ports.Clock."""

    def now(self) -> dt.datetime:
        return dt.datetime.now(dt.UTC)  # noqa: TID251 this is where time is read

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
