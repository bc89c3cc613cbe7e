"""The purge takes what has been kept for its time, no more, and never what is being written (rows A8, J14)."""

import datetime as dt
import uuid

import pytest

from assist_service.adapters.postgres.erasing import TOLD, digest_of
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.limits import PostgresRateLimiter
from assist_service.adapters.postgres.purging import BATCH, CALLS_KEPT
from assist_service.domain.conversation import Kind, RateLimits
from assist_service.services.purge import Purge
from assist_service.telemetry.counting import PURGED
from tests.fakes.clocks import START, HandClock
from tests.postgres.exchanges import ADA, LEASE, Stores, exchange
from tests.postgres.money import DAY, Day, calls_of, day_of, reserve, settle, spend
from tests.postgres.purged import A_DAY, AUDIT_DAYS, LIVE_DAYS, MANUAL_DAYS, MOMENT, NOTHING, went

_COUNT_DELETED = """
CREATE TABLE deletions (rows bigint);
CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO deletions SELECT count(*) FROM gone; RETURN NULL; END $$;
CREATE TRIGGER note_deletion AFTER DELETE ON exchanges REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION note_deletion();
"""

_MANY_EXCHANGES = """
INSERT INTO exchanges (id, conversation_id, owner, at, kind, language, route, model, corpus_version, citations,
                       key_id, sealed)
SELECT gen_random_uuid(), $1, 'ada', $2, 'manual', 'en', '/pools', 'stub', '0', '[]', 'k', 'sealed'
FROM generate_series(1, $3)
"""


def test_every_number_that_a_purge_tells_is_one_of_the_metrics() -> None:
    assert NOTHING.keys() == PURGED


async def test_an_exchange_stays_its_days_by_its_kind_and_not_a_moment_longer(stores: Stores, purge: Purge) -> None:
    kept = set()
    for kind in Kind:
        age = dt.timedelta(days=MANUAL_DAYS if kind is Kind.MANUAL else LIVE_DAYS)
        kept.add((await stores.start(exchange(kind=kind, at=START - age))).id)
        await stores.start(exchange(kind=kind, at=START - age - MOMENT))
    assert await purge() == went(exchanges=len(Kind), conversations=len(Kind))
    assert {row["id"] for row in await stores.pool.fetch("SELECT id FROM exchanges")} == kept
    assert await purge() == NOTHING


async def test_a_conversation_goes_with_its_last_exchange_and_not_before(
    stores: Stores, purge: Purge, clock: HandClock
) -> None:
    first = await stores.start(exchange(at=START - 91 * A_DAY))
    second = await stores.follow(first, at=START - 90 * A_DAY)
    assert await purge() == went(exchanges=1)
    found = await stores.conversations.transcript(ADA, first.conversation_id, cursor=None, limit=9)
    assert found is not None
    assert found.items == (second,)
    clock.move(1)
    assert await purge() == went(exchanges=1, conversations=1)
    assert await stores.count("conversations") == 0


async def test_a_conversation_with_a_question_running_stays_for_its_answer(stores: Stores, purge: Purge) -> None:
    first = await stores.start(exchange(at=START - 91 * A_DAY))
    opened = await stores.open(first, at=START)
    assert await purge() == went(exchanges=1)
    answer = exchange(conversation_id=first.conversation_id, at=START)
    assert await stores.conversations.add(answer, lease=opened.lease, finished=None)
    assert await purge() == NOTHING


async def test_an_empty_conversation_that_a_dead_process_held_goes_with_its_lease(
    stores: Stores, purge: Purge, clock: HandClock
) -> None:
    first = await stores.start(exchange(at=START - 91 * A_DAY))
    dead = await stores.open(first, at=START)
    clock.move(LEASE.total_seconds() - 1)
    assert await purge() == went(exchanges=1)
    clock.move(1)
    assert await purge() == went(conversations=1)
    late = exchange(conversation_id=first.conversation_id, at=START)
    assert not await stores.conversations.add(late, lease=dead.lease, finished=None)
    assert await stores.count("exchanges") == 0


