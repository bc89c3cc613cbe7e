"""Stops a question at one of its awaits, or of the tasks it started: each await of them all is one step."""

import asyncio
import contextvars
from collections.abc import Callable, Coroutine, Generator
from enum import StrEnum
from typing import Any

_OURS = contextvars.ContextVar("_OURS", default=False)
"""Whether a task belongs to the question: what it starts inherits its context."""

PATIENCE_SECONDS = 10.0


class Moment(StrEnum):
    """When in an await the stop comes."""

    WAITING = "waiting"
    """What is awaited has begun, and is not done."""
    DONE = "done"
    """What was awaited is done, and whoever waited for it does not know yet."""


class Stopping:
    """Runs one coroutine, and cancels it at its step number `at`; one loop runs one of them at a time."""

    def __init__(self, at: int, moment: Moment, *, look: Callable[[], int]) -> None:
        self._at = at
        self._look = look
        self.seen = 0
        """What a look showed when it was stopped."""
        self._moment = moment
        self._passed = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._question: asyncio.Task[Any] | None = None

    @property
    def has_stopped(self) -> bool:
        """Whether there was such a step at all."""
        return self._passed >= self._at

    async def run(self, work: Coroutine[Any, Any, object]) -> bool:
        """Whether it came to its end. Returns once whatever it started has ended too, in bounded time."""
        loop = asyncio.get_running_loop()
        context = contextvars.copy_context()
        context.run(_OURS.set, True)
        loop.set_task_factory(self._made)
        try:
            self._question = loop.create_task(work, context=context)
            await asyncio.wait([self._question], timeout=PATIENCE_SECONDS)
            was_cancelled = self._question.cancelled()
            if not was_cancelled:
                self._question.result()
            async with asyncio.timeout(PATIENCE_SECONDS):
                while running := {task for task in self._tasks if not task.done()}:
                    await asyncio.wait(running)
        finally:
            loop.set_task_factory(None)
        return not was_cancelled

    def _made(self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
        context = options.get("context") or contextvars.copy_context()
        if not context.get(_OURS):
            return asyncio.Task(work, loop=loop, **options)
        task = asyncio.Task(_counted(work, self._waits), loop=loop, **options)
        self._tasks.add(task)
        return task

    def _waits(self, awaited: Any) -> None:
        self._passed += 1
        question = self._question
        if self._passed != self._at or question is None:
            return
        if self._moment is Moment.DONE and asyncio.isfuture(awaited):
            awaited.add_done_callback(lambda _: self._stop(question))  # added, so called, before the task's own
        else:
            question.get_loop().call_soon(self._stop, question)

    def _stop(self, question: asyncio.Task[Any]) -> None:
        self.seen = self._look()
        question.cancel()


async def _counted(work: Coroutine[Any, Any, Any], waits: Callable[[Any], None]) -> Any:
    return await _Counted(work, waits)


class _Counted:
    """Awaits the work as it is, and tells of each await."""

    def __init__(self, work: Coroutine[Any, Any, Any], waits: Callable[[Any], None]) -> None:
        self._work = work
        self._waits = waits

    def __await__(self) -> Generator[Any, Any, Any]:
        inner = self._work.__await__()
        resume: Callable[[Any], Any] = inner.send
        value: Any = None
        while True:
            try:
                awaited = resume(value)
            except StopIteration as end:
                return end.value
            self._waits(awaited)
            try:
                value, resume = (yield awaited), inner.send
            except BaseException as error:  # noqa: BLE001 whatever is thrown in is the work's to deal with
                value, resume = error, inner.throw
