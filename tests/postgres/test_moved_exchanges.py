"""An exchange moved to another conversation by whoever writes the database without a key stays its owner's (S1, S4)."""

import json
from contextlib import aclosing

import pytest

from assist_service.adapters.postgres.exporting import PostgresPersonData
from assist_service.adapters.postgres.sealed_exchanges import exchange_of
from assist_service.domain.person_data import KeptExchange
from assist_service.ports import Binding, SealBroken
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, BOB, SEALER, Stores, exchange

_MOVE = "UPDATE exchanges SET conversation_id = $2, at = at - interval '1 hour' WHERE id = $1"


async def _exchanges(stores: Stores, sub: str) -> list[KeptExchange]:
    told: list[KeptExchange] = []
    async with aclosing(PostgresPersonData(stores.pool, SEALER).export(sub, actor="back-end", now=START)) as batches:
        async for _, rows in batches:
            told += [row for row in rows if isinstance(row, KeptExchange)]
    return told


async def test_one_moved_to_another_person_is_neither_shown_nor_told_to_them_and_goes_with_its_owner(
    stores: Stores,
) -> None:
    hers, his = await stores.start(exchange(ADA, question="Hers?")), await stores.start(exchange(BOB, question="His?"))
    await stores.pool.execute(_MOVE, hers.id, his.conversation_id)
    listed = await stores.conversations.listing(BOB, cursor=None, limit=9)
    assert [head.title for head in listed.items] == ["His?"]
    assert [row.question for row in await _exchanges(stores, BOB)] == ["His?"]
    assert [(row.id, row.sealed) for row in await _exchanges(stores, ADA)] == [(hers.id, "does not open")]
    people = PostgresPersonData(stores.pool, SEALER)
    assert (await people.count(ADA))["exchanges"] == 1
    await people.erase(ADA, actor="back-end", now=START)
    assert [row["owner"] for row in await stores.pool.fetch("SELECT owner FROM exchanges")] == [BOB]


async def test_a_change_moved_to_another_person_goes_with_its_owner(stores: Stores) -> None:
    his = await stores.start(exchange(BOB))
    await stores.pool.execute(
        "INSERT INTO pending_writes (id, owner, conversation_id, tool, state, prepared_at, expires_at)"
        " VALUES (gen_random_uuid(), $1, $2, 't', 'cancelled', $3, $3)",
        ADA,
        his.conversation_id,
        START,
    )
    await PostgresPersonData(stores.pool, SEALER).erase(ADA, actor="back-end", now=START)
    assert await stores.count("pending_writes") == 0


async def test_one_moved_to_another_conversation_of_its_owner_does_not_open_there(stores: Stores) -> None:
    first, second = await stores.start(exchange()), await stores.start(exchange())
    await stores.pool.execute(_MOVE, first.id, second.conversation_id)
    with pytest.raises(SealBroken):
        await stores.conversations.transcript(ADA, second.conversation_id, cursor=None, limit=9)
    with pytest.raises(SealBroken):
        await stores.open(second)


async def test_one_written_before_its_conversation_was_among_the_words_opens(stores: Stores) -> None:
    kept = await stores.start(exchange())
    binding = Binding(table="exchanges", row=str(kept.id), owner=ADA)
    words = json.dumps({"question": "Before?", "answer": "So.", "names": None}).encode()
    await stores.pool.execute("UPDATE exchanges SET sealed = $1", SEALER.seal(words, binding)[1])
    [row] = await stores.pool.fetch("SELECT * FROM exchanges")
    assert exchange_of(row, SEALER).question == "Before?"
