"""Round numbers for tests of the day's money, and what its rows say."""

import datetime as dt
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import count

import asyncpg

from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.budget import ASSIST, Price, allowance_of, input_token_bound, size_bytes, worst_case_micros
from assist_service.domain.messages import ModelRequest
from assist_service.ports import CallOrigin, Exhausted, Reservation
from tests.fakes.clocks import START

CAP = 1_000_000
SHARE = Decimal("0.25")
CHAT_MICROS = 250_000
"""The chat's share of CAP."""

CHAT_DAY_MICROS = 750_000
"""What the day's total may reach by a request of the chat."""

PRICE = Price(input=2_000_000, cached_input=200_000, cache_write=2_500_000, output=10_000_000)

DAY = START.date()
LEASE_UNTIL = START + dt.timedelta(minutes=2)


@dataclass(frozen=True)
class Day:
    """A row of `llm_days`."""

    spent: int = 0
    reserved: int = 0
    chat_spent: int = 0
    chat_reserved: int = 0


def days() -> Iterator[dt.date]:
    """One fresh day after the other: each is a ledger of its own in the same database."""
    return (DAY + dt.timedelta(days=number) for number in count())


def worst_micros_of(request: ModelRequest) -> int:
    """What a request reserves by its bytes alone, before anything was counted for it."""
    bound = input_token_bound(size_bytes(request), None)
    return worst_case_micros(PRICE, input_token_bound=bound, max_tokens=request.max_tokens)


def origin(purpose: str = ASSIST, person: str = "ada") -> CallOrigin:
    return CallOrigin(purpose, "stub", person, uuid.uuid4())


async def try_reserve(
    ledger: PostgresLedger,
    micros: int,
    *,
    purpose: str = ASSIST,
    day: dt.date = DAY,
    lease_until: dt.datetime = LEASE_UNTIL,
) -> Reservation | Exhausted:
    return await ledger.reserve(
        origin(purpose),
        worst_micros=micros,
        allowance=allowance_of(purpose, cap_micros=CAP, share=SHARE),
        day=day,
        now=START,
        lease_until=lease_until,
    )


async def reserve(
    ledger: PostgresLedger,
    micros: int,
    *,
    purpose: str = ASSIST,
    day: dt.date = DAY,
    lease_until: dt.datetime = LEASE_UNTIL,
) -> Reservation:
    """A reservation that must be had."""
    reserved = await try_reserve(ledger, micros, purpose=purpose, day=day, lease_until=lease_until)
    assert isinstance(reserved, Reservation)
    return reserved


async def spend(ledger: PostgresLedger, micros: int, *, purpose: str = ASSIST, day: dt.date = DAY) -> None:
    """Reserved and settled at the same amount."""
    await settle(ledger, await reserve(ledger, micros, purpose=purpose, day=day), micros)


async def settle(
    ledger: PostgresLedger, reservation: Reservation, micros: int, *, now: dt.datetime = START, outcome: str = "ok"
) -> None:
    await ledger.settle(reservation, cost_micros=micros, usage=None, outcome=outcome, now=now)


async def day_of(pool: asyncpg.Pool, day: dt.date = DAY) -> Day | None:
    row = await pool.fetchrow("SELECT * FROM llm_days WHERE day = $1", day)
    if row is None:
        return None
    return Day(row["spent_micros"], row["reserved_micros"], row["chat_spent_micros"], row["chat_reserved_micros"])


async def calls_of(pool: asyncpg.Pool) -> list[asyncpg.Record]:
    """The rows of `llm_calls` in the order they were reserved in."""
    return await pool.fetch("SELECT * FROM llm_calls ORDER BY reserved_at, worst_micros")


async def refuse_unbalanced_books(pool: asyncpg.Pool) -> None:
    """Nothing is reserved any more, and each day has spent what its settled requests cost, to the micro-unit."""
    assert await pool.fetchval("SELECT count(*) FROM llm_calls WHERE settled_at IS NULL") == 0
    spent = await pool.fetch(
        "SELECT day, sum(cost_micros)::bigint AS spent, "
        "coalesce(sum(cost_micros) FILTER (WHERE purpose = 'assist'), 0)::bigint AS chat_spent "
        "FROM llm_calls GROUP BY day"
    )
    for row in spent:
        assert await day_of(pool, row["day"]) == Day(spent=row["spent"], chat_spent=row["chat_spent"])
