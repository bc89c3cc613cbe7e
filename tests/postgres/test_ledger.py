"""The day's money: what is reserved, settled and refused, to the micro-unit."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from typing import cast

import asyncpg
import pytest

from assist_service.adapters.postgres.ledger import _MONEY_OF, PostgresLedger
from assist_service.domain.messages import Usage
from assist_service.domain.outcomes import Bound
from assist_service.ports import Exhausted, PurposeMoney, Reservation
from tests.fakes.clocks import START
from tests.postgres.blocking import until_blocked
from tests.postgres.money import (
    CAP,
    CHAT_DAY_MICROS,
    CHAT_MICROS,
    DAY,
    LEASE_UNTIL,
    Day,
    calls_of,
    day_of,
    days,
    refuse_unbalanced_books,
    reserve,
    settle,
    spend,
    try_reserve,
)

Take = Callable[..., Awaitable[Reservation | None]]

SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def ledger(pool: asyncpg.Pool) -> PostgresLedger:
    return PostgresLedger(pool)


async def test_a_request_counts_at_its_worst_case_until_it_settles_at_its_cost(
    ledger: PostgresLedger, pool: asyncpg.Pool
) -> None:
    first = await reserve(ledger, 1_000)
    await reserve(ledger, 300)
    assert await day_of(pool) == Day(reserved=1_300, chat_reserved=1_300)
    await ledger.settle(first, cost_micros=400, usage=Usage(100, 7, 5, 20), outcome="ok", now=START + SECOND)
    assert await day_of(pool) == Day(spent=400, reserved=300, chat_spent=400, chat_reserved=300)
    row = await pool.fetchrow("SELECT * FROM llm_calls WHERE id = $1", first.id)
    assert row is not None
    assert (row["worst_micros"], row["cost_micros"], row["outcome"]) == (1_000, 400, "ok")
    counted = ("input_tokens", "cached_input_tokens", "cache_write_tokens", "output_tokens")
    assert [row[column] for column in counted] == [100, 7, 5, 20]
    assert (row["day"], row["purpose"], row["model"], row["person"]) == (DAY, "assist", "stub", "ada")
    assert (row["reserved_at"], row["lease_until"], row["settled_at"]) == (START, LEASE_UNTIL, START + SECOND)


async def test_another_purpose_leaves_the_columns_of_the_chat_alone(ledger: PostgresLedger, pool: asyncpg.Pool) -> None:
    reservation = await reserve(ledger, 1_000, purpose="grading")
    assert await day_of(pool) == Day(reserved=1_000)
    await settle(ledger, reservation, 900)
    assert await day_of(pool) == Day(spent=900)


async def test_only_a_reservation_waits_for_the_disk(pool: asyncpg.Pool) -> None:
    waits = "SELECT current_setting('synchronous_commit')"
    async with pool.acquire() as connection:
        await connection.execute("SET synchronous_commit = on")  # the tests' server has it off
        async with connection.transaction():
            ledger = PostgresLedger(cast("asyncpg.Pool", connection))
            reservation = await reserve(ledger, 1_000)
            assert await connection.fetchval(waits) == "on"
            await settle(ledger, reservation, 400)
            assert await connection.fetchval(waits) == "off"
        assert await connection.fetchval(waits) == "on", "for that one statement, and no other on its connection"


async def test_settling_twice_is_settling_once(ledger: PostgresLedger, pool: asyncpg.Pool) -> None:
    reservation = await reserve(ledger, 1_000)
    await settle(ledger, reservation, 400)
    await settle(ledger, reservation, 999, now=START + SECOND, outcome="again")
    assert await day_of(pool) == Day(spent=400, chat_spent=400)
    [row] = await calls_of(pool)
    assert (row["cost_micros"], row["outcome"], row["settled_at"]) == (400, "ok", START)


async def test_racing_settles_of_one_request_count_once(ledger: PostgresLedger, pool: asyncpg.Pool) -> None:
    reservation = await reserve(ledger, 1_000)
    await asyncio.gather(*(settle(ledger, reservation, 400) for _ in range(8)))
    assert await day_of(pool) == Day(spent=400, chat_spent=400)


async def test_a_missing_usage_leaves_the_counts_empty_and_the_cost_at_the_worst_case(
    ledger: PostgresLedger, pool: asyncpg.Pool
) -> None:
    await settle(ledger, await reserve(ledger, 1_000), 1_000)
    [row] = await calls_of(pool)
    assert row["cost_micros"] == row["worst_micros"] == 1_000
    assert row["input_tokens"] is row["output_tokens"] is None
    assert await day_of(pool) == Day(spent=1_000, chat_spent=1_000)


@pytest.mark.parametrize("take", [reserve, spend], ids=["in flight", "spent"])
async def test_the_chat_may_use_its_share_to_the_last_micro_unit(ledger: PostgresLedger, take: Take) -> None:
    for taken, day in zip([0, 1, 100_000, CHAT_MICROS - 1], days(), strict=False):
        if taken:
            await take(ledger, taken, day=day)
        left = CHAT_MICROS - taken
        assert isinstance(await try_reserve(ledger, left + 1, day=day), Exhausted)
        assert isinstance(await try_reserve(ledger, left, day=day), Reservation)
        assert isinstance(await try_reserve(ledger, 1, day=day), Exhausted)


@pytest.mark.parametrize("take", [reserve, spend], ids=["in flight", "spent"])
async def test_the_chat_stops_where_the_days_total_would_leave_less_than_its_share_to_others(
    ledger: PostgresLedger, pool: asyncpg.Pool, take: Take
) -> None:
    await take(ledger, 600_000, purpose="grading")
    left = CHAT_DAY_MICROS - 600_000
    assert left < CHAT_MICROS
    assert isinstance(await try_reserve(ledger, left + 1), Exhausted)
    assert isinstance(await try_reserve(ledger, left), Reservation)
    assert isinstance(await try_reserve(ledger, 1), Exhausted)
    await reserve(ledger, CAP - CHAT_DAY_MICROS, purpose="review")
    total = await day_of(pool)
    assert total is not None
    assert total.spent + total.reserved == CAP


async def test_other_purposes_are_bound_by_the_cap_alone(ledger: PostgresLedger) -> None:
    for purpose, day in zip(["grading", "review"], days(), strict=False):
        assert isinstance(await try_reserve(ledger, CAP + 1, purpose=purpose, day=day), Exhausted)
        await reserve(ledger, CHAT_MICROS, day=day)
        left = CAP - CHAT_MICROS
        assert isinstance(await try_reserve(ledger, left + 1, purpose=purpose, day=day), Exhausted)
        assert isinstance(await try_reserve(ledger, left, purpose=purpose, day=day), Reservation)
        assert isinstance(await try_reserve(ledger, 1, purpose=purpose, day=day), Exhausted)


async def test_a_refusal_by_the_share_leaves_no_row_and_no_trace(ledger: PostgresLedger, pool: asyncpg.Pool) -> None:
    assert isinstance(await try_reserve(ledger, CHAT_MICROS + 1), Exhausted)
    assert (await calls_of(pool), await day_of(pool)) == ([], None)
    await reserve(ledger, 200_000)
    before = await calls_of(pool), await day_of(pool)
    assert isinstance(await try_reserve(ledger, 50_001), Exhausted)
    assert (await calls_of(pool), await day_of(pool)) == before
    assert not await ledger.cap_refused(DAY)


async def test_a_refusal_says_whether_it_would_fit_once_those_in_flight_have_settled(ledger: PostgresLedger) -> None:
    cases = [  # spent, in flight, asked, fits; always the share
        (0, CHAT_MICROS, CHAT_MICROS, True),
        (1, CHAT_MICROS - 1, CHAT_MICROS, False),
        (100_000, 100_000, 150_000, True),
        (100_000, 100_000, 150_001, False),
        (CHAT_MICROS, 0, 1, False),
        (0, 0, CHAT_MICROS + 1, False),
    ]
    for (spent, in_flight, asked, fits), day in zip(cases, days(), strict=False):
        if spent:
            await spend(ledger, spent, day=day)
        if in_flight:
            await reserve(ledger, in_flight, day=day)
        assert await try_reserve(ledger, asked, day=day) == Exhausted(fits_once_settled=fits, bound=Bound.SHARE)


async def test_what_others_have_in_flight_may_leave_room_for_the_chat_too(ledger: PostgresLedger) -> None:
    await spend(ledger, 600_000, purpose="grading")
    await reserve(ledger, 100_000, purpose="grading")
    assert await try_reserve(ledger, 150_000) == Exhausted(fits_once_settled=True, bound=Bound.CAP)
    assert await try_reserve(ledger, 150_001) == Exhausted(fits_once_settled=False, bound=Bound.CAP)


async def test_a_refusal_names_the_share_before_the_cap_and_never_a_share_to_those_that_have_none(
    ledger: PostgresLedger,
) -> None:
    await spend(ledger, CHAT_MICROS)
    await spend(ledger, CAP - CHAT_MICROS, purpose="grading")
    both = await try_reserve(ledger, 1)
    other = await try_reserve(ledger, 1, purpose="grading")
    assert [refused.bound for refused in (both, other) if isinstance(refused, Exhausted)] == [Bound.SHARE, Bound.CAP]


async def test_what_is_in_flight_counts_for_the_bound_that_is_named(ledger: PostgresLedger) -> None:
    await reserve(ledger, CHAT_DAY_MICROS, purpose="grading")
    assert await try_reserve(ledger, 1) == Exhausted(fits_once_settled=True, bound=Bound.CAP)
    await reserve(ledger, CHAT_MICROS, purpose="grading")
    assert await try_reserve(ledger, 1, purpose="review") == Exhausted(fits_once_settled=True, bound=Bound.CAP)


async def test_the_money_of_a_day_by_purpose_is_what_the_day_says_in_all(
    ledger: PostgresLedger, pool: asyncpg.Pool
) -> None:
    await spend(ledger, 1_000)
    await spend(ledger, 500)
    await reserve(ledger, 70)
    await reserve(ledger, 30, purpose="grading")
    await spend(ledger, 9_000, purpose="review")
    await spend(ledger, 4_444, day=DAY + dt.timedelta(days=1))
    money = sorted(await ledger.money_of(DAY), key=lambda each: each.purpose)
    assert money == [
        PurposeMoney("assist", 1_500, 70),
        PurposeMoney("grading", 0, 30),
        PurposeMoney("review", 9_000, 0),
    ]
    assert await day_of(pool) == Day(spent=10_500, reserved=100, chat_spent=1_500, chat_reserved=70)
    assert await ledger.money_of(DAY - dt.timedelta(days=1)) == ()


async def test_the_money_of_a_day_is_found_by_the_index_on_the_day(pool: asyncpg.Pool) -> None:
    """At 100,000 requests a day this takes 25 to 40 ms; without the index it would read 400 days."""
    await pool.execute(
        """INSERT INTO llm_calls (id, day, purpose, model, person, question_id, reserved_at, lease_until, worst_micros)
           SELECT gen_random_uuid(), $1::date - i % 100, 'assist', 'stub', 'ada', gen_random_uuid(), $2, $2, 1
           FROM generate_series(1, 10000) AS i""",
        DAY,
        START,
    )
    await pool.execute("ANALYZE llm_calls")
    plan = await pool.fetch("EXPLAIN " + _MONEY_OF.replace("$1", f"'{DAY}'"))
    assert "ix_llm_calls_day" in str(plan)


async def test_a_request_that_outlives_its_day_is_charged_to_the_day_that_reserved_it(
    ledger: PostgresLedger, pool: asyncpg.Pool
) -> None:
    tomorrow = DAY + dt.timedelta(days=1)
    old = await reserve(ledger, CHAT_MICROS)
    await reserve(ledger, CHAT_MICROS, day=tomorrow)
    await settle(ledger, old, 400, now=START + dt.timedelta(days=1))
    assert await day_of(pool) == Day(spent=400, chat_spent=400)
    assert await day_of(pool, tomorrow) == Day(reserved=CHAT_MICROS, chat_reserved=CHAT_MICROS)


async def test_what_a_dead_process_left_is_settled_at_the_worst_case_and_stays_so(
    ledger: PostgresLedger, pool: asyncpg.Pool
) -> None:
    tomorrow = DAY + dt.timedelta(days=1)
    left = await reserve(ledger, 1_000)
    await reserve(ledger, 200, purpose="grading")
    await reserve(ledger, 30, day=tomorrow)
    await reserve(ledger, 4, lease_until=LEASE_UNTIL + SECOND)
    done = await reserve(ledger, 500)
    await settle(ledger, done, 50)
    assert await ledger.settle_dead(now=LEASE_UNTIL) == 0
    assert await ledger.settle_dead(now=LEASE_UNTIL + SECOND) == 3
    assert await day_of(pool) == Day(spent=1_250, reserved=4, chat_spent=1_050, chat_reserved=4)
    assert await day_of(pool, tomorrow) == Day(spent=30, chat_spent=30)
    assert await ledger.settle_dead(now=LEASE_UNTIL + SECOND) == 0
    await settle(ledger, left, 1, now=LEASE_UNTIL + 2 * SECOND, outcome="late")
    assert await day_of(pool) == Day(spent=1_250, reserved=4, chat_spent=1_050, chat_reserved=4)
    row = await pool.fetchrow("SELECT * FROM llm_calls WHERE id = $1", left.id)
    assert row is not None
    assert (row["cost_micros"], row["outcome"], row["settled_at"]) == (1_000, "left_behind", LEASE_UNTIL + SECOND)


async def test_late_settles_and_the_settling_of_the_dead_may_race(ledger: PostgresLedger, pool: asyncpg.Pool) -> None:
    reservations = [await reserve(ledger, 1_000 + number) for number in range(12)]
    late = LEASE_UNTIL + SECOND
    await asyncio.gather(
        *(settle(ledger, reservation, 10, now=late) for reservation in reservations[:6]),
        ledger.settle_dead(now=late),
        *(settle(ledger, reservation, 10, now=late) for reservation in reservations[6:]),
        ledger.settle_dead(now=late),
    )
    await refuse_unbalanced_books(pool)


async def test_the_first_of_a_day_waits_for_another_first_and_counts_it(
    ledger: PostgresLedger, pool: asyncpg.Pool, database_url: str
) -> None:
    other = await asyncpg.connect(database_url)
    try:
        for (asked, kind), day in zip([(100_000, Reservation), (100_001, Exhausted)], days(), strict=False):
            async with other.transaction():
                await other.execute(
                    "INSERT INTO llm_days (day, reserved_micros, chat_reserved_micros) VALUES ($1, 150000, 150000)",
                    day,
                )
                mine = asyncio.create_task(try_reserve(ledger, asked, day=day))
                await until_blocked(pool)
            assert isinstance(await mine, kind)
    finally:
        await other.close()


async def test_of_many_firsts_of_a_day_no_more_pass_than_fit(pool: asyncpg.Pool, database_url: str) -> None:
    async with asyncpg.create_pool(database_url, min_size=4, max_size=4) as other:
        ledgers = [PostgresLedger(pool), PostgresLedger(other)] * 4
        for number in range(12):
            day = DAY + dt.timedelta(days=number)
            answers = await asyncio.gather(*(try_reserve(ledger, 100_000, day=day) for ledger in ledgers))
            assert sum(isinstance(answer, Reservation) for answer in answers) == 2
            assert await day_of(pool, day) == Day(reserved=200_000, chat_reserved=200_000)
