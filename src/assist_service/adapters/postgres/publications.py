"""Publications in Postgres: staged whole, switched to by one row, kept so that an old citation still opens."""

import datetime as dt
import itertools
import json
from collections import Counter
from collections.abc import Sequence

from assist_service.adapters.postgres.sections import SECTION_COLUMNS, row_of, section_of
from assist_service.adapters.postgres.withdrawals import PostgresWithdrawals
from assist_service.domain.manual import ManualPage, Publication, Section
from assist_service.domain.search import Glossary
from assist_service.domain.vectors import FLOAT_BYTES, Vectors
from assist_service.domain.withdrawals import Withdrawal, Withdrawals
from assist_service.ports import Listed, Switch

_STAGE = """
INSERT INTO manual_publications (id, staged_at, glossary) VALUES ($1, $2, $3::jsonb)
ON CONFLICT DO NOTHING RETURNING id
"""

_GLOSSARY = "SELECT glossary FROM manual_publications WHERE id = $1"

_SECTIONS = f"""
SELECT {", ".join(SECTION_COLUMNS)} FROM manual_sections WHERE publication = $1 ORDER BY position
"""  # noqa: S608 the columns are a constant

# Two replicas that start at once make the same, in one order: the second waits for the first's rows, and writes none.
_KEEP_VECTORS = """
INSERT INTO manual_vectors AS kept (publication, model, section, vector)
SELECT $1, $2, section, vector FROM unnest($3::text[], $4::bytea[]) AS made (section, vector) ORDER BY section
ON CONFLICT (publication, model, section) DO UPDATE SET vector = excluded.vector WHERE kept.vector <> excluded.vector
"""

_COUNT_VECTORS = """
SELECT count(*) FROM manual_vectors
WHERE publication = $1 AND model = $2 AND octet_length(vector) = $3 AND section = ANY($4::text[])
"""

_VECTORS = "SELECT section, vector FROM manual_vectors WHERE publication = $1 AND model = $2"

_VECTOR_MODELS = "SELECT DISTINCT model FROM manual_vectors WHERE publication = $1 ORDER BY model"

_SWITCH = "INSERT INTO manual_switches (publication, why, at) VALUES ($1, $2, $3)"

# The last switch is the pointer: one row inserted makes a publication live, for every replica at once.
_LIVE = "SELECT publication FROM manual_switches ORDER BY number DESC LIMIT 1"

# A withdrawal that was taken back lowers the count, one that was added raises the number.
_STATE = """
SELECT (SELECT max(number) FROM manual_switches) AS switch,
       (SELECT max(number) FROM manual_withdrawals) AS last_withdrawal,
       (SELECT count(*) FROM manual_withdrawals) AS withdrawals
"""

# A publication stands where it was published last, whatever was rolled back to since: from there on it goes back only.
_BEFORE = """
WITH published AS (SELECT publication, max(number) AS number FROM manual_switches WHERE why = $1 GROUP BY publication)
SELECT publication FROM published WHERE number < (SELECT number FROM published WHERE publication = (
    SELECT publication FROM manual_switches ORDER BY number DESC LIMIT 1))
ORDER BY number DESC LIMIT 1
"""

_LIST = """
SELECT p.id, p.staged_at, max(s.at) AS live_at, (SELECT count(*) FROM manual_sections WHERE publication = p.id) AS size
FROM manual_publications AS p LEFT JOIN manual_switches AS s ON s.publication = p.id
GROUP BY p.id ORDER BY p.staged_at DESC, p.id
"""

# The withdrawals of its page come with the section: a question of two statements could miss one made between them.
_CITED = f"""
SELECT {", ".join(SECTION_COLUMNS)},
       ARRAY(SELECT anchor FROM manual_withdrawals AS w WHERE w.page = manual_sections.page) AS withdrawn
FROM manual_sections WHERE publication = $2 AND id = $3
  AND EXISTS (
    SELECT FROM exchanges WHERE owner = $1
    AND citations @> jsonb_build_array(jsonb_build_object('publication', $2::text, 'section', $3::text))
  )
"""  # noqa: S608 the columns are a constant


