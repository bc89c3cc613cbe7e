"""However a process dies in the midst of a confirm, the change is made once: never twice, and never lost (W5, B4)."""

import asyncio
import signal
from pathlib import Path

import httpx2
import pytest

from assist_service.domain.writes import PENDING, WriteTool
from tests.case_counts import CountCases
from tests.slow.kill_points import LEASE_SECONDS, POINTS, STATES, Left, Point
from tests.slow.write_world import PREPARE, Card, Replica, World, open_world
from tests.web.writing import POOL

pytestmark = pytest.mark.slow

EXPIRED_SECONDS = PENDING.total_seconds() + 1

REPEATED = (Left.TAKEN, Left.SENT)
"""What is 404 at once, and is confirmed again when its lease is over."""


async def killed(world: World, doomed: Replica, card: Card, point: Point) -> None:
    """Kills it where it stands; what it left in the row proves that it stood there."""
    stop = point.stop(world, card)
    confirming = asyncio.create_task(doomed.confirm(card))
    await stop.reached()
    await doomed.kill()
    assert await doomed.ended() == -signal.SIGKILL
    with pytest.raises(httpx2.TransportError):
        await confirming
    if not point.is_late:
        await stop.after()
    row = await world.row(card)
    assert row["state"] == STATES[point.left]
    assert (row["sent_at"] is not None) is (point.left in (Left.SENT, Left.DONE))
    if point.is_late:
        world.late.append(stop.after)


async def refused_while_leased(replica: Replica, card: Card) -> None:
    nowhere = await replica.nowhere(card)
    again = await replica.confirm(card)
    assert (again.status_code, again.content) == (404, nowhere.content)


async def confirmed_again(world: World, replica: Replica, card: Card, left: Left) -> httpx2.Response:
    """The confirm that comes when everything that must be waited for is over."""
    if left in REPEATED:
        await refused_while_leased(replica, card)
        # What may have been sent does not expire with its card.
        await world.pass_time(card, EXPIRED_SECONDS if left is Left.SENT else LEASE_SECONDS)
    tokens = await world.live_tokens()
    answer = await replica.confirm(card)
    for after in world.late:
        await after()
    world.late.clear()
    assert await world.live_tokens() <= tokens
    return answer


async def finished_once(
    world: World, replica: Replica, card: Card, answer: httpx2.Response, left: Left, *, made: int = 1
) -> None:
    """`made` with this one, all told."""
    assert answer.status_code == (404 if left is Left.DONE else 200), answer.text
    assert await world.written() == made
    assert (await world.row(card))["state"] == "done"
    nowhere = await replica.nowhere(card)
    assert (await replica.confirm(card)).content == nowhere.content
    assert await world.written() == made


@pytest.mark.parametrize("name", POINTS)
async def test_a_killed_confirm_is_finished_once_by_a_new_process_and_compared_where_nothing_was_sent(
    database_url: str, tmp_path: Path, name: str, count_cases: CountCases
) -> None:
    point = POINTS[name]
    is_made = point.left in (Left.SENT, Left.DONE)
    async with open_world(database_url, tmp_path) as world:
        first = await world.start(PREPARE)
        same, changing = await first.prepare(WriteTool.CREATE_CATEGORY), await first.prepare(WriteTool.CREATE_QUESTION)
        await killed(world, first, same, point)
        second = await world.start()
        answer = await confirmed_again(world, second, same, point.left)
        await finished_once(world, second, same, answer, point.left)

        await killed(world, second, changing, point)
        await world.inject("rename", kind="pool", id=POOL, title="Something else")
        third = await world.start()
        answer = await confirmed_again(world, third, changing, point.left)
        if is_made:
            await finished_once(world, third, changing, answer, point.left, made=2)
        else:
            assert (answer.status_code, answer.json()["reason"]) == (422, "changed")
            assert (await world.row(changing))["state"] == "refused"
            assert len(await world.writes()) == 1
    count_cases("kill -9", 2, f"confirming: {name}")


async def test_a_process_killed_after_the_end_leaves_nothing_to_do(
    database_url: str, tmp_path: Path, count_cases: CountCases
) -> None:
    async with open_world(database_url, tmp_path) as world:
        doomed = await world.start(PREPARE)
        card = await doomed.prepare(WriteTool.LINK_POOL_TO_COURSE)
        assert (await doomed.confirm(card)).status_code == 200
        await doomed.kill()
        replica = await world.start()
        await finished_once(world, replica, card, await replica.confirm(card), Left.DONE)
        assert await world.live_tokens() == 0
    count_cases("kill -9", 1, "confirming: after the end")


async def test_every_process_that_sends_again_may_be_killed_too(
    database_url: str, tmp_path: Path, count_cases: CountCases
) -> None:
    deaths = [
        "sent, and never heard by the LMS",
        "written, and its answer lost",
        "sent, and carried out after its death",
        "end waits, and its connection dies too",
    ]
    async with open_world(database_url, tmp_path) as world:
        replica = await world.start(PREPARE)
        card = await replica.prepare(WriteTool.CREATE_CATEGORY)
        for death in deaths:
            await killed(world, replica, card, POINTS[death])
            replica = await world.start()
            await refused_while_leased(replica, card)
            await world.pass_time(card, LEASE_SECONDS)
        await finished_once(world, replica, card, await replica.confirm(card), Left.SENT)
    count_cases("kill -9", len(deaths), "confirming: one after the other")


async def test_an_lms_that_forgets_keys_is_seen_to_be_written_twice(database_url: str, tmp_path: Path) -> None:
    """Without this, the tests above could be ones that cannot fail: it is the key that keeps a write single."""
    point = POINTS["written, and its answer lost"]
    async with open_world(database_url, tmp_path) as world:
        doomed = await world.start(PREPARE)
        card = await doomed.prepare(WriteTool.CREATE_CATEGORY)
        await killed(world, doomed, card, point)
        await world.inject("forget_idempotency_keys")
        answer = await confirmed_again(world, await world.start(), card, point.left)
        assert answer.status_code == 200
        assert await world.written() == 2
