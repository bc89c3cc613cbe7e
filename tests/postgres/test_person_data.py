"""The rows of one person: read out in batches as of one moment, erased, and what comes late erased too."""

import asyncio
import datetime as dt
import uuid
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

import asyncpg
import pytest

from assist_service.adapters.postgres.erasing import LEFT_BEHIND, SKEW, TOLD, digest_of
from assist_service.adapters.postgres.exporting import BATCH, PARTS, PostgresPersonData
from assist_service.domain.person_data import ERASED, KeptExchange
from assist_service.domain.writes import WriteState
from assist_service.ports import Claim
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, BOB, LEASE, SEALER, Stores, exchange
from tests.postgres.late_pass import late_pass
from tests.postgres.prepared import prepare, send

SECOND = dt.timedelta(seconds=1)

_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@pytest.fixture
def people(pool: asyncpg.Pool) -> PostgresPersonData:
    return PostgresPersonData(pool, SEALER)


async def _exported(people: PostgresPersonData, sub: str = ADA) -> dict[str, list[Any]]:
    told: dict[str, list[Any]] = {}
    async with aclosing(people.export(sub, actor="back-end", now=START)) as batches:
        async for field, rows in batches:
            assert len(rows) <= BATCH
            told.setdefault(field, []).extend(rows)
    return told


async def _many(stores: Stores, exchanges: int) -> Sequence[uuid.UUID]:
    """This many exchanges of one person, made by copying one: their seals are of another row."""
    first = await stores.start(exchange())
    await stores.pool.execute(
        """
        INSERT INTO exchanges SELECT gen_random_uuid(), conversation_id, owner, at + number * interval '1 second', kind,
            language, route, topic, model, corpus_version, citations, key_id, sealed
        FROM exchanges, generate_series(1, $1) AS number
        """,
        exchanges - 1,
    )
    rows = await stores.pool.fetch("SELECT id FROM exchanges ORDER BY at")
    assert rows[0]["id"] == first.id
    return [row["id"] for row in rows]


@pytest.mark.parametrize("exchanges", [BATCH - 1, BATCH, BATCH + 1, 2 * BATCH + 1])
async def test_every_row_is_told_once_whatever_the_batches(
    stores: Stores, people: PostgresPersonData, exchanges: int
) -> None:
    ids = await _many(stores, exchanges)
    told: list[KeptExchange] = (await _exported(people))["exchanges"]
    assert [each.id for each in told] == ids
    assert [each.sealed for each in told] == ["opened", *["does not open"] * (exchanges - 1)]


async def test_somebody_without_rows_has_every_list(people: PostgresPersonData) -> None:
    told = await _exported(people, "nobody")
    assert list(told) == list(PARTS)
    assert [name for name, rows in told.items() if rows] == []


async def test_what_is_stored_meanwhile_is_of_another_moment(stores: Stores, people: PostgresPersonData) -> None:
    await stores.start(exchange())
    async with aclosing(people.export(ADA, actor="back-end", now=START)) as batches:
        field, rows = await anext(batches)
        assert (field, len(rows)) == ("conversations", 1)
        await stores.start(exchange())
        await people.erase(BOB, actor="back-end", now=START)
        assert [len(rows) async for field, rows in batches if field == "exchanges"] == [1]


async def test_an_export_that_breaks_off_is_in_the_log_all_the_same(stores: Stores, people: PostgresPersonData) -> None:
    async with aclosing(people.export(ADA, actor="back-end", now=START)) as batches:
        await anext(batches)
    assert await stores.pool.fetchval("SELECT count(*) FROM audit WHERE action = 'assist.export'") == 1
    assert (
        await stores.pool.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in trans%' AND datname = current_database()"
        )
        == 0
    )


async def test_ended_writes_are_told_without_words(stores: Stores, people: PostgresPersonData) -> None:
    write = await prepare(stores)
    await stores.pending.end(await send(stores, write), WriteState.DONE, now=START)
    [told] = (await _exported(people))["pending_writes"]
    assert (told.state, told.sealed, told.arguments, told.lines) == ("done", "holds nothing", None, ())


async def test_a_claim_of_a_question_that_runs_goes_too(stores: Stores, people: PostgresPersonData) -> None:
    claimed = await stores.replies.claim(ADA, "k", body=b"x", now=START, lease_until=START + LEASE)
    assert isinstance(claimed, Claim)
    [told] = (await _exported(people))["kept_replies"]
    assert (told.key, told.sealed, told.reply) == ("k", "holds nothing", None)
    await people.erase(ADA, actor="back-end", now=START)
    assert await stores.count("idempotent_replies") == 0
    await stores.replies.drop(claimed)


async def test_many_conversations_are_erased_and_counted(stores: Stores, people: PostgresPersonData) -> None:
    await stores.pool.execute(
        "INSERT INTO conversations (id, owner, started_at, last_at)"
        " SELECT gen_random_uuid(), CASE WHEN n > 1100 THEN $1 ELSE $2 END, $3, $3 FROM generate_series(1, 1103) AS n",
        BOB,
        ADA,
        START,
    )
    assert (await people.count(ADA))["conversations"] == 1_100
    await people.erase(ADA, actor="operator", now=START)
    assert await stores.count("conversations") == 3
    assert set((await people.count(ADA)).values()) == {0}


