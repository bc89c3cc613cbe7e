"""A purge takes nothing that is being written, and waits for nobody."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import asyncpg

from assist_service.adapters.postgres.limits import PostgresRateLimiter
from assist_service.adapters.postgres.purging import PostgresPurge
from assist_service.adapters.postgres.replies import PostgresReplies
from assist_service.domain.conversation import RateLimits
from assist_service.ports import Claim, FinishedReply, Unclaimed
from assist_service.services.purge import Purge
from tests.fakes.clocks import START, HandClock
from tests.postgres.blocking import until_blocked
from tests.postgres.exchanges import ADA, LEASE, Stores, exchange
from tests.postgres.purged import A_DAY, NOTHING

_HESITATE = """
CREATE ROLE {role};
GRANT ALL ON ALL TABLES IN SCHEMA public TO {role};
CREATE FUNCTION hesitate() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN true; END $$;
ALTER TABLE conversations ENABLE ROW LEVEL SECURITY;
CREATE POLICY hesitant ON conversations USING (hesitate());
"""


async def test_an_answer_being_stored_is_not_lost_with_the_emptied_conversation(
    stores: Stores, purge: Purge, clock: HandClock, other: asyncpg.Connection
) -> None:
    first = await stores.start(exchange(at=START - 91 * A_DAY))
    opened = await stores.open(first, at=START)
    claim = await stores.replies.claim(ADA, "key", body=b"", now=START, lease_until=START + LEASE)
    assert isinstance(claim, Claim)
    clock.move(LEASE.total_seconds())  # the answer is as late as it can be
    answer = exchange(conversation_id=first.conversation_id, at=START)
    async with other.transaction():
        await other.execute("SELECT * FROM idempotent_replies FOR UPDATE")  # where storing an answer comes last
        adding = asyncio.create_task(
            stores.conversations.add(answer, lease=opened.lease, finished=FinishedReply(claim, b"reply"))
        )
        await until_blocked(stores.pool)
        purging = asyncio.create_task(purge())
        await asyncio.wait([purging], timeout=0.3)
    assert await adding
    deleted = await purging
    assert deleted is not None
    assert deleted["exchanges"] == 1
    assert [row["id"] for row in await stores.pool.fetch("SELECT id FROM exchanges")] == [answer.id]


async def test_answers_that_race_with_the_purge_are_kept_or_told_to_be_too_late(
    stores: Stores, purge: Purge, clock: HandClock
) -> None:
    firsts = [await stores.start(exchange(at=START - 91 * A_DAY)) for _ in range(150)]
    leases = [(await stores.open(first, at=START)).lease for first in firsts]
    clock.move(LEASE.total_seconds())
    answers = [exchange(conversation_id=first.conversation_id, at=START) for first in firsts]
    adding = [
        stores.conversations.add(answer, lease=lease, finished=None)
        for answer, lease in zip(answers, leases, strict=True)
    ]
    stored, _ = await asyncio.gather(asyncio.gather(*adding), purge())
    kept = {row["id"] for row in await stores.pool.fetch("SELECT id FROM exchanges")}
    assert kept == {answer.id for answer, was_stored in zip(answers, stored, strict=True) if was_stored}
    assert await stores.count("conversations") == len(kept)


@asynccontextmanager
async def hesitant_role(other: asyncpg.Connection) -> AsyncIterator[str]:
    """Its statements see the conversations as they were, and then wait for the advisory lock 1 before they go on."""
    role = f"hesitant_{uuid.uuid4().hex}"
    await other.execute(_HESITATE.format(role=role))
    try:
        yield role
    finally:
        await other.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


async def test_an_answer_stored_between_the_purges_look_and_its_lock_is_not_lost(
    stores: Stores, purge: Purge, clock: HandClock, database_url: str, other: asyncpg.Connection
) -> None:
    first = await stores.start(exchange(at=START - 91 * A_DAY))
    opened = await stores.open(first, at=START)
    await purge()
    clock.move(LEASE.total_seconds())
    answer = exchange(conversation_id=first.conversation_id, at=START)
    async with hesitant_role(other) as role:
        connect = partial(asyncpg.connect, database_url, server_settings={"role": role})
        await other.execute("SELECT pg_advisory_lock(1)")
        purging = asyncio.create_task(replace(purge, purging=PostgresPurge(connect))())
        await until_blocked(stores.pool)
        assert await stores.conversations.add(answer, lease=opened.lease, finished=None)
        await other.execute("SELECT pg_advisory_unlock(1)")
        await purging
    assert [row["id"] for row in await stores.pool.fetch("SELECT id FROM exchanges")] == [answer.id]


async def test_a_conversation_being_started_is_not_taken_for_an_empty_one(
    stores: Stores, purge: Purge, other: asyncpg.Connection
) -> None:
    claim = await stores.replies.claim(ADA, "key", body=b"", now=START, lease_until=START + LEASE)
    assert isinstance(claim, Claim)
    async with other.transaction():
        await other.execute("SELECT * FROM idempotent_replies FOR UPDATE")
        adding = asyncio.create_task(
            stores.conversations.add(exchange(), lease=None, finished=FinishedReply(claim, b"reply"))
        )
        await until_blocked(stores.pool)
        assert await purge() == NOTHING
    assert await adding
    assert await stores.count("exchanges") == await stores.count("conversations") == 1


async def test_a_key_claimed_anew_while_the_purge_runs_is_not_lost(
    stores: Stores, purge: Purge, other: asyncpg.Connection
) -> None:
    long_ago = START - dt.timedelta(hours=1)
    await stores.replies.claim(ADA, "key", body=b"", now=long_ago, lease_until=long_ago + LEASE)
    async with other.transaction():
        claiming = PostgresReplies(other, stores.replies._sealer)  # type: ignore[arg-type]  # one connection of a pool
        claim = await claiming.claim(ADA, "key", body=b"", now=START, lease_until=START + LEASE)
        assert isinstance(claim, Claim)
        assert await purge() == NOTHING  # and waits for nobody
    again = await stores.replies.claim(ADA, "key", body=b"", now=START, lease_until=START + LEASE)
    assert again is Unclaimed.RUNNING


async def test_a_question_counted_while_the_purge_runs_stays_counted(
    stores: Stores, purge: Purge, other: asyncpg.Connection
) -> None:
    limits = RateLimits(questions_per_minute=1)
    await PostgresRateLimiter(stores.pool).count(ADA, limits=limits, now=START - 30 * A_DAY, tz=dt.UTC)
    async with other.transaction():
        counting = PostgresRateLimiter(other)  # type: ignore[arg-type]  # one connection of a pool
        assert await counting.count(ADA, limits=limits, now=START, tz=dt.UTC) is None
        assert await purge() == NOTHING
    assert await PostgresRateLimiter(stores.pool).count(ADA, limits=limits, now=START, tz=dt.UTC) == 60
