"""Publishes generated manuals of 1,000 and 10,000 sections and searches them; prints a table, writes the figures.

Words are drawn by Zipf's law from a vocabulary of 20,000, so that some are in every section and most in few.
"""

import asyncio
import json
import platform
import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.configuration import load_policy
from assist_service.adapters.postgres.engine import open_pool
from assist_service.adapters.postgres.migrating import migrate
from assist_service.adapters.search import build_index
from assist_service.bootstrap.database import MIGRATIONS
from assist_service.bootstrap.manuals import make_publishing, readers_of
from assist_service.domain.manual import Audience, ManualPage, Publication, Section
from assist_service.domain.people import Role
from devtools.postgres import running_postgres

OUT = Path(__file__).parent / "out" / "latest.json"
SECTIONS_A_PAGE = 5
WORDS_A_SECTION = 60
SEARCHES = 1_000
VOCABULARY = 20_000
POLICY = load_policy("default")


def generated(sections: int, *, seed: int) -> Publication:
    """A manual of this many sections over the folders of all audiences."""
    drawing = random.Random(seed)
    return Publication(tuple(_pages(sections, drawing)))


def _pages(sections: int, drawing: random.Random) -> Iterator[ManualPage]:
    audiences = list(Audience)
    for number in range(sections // SECTIONS_A_PAGE):
        audience = audiences[number % len(audiences)]
        path, title = f"{audience.value.split(':')[0]}/page-{number}", words(drawing, 3)
        yield ManualPage(
            path,
            "en",
            title,
            audience,
            tuple(
                Section(path, title, "en", audience, f"part-{part}", words(drawing, 4), words(drawing, WORDS_A_SECTION))
                for part in range(SECTIONS_A_PAGE)
            ),
        )


def words(drawing: random.Random, count: int) -> str:
    """Running text of made-up words."""
    return " ".join(f"w{int(VOCABULARY ** drawing.random())}x" for _ in range(count))


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
    taken = searched(publication)
    return {
        f"publish_{sections}_sections_s": round(published, 2),
        f"search_p50_ms_at_{sections}": round(statistics.median(taken), 3),
        f"search_p99_ms_at_{sections}": round(statistics.quantiles(taken, n=100)[98], 3),
    }


def searched(publication: Publication) -> list[float]:
    """Milliseconds of each search, by a teacher, of three to eight words."""
    index, audiences = build_index(publication), readers_of(POLICY)[Role.TEACHER]
    drawing = random.Random(7)
    taken = []
    for _ in range(SEARCHES):
        query = words(drawing, drawing.randint(3, 8))
        began = time.perf_counter()
        index.search(query, audiences=audiences, language="en", limit=8)
        taken.append((time.perf_counter() - began) * 1_000)
    return taken


def main() -> None:
    """Measures, prints, writes."""
    with running_postgres(durable=True) as dsn:
        figures = {**asyncio.run(measure(dsn, 1_000)), **asyncio.run(measure(dsn, 10_000))}
    figures["search_p50_ms"] = figures["search_p50_ms_at_10000"]
    figures["search_p99_ms"] = figures["search_p99_ms_at_10000"]
    for name, figure in figures.items():
        print(f"{name:32} {figure:>10}")
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps({**figures, "command": "make bench", "python": platform.python_version()}, indent=2))


if __name__ == "__main__":
    main()
