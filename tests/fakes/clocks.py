"""A clock that stands until a test moves it."""

import asyncio
import datetime as dt

START = dt.datetime(2026, 11, 2, 9, 30, tzinfo=dt.UTC)


class HandClock:
    """Implements ports.Clock. Sleeping moves it, and lets others run."""

    def __init__(self, at: dt.datetime = START) -> None:
        self._at = at

    def now(self) -> dt.datetime:
        return self._at

    def monotonic(self) -> float:
        return self._at.timestamp()

    async def sleep(self, seconds: float) -> None:
        self.move(seconds)
        await asyncio.sleep(0)

    def move(self, seconds: float) -> None:
        self._at += dt.timedelta(seconds=seconds)
