"""A process of confirms that race for one write: `python -m tests.postgres.taker '<Takes as JSON>'`.

It says it is ready, waits for a line, takes, and prints of each that got it whether it is repeated, as a line of JSON.
"""

import asyncio
import datetime as dt
import json
import sys
import uuid
from dataclasses import dataclass

import asyncpg

from assist_service.adapters.postgres.pending import PostgresPendingWrites
from tests.postgres.exchanges import SEALER


@dataclass(frozen=True)
class Takes:
    """What one process is to do."""

    database_url: str
    owner: str
    conversation_id: str
    write_id: str
    now: str
    times: int


async def run(takes: Takes, pool: asyncpg.Pool) -> list[bool]:
    """All confirms at once; of each that has the write, whether it is repeated."""
    pending = PostgresPendingWrites(pool, SEALER)
    place = (takes.owner, uuid.UUID(takes.conversation_id), uuid.UUID(takes.write_id))
    now = dt.datetime.fromisoformat(takes.now)
    taken = await asyncio.gather(*(pending.take(*place, now=now) for _ in range(takes.times)))
    return [one.is_repeated for one in taken if one is not None]


async def _main() -> None:
    takes = Takes(**json.loads(sys.argv[1]))
    async with asyncpg.create_pool(takes.database_url, min_size=10, max_size=10) as pool:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        repeated = await run(takes, pool)
    sys.stdout.write(json.dumps(repeated) + "\n")


if __name__ == "__main__":
    asyncio.run(_main())
