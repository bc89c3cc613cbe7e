"""A section of the manual as a row of `manual_sections`."""

import asyncpg

from assist_service.domain.manual import Audience, Section

SECTION_COLUMNS = ("page", "page_title", "language", "audience", "anchor", "title", "text")


def row_of(section: Section) -> tuple[str, ...]:
    return tuple(str(getattr(section, column)) for column in SECTION_COLUMNS)


def section_of(row: asyncpg.Record) -> Section:
    return Section(
        page=row["page"],
        page_title=row["page_title"],
        language=row["language"],
        audience=Audience(row["audience"]),
        anchor=row["anchor"],
        title=row["title"],
        text=row["text"],
    )
