"""A process that is told to stop ends the confirm under way, and access that ends under way ends it too (I5, I7)."""

import asyncio
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from assist_service.domain.writes import WriteTool
from tests.case_counts import CountCases
from tests.fakes.house import TEACHER
from tests.fakes.serving import connect
from tests.slow.kill_points import (
    BEFORE_END,
    BEFORE_SENDING,
    EXCHANGE,
    LEASE_SECONDS,
    READ,
    REVOKE,
    STANDING,
    STATES,
    WRITE,
    AtRow,
    Left,
)
from tests.slow.lms_gate import When
from tests.slow.write_world import PREPARE, Card, Replica, World, open_world
from tests.web.writing import POOL

pytestmark = pytest.mark.slow

STILL_RUNS_SECONDS = 0.5

PLACES = {
    "standing is asked": (STANDING, When.BEFORE, "GET"),
    "the exchange": (EXCHANGE, When.AFTER, "POST"),
    "the card is read": (READ, When.BEFORE, "GET"),
    "the write is on its way": (WRITE, When.BEFORE, "POST"),
    "the write is made": (WRITE, When.AFTER, "POST"),
    "its token is revoked": (REVOKE, When.BEFORE, "POST"),
}


async def told_to_stop(replica: Replica) -> asyncio.Task[int]:
    """Its end; it is not there yet while something holds it up."""
    replica.signal(signal.SIGTERM)
    ending = asyncio.create_task(replica.ended())
    await asyncio.wait([ending], timeout=STILL_RUNS_SECONDS)
    assert not ending.done()
    return ending


@pytest.mark.parametrize("place", PLACES)
async def test_a_process_told_to_stop_ends_the_confirm_under_way_first(
    database_url: str, tmp_path: Path, place: str, count_cases: CountCases
) -> None:
    prefix, when, method = PLACES[place]
    async with open_world(database_url, tmp_path) as world:
        replica = await world.start(PREPARE)
        card = await replica.prepare(WriteTool.CREATE_CATEGORY)
        hold = world.gate.hold(prefix, when, method=method)
        confirming = asyncio.create_task(replica.confirm(card))
        await hold.reached()
        ending = await told_to_stop(replica)
        hold.let_go()
        assert (await confirming).status_code == 200
        assert await ending in (0, -signal.SIGTERM)
        await done_and_nothing_left(world, card)
    count_cases("confirms cut short", 1, f"told to stop: {place}")


@pytest.mark.parametrize("place", ["the card is read", "the write is made"])
async def test_a_process_told_to_stop_ends_the_confirm_of_somebody_who_hung_up(
    database_url: str, tmp_path: Path, place: str, count_cases: CountCases
) -> None:
    prefix, when, method = PLACES[place]
    async with open_world(database_url, tmp_path) as world:
        replica = await world.start(PREPARE)
        card = await replica.prepare(WriteTool.CREATE_CATEGORY)
        hold = world.gate.hold(prefix, when, method=method)
        async with connect(str(replica.client.base_url)) as client:
            hanging_up = Replica(replica.child, client, replica.bearer)
            confirming = asyncio.create_task(hanging_up.confirm(card))
            await hold.reached()
            confirming.cancel()
            await asyncio.wait([confirming])
        ending = await told_to_stop(replica)
        hold.let_go()
        await ending
        await done_and_nothing_left(world, card)
    count_cases("confirms cut short", 1, f"hung up, told to stop: {place}")


@pytest.mark.parametrize("place", ["the card is read", "the write is on its way", "the write is made"])
async def test_a_process_that_may_wait_no_longer_leaves_the_confirm_to_be_finished_once(
    database_url: str, tmp_path: Path, place: str, count_cases: CountCases
) -> None:
    """As after a crash, its token is left to die of its lifetime: in production no confirm takes that long."""
    prefix, when, method = PLACES[place]
    async with open_world(database_url, tmp_path) as world:
        impatient = await world.start((*PREPARE, "1"))
        card = await impatient.prepare(WriteTool.CREATE_CATEGORY)
        hold = world.gate.hold(prefix, when, method=method)
        confirming = asyncio.create_task(impatient.confirm(card))
        await hold.reached()
        impatient.signal(signal.SIGTERM)
        await impatient.ended()
        await asyncio.wait([confirming])
        assert (await world.row(card))["state"] == "confirming"
        await hold.gone()
        await world.pass_time(card, LEASE_SECONDS)
        replica = await world.start()
        assert (await replica.confirm(card)).status_code == 200
        await done(world, card)
    count_cases("confirms cut short", 1, f"stopped at the end of its patience: {place}")


