"""Ten questions a minute are ten over two processes, and `Retry-After` is true to the second (invariant A1)."""

import asyncio
import datetime as dt
import shutil
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from assist_service.adapters.clock import SystemClock
from tests.case_counts import CountCases
from tests.fakes.house import TEACHER, question_body
from tests.slow.write_world import SERVE, Replica, World, open_world

pytestmark = pytest.mark.slow

ENV = shutil.which("env") or "/usr/bin/env"

SCHOOL = (ENV, "ASSIST_POLICY=school-manuals", "ASSIST_MODERATION=words", *SERVE)
"""What runs in production, under the school's policy."""

AT_ONCE = 30

A_MINUTE = 10

MINUTE = dt.timedelta(minutes=1)

SECOND = dt.timedelta(seconds=1)

LATE = dt.timedelta(seconds=8)
"""How long before the minute is over the question comes whose wait is waited for."""

MARGIN = dt.timedelta(seconds=0.9)
"""By so much a question that comes a second early is early: it may take as long to get there."""


@dataclass(frozen=True)
class Answered:
    """An answer, and between which moments the question was counted or was not."""

    sent: dt.datetime
    received: dt.datetime
    answer: httpx2.Response

    @property
    def wait(self) -> dt.timedelta:
        assert self.answer.json()["code"] == "rate_limited"
        return dt.timedelta(seconds=int(self.answer.headers["retry-after"]))


def now() -> dt.datetime:
    return SystemClock().now()  # as the services see it: a wait of theirs is what is tried


async def ask(world: World, replica: Replica) -> Answered:
    headers = await world.bearer()
    sent = now()
    answer = await replica.client.post("/assist/ask", json=question_body(), headers=headers, timeout=90)
    return Answered(sent, now(), answer)


async def until(moment: dt.datetime) -> None:
    await asyncio.sleep(max(0.0, (moment - now()).total_seconds()))


async def pass_time_until_late(world: World) -> None:
    """As if the questions had been asked so much earlier that the minute is nearly over: it need not be waited for."""
    spare = await opening_of(world) - now() - LATE - MARGIN - SECOND
    moved = await world.pool.execute(
        "UPDATE question_rates SET recent = ARRAY(SELECT each - $2::interval FROM unnest(recent) AS each ORDER BY each)"
        " WHERE person = $1",
        TEACHER,
        max(spare, dt.timedelta()),
    )
    assert moved == "UPDATE 1"


async def opening_of(world: World) -> dt.datetime:
    """When the next question may pass: a minute after the first of the ten that count."""
    recent = await world.pool.fetchval("SELECT recent FROM question_rates WHERE person = $1", TEACHER)
    assert len(recent) == A_MINUTE
    first: dt.datetime = min(recent)
    return first + MINUTE


async def test_of_thirty_at_once_over_two_processes_ten_pass_and_the_others_are_told_how_long_to_wait(
    database_url: str, tmp_path: Path, count_cases: CountCases
) -> None:
    async with open_world(database_url, tmp_path) as world:
        replicas = [await world.start(SCHOOL) for _ in range(2)]
        answers = await asyncio.gather(*(ask(world, replicas[number % 2]) for number in range(AT_ONCE)))
        passed = [each for each in answers if each.answer.status_code == 200]
        refused = [each for each in answers if each.answer.status_code == 429]
        assert (len(passed), len(refused)) == (A_MINUTE, AT_ONCE - A_MINUTE)
        assert {each.answer.json()["kind"] for each in passed} == {"manual"}

        opening = await opening_of(world)
        for each in refused:  # whole seconds, no fewer than are needed and not one more
            assert each.received + each.wait >= opening
            assert each.sent + each.wait < opening + SECOND

        await pass_time_until_late(world)
        await until(await opening_of(world) - LATE - MARGIN)
        late = await ask(world, replicas[0])
        assert late.wait == LATE + SECOND
        await until(late.sent + late.wait - SECOND)
        assert (await ask(world, replicas[1])).wait == SECOND
        await until(late.received + late.wait)
        assert (await ask(world, replicas[1])).answer.status_code == 200

        stored = await world.pool.fetchval("SELECT count(*) FROM exchanges")
        active = await world.pool.fetchval("SELECT count(*) FROM conversations WHERE ended_at IS NULL")
        assert (stored, active) == (A_MINUTE + 1, 1)
    count_cases("two processes", AT_ONCE + 3, "questions of one person against the limit")
