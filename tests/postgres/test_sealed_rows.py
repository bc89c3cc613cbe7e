"""Sealed bytes moved to another row, owner, table or column of the database do not open there (invariant S1)."""

import json
import uuid
from dataclasses import replace
from typing import Any

import pytest

from assist_service.adapters.postgres.sealed_exchanges import COLUMNS, exchange_of, row_of
from assist_service.adapters.sealing import AesGcmSealer
from assist_service.domain.placeholders import KnownName, Names
from assist_service.ports import Binding, Claim, FinishedReply, SealBroken
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, BOB, KEY, LEASE, SEALER, Stores, exchange, stores_on
from tests.postgres.prepared import prepared

SWAP_EXCHANGES = """
UPDATE exchanges AS mine SET sealed = theirs.sealed FROM exchanges AS theirs
WHERE (mine.id, theirs.id) IN (($1, $2), ($2, $1))
"""

QUESTION, ANSWER = "CANARY-QUESTION", "CANARY-ANSWER"


async def reply(stores: Stores, owner: str, key: str, body: bytes) -> None:
    """A reply kept under a key of a person, with an exchange of its own."""
    claim = await stores.replies.claim(owner, key, body=body, now=START, lease_until=START + LEASE)
    assert isinstance(claim, Claim)
    assert await stores.conversations.add(exchange(owner), lease=None, finished=FinishedReply(claim, b"reply"))


async def replayed(stores: Stores, owner: str, key: str, body: bytes) -> object:
    return await stores.replies.claim(owner, key, body=body, now=START, lease_until=START + LEASE)


@pytest.mark.parametrize("owner", [ADA, BOB], ids=["of the same person", "of another person"])
async def test_two_rows_swapped_open_neither(stores: Stores, owner: str) -> None:
    mine, theirs = await stores.start(exchange(ADA)), await stores.start(exchange(owner))
    await stores.pool.execute(SWAP_EXCHANGES, mine.id, theirs.id)
    for one in (mine, theirs):
        with pytest.raises(SealBroken):
            await stores.conversations.transcript(one.owner, one.conversation_id, cursor=None, limit=9)
        with pytest.raises(SealBroken):
            await stores.open(one)
        listed = await stores.conversations.listing(one.owner, cursor=None, limit=9)
        assert {head.title for head in listed.items} == {""}
    await stores.pool.execute(SWAP_EXCHANGES, mine.id, theirs.id)
    found = await stores.conversations.transcript(ADA, mine.conversation_id, cursor=None, limit=9)
    assert found is not None
    assert found.items == (mine,)


async def test_a_row_that_does_not_open_leaves_its_conversation_free_and_deletable(stores: Stores) -> None:
    first = await stores.start(exchange())
    await stores.pool.execute("UPDATE exchanges SET sealed = 'broken'")
    for _ in range(2):
        with pytest.raises(SealBroken):
            await stores.open(first)
    assert await stores.pool.fetchval("SELECT lease FROM conversations") is None
    assert await stores.conversations.delete(ADA, first.conversation_id, now=START)


async def test_a_row_given_to_another_person_does_not_open_for_them(stores: Stores) -> None:
    hers = await stores.start(exchange(ADA))
    await stores.pool.execute("UPDATE exchanges SET owner = $1", BOB)
    await stores.pool.execute("UPDATE conversations SET owner = $1", BOB)
    with pytest.raises(SealBroken):
        await stores.conversations.transcript(BOB, hers.conversation_id, cursor=None, limit=9)


async def test_a_row_under_another_id_does_not_open(stores: Stores) -> None:
    hers = await stores.start(exchange(ADA))
    await stores.pool.execute("UPDATE exchanges SET id = gen_random_uuid()")
    with pytest.raises(SealBroken):
        await stores.conversations.transcript(ADA, hers.conversation_id, cursor=None, limit=9)


