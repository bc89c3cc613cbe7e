"""Steps that a stop must not leave half done: they are taken to their end, and then given back or kept.

A statement that is cancelled on its way to the database may have been carried out, and nobody would know of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from assist_service import telemetry

FINISH_SECONDS = 12.0
"""How long a stopped question waits for such a step: a little more than one statement may take."""

Result = TypeVar("Result")


async def finished(step: Coroutine[Any, Any, Result]) -> Result:
    """What the step comes to. A stop that comes while it is taken comes too late."""
    taking = asyncio.create_task(step)
    try:
        return await asyncio.shield(taking)
    except asyncio.CancelledError:
        ended, _ = await asyncio.wait([taking], timeout=FINISH_SECONDS)
        if not ended:
            raise
        return taking.result()


async def taken(step: Coroutine[Any, Any, Result], give_back: Callable[[Result], Awaitable[None]]) -> Result:
    """What the step brings; a stop that comes meanwhile gives it back."""
    taking = asyncio.create_task(step)
    try:
        return await asyncio.shield(taking)
    except asyncio.CancelledError:
        await given_back(_undone(taking, give_back))
        raise


async def _undone(taking: asyncio.Task[Result], give_back: Callable[[Result], Awaitable[None]]) -> None:
    await give_back(await taking)


async def given_back(giving: Coroutine[Any, Any, None]) -> None:
    """Gives something back. That this fails does not hide why it was done; what was taken ends by its lease."""
    try:
        await finished(giving)
    except Exception as error:  # noqa: BLE001  whatever the store raises, the question has ended already
        telemetry.log.warning("not_given_back", error=type(error).__name__)
