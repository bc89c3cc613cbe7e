"""Where a person has one active conversation, the one that starts ends the others, however many start at once."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from assist_service.adapters.postgres.conversations import PostgresConversations
from assist_service.adapters.postgres.exporting import PostgresPersonData
from assist_service.domain.conversation import ConversationTimes, is_open
from assist_service.ports import Claim, FinishedReply
from tests.fakes.clocks import START
from tests.postgres.blocking import until_blocked
from tests.postgres.exchanges import ADA, BOB, LEASE, SEALER, Stores, exchange

ONE = ConversationTimes(one_active=True, idle_minutes=30, total_hours=24)

LATER = START + dt.timedelta(minutes=1)

ROUNDS = 5

RACERS = 8


@pytest.fixture
def one(pool: asyncpg.Pool) -> PostgresConversations:
    return PostgresConversations(pool, SEALER, one_active=True)


async def active(stores: Stores, owner: str = ADA, *, now: dt.datetime = LATER) -> list[uuid.UUID]:
    listed = await stores.conversations.listing(owner, cursor=None, limit=100)
    return [head.id for head in listed.items if is_open(head.span, ONE, now=now)]


async def ended_at(stores: Stores, conversation_id: uuid.UUID) -> dt.datetime | None:
    ended: dt.datetime | None = await stores.pool.fetchval(
        "SELECT ended_at FROM conversations WHERE id = $1", conversation_id
    )
    return ended


async def test_a_conversation_that_starts_ends_those_of_its_owner_and_nobody_elses(
    stores: Stores, one: PostgresConversations
) -> None:
    his, first, second = exchange(BOB), exchange(ADA), exchange(ADA, at=LATER)
    for each in (his, first, second):
        assert await one.add(each, lease=None, finished=None)
    assert await active(stores) == [second.conversation_id]
    assert await active(stores, BOB) == [his.conversation_id]
    assert await ended_at(stores, first.conversation_id) == LATER


async def test_without_the_rule_nothing_is_ended(stores: Stores) -> None:
    for each in (first := exchange(), exchange()):
        assert await stores.conversations.add(each, lease=None, finished=None)
    assert await ended_at(stores, first.conversation_id) is None
    assert len(await active(stores)) == 2


async def test_one_that_was_ended_keeps_its_moment_and_stays_ended_when_the_other_goes(
    stores: Stores, one: PostgresConversations
) -> None:
    first, second, third = exchange(), exchange(at=LATER), exchange(at=LATER + dt.timedelta(minutes=1))
    for each in (first, second, third):
        assert await one.add(each, lease=None, finished=None)
    assert await ended_at(stores, first.conversation_id) == LATER
    assert await one.delete(ADA, third.conversation_id, now=LATER)
    assert await active(stores) == []


async def test_a_question_that_ran_is_stored_in_its_conversation_which_stays_ended(
    stores: Stores, one: PostgresConversations
) -> None:
    first, second = exchange(), exchange(at=LATER)
    assert await one.add(first, lease=None, finished=None)
    opened = await stores.open(first)
    assert await one.add(second, lease=None, finished=None)
    late = exchange(conversation_id=first.conversation_id, at=LATER)
    assert await one.add(late, lease=opened.lease, finished=None)
    assert await active(stores) == [second.conversation_id]
    again = await stores.open(first, at=LATER)
    assert again.history == (first, late)
    assert not is_open(again.span, ONE, now=LATER)


async def test_a_start_that_is_not_stored_ends_nothing(stores: Stores, one: PostgresConversations) -> None:
    first = exchange()
    assert await one.add(first, lease=None, finished=None)
    gone = FinishedReply(Claim(ADA, "key", uuid.uuid4()), b"reply")
    await stores.pool.execute("ALTER TABLE exchanges ADD CHECK (route <> '/pools/:id') NOT VALID")
    for finished in (None, gone):
        with pytest.raises(asyncpg.CheckViolationError):
            await one.add(exchange(), lease=None, finished=finished)
    assert await active(stores) == [first.conversation_id]


async def test_a_start_that_was_asked_before_its_person_was_erased_ends_nothing(
    stores: Stores, one: PostgresConversations
) -> None:
    await PostgresPersonData(stores.pool, SEALER).erase(ADA, actor="back-end", now=START)
    newer = exchange(at=LATER)
    assert await one.add(newer, lease=None, finished=None, asked_at=LATER)
    assert not await one.add(exchange(at=LATER), lease=None, finished=None, asked_at=START)
    assert await active(stores) == [newer.conversation_id]


@asynccontextmanager
async def two_processes(database_url: str) -> AsyncIterator[list[PostgresConversations]]:
    """Two stores that share nothing but the database."""
    async with (
        asyncpg.create_pool(database_url, min_size=RACERS, max_size=RACERS) as here,
        asyncpg.create_pool(database_url, min_size=RACERS, max_size=RACERS) as there,
    ):
        yield [PostgresConversations(pool, SEALER, one_active=True) for pool in (here, there)]


async def test_of_starts_at_once_over_two_processes_exactly_one_stays_active(stores: Stores, database_url: str) -> None:
    async with two_processes(database_url) as processes:
        for number in range(1, ROUNDS + 1):
            starts = [exchange(at=START + dt.timedelta(seconds=number)) for _ in range(RACERS)]
            await asyncio.gather(
                *(processes[n % 2].add(each, lease=None, finished=None) for n, each in enumerate(starts))
            )
            [left] = await active(stores)
            assert left in {each.conversation_id for each in starts}
    assert await stores.count("conversations") == ROUNDS * RACERS


async def test_a_start_waits_for_one_that_is_not_committed_yet(
    stores: Stores, one: PostgresConversations, pool: asyncpg.Pool
) -> None:
    first, second, other = exchange(), exchange(at=LATER), exchange(BOB)
    claimed = await stores.replies.claim(ADA, "key", body=b"asked", now=START, lease_until=START + LEASE)
    assert isinstance(claimed, Claim)
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT FROM idempotent_replies FOR UPDATE")  # holds the first at its last statement
        starting = asyncio.create_task(one.add(first, lease=None, finished=FinishedReply(claimed, b"reply")))
        await until_blocked(pool, 1)
        behind = asyncio.create_task(one.add(second, lease=None, finished=None))
        await until_blocked(pool, 2)
        assert await one.add(other, lease=None, finished=None)  # nobody else waits for Ada
    assert await starting
    assert await behind
    assert await active(stores) == [second.conversation_id]
