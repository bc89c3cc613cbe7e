"""Conversations: one question at a time, nobody else's, and no trace of one that is gone."""

import asyncio
import datetime as dt
import uuid

import pytest

from assist_service.ports import Claim, FinishedReply, Opened, Unopened
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, BOB, LEASE, Stores, exchange

LATER = START + dt.timedelta(minutes=1)
MOMENT = dt.timedelta(microseconds=1)


async def try_open(stores: Stores, owner: str, conversation_id: uuid.UUID, at: dt.datetime) -> Opened | Unopened:
    return await stores.conversations.open(owner, conversation_id, pairs=6, now=at, lease_until=at + LEASE)


async def claim(stores: Stores, key: str = "key-1") -> Claim:
    claimed = await stores.replies.claim(ADA, key, body=b"asked", now=START, lease_until=START + LEASE)
    assert isinstance(claimed, Claim)
    return claimed


async def test_the_first_exchange_starts_a_conversation_and_a_leased_one_continues_it(stores: Stores) -> None:
    first = await stores.start(exchange(question="First?"))
    opened = await stores.open(first, at=LATER)
    assert opened.history == (first,)
    assert (opened.span.started_at, opened.span.last_at) == (START, START)
    second = exchange(conversation_id=first.conversation_id, at=LATER, question="Second?", answer="So.")
    assert await stores.conversations.add(second, lease=opened.lease, finished=None)
    again = await stores.open(first, at=LATER)
    assert again.history == (first, second)
    assert (again.span.started_at, again.span.last_at) == (START, LATER)


async def test_only_the_newest_exchanges_come_along_and_the_oldest_of_them_first(stores: Stores) -> None:
    first = await stores.start(exchange())
    further = [await stores.follow(first, at=START + dt.timedelta(seconds=n), question=f"{n}?") for n in range(1, 5)]
    opened = await stores.open(first, pairs=3, at=LATER)
    assert opened.history == tuple(further[1:])
    await stores.conversations.release(opened)
    assert (await stores.open(first, pairs=0, at=LATER)).history == ()


async def test_a_conversation_takes_one_question_at_a_time(stores: Stores) -> None:
    first = await stores.start(exchange())
    answers = await asyncio.gather(*(try_open(stores, ADA, first.conversation_id, START) for _ in range(10)))
    assert sum(isinstance(answer, Opened) for answer in answers) == 1
    assert [answer for answer in answers if not isinstance(answer, Opened)] == [Unopened.BUSY] * 9


async def test_a_dead_process_holds_a_conversation_no_longer_than_its_lease(stores: Stores) -> None:
    first = await stores.start(exchange())
    dead = await stores.open(first)
    assert await try_open(stores, ADA, first.conversation_id, START + LEASE - MOMENT) is Unopened.BUSY
    alive = await try_open(stores, ADA, first.conversation_id, START + LEASE)
    assert isinstance(alive, Opened)
    late = exchange(conversation_id=first.conversation_id, at=START + LEASE)
    assert not await stores.conversations.add(late, lease=dead.lease, finished=None)
    assert await stores.count("exchanges") == 1
    await stores.conversations.release(dead)
    assert await try_open(stores, ADA, first.conversation_id, START + LEASE) is Unopened.BUSY
    assert await stores.conversations.add(late, lease=alive.lease, finished=None)


async def test_releasing_and_answering_free_a_conversation(stores: Stores) -> None:
    first = await stores.start(exchange())
    await stores.conversations.release(await stores.open(first))
    await stores.follow(first, at=START)
    assert isinstance(await try_open(stores, ADA, first.conversation_id, START), Opened)


@pytest.mark.parametrize("lease", [uuid.UUID(int=0), uuid.uuid4()])
async def test_a_lease_that_was_never_given_adds_nothing(stores: Stores, lease: uuid.UUID) -> None:
    first = await stores.start(exchange())
    assert not await stores.conversations.add(
        exchange(conversation_id=first.conversation_id), lease=lease, finished=None
    )
    assert await stores.count("exchanges") == 1


async def test_an_answer_to_a_conversation_deleted_meanwhile_is_not_kept_anywhere(stores: Stores) -> None:
    first = await stores.start(exchange())
    opened = await stores.open(first)
    claimed = await claim(stores)
    assert await stores.conversations.delete(ADA, first.conversation_id, now=START)
    late = exchange(conversation_id=first.conversation_id)
    assert not await stores.conversations.add(late, lease=opened.lease, finished=FinishedReply(claimed, b"reply"))
    assert await stores.count("exchanges") == await stores.count("conversations") == 0
    assert await stores.pool.fetchval("SELECT sealed_reply FROM idempotent_replies") is None
    await stores.conversations.release(opened)


