"""A pending write opens only as what was frozen, and one that does not open stays as it was (invariants W1, S1)."""

from dataclasses import replace

import pytest

from assist_service.adapters.sealing import AesGcmSealer
from assist_service.ports import SealBroken
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, BOB, KEY, Stores, exchange, stores_on
from tests.postgres.prepared import arranged, cancel, prepare, prepared, row_of, take, try_take

SWAP = """
UPDATE pending_writes AS mine SET {column} = theirs.{column} FROM pending_writes AS theirs
WHERE (mine.id, theirs.id) IN (($1, $2), ($2, $1))
"""


@pytest.mark.parametrize("owner", [ADA, BOB], ids=["of the same person", "of another person"])
@pytest.mark.parametrize("columns", [("sealed",), ("conversation_id",), ("tool", "sealed")])
async def test_two_rows_swapped_open_neither(stores: Stores, owner: str, columns: tuple[str, ...]) -> None:
    both = mine, theirs = await prepare(stores), await prepare(stores, owner)
    for column in columns:
        await stores.pool.execute(SWAP.format(column=column), mine.id, theirs.id)
    for write in both:
        row = await row_of(stores, write)
        assert row is not None
        with pytest.raises(SealBroken):
            await stores.pending.take(owner if write is theirs else ADA, row["conversation_id"], write.id, now=START)
    for column in columns:
        await stores.pool.execute(SWAP.format(column=column), mine.id, theirs.id)
    for write in both:
        assert (await take(stores, write)).write == write


@pytest.mark.parametrize("name", ["pending", "unknown"])
@pytest.mark.parametrize(
    "tampering",
    [
        "sealed = 'broken'",
        "sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)",
        "sealed = (SELECT sealed FROM exchanges LIMIT 1)",
        "key_id = 'retired'",
        "tool = 'create_category'",
        "tool = 'delete_everything'",
    ],
)
async def test_a_tampered_write_is_neither_taken_nor_entered(stores: Stores, name: str, tampering: str) -> None:
    write = await arranged(stores, name)
    await stores.pool.execute(f"UPDATE pending_writes SET {tampering}")  # noqa: S608 one of those above
    before, entries = await row_of(stores, write), await stores.count("audit")
    for _ in range(2):
        with pytest.raises(SealBroken):
            await try_take(stores, write)
        assert (await row_of(stores, write), await stores.count("audit")) == (before, entries)
    assert await cancel(stores, write) is (name == "pending")


async def test_a_write_given_to_another_person_or_id_does_not_open(stores: Stores) -> None:
    write, other = await prepare(stores), await prepare(stores)
    await stores.pool.execute("UPDATE pending_writes SET owner = $2 WHERE id = $1", write.id, BOB)
    await stores.pool.execute("UPDATE pending_writes SET id = $2 WHERE id = $1", other.id, other.conversation_id)
    with pytest.raises(SealBroken):
        await stores.pending.take(BOB, write.conversation_id, write.id, now=START)
    with pytest.raises(SealBroken):
        await stores.pending.take(ADA, other.conversation_id, other.conversation_id, now=START)


async def test_what_another_table_sealed_under_the_same_id_and_owner_does_not_open(stores: Stores) -> None:
    first = exchange()
    write = replace(prepared(first), id=first.id)
    assert await stores.conversations.add(first, lease=None, finished=None, writes=[write])
    await stores.pool.execute("UPDATE pending_writes SET sealed = (SELECT sealed FROM exchanges)")
    with pytest.raises(SealBroken):
        await try_take(stores, write)


async def test_writes_of_before_open_while_their_key_is_kept_and_not_after(stores: Stores) -> None:
    write, late = await prepare(stores), await prepare(stores)
    new_key = bytes(reversed(KEY))
    both, later = stores_on(stores.pool, AesGcmSealer([new_key, KEY])), stores_on(stores.pool, AesGcmSealer([new_key]))
    new = await prepare(both)
    assert (await take(both, write)).write == write
    assert (await take(later, new)).write == new
    with pytest.raises(SealBroken):
        await try_take(later, late)
