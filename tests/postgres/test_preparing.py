"""Writes are stored with the answer that prepared them, and none without it."""

import uuid
from dataclasses import replace

import asyncpg
import pytest

from assist_service.adapters.postgres.conversations import PostgresConversations
from assist_service.ports import Claim, FinishedReply
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, BOB, LEASE, SEALER, Stores, exchange
from tests.postgres.prepared import prepare, prepared, try_take


async def nothing_but(stores: Stores, exchanges: int) -> None:
    assert await stores.count("exchanges") == await stores.count("conversations") == exchanges
    assert await stores.count("pending_writes") == 0


@pytest.mark.parametrize("with_reply", [False, True])
async def test_writes_of_a_first_and_of_a_later_answer_can_be_taken(stores: Stores, with_reply: bool) -> None:
    first = exchange()
    writes = [prepared(first, title=title) for title in ("Algebra", "Geometry", "Sets")]
    finished = None
    if with_reply:
        claim = await stores.replies.claim(ADA, "key", body=b"", now=START, lease_until=START + LEASE)
        assert isinstance(claim, Claim)
        finished = FinishedReply(claim, b"reply")
    assert await stores.conversations.add(first, lease=None, finished=finished, writes=writes)
    assert await stores.count("idempotent_replies WHERE sealed_reply IS NOT NULL") == int(with_reply)
    opened = await stores.open(first)
    later = exchange(conversation_id=first.conversation_id)
    writes.append(prepared(later))
    assert await stores.conversations.add(later, lease=opened.lease, finished=None, writes=writes[-1:])
    for write in writes:
        taken = await try_take(stores, write)
        assert taken is not None
        assert taken.write == write


async def test_an_answer_to_a_conversation_that_is_gone_leaves_no_write(stores: Stores) -> None:
    first = await stores.start(exchange())
    opened = await stores.open(first)
    assert await stores.conversations.delete(ADA, first.conversation_id, now=START)
    late = exchange(conversation_id=first.conversation_id)
    assert not await stores.conversations.add(late, lease=opened.lease, finished=None, writes=[prepared(late)])
    await nothing_but(stores, 0)


async def test_an_answer_that_lost_its_lease_leaves_no_write(stores: Stores) -> None:
    first = await stores.start(exchange())
    late = exchange(conversation_id=first.conversation_id)
    assert not await stores.conversations.add(late, lease=uuid.uuid4(), finished=None, writes=[prepared(late)])
    await nothing_but(stores, 1)


async def test_an_answer_that_cannot_be_stored_leaves_no_write(stores: Stores) -> None:
    first = await stores.start(exchange())
    with pytest.raises(Exception, match="duplicate key"):
        await stores.conversations.add(first, lease=None, finished=None, writes=[prepared(first)])
    await nothing_but(stores, 1)


async def test_a_write_that_cannot_be_stored_leaves_no_answer_and_no_other_write(stores: Stores) -> None:
    first = exchange()
    write = prepared(first)
    with pytest.raises(Exception, match="duplicate key"):
        await stores.conversations.add(first, lease=None, finished=None, writes=[prepared(first), write, write])
    await nothing_but(stores, 0)


async def test_a_reply_that_cannot_be_kept_leaves_no_write(stores: Stores) -> None:
    claim = await stores.replies.claim(ADA, "key", body=b"", now=START, lease_until=START + LEASE)
    assert isinstance(claim, Claim)
    await stores.pool.execute("ALTER TABLE idempotent_replies ADD CHECK (sealed_reply IS NULL)")
    first = exchange()
    with pytest.raises(Exception, match="violates check constraint"):
        await stores.conversations.add(
            first, lease=None, finished=FinishedReply(claim, b"reply"), writes=[prepared(first)]
        )
    await nothing_but(stores, 0)


async def test_a_write_of_another_person_or_conversation_is_not_stored_with_the_answer(stores: Stores) -> None:
    first = exchange()
    elsewhere = (await prepare(stores, BOB)).conversation_id
    for theirs in ({"owner": BOB}, {"conversation_id": elsewhere}):
        with pytest.raises(ValueError, match="another person or conversation"):
            await stores.conversations.add(
                first, lease=None, finished=None, writes=[prepared(first), replace(prepared(first), **theirs)]
            )
    assert await stores.count("pending_writes") == await stores.count("exchanges") == 1


async def test_an_answer_without_writes_is_stored_by_one_statement(stores: Stores, database_url: str) -> None:
    statements: list[str] = []

    async def note(connection: asyncpg.Connection) -> None:
        connection.add_query_logger(lambda logged: statements.append(logged.query))

    async def without_reset(connection: asyncpg.Connection) -> None: ...

    async with asyncpg.create_pool(database_url, min_size=1, max_size=1, init=note, reset=without_reset) as pool:
        conversations = PostgresConversations(pool, SEALER)
        first = exchange()
        assert await conversations.add(first, lease=None, finished=None)
        assert len(statements) == 1
        later = exchange(conversation_id=first.conversation_id)
        lease = (await stores.open(first)).lease
        assert await conversations.add(later, lease=lease, finished=None, writes=())
        assert len(statements) == 2
