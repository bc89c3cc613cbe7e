"""A database full of what people said, sealed under one key, of which a purge must take a part and nothing else."""

import asyncio
import datetime as dt
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import asyncpg

from assist_service.adapters.postgres.sealed_exchanges import COLUMNS, VALUES, row_of
from assist_service.adapters.sealing import AesGcmSealer
from assist_service.domain.conversation import Exchange, Kind
from assist_service.domain.writes import PendingWrite, WriteState
from assist_service.ports import Claim, FinishedReply
from tests.postgres.exchanges import LEASE, Stores, exchange, stores_on
from tests.postgres.prepared import end, prepared

CANARY = "Kanarienvogel-77"

A_DAY = dt.timedelta(days=1)

AGES: Sequence[tuple[Kind, int, bool]] = (
    (Kind.MANUAL, 1, False),
    (Kind.MANUAL, 85, False),
    (Kind.MANUAL, 95, True),
    (Kind.LIVE, 25, False),
    (Kind.LIVE, 35, True),
    (Kind.PROPOSAL, 400, True),
)
"""Kind, age in days, and whether the default policy has kept it for its time."""

OF_EACH = 500

REPLIES = 100

WRITES = 100

DEAD = 60
"""Keys whose process died over them: each is free to be claimed anew, whatever stood under it."""

_CONVERSATION = "INSERT INTO conversations (id, owner, started_at, last_at) VALUES ($1, $2, $3, $3)"

_EXCHANGE = f"INSERT INTO exchanges ({COLUMNS}) VALUES ({VALUES})"  # noqa: S608 constants

_AUDIT = """
INSERT INTO audit (at, actor, action, subject)
SELECT $1::timestamptz - make_interval(days => age), 'admin', 'assist.read', 'ada' FROM generate_series(701, 760) AS age
"""

AUDIT_KEPT = 29
"""Of these sixty entries, since the default policy keeps them 730 days."""


@dataclass
class Filled:
    """What was put there: by table, what a purge takes and what it leaves."""

    due: dict[str, set[object]] = field(default_factory=dict)
    kept: dict[str, set[object]] = field(default_factory=dict)
    fresh: dict[str, Exchange] = field(default_factory=dict)
    """By person, an exchange whose conversation can go on."""
    dead: list[tuple[str, str]] = field(default_factory=list)
    """Owner and key of what may be claimed anew."""

    def note(self, table: str, row: object, *, is_due: bool) -> None:
        (self.due if is_due else self.kept).setdefault(table, set()).add(row)


async def fill(pool: asyncpg.Pool, key: bytes, people: Sequence[str], *, now: dt.datetime) -> Filled:
    """Some thousands of rows under this key; every text in them holds CANARY."""
    sealer, filled = AesGcmSealer([key]), Filled()
    aged = [
        (_said(people[number % len(people)], kind, now - age * A_DAY), is_due)
        for kind, age, is_due in AGES
        for number in range(OF_EACH)
    ]
    filled.fresh = {person: _said(person, Kind.MANUAL, now - dt.timedelta(minutes=1)) for person in people}
    await _store(pool, sealer, [one for one, _ in aged] + list(filled.fresh.values()))
    for one, is_due in aged:
        filled.note("exchanges", one.id, is_due=is_due)
    for one in filled.fresh.values():
        filled.note("exchanges", one.id, is_due=False)
    stores = stores_on(pool, sealer)
    await asyncio.gather(
        *(_reply(stores, filled, people[number % len(people)], number, now) for number in range(REPLIES))
    )
    await asyncio.gather(
        *(_write(stores, filled, people[number % len(people)], number, now) for number in range(WRITES))
    )
    filled.dead = [(people[number % len(people)], f"dead-{number}") for number in range(DEAD)]
    await asyncio.gather(*(_die(stores, filled, owner, key, now) for owner, key in filled.dead))
    await pool.execute(_AUDIT, now)
    return filled


def _said(owner: str, kind: Kind, at: dt.datetime) -> Exchange:
    return exchange(owner, kind=kind, at=at, question=f"How, {CANARY}?", answer=f"So, {CANARY} [1].")


async def _store(pool: asyncpg.Pool, sealer: AesGcmSealer, exchanges: Iterable[Exchange]) -> None:
    exchanges = list(exchanges)
    async with pool.acquire() as connection, connection.transaction():
        await connection.executemany(_CONVERSATION, [(one.conversation_id, one.owner, one.at) for one in exchanges])
        await connection.executemany(_EXCHANGE, [row_of(one, sealer) for one in exchanges])


async def _reply(stores: Stores, filled: Filled, owner: str, number: int, now: dt.datetime) -> None:
    """Every second one is older than its ten minutes."""
    is_due, key = bool(number % 2), f"filled-{number}"
    at = now - dt.timedelta(minutes=30) if is_due else now
    claim = await stores.replies.claim(owner, key, body=b"body", now=at, lease_until=at + LEASE)
    assert isinstance(claim, Claim)
    told = FinishedReply(claim, f'{{"answer": "{CANARY}"}}'.encode())
    first = _said(owner, Kind.MANUAL, at)
    assert await stores.conversations.add(first, lease=None, finished=told)
    filled.note("exchanges", first.id, is_due=False)
    filled.note("idempotent_replies", (owner, key), is_due=is_due)


async def _die(stores: Stores, filled: Filled, owner: str, key: str, now: dt.datetime) -> None:
    """A claim of five minutes ago that nothing came of."""
    at = now - dt.timedelta(minutes=5)
    claim = await stores.replies.claim(owner, key, body=b"never answered", now=at, lease_until=at + LEASE)
    assert isinstance(claim, Claim)
    filled.note("idempotent_replies", (owner, key), is_due=False)


async def _write(stores: Stores, filled: Filled, owner: str, number: int, now: dt.datetime) -> None:
    """A third waits, a third has expired days ago, and a third is of unknown outcome and may be sent again."""
    which = number % 3
    at = now - (dt.timedelta(), 2 * A_DAY, dt.timedelta(hours=10))[which]
    first = _said(owner, Kind.PROPOSAL, at)
    write: PendingWrite = replace(prepared(first, title=CANARY, at=at), id=uuid.uuid4())
    assert await stores.conversations.add(first, lease=None, finished=None, writes=[write])
    if which == 2:
        await end(stores, write, WriteState.UNKNOWN, at)
    filled.note("exchanges", first.id, is_due=False)
    filled.note("pending_writes", write.id, is_due=which == 1)


async def left_of(pool: asyncpg.Pool, table: str, *key: str) -> set[object]:
    """The keys of all rows."""
    rows = await pool.fetch(f"SELECT {', '.join(key)} FROM {table}")  # noqa: S608 names of ours
    return {row[0] if len(key) == 1 else tuple(row) for row in rows}
