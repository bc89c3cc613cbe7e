"""Full cycles of reserving and settling a second, from two processes on one durable Postgres, none above the cap.

Run by itself as `python -m bench.reservations DSN SECONDS` it is one of the two processes.
"""

import asyncio
import datetime as dt
import json
import subprocess
import sys
import time
import uuid

import asyncpg

from assist_service.adapters.postgres.engine import open_pool
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.migrating import migrate
from assist_service.bootstrap.database import MIGRATIONS
from assist_service.domain.budget import Allowance
from assist_service.domain.messages import Usage
from assist_service.ports import CallOrigin, Exhausted
from bench.world import ROOT
from devtools.postgres import running_postgres

PROCESSES = 2
WIDTH = 64
CONNECTIONS = 10
SECONDS = 5.0
WORST_MICROS = 50_000
COST_MICROS = 7_000
USAGE = Usage(1_000, 4_000, 0, 300)


async def cycles(dsn: str, seconds: float) -> int:
    """How many requests were reserved and settled in so many seconds."""
    pool = await open_pool(dsn, size=CONNECTIONS)
    ledger, until, done = PostgresLedger(pool), time.monotonic() + seconds, 0
    day = dt.datetime.now(dt.UTC).date()
    allowance = Allowance(day_micros=10**15, purpose_micros=10**15)

    async def one_after_another() -> None:
        nonlocal done
        while time.monotonic() < until:
            now = dt.datetime.now(dt.UTC)
            got = await ledger.reserve(
                CallOrigin("assist", "stub", "bench", uuid.uuid4()),
                worst_micros=WORST_MICROS,
                allowance=allowance,
                day=day,
                now=now,
                lease_until=now + dt.timedelta(minutes=2),
            )
            assert not isinstance(got, Exhausted)
            await ledger.settle(got, cost_micros=COST_MICROS, usage=USAGE, outcome="ok", now=now)
            done += 1

    await asyncio.gather(*(one_after_another() for _ in range(WIDTH)))
    await pool.close()
    return done


def measure() -> dict[str, float]:
    """Cycles of both processes together, after the books were found to balance."""
    with running_postgres(durable=True) as dsn:
        migrate(dsn, MIGRATIONS)
        command = [sys.executable, "-m", "bench.reservations", dsn, str(SECONDS)]
        racing = [
            subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)  # noqa: S603
            for _ in range(PROCESSES)
        ]
        done = sum(json.loads(each.communicate()[0]) for each in racing)
        assert all(each.returncode == 0 for each in racing)
        spent, reserved = asyncio.run(_books(dsn))
        assert (spent, reserved) == (done * COST_MICROS, 0), "every cycle is in the books, to the micro-unit"
    return {"reservations_per_s": round(done / SECONDS)}


async def _books(dsn: str) -> tuple[int, int]:
    connection = await asyncpg.connect(dsn)
    row = await connection.fetchrow("SELECT sum(spent_micros), sum(reserved_micros) FROM llm_days")
    await connection.close()
    assert row is not None
    return int(row[0]), int(row[1])


if __name__ == "__main__":
    print(json.dumps(asyncio.run(cycles(sys.argv[1], float(sys.argv[2])))))