class PostgresPublications(PostgresWithdrawals):
    """Implements ports.Publications."""

    async def stage(self, publication: Publication, *, now: dt.datetime) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            glossary = json.dumps(dict(publication.glossary.groups))
            if await connection.fetchval(_STAGE, publication.id, now, glossary) is None:
                return  # the same content under the same id: it is whole already, or its transaction is not ended
            sections = enumerate(section for page in publication.pages for section in page.sections)
            await connection.copy_records_to_table(
                "manual_sections",
                columns=("publication", "id", "position", *SECTION_COLUMNS),
                records=[(publication.id, section.id, at, *row_of(section)) for at, section in sections],
            )

    async def vectors(self, publication_id: str, model: str) -> Vectors | None:
        rows = await self._pool.fetch(_VECTORS, publication_id, model)
        return Vectors(model, {row["section"]: row["vector"] for row in rows}) if rows else None

    async def keep_vectors(self, publication_id: str, vectors: Vectors) -> None:
        sections = sorted(vectors.by_section)
        packed = [vectors.by_section[section] for section in sections]
        await self._pool.execute(_KEEP_VECTORS, publication_id, vectors.model, sections, packed)

    async def count_vectors(self, publication: Publication, model: str, *, dimensions: int) -> int:
        sections = [section.id for page in publication.pages for section in page.sections]
        size = dimensions * FLOAT_BYTES
        return int(await self._pool.fetchval(_COUNT_VECTORS, publication.id, model, size, sections))

    async def vector_models(self, publication_id: str) -> tuple[str, ...]:
        return tuple(row["model"] for row in await self._pool.fetch(_VECTOR_MODELS, publication_id))

    async def load(self, publication_id: str) -> Publication | None:
        glossary = await self._pool.fetchval(_GLOSSARY, publication_id)
        if glossary is None:
            return None
        sections = [section_of(row) for row in await self._pool.fetch(_SECTIONS, publication_id)]
        # Asked for after the sections: one that is withdrawn meanwhile is closed.
        withdrawals = await self.withdrawals()
        pages = _pages([section for section in sections if not withdrawals.close(section)])
        return Publication(pages, _glossary(glossary), published_as=publication_id)

    async def switch(self, publication_id: str, *, why: Switch, now: dt.datetime) -> None:
        await self._pool.execute(_SWITCH, publication_id, why.value, now)

    async def live(self) -> str | None:
        found: str | None = await self._pool.fetchval(_LIVE)
        return found

    async def state(self) -> tuple[int | None, ...]:
        row = await self._pool.fetchrow(_STATE)
        assert row is not None
        return tuple(row)

    async def before_live(self) -> str | None:
        found: str | None = await self._pool.fetchval(_BEFORE, Switch.PUBLISH.value)
        return found

    async def was_live(self, publication_id: str) -> bool:
        return bool(
            await self._pool.fetchval(
                "SELECT EXISTS (SELECT FROM manual_switches WHERE publication = $1)", publication_id
            )
        )

    async def listing(self) -> tuple[Listed, ...]:
        live = await self.live()
        closed = Counter(publication for publication, _ in await self.closed())
        return tuple(
            Listed(
                row["id"],
                row["staged_at"],
                row["live_at"],
                row["size"],
                closed=closed[row["id"]],
                is_live=row["id"] == live,
            )
            for row in await self._pool.fetch(_LIST)
        )

    async def cited_section(self, owner: str, publication_id: str, section_id: str) -> Section | None:
        row = await self._pool.fetchrow(_CITED, owner, publication_id, section_id)
        if row is None:
            return None
        section = section_of(row)
        withdrawn = Withdrawals(frozenset(Withdrawal(section.page, anchor) for anchor in row["withdrawn"]))
        return None if withdrawn.close(section) else section


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
