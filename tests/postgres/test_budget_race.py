"""Reserved and spent together never pass the share or the cap, at no instant, whoever races (invariant B1)."""

import asyncio
import datetime as dt
import random
import signal
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import pytest

from assist_service.adapters.postgres import ledger as ledger_module
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.budget import ASSIST
from assist_service.ports import Reservation
from tests.case_counts import CountCases
from tests.fakes.clocks import START
from tests.postgres.money import (
    CAP,
    CHAT_DAY_MICROS,
    CHAT_MICROS,
    DAY,
    LEASE_UNTIL,
    day_of,
    refuse_unbalanced_books,
    settle,
    try_reserve,
)
from tests.postgres.racer import ANSWERED, COST_MICROS, DEADLINE_SECONDS, WORST_MICROS, Race
from tests.postgres.racing import racing

pytestmark = pytest.mark.slow

REFUSED = "llm_budget_exhausted"

SHARE_GUARD = """d.chat_spent_micros + d.chat_reserved_micros + $3 <= $5
      AND """

CAP_GUARD = """
      AND d.spent_micros + d.reserved_micros + $2 <= $4"""

_WATCH = """
CREATE TABLE instants (chat_micros bigint, day_micros bigint);
CREATE FUNCTION note_instant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO instants VALUES (
        NEW.chat_spent_micros + NEW.chat_reserved_micros, NEW.spent_micros + NEW.reserved_micros
    );
    RETURN NULL;
END $$;
CREATE TRIGGER note_instant AFTER INSERT OR UPDATE ON llm_days FOR EACH ROW EXECUTE FUNCTION note_instant();
"""

_PEAK = "SELECT max(chat_micros) AS chat, max(day_micros) AS day, count(*) AS instants FROM instants"

_SAMPLE = "SELECT max(chat_spent_micros + chat_reserved_micros) FROM llm_days"


@pytest.fixture
async def watched(pool: asyncpg.Pool) -> asyncpg.Pool:
    """The database writes down every state a day of the ledger ever has: no instant escapes it."""
    await pool.execute(_WATCH)
    return pool


async def peak_of(pool: asyncpg.Pool) -> tuple[int, int]:
    """The most the chat, and the day in all, ever had reserved and spent together."""
    peak = await pool.fetchrow(_PEAK)
    assert peak is not None
    assert peak["instants"] > 0
    return peak["chat"], peak["day"]


@asynccontextmanager
async def sampled(database_url: str) -> AsyncIterator[list[int]]:
    """What a connection of its own sees of the chat, as often as it can ask."""
    samples: list[int] = []
    connection = await asyncpg.connect(database_url)

    async def sample() -> None:
        while True:
            samples.append(await connection.fetchval(_SAMPLE) or 0)

    sampling = asyncio.create_task(sample())
    try:
        yield samples
    finally:
        sampling.cancel()
        await asyncio.wait([sampling])
        await connection.close()


async def test_two_hundred_questions_of_two_processes_never_pass_the_share(
    watched: asyncpg.Pool, database_url: str, count_cases: CountCases
) -> None:
    share = 90 * COST_MICROS + WORST_MICROS
    races = [Race(name, database_url, questions=100, cap_micros=4 * share) for name in ("ada", "bob")]
    async with racing(*races) as racers, sampled(database_url) as samples:
        for racer in racers:
            racer.go()
        asked = [one for racer in racers for one in await racer.asked()]
    assert len(asked) == 200
    assert len(samples) > 20
    assert max(samples) <= share
    chat, _ = await peak_of(watched)
    assert share - WORST_MICROS < chat <= share
    await refuse_unbalanced_books(watched)

    outcomes = {one.outcome for one in asked}
    assert outcomes >= {ANSWERED, REFUSED}
    rows = await watched.fetch("SELECT person, count(*) AS calls FROM llm_calls GROUP BY person")
    assert {row["person"]: row["calls"] for row in rows} == {one.person: one.requests for one in asked if one.requests}
    assert [one for one in asked if one.outcome == ANSWERED and not one.requests] == []
    assert len([one for one in asked if one.outcome == REFUSED and not one.requests]) > 20
    count_cases("two processes", len(asked), "both live")