async def done(world: World, card: Card) -> None:
    assert await world.written() == 1
    assert (await world.row(card))["state"] == "done"


async def done_and_nothing_left(world: World, card: Card) -> None:
    await done(world, card)
    assert await world.live_tokens() == 0


async def take_the_pool_away(world: World) -> None:
    """Every seat by which this person reaches it, and that it is theirs."""
    for row in world.school.rows("SELECT course FROM seat WHERE person = :person", person=TEACHER):
        await world.inject("revoke_seat", person=TEACHER, course=row["course"])
    world.school.run("UPDATE pool SET owner = NULL WHERE id = :pool", pool=POOL)


async def end_the_account(world: World) -> None:
    await world.inject("end_account", person=TEACHER)


async def end_the_session(world: World) -> None:
    await world.inject("end_session", person=TEACHER)


async def make_a_student(world: World) -> None:
    await world.inject("change_role", person=TEACHER, role="student")


NOT_FOUND, OVER = (422, "write_failed", "not_found"), (401, "unauthenticated", None)

REMOVALS: Mapping[str, tuple[Any, tuple[int, str, str | None], str]] = {
    "their seats": (take_the_pool_away, NOT_FOUND, "refused"),
    "their role": (make_a_student, NOT_FOUND, "refused"),
    "their account": (end_the_account, OVER, "pending"),
    "their session": (end_the_session, OVER, "pending"),
}
"""What is taken from them, what they are told, and how the card stands: what may come back waits on."""

MOMENTS = {
    "the exchange": (EXCHANGE, When.AFTER, "POST"),
    "the card is read": (READ, When.BEFORE, "GET"),
    "the card was read": (READ, When.AFTER, "GET"),
    "the write is on its way": (WRITE, When.BEFORE, "POST"),
}


@pytest.mark.parametrize("name", REMOVALS)
async def test_access_removed_while_a_confirm_runs_is_refused_and_nothing_is_written(
    database_url: str, tmp_path: Path, name: str, count_cases: CountCases
) -> None:
    remove, told, state = REMOVALS[name]
    async with open_world(database_url, tmp_path) as world:
        replica = await world.start(PREPARE)
        for moment, (prefix, when, method) in MOMENTS.items():
            card = await replica.prepare(WriteTool.CREATE_CATEGORY)
            hold = world.gate.hold(prefix, when, method=method)
            confirming = asyncio.create_task(replica.confirm(card))
            await hold.reached()
            await remove(world)
            hold.let_go()
            assert reason_of(await confirming) == told, moment
            assert (await world.row(card))["state"] == state
            assert await world.written() == 0
            assert await world.live_tokens() == 0
            await world.inject("none")
            world.school.run("UPDATE pool SET owner = :me WHERE id = :pool", me=TEACHER, pool=POOL)
    count_cases("confirms cut short", len(MOMENTS), f"access removed: {name}")


def reason_of(answer: httpx2.Response) -> tuple[int, str, str | None]:
    problem = answer.json()
    return answer.status_code, problem["code"], problem.get("reason")


CUT = {
    "take": (None, 500, Left.PENDING),
    "sending": (BEFORE_SENDING, 500, Left.TAKEN),
    "end": (BEFORE_END, 200, Left.SENT),
}
"""Under which statement the connection is cut, what is told, and how the row stands then."""


@pytest.mark.parametrize("statement", CUT)
async def test_a_connection_to_the_database_cut_under_a_confirm_loses_no_write_and_makes_none_twice(
    database_url: str, tmp_path: Path, statement: str, count_cases: CountCases
) -> None:
    before, status, left = CUT[statement]
    async with open_world(database_url, tmp_path) as world:
        replica = await world.start(PREPARE)
        card = await replica.prepare(WriteTool.CREATE_CATEGORY)
        hold = None if before is None else world.gate.hold(before[1], method=before[0])
        stop = AtRow(world, card, hold, connection_dies=True)
        confirming = asyncio.create_task(replica.confirm(card))
        await stop.reached()
        await stop.after()
        assert (await confirming).status_code == status
        row = await world.row(card)
        assert (row["state"], row["sent_at"] is not None) == (STATES[left], left is Left.SENT)
        if left is not Left.PENDING:
            await world.pass_time(card, LEASE_SECONDS)
        assert (await replica.confirm(card)).status_code == 200
        await done_and_nothing_left(world, card)
    count_cases("confirms cut short", 1, f"its connection cut: {statement}")
