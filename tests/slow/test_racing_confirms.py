"""Of fifty confirms over two processes one writes, and a process that slept through its lease does no harm (W3, B1)."""

import asyncio
import signal
from pathlib import Path

import httpx2
import pytest

from assist_service.domain.writes import WriteTool
from tests.case_counts import CountCases
from tests.postgres.blocking import until_blocked
from tests.slow.kill_points import EXCHANGE, LEASE_SECONDS, READ, REVOKE, WRITE
from tests.slow.lms_gate import When
from tests.slow.write_world import PREPARE, Card, Replica, World, open_world

pytestmark = pytest.mark.slow

RACERS = 50

ROUNDS = 3

RACED = (WriteTool.CREATE_CATEGORY, WriteTool.CREATE_QUESTION, WriteTool.CREATE_TEMPLATE)
"""Three that the LMS makes as often as it is asked: a link that is there would be refused, and so hide a second one."""


WAITING = 20
"""How many stand before a locked row at once: each process has ten connections. The others come after them."""


async def all_at_once(replicas: tuple[Replica, Replica], card: Card) -> list[httpx2.Response]:
    """In turn by one process and the other."""
    return await asyncio.gather(*(replicas[number % 2].confirm(card) for number in range(RACERS)))


async def from_the_line(world: World, replicas: tuple[Replica, Replica], card: Card) -> list[httpx2.Response]:
    """As many as can wait for the row are let go in one moment: what comes over HTTP alone hardly meets."""
    async with world.pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT FROM pending_writes WHERE id = $1 FOR UPDATE", card.id)
        racing = asyncio.create_task(all_at_once(replicas, card))
        await until_blocked(world.pool, WAITING)
    return await racing


async def one_wins(replicas: tuple[Replica, Replica], card: Card, answers: list[httpx2.Response]) -> None:
    nowhere = await replicas[0].nowhere(card)
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * (RACERS - 1)
    assert {answer.content for answer in answers if answer.status_code == 404} == {nowhere.content}


@pytest.mark.parametrize("tool", RACED)
async def test_of_fifty_confirms_of_two_processes_one_writes_and_the_others_are_404_byte_for_byte(
    database_url: str, tmp_path: Path, tool: WriteTool, count_cases: CountCases
) -> None:
    async with open_world(database_url, tmp_path) as world:
        replicas = (await world.start(PREPARE), await world.start())
        for number in range(1, ROUNDS + 1):
            card = await replicas[0].prepare(tool, title=f"Round {number}")
            is_free = number == 1
            racing = all_at_once(replicas, card) if is_free else from_the_line(world, replicas, card)
            await one_wins(replicas, card, await racing)
            assert await world.written() == number
            assert len(await world.writes()) == number
            assert (await world.row(card))["state"] == "done"
        assert await world.live_tokens() == 0
        told = await world.pool.fetchval("SELECT count(*) FROM audit WHERE action = 'assist.confirm'")
        assert told == ROUNDS
    count_cases("two processes", ROUNDS * RACERS, f"confirms of {tool.value}")


async def test_of_fifty_confirms_of_a_write_that_a_dead_process_sent_one_sends_it_again(
    database_url: str, tmp_path: Path, count_cases: CountCases
) -> None:
    async with open_world(database_url, tmp_path) as world:
        doomed, *others = [await world.start(PREPARE), await world.start(), await world.start()]
        card = await doomed.prepare(WriteTool.CREATE_CATEGORY)
        hold = world.gate.hold(WRITE, When.AFTER, method="POST")
        confirming = asyncio.create_task(doomed.confirm(card))
        await hold.reached()
        await doomed.kill()
        await asyncio.wait([confirming])
        assert confirming.exception() is not None
        await hold.gone()
        await world.pass_time(card, LEASE_SECONDS)
        pair = (others[0], others[1])
        await one_wins(pair, card, await from_the_line(world, pair, card))
        assert await world.written() == 1
        assert len({sent.key for sent in world.gate.sent}) == 1
    count_cases("two processes", RACERS, "confirms of one that was sent")