@pytest.mark.parametrize("name", ["erased", "assistant", "operator", "back-end"])
async def test_who_is_called_as_no_person_is_takes_nobodys_entries(
    pool: asyncpg.Pool, people: PostgresPersonData, name: str
) -> None:
    entries = [
        ("assistant", "assist.write", BOB),
        ("assistant", "assist.confirm", BOB),
        ("operator", "assist.export", BOB),
        ("back-end", "assist.erase", ERASED),
        ("back-end", "assist.export", BOB),
    ]
    await pool.executemany("INSERT INTO audit (at, actor, action, subject) VALUES (now(), $1, $2, $3)", entries)
    await people.erase(name, actor="back-end", now=START)
    assert {tuple(row) for row in await pool.fetch("SELECT actor, action, subject FROM audit")} == {
        *entries,
        ("back-end", "assist.erase", ERASED),
    }


async def test_an_erasure_is_noted_by_a_digest_and_the_later_moment_counts(
    pool: asyncpg.Pool, people: PostgresPersonData
) -> None:
    for at in (START + SECOND, START):
        await people.erase(ADA, actor="back-end", now=at)
    rows = await pool.fetch("SELECT person_digest, at FROM erasures")
    assert [tuple(row) for row in rows] == [(digest_of(ADA), START + SECOND)]


@pytest.mark.parametrize("late", [dt.timedelta(), SKEW])
async def test_what_was_asked_before_an_erasure_starts_nothing_after_it(
    stores: Stores, people: PostgresPersonData, late: dt.timedelta
) -> None:
    await people.erase(ADA, actor="back-end", now=START)
    asked_at = START - SECOND + late
    answered = exchange(at=START + SKEW + SECOND)
    assert not await stores.conversations.add(answered, lease=None, finished=None, asked_at=asked_at)
    assert await stores.count("conversations") == 0
    assert await stores.conversations.add(exchange(BOB), lease=None, finished=None, asked_at=asked_at)
    assert await stores.conversations.add(answered, lease=None, finished=None, asked_at=START + SKEW + SECOND)


async def test_the_late_pass_takes_what_still_ran_and_no_more(stores: Stores, people: PostgresPersonData) -> None:
    pool = stores.pool
    await people.erase(ADA, actor="back-end", now=START)
    unseen = [exchange(at=START), exchange(BOB, at=START)]  # one that started in the very moment of it
    for each in unseen:
        await stores.conversations.add(each, lease=None, finished=None, asked_at=START + LEFT_BEHIND)
    anew = exchange(at=START + SKEW + SECOND)
    assert await stores.conversations.add(anew, lease=None, finished=None, asked_at=anew.at)
    for owner in (ADA, BOB):
        await pool.execute("INSERT INTO question_rates VALUES ($1, $2, '2026-11-02', 1)", owner, [START + SECOND])
        for number, at in enumerate((START + SECOND, START + LEFT_BEHIND + SECOND)):
            await pool.execute(
                "INSERT INTO audit (at, actor, action, subject) VALUES ($1, 'assistant', 'assist.write', $2)", at, owner
            )
            await pool.execute(
                "INSERT INTO audit (at, actor, action, subject) VALUES ($1, $2, 'assist.read', 'somebody')", at, owner
            )
            await pool.execute(
                "INSERT INTO llm_calls (id, day, purpose, model, person, question_id, reserved_at, lease_until,"
                " worst_micros) VALUES (gen_random_uuid(), $1, 'assist', 'stub', $2, gen_random_uuid(), $3, $3, $4)",
                at.date(),
                owner,
                at,
                number,
            )
        await stores.replies.claim(owner, "k", body=b"x", now=START + SECOND, lease_until=START + LEASE)
    assert await late_pass(pool, now=START + TOLD - SECOND) == 6
    of_ada = {
        "conversations": "SELECT started_at FROM conversations WHERE owner = $1",
        "idempotent_replies": "SELECT at FROM idempotent_replies WHERE owner = $1",
        "question_rates": "SELECT recent FROM question_rates WHERE person = $1",
        "llm_calls": "SELECT reserved_at FROM llm_calls WHERE person = $1",
        "audit": "SELECT at FROM audit WHERE $1 IN (actor, subject)",
    }
    left = START + LEFT_BEHIND + SECOND
    expected = {"conversations": [anew.at], "llm_calls": [left], "audit": [left, left]}
    for table, query in of_ada.items():
        assert [row[0] for row in await pool.fetch(query, ADA)] == expected.get(table, []), table
        assert len(await pool.fetch(query, BOB)) == {"llm_calls": 2, "audit": 4}.get(table, 1), table
    assert await stores.count("erasures") == 1
    assert await late_pass(pool, now=START + TOLD) == 0
    assert await stores.count("erasures") == 0


async def test_two_erasures_and_a_late_pass_at_once(stores: Stores, people: PostgresPersonData) -> None:
    for _ in range(20):
        await stores.start(exchange())
    await asyncio.gather(
        *(people.erase(ADA, actor="back-end", now=START) for _ in range(3)),
        *(late_pass(stores.pool, now=START) for _ in range(3)),
    )
    assert await stores.count("conversations") == 0


async def test_one_that_meets_a_purge_the_other_way_round_is_tried_again(stores: Stores, database_url: str) -> None:
    first = await stores.start(exchange())
    impatient = {"deadlock_timeout": "20ms"}  # so that it is the erasure that Postgres ends
    async with (
        asyncpg.create_pool(database_url, min_size=1, max_size=1, server_settings=impatient) as pool,
        stores.pool.acquire() as purge,
        asyncio.TaskGroup() as erasing,
        purge.transaction(),
    ):
        await purge.execute("DELETE FROM exchanges WHERE id = $1", first.id)
        erasing.create_task(PostgresPersonData(pool, SEALER).erase(ADA, actor="back-end", now=START))
        async with asyncio.timeout(5):
            while not await stores.pool.fetchval(_WAITING):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        await purge.execute("SELECT FROM conversations WHERE id = $1 FOR UPDATE", first.conversation_id)
    assert await stores.count("conversations") == 0
    assert await stores.count("audit") == 1
