"""Rotation brings every row under the first key, whatever traffic does; a retired key opens nothing (S1, S2)."""

import base64

import asyncpg
import pytest
from sqlalchemy import LargeBinary

from assist_service.adapters.postgres.rotating import BATCH, PLACES, PostgresRotating
from assist_service.adapters.postgres.tables import METADATA
from assist_service.adapters.sealing import AesGcmSealer
from assist_service.ports import Resealed
from assist_service.services.rotation import IDS_TOLD, LOOKS, Rotation
from tests.fakes.clocks import HandClock
from tests.postgres.exchanges import ADA, BOB, exchange
from tests.postgres.rotated import LOST, NEW, OLD, Worlds, opens, said, start_many

OPEN = {"manual_vectors.vector"}
"""Bytes that are no secret."""

CLEAN = dict.fromkeys(PLACES, (0, 0))
"""Changed and unopened, by place."""

_MANY = """
INSERT INTO exchanges (id, conversation_id, owner, at, kind, language, route, model, corpus_version, citations,
                       key_id, sealed)
SELECT gen_random_uuid(), conversation_id, owner, at, kind, language, route, model, corpus_version, citations,
       'lost', ''
FROM exchanges, generate_series(1, $1)
"""


@pytest.fixture
def worlds(pool: asyncpg.Pool) -> Worlds:
    return Worlds(pool)


def test_every_sealed_column_is_known_to_the_rotation() -> None:
    binary = {
        f"{table.name}.{column.name}"
        for table in METADATA.tables.values()
        for column in table.columns
        if isinstance(column.type, LargeBinary) or column.name.startswith("sealed")
    }
    keys = {
        f"{table.name}.{column.name}"
        for table in METADATA.tables.values()
        for column in table.columns
        if column.name.endswith("key_id")
    }
    assert binary - OPEN == PLACES.keys()
    assert keys == {f"{place.table}.{place.key_id}" for place in PLACES.values()}
    for place in PLACES.values():
        assert tuple(column.name for column in METADATA.tables[place.table].primary_key) == place.key


async def test_after_a_rotation_the_new_key_opens_everything_and_the_old_one_nothing(worlds: Worlds) -> None:
    before = worlds.stores(OLD)
    everything = [await said(before, owner) for owner in (ADA, BOB)]
    assert await worlds.rotated(NEW, OLD) == {
        "exchanges.sealed": (4, 0),
        "pending_writes.sealed": (2, 0),
        "idempotent_replies.sealed_body_digest": (2, 0),
        "idempotent_replies.sealed_reply": (2, 0),
    }
    for one in everything:
        assert await opens(worlds.stores(NEW), one) == [True, True, True]
        assert await opens(worlds.stores(OLD), one) == [False, False, False]
    assert await worlds.rotated(NEW, OLD) == CLEAN
    assert await worlds.rotated(NEW) == CLEAN


async def test_what_is_sealed_again_stays_bound_to_its_row_and_owner(worlds: Worlds) -> None:
    one, other = await said(worlds.stores(OLD), ADA), await said(worlds.stores(OLD), BOB)
    await worlds.rotated(NEW, OLD)
    for table in ("exchanges", "idempotent_replies", "pending_writes"):
        columns = [place.sealed for place in PLACES.values() if place.table == table]
        for column in columns:
            await worlds.pool.execute(
                f"UPDATE {table} AS mine SET {column} = theirs.{column} FROM {table} AS theirs "  # noqa: S608 ours
                "WHERE mine.owner <> theirs.owner"
            )
    for mixed in (one, other):
        assert await opens(worlds.stores(NEW, OLD), mixed) == [False, False, False]


async def test_each_row_is_counted_under_its_key(worlds: Worlds) -> None:
    await said(worlds.stores(OLD))
    await said(worlds.stores(NEW), BOB)
    new, old = await worlds.rotation(NEW, OLD).status()
    one_each = {place: 2 if place == "exchanges.sealed" else 1 for place in PLACES}
    assert (new.position, new.rows, old.position, old.rows) == (1, one_each, 2, one_each)
    (only, gone) = await worlds.rotation(NEW).status()
    assert (only.id, gone.id, gone.position, gone.rows) == (new.id, old.id, None, one_each)
    await worlds.rotated(NEW, OLD)
    assert [key.rows for key in await worlds.rotation(NEW, OLD).status()] == [
        {place: 2 * rows for place, rows in one_each.items()},
        {},
    ]


