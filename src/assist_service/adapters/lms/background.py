"""Work that outlives whoever asked for it: a token is revoked though the question that had it was cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class Background:
    """Holds its tasks: the event loop itself would let one that nobody holds be collected in the middle."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def settle(self, *, seconds: float) -> None:
        """Waits until nothing is left to do, or the time is over; then the rest is cancelled."""
        if tasks := tuple(self._tasks):
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)