# Where it sleeps, what it is told when it wakes, and whether it has sent by then.
SLEEPS = {
    "before the exchange": (EXCHANGE, When.BEFORE, "POST", 404),
    "while the card is read": (READ, When.BEFORE, "GET", 404),
    "before the LMS has the write": (WRITE, When.BEFORE, "POST", 200),
    "before the write's answer": (WRITE, When.AFTER, "POST", 200),
    "while its token is revoked": (REVOKE, When.BEFORE, "POST", 200),
}


@pytest.mark.parametrize("name", SLEEPS)
async def test_a_process_that_slept_through_its_lease_wakes_to_a_write_that_is_another_s_and_adds_none(
    database_url: str, tmp_path: Path, name: str, count_cases: CountCases
) -> None:
    prefix, when, method, status = SLEEPS[name]
    async with open_world(database_url, tmp_path) as world:
        sleeper, other = await world.start(PREPARE), await world.start()
        card = await sleeper.prepare(WriteTool.CREATE_CATEGORY)
        hold = world.gate.hold(prefix, when, method=method)
        confirming = asyncio.create_task(sleeper.confirm(card))
        await hold.reached()
        sleeper.signal(signal.SIGSTOP)
        try:
            await world.pass_time(card, LEASE_SECONDS)
            assert (await other.confirm(card)).status_code == 200
            hold.let_go()
        finally:
            sleeper.signal(signal.SIGCONT)
        assert (await confirming).status_code == status
        await made_once(world, card)
        assert await world.live_tokens() == 0
    count_cases("two processes", 2, "confirms of which one slept")


# Where both stand when the one that slept wakes, and what it is told.
MEETINGS = {
    "while the card is read": (READ, When.BEFORE, "GET", 404),
    "before the write's answer": (WRITE, When.AFTER, "POST", 200),
}


@pytest.mark.parametrize("name", MEETINGS)
async def test_a_process_that_wakes_while_another_confirms_does_not_touch_what_is_the_other_s(
    database_url: str, tmp_path: Path, name: str, count_cases: CountCases
) -> None:
    prefix, when, method, status = MEETINGS[name]
    async with open_world(database_url, tmp_path) as world:
        sleeper, other = await world.start(PREPARE), await world.start()
        card = await sleeper.prepare(WriteTool.CREATE_CATEGORY)
        holds, confirming = [], []
        for replica in (sleeper, other):
            holds.append(world.gate.hold(prefix, when, method=method))
            confirming.append(asyncio.create_task(replica.confirm(card)))
            await holds[-1].reached()
            if replica is sleeper:
                await world.pass_time(card, LEASE_SECONDS)  # to the other, and to the row, it is dead
        taken = await world.row(card)
        holds[0].let_go()
        assert (await confirming[0]).status_code == status
        assert await world.row(card) == taken
        holds[1].let_go()
        assert (await confirming[1]).status_code == 200
        await made_once(world, card)
        assert await world.live_tokens() == 0
    count_cases("two processes", 2, "confirms of which one woke too early")


async def made_once(world: World, card: Card) -> None:
    assert await world.written() == 1
    assert (await world.row(card))["state"] == "done"
    ends = await world.pool.fetch("SELECT outcome FROM audit WHERE action = 'assist.write'")
    assert [row["outcome"] for row in ends] == ["done"]


async def test_a_card_outlives_the_process_that_prepared_it(
    database_url: str, tmp_path: Path, count_cases: CountCases
) -> None:
    async with open_world(database_url, tmp_path) as world:
        first = await world.start(PREPARE)
        cards = [await first.prepare(tool) for tool in WriteTool]
        first.signal(signal.SIGTERM)
        await first.ended()
        second = await world.start()
        for number, card in enumerate(cards, 1):
            assert (await second.confirm(card)).status_code == 200
            assert (await second.confirm(card)).status_code == 404
            assert len(await world.writes()) == number
    count_cases("two processes", len(cards), "confirms, one after the other")
