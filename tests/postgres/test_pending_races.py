"""Of confirms that race for a write one has it, and each knows what the one before it left (invariants W3, W5)."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator

import asyncpg
import pytest

from assist_service.domain.writes import CONFIRMING, PendingWrite, WriteState
from tests.case_counts import CountCases
from tests.fakes.clocks import START
from tests.postgres.blocking import until_blocked
from tests.postgres.exchanges import Stores
from tests.postgres.prepared import arranged, cancel, prepare, row_of, send, try_take
from tests.postgres.racing import racing
from tests.postgres.taker import Takes, run

RACERS = 50

PLACES = [("pending", False), ("unknown", True), ("confirming", True), ("unknown, then given back", True)]
"""Where a write stands that can be taken when a lease is over, and whether it is then repeated."""

CONFIRMS = "audit WHERE action = 'assist.confirm'"


def takes_of(write: PendingWrite, database_url: str, times: int) -> Takes:
    now = (START + CONFIRMING).isoformat()
    return Takes(database_url, write.owner, str(write.conversation_id), str(write.id), now, times)


@pytest.fixture
async def other(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection beside the pool, to stand in the way of others with."""
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


@pytest.mark.parametrize(("name", "is_repeated"), PLACES)
async def test_of_fifty_confirms_on_two_pools_one_has_the_write(
    stores: Stores, database_url: str, name: str, is_repeated: bool
) -> None:
    write = await arranged(stores, name)
    entered = await stores.count(CONFIRMS)
    takes = takes_of(write, database_url, RACERS // 2)
    async with asyncpg.create_pool(database_url, min_size=10) as second:
        both = await asyncio.gather(run(takes, stores.pool), run(takes, second))
    assert [*both[0], *both[1]] == [is_repeated]
    assert await stores.count(CONFIRMS) == entered + 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "is_repeated"), PLACES)
async def test_of_fifty_confirms_of_two_processes_one_has_the_write(
    stores: Stores, database_url: str, name: str, is_repeated: bool, count_cases: CountCases
) -> None:
    for _ in range(3):
        write = await arranged(stores, name)
        entered = await stores.count(CONFIRMS)
        takes = takes_of(write, database_url, RACERS // 2)
        async with racing(takes, takes) as racers:
            for racer in racers:
                racer.go()
            told = [one for racer in racers for one in await racer.told()]
        assert told == [is_repeated]
        assert await stores.count(CONFIRMS) == entered + 1
    count_cases("two processes", 3 * RACERS, name)


# What a confirm that waits for the lock finds once it has it: never what stood there when it began.
MEANWHILE = [
    ("pending", "state = 'unknown', sent_at = $1", True),
    ("pending", "state = 'confirming', sent_at = $1, lease = gen_random_uuid(), lease_until = $1", True),
    (
        "pending",
        "state = 'confirming', sent_at = $1, lease = gen_random_uuid(), lease_until = $1::timestamptz + interval '1h'",
        None,
    ),
    ("pending", "state = 'cancelled', sealed = NULL, key_id = NULL, prepared_at = $1", None),
    ("confirming", "state = 'pending', lease = NULL, lease_until = NULL, sent_at = NULL, prepared_at = $1", False),
    ("confirming", "state = 'unknown', lease = NULL, lease_until = NULL, sent_at = $1", True),
    ("unknown", "state = 'done', sealed = NULL, key_id = NULL, sent_at = $1", None),
]


@pytest.mark.parametrize(("name", "change", "expected"), MEANWHILE)
async def test_a_confirm_that_waited_takes_what_it_finds_and_not_what_stood_there(
    stores: Stores, other: asyncpg.Connection, name: str, change: str, expected: bool | None
) -> None:
    write = await arranged(stores, name)
    now = START + CONFIRMING
    first_sent = START + dt.timedelta(seconds=7)
    async with other.transaction():
        await other.execute(f"UPDATE pending_writes SET {change}", first_sent)  # noqa: S608 one of those above
        taking = asyncio.create_task(try_take(stores, write, now))
        await until_blocked(stores.pool)
    taken = await taking
    assert (None if taken is None else taken.is_repeated) is expected
    row = await row_of(stores, write)
    assert row is not None
    if taken is not None:
        assert (row["state"], row["lease"]) == ("confirming", taken.token)
        assert row["sent_at"] == (first_sent if taken.is_repeated else None)


async def test_a_write_is_taken_or_cancelled_and_never_both(stores: Stores) -> None:
    for _ in range(10):
        write = await prepare(stores)
        taken, *cancelled = await asyncio.gather(
            try_take(stores, write), *(cancel(stores, write) for _ in range(3)), return_exceptions=False
        )
        assert (taken is not None) + sum(bool(one) for one in cancelled) == 1


async def test_of_racing_ends_one_is_told_and_entered(stores: Stores) -> None:
    write = await prepare(stores)
    taken = await send(stores, write)
    states = [WriteState.DONE, WriteState.REFUSED, WriteState.UNKNOWN, WriteState.PENDING] * 3
    told = await asyncio.gather(*(stores.pending.end(taken, state, now=START) for state in states))
    assert sum(told) == 1
    row = await row_of(stores, write)
    assert row is not None
    assert row["state"] == states[told.index(True)]
    assert await stores.count("audit WHERE action = 'assist.write'") == (row["state"] != "pending")


async def test_an_end_that_waits_for_the_deletion_of_its_conversation_is_still_entered(
    stores: Stores, other: asyncpg.Connection
) -> None:
    write = await prepare(stores)
    taken = await send(stores, write)
    async with other.transaction():
        await other.execute("DELETE FROM conversations WHERE id = $1", write.conversation_id)
        ending = asyncio.create_task(stores.pending.end(taken, WriteState.DONE, now=START))
        await until_blocked(stores.pool)
    assert await ending
    assert await stores.count("audit WHERE outcome = 'done'") == 1


async def test_a_confirm_that_waits_for_the_deletion_of_its_conversation_has_nothing(
    stores: Stores, other: asyncpg.Connection
) -> None:
    write = await prepare(stores)
    async with other.transaction():
        await other.execute("DELETE FROM conversations WHERE id = $1", write.conversation_id)
        taking = asyncio.create_task(try_take(stores, write))
        await until_blocked(stores.pool)
    assert await taking is None
    assert await stores.count("audit") == 0
