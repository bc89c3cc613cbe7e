"""Questions of a person in a minute and in a day, counted exactly by all processes together (invariant A1)."""

import asyncio
import datetime as dt
import random
from collections import Counter
from collections.abc import Awaitable
from zoneinfo import ZoneInfo

import asyncpg
import pytest

from assist_service.adapters.postgres.limits import PostgresRateLimiter
from assist_service.domain.conversation import RateLimits
from tests.fakes.clocks import START

MINUTE = dt.timedelta(minutes=1)
SECOND = dt.timedelta(seconds=1)

PARIS = ZoneInfo("Europe/Paris")
MANILA = ZoneInfo("Asia/Manila")
SANTIAGO = ZoneInfo("America/Santiago")


def a_minute(questions: int) -> RateLimits:
    return RateLimits(questions_per_minute=questions)


def a_day(questions: int) -> RateLimits:
    return RateLimits(questions_per_minute=1000, questions_per_day=questions)


@pytest.fixture
def limiter(pool: asyncpg.Pool) -> PostgresRateLimiter:
    return PostgresRateLimiter(pool)


TO_MIDNIGHT = (14 * 60 + 30) * 60


@pytest.mark.parametrize(
    ("limits", "asked", "passing", "wait"),
    [(a_minute(6), 50, 6, 60), (a_minute(10), 30, 10, 60), (a_day(100), 250, 100, TO_MIDNIGHT)],
    ids=["six a minute", "ten a minute", "a hundred a day"],
)
async def test_of_many_questions_at_once_exactly_as_many_pass_as_may(
    pool: asyncpg.Pool, database_url: str, limits: RateLimits, asked: int, passing: int, wait: int
) -> None:
    async with asyncpg.create_pool(database_url, min_size=5, max_size=5) as other:
        limiters = [PostgresRateLimiter(pool), PostgresRateLimiter(other)]
        waits = await asyncio.gather(
            *(limiters[number % 2].count("ada", limits=limits, now=START, tz=dt.UTC) for number in range(asked))
        )
    assert Counter(waits) == {None: passing, wait: asked - passing}


async def test_each_person_is_counted_alone(limiter: PostgresRateLimiter) -> None:
    for person in ("ada", "bob", "Ada"):
        assert await limiter.count(person, limits=a_minute(1), now=START, tz=dt.UTC) is None
        assert await limiter.count(person, limits=a_minute(1), now=START, tz=dt.UTC) == 60


async def test_the_minute_slides_and_says_to_the_second_when_the_next_may_come(limiter: PostgresRateLimiter) -> None:
    first, second = START, START + dt.timedelta(seconds=10.4)
    for moment in (first, second):
        assert await limiter.count("ada", limits=a_minute(2), now=moment, tz=dt.UTC) is None

    refused_at = START + dt.timedelta(seconds=20.1)
    wait = await limiter.count("ada", limits=a_minute(2), now=refused_at, tz=dt.UTC)
    assert wait == 40
    early = refused_at + (wait - 1) * SECOND
    assert await limiter.count("ada", limits=a_minute(2), now=early, tz=dt.UTC) == 1
    assert await limiter.count("ada", limits=a_minute(2), now=refused_at + wait * SECOND, tz=dt.UTC) is None

    just_before = second + MINUTE - dt.timedelta(microseconds=1)
    assert await limiter.count("ada", limits=a_minute(2), now=just_before, tz=dt.UTC) == 1
    assert await limiter.count("ada", limits=a_minute(2), now=second + MINUTE, tz=dt.UTC) is None


async def test_a_refused_question_does_not_count(limiter: PostgresRateLimiter, pool: asyncpg.Pool) -> None:
    limits = RateLimits(questions_per_minute=2, questions_per_day=3)
    for seconds in range(30):
        await limiter.count("ada", limits=limits, now=START + seconds * SECOND, tz=dt.UTC)
    row = await pool.fetchrow("SELECT * FROM question_rates")
    assert row is not None
    assert (row["recent"], row["day_count"]) == ([START, START + SECOND], 2)


