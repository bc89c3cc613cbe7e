"""Withdrawals in Postgres: a row each, matched by name whenever sections are read, whatever publication they are of."""

import datetime as dt

import asyncpg

from assist_service.adapters.postgres.listings import Querying
from assist_service.adapters.postgres.sections import SECTION_COLUMNS, section_of
from assist_service.domain.manual import Section
from assist_service.domain.withdrawals import Withdrawal, Withdrawals

_EVERY = "SELECT page, anchor FROM manual_withdrawals"

_ADD = """
INSERT INTO manual_withdrawals (page, anchor, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING number
"""

_REMOVE = "DELETE FROM manual_withdrawals WHERE page = $1 AND anchor IS NOT DISTINCT FROM $2 RETURNING number"

# A section has its name in every publication it stands in: the last one's words are those shown.
_OF_PAGE = f"""
SELECT DISTINCT ON (s.id) {", ".join(f"s.{column}" for column in SECTION_COLUMNS)}
FROM manual_sections AS s JOIN manual_publications AS p ON p.id = s.publication
WHERE s.page = $1 ORDER BY s.id, p.staged_at DESC
"""  # noqa: S608 the columns are a constant

_ON_WITHDRAWN_PAGES = f"""
SELECT publication, {", ".join(SECTION_COLUMNS)} FROM manual_sections
WHERE page IN (SELECT page FROM manual_withdrawals) AND ($1::text IS NULL OR publication = $1)
ORDER BY publication, position
"""  # noqa: S608 the columns are a constant

# For the replicas of the release before, until they are replaced.
_CLOSE_BY_ID = """
INSERT INTO manual_withdrawn (section, at) SELECT unnest($1::text[]), $2::timestamptz ON CONFLICT DO NOTHING
"""

_OPEN_BY_ID = "DELETE FROM manual_withdrawn WHERE section = ANY($1::text[])"


class PostgresWithdrawals:
    """The part of ports.Publications that closes and opens sections."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def withdrawals(self) -> Withdrawals:
        return await _every(self._pool)

    async def closed(self, publication_id: str | None = None) -> tuple[tuple[str, Section], ...]:
        rows = await self._pool.fetch(_ON_WITHDRAWN_PAGES, publication_id)
        withdrawals = await self.withdrawals()
        read = ((str(row["publication"]), section_of(row)) for row in rows)
        return tuple((publication, section) for publication, section in read if withdrawals.close(section))

    async def sections_of(self, page: str) -> tuple[Section, ...]:
        return tuple(section_of(row) for row in await self._pool.fetch(_OF_PAGE, page))

    async def withdraw(self, withdrawal: Withdrawal, *, now: dt.datetime) -> bool:
        async with self._pool.acquire() as connection, connection.transaction():
            if await connection.fetchval(_ADD, withdrawal.page, withdrawal.anchor, now) is None:
                return False
            sections = [section_of(row) for row in await connection.fetch(_OF_PAGE, withdrawal.page)]
            await connection.execute(_CLOSE_BY_ID, [each.id for each in sections if withdrawal.closes(each)], now)
            return True

    async def restore(self, withdrawal: Withdrawal) -> bool:
        async with self._pool.acquire() as connection, connection.transaction():
            if await connection.fetchval(_REMOVE, withdrawal.page, withdrawal.anchor) is None:
                return False
            sections = [section_of(row) for row in await connection.fetch(_OF_PAGE, withdrawal.page)]
            left = await _every(connection)
            await connection.execute(_OPEN_BY_ID, [each.id for each in sections if not left.close(each)])
            return True


async def _every(asked: Querying) -> Withdrawals:
    return Withdrawals(frozenset(Withdrawal(row["page"], row["anchor"]) for row in await asked.fetch(_EVERY)))
