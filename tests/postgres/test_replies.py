"""Replies under an idempotency key: one claim at a time, the same reply for ten minutes, nothing of a failure."""

import asyncio
import datetime as dt

import pytest

from assist_service.ports import Claim, FinishedReply, Unclaimed
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, BOB, LEASE, Stores, exchange

BODY, REPLY = b'{"question": "How?"}', b'{"answer": "So."}'

TEN_MINUTES = dt.timedelta(minutes=10)
MOMENT = dt.timedelta(microseconds=1)


async def ask(
    stores: Stores, *, at: dt.datetime = START, owner: str = ADA, key: str = "key", body: bytes = BODY
) -> Claim | bytes | Unclaimed:
    return await stores.replies.claim(owner, key, body=body, now=at, lease_until=at + LEASE)


async def claimed(stores: Stores, *, at: dt.datetime = START) -> Claim:
    claim = await ask(stores, at=at)
    assert isinstance(claim, Claim)
    return claim


async def keep(stores: Stores, claim: Claim, body: bytes = REPLY) -> None:
    """The exchange is stored and the reply with it, as every answer is."""
    assert await stores.conversations.add(exchange(), lease=None, finished=FinishedReply(claim, body))


async def test_the_same_question_again_gets_the_same_reply_byte_for_byte(stores: Stores) -> None:
    await keep(stores, await claimed(stores))
    for _ in range(3):
        assert await ask(stores) == REPLY
    assert await stores.count("exchanges") == 1


async def test_another_body_under_the_key_is_a_mismatch_whether_it_runs_or_is_done(stores: Stores) -> None:
    claim = await claimed(stores)
    assert await ask(stores, body=BODY + b" ") is Unclaimed.MISMATCH
    await keep(stores, claim)
    assert await ask(stores, body=b"") is Unclaimed.MISMATCH
    assert await ask(stores) == REPLY


async def test_keys_of_two_people_and_two_keys_of_one_have_nothing_to_do_with_each_other(stores: Stores) -> None:
    await keep(stores, await claimed(stores))
    assert isinstance(await ask(stores, owner=BOB), Claim)
    assert isinstance(await ask(stores, key="key2", body=b"another"), Claim)


async def test_of_twenty_at_once_one_runs(stores: Stores) -> None:
    answers = await asyncio.gather(*(ask(stores) for _ in range(20)))
    assert sum(isinstance(answer, Claim) for answer in answers) == 1
    assert [answer for answer in answers if not isinstance(answer, Claim)] == [Unclaimed.RUNNING] * 19


async def test_a_reply_is_kept_for_ten_minutes_and_then_the_key_is_free(stores: Stores) -> None:
    await keep(stores, await claimed(stores))
    assert await ask(stores, at=START + TEN_MINUTES - MOMENT) == REPLY
    assert await ask(stores, at=START + TEN_MINUTES - MOMENT, body=b"another") is Unclaimed.MISMATCH
    assert isinstance(await ask(stores, at=START + TEN_MINUTES, body=b"another"), Claim)
    assert await ask(stores, at=START + TEN_MINUTES) is Unclaimed.MISMATCH
    assert await stores.count("idempotent_replies") == 1


async def test_a_dead_process_holds_a_key_no_longer_than_its_lease(stores: Stores) -> None:
    dead = await claimed(stores)
    assert await ask(stores, at=START + LEASE - MOMENT) is Unclaimed.RUNNING
    alive = await claimed(stores, at=START + LEASE)
    await keep(stores, dead, b"too late")
    assert await ask(stores, at=START + LEASE) is Unclaimed.RUNNING
    await stores.replies.drop(dead)
    assert await ask(stores, at=START + LEASE) is Unclaimed.RUNNING
    await keep(stores, alive)
    assert await ask(stores, at=START + LEASE) == REPLY


async def test_a_question_that_runs_for_longer_than_ten_minutes_keeps_its_key(stores: Stores) -> None:
    long = START + dt.timedelta(seconds=630)  # the longest deadline a policy may have, and the margin of a lease
    claim = await stores.replies.claim(ADA, "key", body=BODY, now=START, lease_until=long)
    assert isinstance(claim, Claim)
    assert await ask(stores, at=START + TEN_MINUTES) is Unclaimed.RUNNING
    assert isinstance(await ask(stores, at=long), Claim)


async def test_a_claim_given_up_frees_the_key_for_any_body(stores: Stores) -> None:
    await stores.replies.drop(await claimed(stores))
    assert await stores.count("idempotent_replies") == 0
    assert isinstance(await ask(stores, body=b"another"), Claim)


async def test_a_kept_reply_cannot_be_given_up(stores: Stores) -> None:
    claim = await claimed(stores)
    await keep(stores, claim)
    await stores.replies.drop(claim)
    assert await ask(stores) == REPLY


async def test_a_reply_whose_exchange_is_not_stored_is_not_kept(stores: Stores) -> None:
    stored = await stores.start(exchange())
    claim = await claimed(stores)
    with pytest.raises(Exception, match="duplicate key"):
        await stores.conversations.add(stored, lease=None, finished=FinishedReply(claim, REPLY))
    assert await ask(stores) is Unclaimed.RUNNING
