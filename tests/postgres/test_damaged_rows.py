"""A value that a column should not hold spoils the telling of its own row, never an export, a list or a purge."""

import datetime as dt
from contextlib import aclosing
from functools import partial

import asyncpg
import pytest

from assist_service.adapters.postgres.engine import connect_alone
from assist_service.adapters.postgres.exporting import PARTS, PostgresPersonData
from assist_service.adapters.postgres.purging import PostgresPurge
from assist_service.domain.conversation import Kind
from assist_service.domain.person_data import DamagedRow, PersonDocument
from assist_service.ports import KeptFor
from assist_service.services.privacy import Privacy
from tests.fakes.clocks import START, HandClock
from tests.postgres.exchanges import ADA, SEALER, Stores, exchange
from tests.postgres.prepared import prepare

DAMAGED = [
    ("exchanges", "kind = 'of-a-newer-release'", ["kind"]),
    ("exchanges", """citations = '[{"odd": 1}]'""", ["citations"]),
    ("exchanges", "citations = '7'", ["citations"]),
    ("exchanges", "kind = '', at = 'infinity'", ["at", "kind"]),
    ("conversations", "last_at = '-infinity'", ["last_at"]),
    ("pending_writes", "expires_at = 'infinity'", ["expires_at"]),
    ("question_rates", "recent = '{infinity}'", ["recent"]),
    ("audit", "at = 'infinity'", ["at"]),
]


async def _document(pool: asyncpg.Pool) -> PersonDocument:
    privacy = Privacy(people=PostgresPersonData(pool, SEALER), clock=HandClock())
    async with aclosing(privacy.export(ADA, actor="back-end")) as pieces:
        return PersonDocument.model_validate_json(b"".join([piece async for piece in pieces]))


@pytest.mark.parametrize(("table", "damage", "fields"), DAMAGED)
async def test_it_is_told_in_its_row_with_all_the_others(
    stores: Stores, table: str, damage: str, fields: list[str]
) -> None:
    for _ in range(2):
        await prepare(stores, ADA)
        await stores.pool.execute("INSERT INTO audit (at, actor, action, subject) VALUES ($1, $2, 'a', $2)", START, ADA)
    await stores.pool.execute("INSERT INTO question_rates VALUES ($1, '{}', $2, 1)", ADA, START.date())
    whole = await _document(stores.pool)
    await stores.pool.execute(f"UPDATE {table} SET {damage} WHERE ctid = (SELECT min(ctid) FROM {table})")  # noqa: S608
    document = await _document(stores.pool)
    for name, part in PARTS.items():
        rows, before = getattr(document, name), getattr(whole, name)
        assert len(rows) == len(before) + (name == "audit")  # the second export tells of the first
        damaged = [row for row in rows if isinstance(row, DamagedRow)]
        assert [list(row.damaged) for row in damaged] == ([fields] if part.table == table else []), name


async def test_its_words_are_told_all_the_same(stores: Stores) -> None:
    await stores.start(exchange(question="canary?"))
    await stores.pool.execute("""UPDATE exchanges SET kind = 'newer', citations = '[{"odd": 1}]'""")
    [row] = (await _document(stores.pool)).exchanges
    assert isinstance(row, DamagedRow)
    assert (row.told["question"], row.told["kind"], row.told["sealed"]) == ("canary?", "newer", "opened")
    assert row.told["citations"] == '[{"odd": 1}]'


async def test_a_list_shows_it_without_a_title(stores: Stores) -> None:
    first = await stores.start(exchange(question="canary?"))
    await stores.start(exchange())
    await stores.pool.execute("UPDATE exchanges SET kind = 'newer' WHERE id = $1", first.id)
    listed = await stores.conversations.listing(ADA, cursor=None, limit=9)
    assert [bool(head.title) for head in listed.items].count(False) == 1
    assert len(listed.items) == 2


async def test_a_kind_that_nobody_knows_is_kept_as_short_as_any(stores: Stores, database_url: str) -> None:
    for kind in ("newer", "another", Kind.MANUAL.value, Kind.LIVE.value):
        for days in (29, 31):
            row = await stores.start(exchange(at=START - dt.timedelta(days=days)))
            await stores.pool.execute("UPDATE exchanges SET kind = $2 WHERE id = $1", row.id, kind)
    kept = KeptFor({Kind.MANUAL: dt.timedelta(days=90), Kind.LIVE: dt.timedelta(days=30)}, dt.timedelta(days=730))
    deleted = await PostgresPurge(partial(connect_alone, database_url))(kept, now=START)
    assert deleted is not None
    assert (deleted["exchanges"], deleted["conversations"]) == (3, 3)
    left = await stores.pool.fetch("SELECT kind FROM exchanges WHERE at < $1", START - dt.timedelta(days=30))
    assert [row["kind"] for row in left] == ["manual"]
