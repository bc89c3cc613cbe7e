"""Every step of a confirm, as a place where a process can be stopped: at the LMS's door or before a row's lock."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import asyncpg

from assist_service.domain.writes import CONFIRMING
from tests.postgres.blocking import until_blocked
from tests.slow.lms_gate import Hold, When
from tests.slow.write_world import Card, World
from tests.web.writing import POOL

STANDING, EXCHANGE, REVOKE = "/api/assist/standing/", "/oauth/token", "/oauth/revoke"

READ = f"/api/pools/{POOL}"
"""What every card of these tests is read again from."""

WRITE = "/api/"
"""Any write: its address is that of the tool. Nothing else that a confirm sends there is a POST."""


class Left(StrEnum):
    """How the row stands when the process is dead."""

    PENDING = "pending"
    TAKEN = "taken, not sent"
    SENT = "perhaps sent"
    DONE = "done"


STATES = {Left.PENDING: "pending", Left.TAKEN: "confirming", Left.SENT: "confirming", Left.DONE: "done"}

LEASE_SECONDS = CONFIRMING.total_seconds() + 1


class Stop(Protocol):
    """Where one confirm waits."""

    async def reached(self) -> None:
        """Returns once it waits there."""
        ...

    async def after(self) -> None:
        """Lets what it waited for come to its end, now that it is dead."""
        ...


@dataclass
class AtLms:
    """Its request waits at the LMS."""

    hold: Hold
    is_lost: bool = False

    async def reached(self) -> None:
        await self.hold.reached()

    async def after(self) -> None:
        await (self.hold.lose() if self.is_lost else self.hold.gone())


_WAITING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

_GONE = "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = any($1::int[]))"


@dataclass
class AtRow:
    """Its statement waits for the row, which the test has locked once the request before it was held.

    When it is dead its connection dies with it, so that the statement was never carried out; or the server, which
    does not look after a client while it waits, carries it out for nobody.
    """

    world: World
    card: Card
    before: Hold | None
    connection_dies: bool
    _lock: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def reached(self) -> None:
        if self.before is not None:
            await self.before.reached()
        connection = await self._lock.enter_async_context(self.world.pool.acquire())
        await self._lock.enter_async_context(connection.transaction())
        await connection.execute("SELECT FROM pending_writes WHERE id = $1 FOR UPDATE", self.card.id)
        if self.before is not None:
            self.before.let_go()
        await until_blocked(self.world.pool)

    async def after(self) -> None:
        pids = [row["pid"] for row in await self.world.pool.fetch(_WAITING)]
        assert len(pids) == 1
        if self.connection_dies:
            await self.world.pool.execute("SELECT pg_terminate_backend($1)", pids[0])
            await until_gone(self.world.pool, pids)
        await self._lock.aclose()
        await until_gone(self.world.pool, pids)


async def until_gone(pool: asyncpg.Pool, pids: list[int]) -> None:
    """Returns once these connections are over, with whatever they still did."""
    async with asyncio.timeout(5):
        while not await pool.fetchval(_GONE, pids):  # noqa: ASYNC110 Postgres has no event for it
            await asyncio.sleep(0.005)


@dataclass(frozen=True)
class Point:
    """A step of confirm in whose midst the process is killed."""

    stop: Callable[[World, Card], Stop]
    left: Left
    is_late: bool = False
    """What it waited for comes to its end only after the confirm that came later."""


def _at_lms(prefix: str, when: When, *, method: str = "GET", is_lost: bool = False) -> Callable[[World, Card], Stop]:
    return lambda world, _: AtLms(world.gate.hold(prefix, when, method=method), is_lost)


def _at_row(before: tuple[str, str] | None, *, connection_dies: bool) -> Callable[[World, Card], Stop]:
    def stop(world: World, card: Card) -> Stop:
        hold = None if before is None else world.gate.hold(before[1], When.BEFORE, method=before[0])
        return AtRow(world, card, hold, connection_dies)

    return stop


BEFORE_SENDING, BEFORE_END = ("GET", READ), ("POST", WRITE)

POINTS = {
    "its person's standing is asked": Point(_at_lms(STANDING, When.BEFORE), Left.PENDING),
    "take waits, and its connection dies too": Point(_at_row(None, connection_dies=True), Left.PENDING),
    "take waits, and has the row when nobody wants it": Point(_at_row(None, connection_dies=False), Left.PENDING),
    "taken, and the exchange is asked": Point(_at_lms(EXCHANGE, When.BEFORE, method="POST"), Left.TAKEN),
    "the exchange is answered": Point(_at_lms(EXCHANGE, When.AFTER, method="POST"), Left.TAKEN),
    "the card is read": Point(_at_lms(READ, When.BEFORE), Left.TAKEN),
    "the card's answer comes": Point(_at_lms(READ, When.AFTER), Left.TAKEN),
    "sending waits, and its connection dies too": Point(_at_row(BEFORE_SENDING, connection_dies=True), Left.TAKEN),
    "sending waits, and is noted for nobody": Point(_at_row(BEFORE_SENDING, connection_dies=False), Left.SENT),
    "sent, and never heard by the LMS": Point(_at_lms(WRITE, When.BEFORE, method="POST", is_lost=True), Left.SENT),
    "sent, and carried out after its death": Point(_at_lms(WRITE, When.BEFORE, method="POST"), Left.SENT),
    "sent, and carried out after it was sent again": Point(
        _at_lms(WRITE, When.BEFORE, method="POST"), Left.SENT, is_late=True
    ),
    "written, and its answer lost": Point(_at_lms(WRITE, When.AFTER, method="POST"), Left.SENT),
    "answered, and the token is revoked": Point(_at_lms(REVOKE, When.BEFORE, method="POST"), Left.SENT),
    "end waits, and its connection dies too": Point(_at_row(BEFORE_END, connection_dies=True), Left.SENT),
    "end waits, and is noted for nobody": Point(_at_row(BEFORE_END, connection_dies=False), Left.DONE),
}