async def test_a_row_that_no_key_opens_is_told_and_left_as_it_is(worlds: Worlds) -> None:
    good, broken = await said(worlds.stores(OLD)), await said(worlds.stores(LOST), BOB)
    before = await worlds.pool.fetch("SELECT * FROM exchanges WHERE owner = 'bob' ORDER BY id")
    told = await worlds.rotation(NEW, OLD)()
    assert not told.is_whole
    assert {name: (place.changed, place.unopened, place.left) for name, place in told.places.items()} == {
        "exchanges.sealed": (2, 2, 0),
        "pending_writes.sealed": (1, 1, 0),
        "idempotent_replies.sealed_body_digest": (1, 1, 0),
        "idempotent_replies.sealed_reply": (1, 1, 0),
    }
    assert told.places["pending_writes.sealed"].ids == (str(broken.write.id),)
    assert told.places["idempotent_replies.sealed_reply"].ids == (), "the key of a reply is a word from outside"
    assert await worlds.pool.fetch("SELECT * FROM exchanges WHERE owner = 'bob' ORDER BY id") == before
    assert await opens(worlds.stores(NEW), good) == [True, True, True]
    assert await worlds.rotated(NEW, OLD, LOST) == {name: (place.unopened, 0) for name, place in told.places.items()}, (
        "with its key it goes on"
    )


async def test_many_rows_that_no_key_opens_are_told_by_some_of_their_ids(worlds: Worlds) -> None:
    await worlds.stores(OLD).start(exchange())
    await worlds.pool.execute(_MANY, 2 * BATCH)
    place = (await worlds.rotation(NEW, OLD)()).places["exchanges.sealed"]
    assert (place.changed, place.unopened, len(place.ids)) == (1, 2 * BATCH, IDS_TOLD)


@pytest.mark.parametrize("rows", [BATCH - 1, BATCH, BATCH + 1, 2 * BATCH])
async def test_all_batches_are_gone_through(worlds: Worlds, rows: int) -> None:
    await start_many(worlds.stores(OLD), rows)
    assert (await worlds.rotated(NEW, OLD))["exchanges.sealed"] == (rows, 0)
    assert [set(key.rows) for key in await worlds.rotation(NEW, OLD).status()] == [{"exchanges.sealed"}, set()]


class StillOld(PostgresRotating):
    """Beside it a replica goes on sealing with the old key, one exchange in each of so many looks."""

    def __init__(self, worlds: Worlds, looks: int = LOOKS) -> None:
        super().__init__(worlds.pool, AesGcmSealer([NEW, OLD]))
        self.old = worlds.stores(OLD)
        self.looks = looks

    async def reseal(self, place: str, *, after: tuple[str, ...] | None) -> Resealed:
        done = await super().reseal(place, after=after)
        if place == "exchanges.sealed" and after is None and self.looks:
            self.looks -= 1
            await self.old.start(exchange())
        return done


async def test_a_rotation_beside_a_replica_that_still_seals_with_the_old_key_ends_and_says_so(worlds: Worlds) -> None:
    told = await Rotation(rotating=StillOld(worlds), clock=HandClock())()
    place = told.places["exchanges.sealed"]
    assert (place.changed, place.left, told.is_whole) == (LOOKS - 1, 1, False)


async def test_what_came_in_behind_its_back_is_found_by_another_look(worlds: Worlds) -> None:
    told = await Rotation(rotating=StillOld(worlds, looks=3), clock=HandClock())()
    assert (told.places["exchanges.sealed"].changed, told.is_whole) == (3, True)


def test_a_key_id_is_no_part_of_its_key() -> None:
    (key_id,) = AesGcmSealer([OLD]).key_ids
    assert key_id not in OLD.hex()
    assert key_id not in base64.b64encode(OLD).decode()