async def test_a_limit_made_smaller_holds_at_once(limiter: PostgresRateLimiter) -> None:
    for seconds in range(5):
        assert await limiter.count("ada", limits=a_minute(5), now=START + seconds * SECOND, tz=dt.UTC) is None
    assert await limiter.count("ada", limits=a_minute(2), now=START + 5 * SECOND, tz=dt.UTC) == 58


async def test_a_day_ends_where_the_schools_time_zone_says(limiter: PostgresRateLimiter) -> None:
    midnights = [
        (MANILA, dt.datetime(2026, 11, 2, 16, tzinfo=dt.UTC)),
        (PARIS, dt.datetime(2026, 3, 28, 23, tzinfo=dt.UTC)),  # the day has 23 hours
        (PARIS, dt.datetime(2026, 3, 29, 22, tzinfo=dt.UTC)),
        (PARIS, dt.datetime(2026, 10, 24, 22, tzinfo=dt.UTC)),  # the day has 25 hours
        (PARIS, dt.datetime(2026, 10, 25, 23, tzinfo=dt.UTC)),
        (SANTIAGO, dt.datetime(2026, 9, 6, 4, tzinfo=dt.UTC)),  # the day begins at one: midnight is skipped
        (SANTIAGO, dt.datetime(2026, 4, 5, 4, tzinfo=dt.UTC)),  # midnight comes after 23 o'clock came twice
    ]
    for zone, midnight in midnights:

        def ask(
            at: dt.datetime, zone: ZoneInfo = zone, person: str = f"{zone.key} {midnight}"
        ) -> Awaitable[int | None]:
            return limiter.count(person, limits=a_day(1), now=at, tz=zone)

        eve = midnight - dt.timedelta(seconds=29.75)
        assert await ask(eve) is None
        assert await ask(eve) == 30
        assert await ask(eve + 29 * SECOND) == 1
        assert await ask(eve + 30 * SECOND) is None

        morning = midnight + dt.timedelta(hours=1)
        wait = await ask(morning)
        assert wait is not None
        assert await ask(morning + (wait - 1) * SECOND) == 1
        assert await ask(morning + wait * SECOND) is None


async def test_with_both_limits_met_the_later_one_is_told(limiter: PostgresRateLimiter) -> None:
    limits = RateLimits(questions_per_minute=1, questions_per_day=1)
    eve = dt.datetime(2026, 11, 2, 23, 59, 55, tzinfo=dt.UTC)
    assert await limiter.count("ada", limits=limits, now=eve, tz=dt.UTC) is None
    assert await limiter.count("ada", limits=limits, now=eve, tz=dt.UTC) == 60


async def test_whatever_comes_when_the_counts_and_the_waits_are_those_of_a_plain_list(
    limiter: PostgresRateLimiter,
) -> None:
    """A hundred questions at random moments, beside the rule written down as simply as can be."""
    chance = random.Random(11)
    limits = RateLimits(questions_per_minute=3, questions_per_day=12)
    now = dt.datetime(2026, 11, 2, 15, 50, tzinfo=dt.UTC)  # ten minutes before midnight in Manila
    asked: list[dt.datetime] = []

    def may_pass(at: dt.datetime) -> bool:
        in_minute = sum(one > at - MINUTE for one in asked)
        in_day = sum(one.astimezone(MANILA).date() == at.astimezone(MANILA).date() for one in asked)
        return in_minute < 3 and in_day < 12

    for _ in range(100):
        now += dt.timedelta(seconds=chance.choice([0, 1, 5, 30]), milliseconds=chance.randrange(1000))
        expected = None if may_pass(now) else next(s for s in range(1, 10**5) if may_pass(now + s * SECOND))
        assert await limiter.count("ada", limits=limits, now=now, tz=MANILA) == expected
        if expected is None:
            asked.append(now)
    assert any(one.astimezone(MANILA).day == 3 for one in asked)
