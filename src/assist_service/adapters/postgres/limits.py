"""Questions a person asked in the last minute and today, counted by one statement under the row's lock."""

import datetime as dt
import math

import asyncpg

from assist_service.domain.conversation import RateLimits

MINUTE = dt.timedelta(minutes=1)

# A replica whose clock is a moment behind at midnight counts for the day that has begun: it must not begin it again.
_COUNT = """
INSERT INTO question_rates AS r (person, recent, day, day_count)
VALUES ($1, ARRAY[$2::timestamptz], $3, 1)
ON CONFLICT (person) DO UPDATE
SET recent = ARRAY(SELECT at FROM unnest(r.recent) AS at WHERE at > $4) || $2::timestamptz,
    day = greatest(r.day, $3),
    day_count = CASE WHEN r.day < $3 THEN 1 ELSE r.day_count + 1 END
WHERE (SELECT count(*) FROM unnest(r.recent) AS at WHERE at > $4) < $5
  AND (r.day < $3 OR r.day_count < $6)
RETURNING true
"""

_STATE = "SELECT recent, day, day_count FROM question_rates WHERE person = $1"

_UNBOUND = 2**31 - 1


class PostgresRateLimiter:
    """Implements ports.RateLimiter."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def count(self, person: str, *, limits: RateLimits, now: dt.datetime, tz: dt.tzinfo) -> int | None:
        today = now.astimezone(tz).date()
        a_day = limits.questions_per_day or _UNBOUND
        counted = await self._pool.fetchval(
            _COUNT, person, now, today, now - MINUTE, limits.questions_per_minute, a_day
        )
        if counted:
            return None
        state = await self._pool.fetchrow(_STATE, person)
        if state is None:  # purged between the two statements
            return 1
        waits = [dt.timedelta()]
        if state["day"] >= today and state["day_count"] >= a_day:
            waits.append(_next_day(state["day"], tz) - now)
        recent = sorted(at for at in state["recent"] if at > now - MINUTE)
        if len(recent) >= limits.questions_per_minute:
            waits.append(recent[-limits.questions_per_minute] + MINUTE - now)
        return _seconds(max(waits))


def _next_day(day: dt.date, tz: dt.tzinfo) -> dt.datetime:
    return dt.datetime.combine(day + dt.timedelta(days=1), dt.time(), tzinfo=tz).astimezone(dt.UTC)


def _seconds(wait: dt.timedelta) -> int:
    return max(1, math.ceil(wait.total_seconds()))