async def test_an_exchange_that_cannot_be_stored_leaves_no_reply_and_keeps_the_lease(stores: Stores) -> None:
    first = await stores.start(exchange())
    opened = await stores.open(first)
    finished = FinishedReply(await claim(stores), b"reply")
    with pytest.raises(Exception, match="duplicate key"):
        await stores.conversations.add(first, lease=opened.lease, finished=finished)
    assert await stores.pool.fetchval("SELECT sealed_reply FROM idempotent_replies") is None
    assert await try_open(stores, ADA, first.conversation_id, START) is Unopened.BUSY


async def test_a_reply_that_cannot_be_kept_leaves_no_exchange(stores: Stores) -> None:
    finished = FinishedReply(await claim(stores), b"reply")
    await stores.pool.execute("ALTER TABLE idempotent_replies ADD CHECK (sealed_reply IS NULL)")
    with pytest.raises(Exception, match="violates check constraint"):
        await stores.conversations.add(exchange(), lease=None, finished=finished)
    assert await stores.count("exchanges") == await stores.count("conversations") == 0


async def test_to_another_person_a_conversation_is_not_there_at_all(stores: Stores) -> None:
    hers = await stores.start(exchange(ADA))
    opened = await stores.open(hers)
    assert await try_open(stores, BOB, hers.conversation_id, START + LEASE) is Unopened.NOT_FOUND
    assert await try_open(stores, BOB, uuid.uuid4(), START) is Unopened.NOT_FOUND
    his = exchange(BOB, conversation_id=hers.conversation_id)
    assert not await stores.conversations.add(his, lease=opened.lease, finished=None)
    assert await stores.conversations.transcript(BOB, hers.conversation_id, cursor=None, limit=9) is None
    assert not await stores.conversations.delete(BOB, hers.conversation_id, now=START)
    assert (await stores.conversations.listing(BOB, cursor=None, limit=9)).items == ()
    assert await stores.count("audit") == 0
    found = await stores.conversations.transcript(ADA, hers.conversation_id, cursor=None, limit=9)
    assert found is not None
    assert found.items == (hers,)


async def test_a_conversation_cannot_be_started_twice(stores: Stores) -> None:
    hers = await stores.start(exchange(ADA))
    with pytest.raises(Exception, match="duplicate key"):
        await stores.start(exchange(BOB, conversation_id=hers.conversation_id))
    assert await stores.count("exchanges") == 1


async def test_deleting_takes_every_exchange_and_leaves_one_audit_entry_without_content(stores: Stores) -> None:
    first = await stores.start(exchange())
    await stores.follow(first, at=LATER)
    other = await stores.start(exchange())
    assert await stores.conversations.delete(ADA, first.conversation_id, now=LATER)
    assert not await stores.conversations.delete(ADA, first.conversation_id, now=LATER)
    assert await try_open(stores, ADA, first.conversation_id, LATER) is Unopened.NOT_FOUND
    kept = await stores.pool.fetch("SELECT id FROM exchanges")
    assert [row["id"] for row in kept] == [other.id]
    [entry] = await stores.pool.fetch("SELECT at, actor, action, subject, conversation_id FROM audit")
    assert tuple(entry) == (LATER, ADA, "assist.delete", ADA, first.conversation_id)


async def test_deleting_takes_the_reply_kept_of_it_along(stores: Stores) -> None:
    first, other = exchange(), exchange()
    for one, key in ((first, "key-1"), (other, "key-2")):
        finished = FinishedReply(await claim(stores, key), b"reply")
        assert await stores.conversations.add(one, lease=None, finished=finished)
    assert await stores.conversations.delete(ADA, first.conversation_id, now=START)
    kept = await stores.pool.fetch("SELECT key FROM idempotent_replies")
    assert [row["key"] for row in kept] == ["key-2"]


async def test_of_racing_deletes_one_is_told_and_audited(stores: Stores) -> None:
    first = await stores.start(exchange())
    told = await asyncio.gather(*(stores.conversations.delete(ADA, first.conversation_id, now=START) for _ in range(8)))
    assert sum(told) == 1
    assert await stores.count("audit") == 1