async def test_a_reply_goes_after_its_ten_minutes_once_nobody_can_hold_its_key(
    stores: Stores, purge: Purge, clock: HandClock
) -> None:
    long_lease = START + dt.timedelta(minutes=11)
    for key, lease_until in (("short", START + LEASE), ("long", long_lease)):
        await stores.replies.claim(ADA, key, body=b"", now=START, lease_until=lease_until)
    clock.move(10 * 60)
    assert await purge() == NOTHING
    clock.move(1)
    assert await purge() == went(idempotent_replies=1)
    clock.move(60)
    assert await purge() == went(idempotent_replies=1)


async def test_rates_go_once_their_day_is_over_everywhere(stores: Stores, purge: Purge) -> None:
    limiter, limits = PostgresRateLimiter(stores.pool), RateLimits(questions_per_minute=1)
    for days in (0, 1, 2, 3, 30):
        await limiter.count(f"person-{days}", limits=limits, now=START - days * A_DAY, tz=dt.UTC)
    assert await purge() == went(question_rates=2)
    kept = await stores.pool.fetch("SELECT person FROM question_rates")
    assert {row["person"] for row in kept} == {"person-0", "person-1", "person-2"}


async def test_what_dead_processes_left_reserved_is_settled_and_the_living_left_alone(
    stores: Stores, purge: Purge, clock: HandClock
) -> None:
    ledger = PostgresLedger(stores.pool)
    await reserve(ledger, 1_000, lease_until=START)
    await reserve(ledger, 300, lease_until=START + LEASE)
    clock.move(1)
    assert await purge() == went(reservations_settled=1)
    assert await day_of(stores.pool) == Day(spent=1_000, reserved=300, chat_spent=1_000, chat_reserved=300)


async def test_provider_requests_are_kept_for_the_accounts_of_a_year(stores: Stores, purge: Purge) -> None:
    ledger = PostgresLedger(stores.pool)
    for days in (0, 1):
        await spend(ledger, 10 + days, day=DAY - CALLS_KEPT - days * A_DAY)
    running = await reserve(ledger, 500, day=DAY - CALLS_KEPT - A_DAY)
    assert await purge() == went(llm_calls=1)
    assert [row["worst_micros"] for row in await calls_of(stores.pool)] == [10, 500]
    await settle(ledger, running, 1)
    assert await purge() == went(llm_calls=1)


async def test_the_audit_log_outlives_what_it_tells_of_and_goes_after_its_own_time(
    stores: Stores, purge: Purge, clock: HandClock
) -> None:
    first = await stores.start(exchange())
    await stores.conversations.delete(ADA, first.conversation_id, now=START)
    clock.move(AUDIT_DAYS * 24 * 3600)
    assert await purge() == NOTHING
    clock.move(1)
    assert await purge() == went(audit=1)
    assert await stores.count("audit") == 0


async def test_what_a_question_left_of_somebody_erased_goes_and_the_erasure_is_forgotten_after_an_hour(
    stores: Stores, purge: Purge, clock: HandClock
) -> None:
    await stores.start(exchange())
    await stores.pool.execute("INSERT INTO erasures VALUES ($1, $2)", digest_of(ADA), START)
    assert await purge() == went(erased_late=1)
    clock.move(TOLD.total_seconds() - 1)
    assert (await purge(), await stores.count("erasures")) == (NOTHING, 1)
    clock.move(1)
    assert (await purge(), await stores.count("erasures")) == (NOTHING, 0)


@pytest.mark.parametrize("rows", [BATCH, 2 * BATCH + 1])
async def test_many_rows_go_in_batches_and_all_of_them(stores: Stores, purge: Purge, rows: int) -> None:
    await stores.pool.execute(_COUNT_DELETED)
    conversation_id = uuid.uuid4()
    old = START - 91 * A_DAY
    await stores.pool.execute("INSERT INTO conversations VALUES ($1, 'ada', $2, $2)", conversation_id, old)
    await stores.pool.execute(_MANY_EXCHANGES, conversation_id, old, rows)
    assert await purge() == went(exchanges=rows, conversations=1)
    batches = [row["rows"] for row in await stores.pool.fetch("SELECT rows FROM deletions WHERE rows > 0")]
    assert sorted(batches) == sorted([BATCH] * (rows // BATCH) + [rows % BATCH] * (rows % BATCH > 0))