@pytest.mark.parametrize(
    "swap",
    [
        "SET sealed_reply = sealed_body_digest, sealed_body_digest = sealed_reply",
        "SET sealed_reply = (SELECT sealed FROM exchanges LIMIT 1)",
        "SET sealed_reply = (SELECT sealed_reply FROM idempotent_replies WHERE key = 'other')",
        "SET sealed_reply = (SELECT sealed_reply FROM idempotent_replies WHERE owner = 'bob')",
        "SET reply_key_id = 'retired'",
    ],
    ids=["columns", "another table", "another key", "another owner", "another key id"],
)
async def test_a_kept_reply_opens_only_where_it_was_kept(stores: Stores, swap: str) -> None:
    await reply(stores, ADA, "key", b"asked")
    await reply(stores, ADA, "other", b"asked")
    await reply(stores, BOB, "key", b"asked")
    assert await replayed(stores, ADA, "key", b"asked") == b"reply"
    await stores.pool.execute(f"UPDATE idempotent_replies {swap} WHERE owner = 'ada' AND key = 'key'")
    with pytest.raises(SealBroken):
        await replayed(stores, ADA, "key", b"asked")


async def test_rows_of_before_open_while_their_key_is_kept_and_not_after(stores: Stores) -> None:
    old = await stores.start(exchange())
    new_key = bytes(reversed(KEY))
    both, later = stores_on(stores.pool, AesGcmSealer([new_key, KEY])), stores_on(stores.pool, AesGcmSealer([new_key]))
    new = await both.start(exchange())
    for one in (old, new):
        found = await both.conversations.transcript(ADA, one.conversation_id, cursor=None, limit=9)
        assert found is not None
        assert found.items == (one,)
    assert await later.conversations.transcript(ADA, new.conversation_id, cursor=None, limit=9)
    with pytest.raises(SealBroken):
        await later.conversations.transcript(ADA, old.conversation_id, cursor=None, limit=9)


async def test_no_words_of_anybody_stand_in_any_row(stores: Stores) -> None:
    claim = await stores.replies.claim(ADA, "key", body=QUESTION.encode(), now=START, lease_until=START + LEASE)
    assert isinstance(claim, Claim)
    one = exchange(question=QUESTION, answer=ANSWER)
    write = prepared(one, title=QUESTION)
    finished = FinishedReply(claim, ANSWER.encode())
    assert await stores.conversations.add(one, lease=None, finished=finished, writes=[write])
    tables = await stores.pool.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    for (table,) in tables:
        for row in await stores.pool.fetch(f"SELECT * FROM {table}"):  # noqa: S608 a name of the catalogue
            for value in row:
                said = value if isinstance(value, bytes) else str(value).encode()
                assert b"CANARY" not in said, table


async def test_who_has_which_placeholder_is_kept_with_what_they_were_called_before(stores: Stores) -> None:
    people = {3: KnownName(uuid.UUID(int=1), "Ana Costa"), 12: KnownName(uuid.UUID(int=2), "Ana Li")}
    names = Names("bcdfghjk", people, former=(KnownName(uuid.UUID(int=1), "Ana Lima"),), given=15)
    kept = await stores.start(replace(exchange(), names=names))
    found = await stores.conversations.transcript(ADA, kept.conversation_id, cursor=None, limit=9)
    assert found is not None
    assert [item.names for item in found.items] == [names]


COSTA, LI, LIMA = (str(uuid.UUID(int=1)), "Ana Costa"), (str(uuid.UUID(int=2)), "Ana Li"), "Ana Lima"

EARLIER: dict[str, tuple[object, tuple[str, ...]]] = {
    "without former names": (["bcdfghjk", [COSTA, LI]], ()),
    "with former names": (["bcdfghjk", [COSTA, LI], [(COSTA[0], LIMA)]], (LIMA,)),
}


@pytest.mark.parametrize(("row", "former"), EARLIER.values(), ids=EARLIER)
def test_a_row_that_holds_everyone_in_order_opens(row: object, former: tuple[str, ...]) -> None:
    kept = replace(exchange(), citations=())
    columns: Any = dict(zip(COLUMNS.split(", "), row_of(kept, SEALER), strict=True))
    words = json.dumps({"question": kept.question, "answer": kept.answer, "names": row}).encode()
    binding = Binding(table="exchanges", row=str(kept.id), owner=kept.owner)
    _, columns["sealed"] = SEALER.seal(words, binding)
    names = exchange_of(columns, SEALER).names
    assert names is not None
    assert {number: known.name for number, known in names.people.items()} == {1: "Ana Costa", 2: "Ana Li"}
    assert (names.given, [known.name for known in names.former]) == (2, list(former))
