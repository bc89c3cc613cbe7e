"""Publications in Postgres: staged whole, switched to by one row, kept so that an old citation still opens."""

import datetime as dt
import itertools
import json
from collections.abc import Sequence

import asyncpg

from assist_service.domain.manual import Audience, ManualPage, Publication, Section
from assist_service.domain.search import Glossary
from assist_service.ports import Listed, Switch

_STAGE = """
INSERT INTO manual_publications (id, staged_at, glossary) VALUES ($1, $2, $3::jsonb)
ON CONFLICT DO NOTHING RETURNING id
"""

_GLOSSARY = "SELECT glossary FROM manual_publications WHERE id = $1"

_SECTION_COLUMNS = ("page", "page_title", "language", "audience", "anchor", "title", "text")

_SECTIONS = f"""
SELECT id, {", ".join(_SECTION_COLUMNS)} FROM manual_sections
WHERE publication = $1 AND NOT EXISTS (SELECT FROM manual_withdrawn AS w WHERE w.section = manual_sections.id)
ORDER BY position
"""  # noqa: S608 the columns are a constant

# The last switch is the pointer: one row inserted makes a publication live, for every replica at once.
_LIVE = "SELECT publication FROM manual_switches ORDER BY number DESC LIMIT 1"

_STATE = """
SELECT (SELECT max(number) FROM manual_switches) AS switch, (SELECT count(*) FROM manual_withdrawn) AS withdrawn
"""

_BEFORE = """
SELECT publication FROM manual_switches WHERE publication <> (SELECT publication FROM manual_switches
    ORDER BY number DESC LIMIT 1)
ORDER BY number DESC LIMIT 1
"""

_LIST = """
SELECT p.id, p.staged_at, max(s.at) AS live_at, (SELECT count(*) FROM manual_sections WHERE publication = p.id) AS size
FROM manual_publications AS p LEFT JOIN manual_switches AS s ON s.publication = p.id
GROUP BY p.id ORDER BY p.staged_at DESC, p.id
"""

_CITED = f"""
SELECT id, {", ".join(_SECTION_COLUMNS)} FROM manual_sections
WHERE publication = $2 AND id = $3
  AND NOT EXISTS (SELECT FROM manual_withdrawn AS w WHERE w.section = manual_sections.id)
  AND EXISTS (
    SELECT FROM exchanges WHERE owner = $1
    AND citations @> jsonb_build_array(jsonb_build_object('publication', $2::text, 'section', $3::text))
  )
"""  # noqa: S608 the columns are a constant

_WITHDRAW = """
INSERT INTO manual_withdrawn (section, at)
SELECT DISTINCT id, $3::timestamptz FROM manual_sections WHERE page = $1 AND ($2::text IS NULL OR anchor = $2)
ON CONFLICT DO NOTHING RETURNING section
"""

PUBLISHERS = 8_080
"""The advisory lock under which a publication is switched to: two publishers follow one another."""


class PostgresPublications:
    """Implements ports.Publications."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def stage(self, publication: Publication, *, now: dt.datetime) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            glossary = json.dumps(dict(publication.glossary.groups))
            if await connection.fetchval(_STAGE, publication.id, now, glossary) is None:
                return  # the same content under the same id: it is whole already, or its transaction is not ended
            sections = [section for page in publication.pages for section in page.sections]
            await connection.copy_records_to_table(
                "manual_sections",
                columns=("publication", "id", "position", *_SECTION_COLUMNS),
                records=[
                    (publication.id, section.id, position, *_row(section)) for position, section in enumerate(sections)
                ],
            )

    async def load(self, publication_id: str) -> Publication | None:
        glossary = await self._pool.fetchval(_GLOSSARY, publication_id)
        if glossary is None:
            return None
        rows = await self._pool.fetch(_SECTIONS, publication_id)
        pages = _pages([_section(row) for row in rows])
        return Publication(pages, _glossary(glossary), published_as=publication_id)

    async def switch(self, publication_id: str, *, why: Switch, now: dt.datetime) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", PUBLISHERS)
            await connection.execute(
                "INSERT INTO manual_switches (publication, why, at) VALUES ($1, $2, $3)",
                publication_id,
                why.value,
                now,
            )

    async def live(self) -> str | None:
        found: str | None = await self._pool.fetchval(_LIVE)
        return found

    async def state(self) -> tuple[int | None, int]:
        row = await self._pool.fetchrow(_STATE)
        assert row is not None
        return row["switch"], row["withdrawn"]

    async def before_live(self) -> str | None:
        found: str | None = await self._pool.fetchval(_BEFORE)
        return found

    async def was_live(self, publication_id: str) -> bool:
        return bool(
            await self._pool.fetchval(
                "SELECT EXISTS (SELECT FROM manual_switches WHERE publication = $1)", publication_id
            )
        )

    async def listing(self) -> tuple[Listed, ...]:
        live = await self.live()
        return tuple(
            Listed(row["id"], row["staged_at"], row["live_at"], row["size"], is_live=row["id"] == live)
            for row in await self._pool.fetch(_LIST)
        )

    async def cited_section(self, owner: str, publication_id: str, section_id: str) -> Section | None:
        row = await self._pool.fetchrow(_CITED, owner, publication_id, section_id)
        return _section(row) if row is not None else None

    async def withdrawn(self) -> frozenset[str]:
        rows = await self._pool.fetch("SELECT section FROM manual_withdrawn")
        return frozenset(row["section"] for row in rows)

    async def withdraw(self, page: str, anchor: str | None, *, now: dt.datetime) -> int:
        return len(await self._pool.fetch(_WITHDRAW, page, anchor, now))


def _row(section: Section) -> tuple[str, ...]:
    return tuple(str(getattr(section, column)) for column in _SECTION_COLUMNS)


def _section(row: asyncpg.Record) -> Section:
    return Section(
        page=row["page"],
        page_title=row["page_title"],
        language=row["language"],
        audience=Audience(row["audience"]),
        anchor=row["anchor"],
        title=row["title"],
        text=row["text"],
    )


def _glossary(column: str) -> Glossary:
    groups = json.loads(column).items()
    return Glossary({language: tuple(tuple(names) for names in each) for language, each in groups})


def _pages(sections: Sequence[Section]) -> tuple[ManualPage, ...]:
    """The pages the sections were cut from; those of one stand together."""
    return tuple(
        ManualPage(path, language, page[0].page_title, page[0].audience, page)
        for (path, language), group in itertools.groupby(sections, key=lambda each: (each.page, each.language))
        for page in (tuple(group),)
    )
