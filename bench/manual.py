"""Publishes generated manuals of 1,000 and 10,000 sections and searches them; prints a table, writes the figures.

What they are made of, and what is asked: `bench/manual_text.py`.
"""

import asyncio
import statistics
import time
from collections.abc import Sequence

import asyncpg

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.configuration import load_policy
from assist_service.adapters.postgres.engine import open_pool
from assist_service.adapters.postgres.migrating import migrate
from assist_service.adapters.search import build_index
from assist_service.bootstrap.database import MIGRATIONS
from assist_service.bootstrap.manuals import make_publishing, readers_of
from assist_service.domain.manual import Audience, Publication
from assist_service.domain.people import Role
from assist_service.ports import SectionIndex
from bench.manual_text import generated, questions
from devtools.postgres import running_postgres

SEARCHES = 1_000
ROUNDS = 4
POLICY = load_policy("default")


async def measure(dsn: str, sections: int) -> dict[str, float]:
    """Seconds to publish, and milliseconds of a search over what was published."""
    migrate_to = dsn.replace("/postgres?", f"/bench_{sections}?")
    server = await asyncpg.connect(dsn)
    await server.execute(f"CREATE DATABASE bench_{sections}")
    await server.close()
    await asyncio.to_thread(migrate, migrate_to, MIGRATIONS)
    publication = generated(sections, seed=sections)
    pool = await open_pool(migrate_to, size=4)
    try:
        publishing = make_publishing(pool, policy=POLICY, clock=SystemClock())
        began = time.perf_counter()
        await publishing.publish(publication)
        published = time.perf_counter() - began
    finally:
        await pool.close()
    first, later = searched(publication)
    return {
        f"publish_{sections}_sections_s": round(published, 2),
        f"search_first_p50_ms_at_{sections}": round(statistics.median(first), 3),
        f"search_p50_ms_at_{sections}": round(statistics.median(later), 3),
        f"search_p99_ms_at_{sections}": round(statistics.quantiles(later, n=100)[98], 3),
    }


def searched(publication: Publication) -> tuple[list[float], list[float]]:
    """Milliseconds of each search: in an index nobody has asked yet, and after some thousand other questions.

    Words are read once, so the first questions take longer; none is ever asked twice here.
    """
    readers = [readers_of(POLICY)[role] for role in (Role.TEACHER, Role.ADMIN)]
    index = build_index(publication)
    for audiences in readers:
        index.prepare(audiences)
    rounds = [_asked(index, readers, seed) for seed in range(ROUNDS)]
    return rounds[0], rounds[-1]


def _asked(index: SectionIndex, readers: Sequence[frozenset[Audience]], seed: int) -> list[float]:
    """A thousand questions, by a teacher and by an administrator in turn."""
    taken = []
    for number, (language, question) in enumerate(questions(SEARCHES, seed=seed)):
        began = time.perf_counter()
        index.search(question, audiences=readers[number % len(readers)], language=language, limit=8)
        taken.append((time.perf_counter() - began) * 1_000)
    return taken


def measure_all() -> dict[str, float]:
    """Both sizes; the large one's search is what the targets are for."""
    with running_postgres(durable=True) as dsn:
        figures = {**asyncio.run(measure(dsn, 1_000)), **asyncio.run(measure(dsn, 10_000))}
    figures["search_p50_ms"] = figures["search_p50_ms_at_10000"]
    figures["search_p99_ms"] = figures["search_p99_ms_at_10000"]
    return figures


if __name__ == "__main__":
    for name, figure in measure_all().items():
        print(f"{name:32} {figure:>10}")