async def test_a_process_killed_in_mid_flight_opens_no_gap_and_is_settled_at_the_worst_case(
    watched: asyncpg.Pool, database_url: str, count_cases: CountCases
) -> None:
    share = 6 * WORST_MICROS + 20 * COST_MICROS
    doomed = Race("doomed", database_url, questions=6, cap_micros=4 * share, model_seconds=60.0, flawless=True)
    survivor = Race("survivor", database_url, questions=40, cap_micros=4 * share, flawless=True, speed=20.0)
    async with racing(doomed, survivor) as (dies, lives):
        dies.go()
        async with asyncio.timeout(10):
            while await watched.fetchval("SELECT count(*) FROM llm_calls") < 6:  # noqa: ASYNC110 another process
                await asyncio.sleep(0.005)
        lives.go()
        dies.process.kill()
        asked = await lives.asked()
    assert {one.outcome for one in asked} == {ANSWERED, REFUSED}
    day = await day_of(watched)
    assert day is not None
    assert day.chat_reserved == 6 * WORST_MICROS
    chat, _ = await peak_of(watched)
    assert share - WORST_MICROS < chat <= share

    ledger = PostgresLedger(watched)
    assert await ledger.settle_dead(now=START + dt.timedelta(seconds=DEADLINE_SECONDS)) == 0
    assert await ledger.settle_dead(now=START + dt.timedelta(seconds=DEADLINE_SECONDS + 60)) == 6
    left = await watched.fetch("SELECT cost_micros, outcome FROM llm_calls WHERE person LIKE 'doomed-%'")
    assert [tuple(row) for row in left] == [(WORST_MICROS, "left_behind")] * 6
    await refuse_unbalanced_books(watched)
    assert (await peak_of(watched))[0] <= share
    assert dies.process.returncode == -signal.SIGKILL
    count_cases("kill -9", 1, "asking")
    count_cases("two processes", len(left) + len(asked), "one killed")


async def test_the_chat_and_the_others_race_and_neither_bound_is_passed(
    watched: asyncpg.Pool, database_url: str
) -> None:
    chance = random.Random(7)

    async def spend(ledger: PostgresLedger, purpose: str, worst: int, cost: int) -> bool:
        reservation = await try_reserve(ledger, worst, purpose=purpose)
        if not isinstance(reservation, Reservation):
            return False
        await asyncio.sleep(0)
        await settle(ledger, reservation, cost)
        return True

    async with asyncpg.create_pool(database_url, min_size=5, max_size=5) as other:
        ledgers = [PostgresLedger(watched), PostgresLedger(other)]
        wanted = []
        for number in range(160):
            purpose = "grading" if number % 2 else ASSIST
            worst = chance.randrange(5_000, 40_000)
            wanted.append(spend(ledgers[number // 2 % 2], purpose, worst, chance.randrange(worst + 1)))
        passed = await asyncio.gather(*wanted)
    assert {True, False} == set(passed)
    chat, day = await peak_of(watched)
    assert chat <= CHAT_MICROS
    assert CHAT_DAY_MICROS < day <= CAP
    await refuse_unbalanced_books(watched)


async def race_of_statement(pool: asyncpg.Pool, statement: str, *, purpose: str, micros: int) -> None:
    """Fifty reservations at once by the text of a statement, as the ledger sends it."""
    chat = purpose == ASSIST

    def reservation() -> Awaitable[object]:
        return pool.fetchrow(
            statement,
            DAY,
            micros,
            micros if chat else 0,
            CHAT_DAY_MICROS if chat else CAP,
            CHAT_MICROS if chat else 2**62,
            purpose,
            "stub",
            "ada",
            uuid.uuid4(),
            START,
            LEASE_UNTIL,
        )

    await asyncio.gather(*(reservation() for _ in range(50)))


@pytest.mark.parametrize(
    ("guard", "purpose", "bound"),
    [
        (SHARE_GUARD, ASSIST, lambda chat, _: chat <= CHAT_MICROS),
        (CAP_GUARD, "grading", lambda _, day: day <= CAP),
    ],
    ids=["share", "cap"],
)
async def test_the_watch_sees_a_statement_without_its_condition_pass_the_bound(
    watched: asyncpg.Pool, guard: str, purpose: str, bound: Callable[[int, int], bool]
) -> None:
    """Without this, the tests above could be ones that cannot fail."""
    whole = ledger_module._RESERVE
    assert whole.count(guard) == 1
    await race_of_statement(watched, whole, purpose=purpose, micros=40_000)
    assert bound(*await peak_of(watched))
    await watched.execute("TRUNCATE llm_days, llm_calls, instants")
    await race_of_statement(watched, whole.replace(guard, ""), purpose=purpose, micros=40_000)
    assert not bound(*await peak_of(watched))
