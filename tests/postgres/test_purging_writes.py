"""The purge takes writes that nobody can confirm or send again, and never one that somebody can (row J14)."""

import datetime as dt
from collections.abc import Awaitable, Callable
from functools import partial

import asyncpg
import pytest

from assist_service.adapters.postgres.engine import connect_alone
from assist_service.adapters.postgres.purging import BATCH, WRITES_KEPT, PostgresPurge
from assist_service.domain.writes import CONFIRMING, PENDING, REPEATABLE, WriteState
from assist_service.ports import KeptFor
from tests.fakes.clocks import START
from tests.postgres.exchanges import Stores
from tests.postgres.prepared import ARRANGED, LATER, MOMENT, arranged, end, prepare, row_of, take, try_take

EXPIRED = PENDING + WRITES_KEPT
"""After START: a card's ten minutes, and the time it is kept after."""

# Where a write stands, and until when after START it stays.
STAYS = [
    ("pending", EXPIRED),
    ("given back", EXPIRED),
    ("done", EXPIRED),
    ("refused", EXPIRED),
    ("cancelled", EXPIRED),
    ("unknown, then done", EXPIRED),
    ("confirming, not sent", EXPIRED),
    ("confirming", REPEATABLE - MOMENT),
    ("unknown", REPEATABLE - MOMENT),
    ("unknown again nine minutes later", REPEATABLE - MOMENT),
    ("unknown, then given back", REPEATABLE - MOMENT),
    ("left by a dead process, then given back", REPEATABLE - MOMENT),
    ("given back, unknown nine minutes later", LATER + REPEATABLE - MOMENT),
]

_MANY = """
INSERT INTO pending_writes (id, owner, conversation_id, tool, state, prepared_at, expires_at)
SELECT gen_random_uuid(), 'ada', conversation_id, tool, 'cancelled', prepared_at, expires_at
FROM pending_writes, generate_series(1, $1)
"""


Purged = Callable[[dt.timedelta], Awaitable[int]]
"""How many writes go when the purge runs so long after START."""


@pytest.fixture
def purged(database_url: str) -> Purged:
    purging, kept = PostgresPurge(partial(connect_alone, database_url)), KeptFor({}, dt.timedelta(days=730))

    async def purge(after: dt.timedelta) -> int:
        went = await purging(kept, now=START + after)
        assert went is not None
        assert {what for what, rows in went.items() if rows} <= {"pending_writes"}
        return went["pending_writes"]

    return purge


def test_no_place_a_write_can_stand_in_is_left_out() -> None:
    assert {name for name, _ in STAYS} == set(ARRANGED)


@pytest.mark.parametrize(("name", "until"), STAYS)
async def test_a_write_stays_its_time_and_not_a_moment_longer(
    stores: Stores, name: str, until: dt.timedelta, purged: Purged
) -> None:
    write = await arranged(stores, name)
    assert await purged(until) == 0
    assert await row_of(stores, write) is not None
    assert await purged(until + MOMENT) == 1
    assert await row_of(stores, write) is None
    assert await stores.count("exchanges") == 1


async def test_what_the_purge_takes_could_not_have_been_sent_again(stores: Stores, purged: Purged) -> None:
    write = await arranged(stores, "unknown")
    assert await try_take(stores, write, START + REPEATABLE) is None
    assert await purged(REPEATABLE) == 1


async def test_a_write_that_a_confirm_holds_stays_until_its_lease_is_over(stores: Stores, purged: Purged) -> None:
    write = await arranged(stores, "unknown")
    last = START + REPEATABLE - MOMENT
    await take(stores, write, last)
    assert await purged(REPEATABLE - MOMENT + CONFIRMING - MOMENT) == 0
    assert await purged(REPEATABLE - MOMENT + CONFIRMING) == 1


async def test_a_write_that_a_confirm_ends_while_the_purge_runs_stays(
    stores: Stores, database_url: str, purged: Purged
) -> None:
    write = await arranged(stores, "unknown")
    other = await asyncpg.connect(database_url)
    async with other.transaction():
        await other.execute("UPDATE pending_writes SET state = 'done', sealed = NULL, key_id = NULL")
        assert await purged(REPEATABLE) == 0  # and waits for nobody
    await other.close()
    assert await row_of(stores, write) is not None


async def test_many_writes_go_in_batches_and_all_of_them(stores: Stores, purged: Purged) -> None:
    await prepare(stores)
    await stores.pool.execute(_MANY, 2 * BATCH)
    assert await purged(EXPIRED + MOMENT) == 2 * BATCH + 1
    assert await stores.count("pending_writes") == 0


async def test_what_was_ended_long_ago_keeps_nothing_of_its_arguments_until_then(stores: Stores) -> None:
    write = await prepare(stores)
    await end(stores, write, WriteState.DONE)
    row = await row_of(stores, write)
    assert row is not None
    assert row["sealed"] is None
