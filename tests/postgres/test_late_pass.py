"""Somebody erased who came back: the late pass takes what is of before, and nothing of what was done since."""

import datetime as dt
import uuid

import asyncpg
import pytest

from assist_service.adapters.postgres.erasing import SKEW
from assist_service.adapters.postgres.exporting import PostgresPersonData
from assist_service.domain.person_data import ERASED
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, BOB, SEALER, Stores, exchange
from tests.postgres.late_pass import late_pass

SECOND = dt.timedelta(seconds=1)

BEFORE, SINCE = START + SKEW, START + SKEW + SECOND
"""By a clock that may be ahead the first is still of before the erasure."""


@pytest.fixture
def people(pool: asyncpg.Pool) -> PostgresPersonData:
    return PostgresPersonData(pool, SEALER)


async def _comes_back(stores: Stores, people: PostgresPersonData) -> uuid.UUID:
    """Erased, and in a new conversation."""
    await people.erase(ADA, actor="back-end", now=START)
    anew = exchange(at=SINCE)
    assert await stores.conversations.add(anew, lease=None, finished=None, asked_at=anew.at)
    return anew.conversation_id


async def _entry(
    stores: Stores, action: str, *, at: dt.datetime, actor: str = "reader", of: uuid.UUID | None, subject: str = ADA
) -> None:
    await stores.pool.execute(
        "INSERT INTO audit (at, actor, action, subject, conversation_id) VALUES ($1, $2, $3, $4, $5)",
        at,
        actor,
        action,
        subject,
        of,
    )


async def _entries(stores: Stores) -> set[tuple[str, str]]:
    rows = await stores.pool.fetch("SELECT actor, action, subject FROM audit WHERE action <> 'assist.erase'")
    return {(row["actor"], row["action"]) for row in rows}


@pytest.mark.parametrize("action", ["assist.read", "assist.confirm", "assist.write"])
async def test_an_entry_about_a_conversation_that_exists_stays(
    stores: Stores, people: PostgresPersonData, action: str
) -> None:
    anew = await _comes_back(stores, people)
    await _entry(stores, action, at=SINCE, of=anew)
    await _entry(stores, action, at=BEFORE, of=anew, actor="by a clock behind")
    await late_pass(stores.pool, now=SINCE)
    assert await _entries(stores) == {("reader", action), ("by a clock behind", action)}


async def test_what_ran_leaves_no_entry_and_what_was_done_since_keeps_its_own(
    stores: Stores, people: PostgresPersonData
) -> None:
    await _comes_back(stores, people)
    for action in ("assist.confirm", "assist.write"):  # of a confirm that ran
        await _entry(stores, action, at=SINCE, actor="assistant", of=uuid.uuid4())
    await _entry(stores, "assist.read", at=BEFORE, of=None)
    await _entry(stores, "assist.read", at=SINCE, of=None, actor="since")
    await _entry(stores, "assist.export", at=SINCE, of=None, actor="back-end")
    await _entry(stores, "assist.read", at=BEFORE, of=None, actor=ADA, subject=BOB)
    await _entry(stores, "assist.delete", at=SINCE, of=uuid.uuid4(), actor=ADA)
    await late_pass(stores.pool, now=SINCE)
    assert await _entries(stores) == {
        ("since", "assist.read"),
        ("back-end", "assist.export"),
        (ERASED, "assist.read"),
        (ADA, "assist.delete"),
    }


async def test_an_export_of_what_was_left_leaves_no_name(stores: Stores, people: PostgresPersonData) -> None:
    await people.erase(ADA, actor="back-end", now=START)
    await _entry(stores, "assist.export", at=SINCE, of=None, actor="back-end")
    await late_pass(stores.pool, now=SINCE)
    assert await _entries(stores) == set()


async def test_calls_of_a_question_asked_since_keep_their_person(stores: Stores, people: PostgresPersonData) -> None:
    await _comes_back(stores, people)
    asked = await stores.pool.fetchval("SELECT id FROM exchanges")
    for question in (asked, uuid.uuid4()):
        await stores.pool.execute(
            "INSERT INTO llm_calls (id, day, purpose, model, person, question_id, reserved_at, lease_until,"
            " worst_micros) VALUES (gen_random_uuid(), $1, 'assist', 'stub', $2, $3, $4, $4, 1)",
            SINCE.date(),
            ADA,
            question,
            SINCE,
        )
    await late_pass(stores.pool, now=SINCE)
    rows = await stores.pool.fetch("SELECT question_id, person FROM llm_calls")
    assert {row["person"]: row["question_id"] == asked for row in rows} == {ADA: True, ERASED: False}


@pytest.mark.parametrize(("asked", "left"), [([BEFORE], 0), ([BEFORE, SINCE], 1), ([SINCE], 1)])
async def test_a_count_goes_unless_something_was_asked_since(
    stores: Stores, people: PostgresPersonData, asked: list[dt.datetime], left: int
) -> None:
    await people.erase(ADA, actor="back-end", now=START)
    await stores.pool.execute("INSERT INTO question_rates VALUES ($1, $2, $3, 1)", ADA, asked, START.date())
    await late_pass(stores.pool, now=SINCE)
    assert await stores.count("question_rates") == left
