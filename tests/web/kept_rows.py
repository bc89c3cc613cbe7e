"""Everything the database holds after a question, sealed columns opened: what is not in here was not stored."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import asyncpg

from assist_service.adapters.sealing import AesGcmSealer, keys_of
from assist_service.ports import Binding
from tests.fakes.house import SECRET_KEY

OF_THE_MANUAL = ("manual_publications", "manual_sections", "manual_switches", "alembic_version")
"""Tables about nobody."""

TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"


class Seal(NamedTuple):
    """What a sealed column is bound to."""

    place: str
    row: str
    key_id: str


SEALED: Mapping[tuple[str, str], Seal] = {
    ("exchanges", "sealed"): Seal("exchanges", "id", "key_id"),
    ("pending_writes", "sealed"): Seal("pending_writes", "id", "key_id"),
    ("idempotent_replies", "sealed_body_digest"): Seal("idempotent_replies.body", "key", "key_id"),
    ("idempotent_replies", "sealed_reply"): Seal("idempotent_replies.reply", "key", "reply_key_id"),
}
"""Every column of bytes; one that is not here fails whoever reads it."""

_SEALER = AesGcmSealer(keys_of(SECRET_KEY))

Rows = list[dict[str, Any]]


async def kept(pool: asyncpg.Pool) -> dict[str, Rows]:
    """The rows of each table that could hold something of a person; what is JSON inside a seal is read."""
    tables = [row["table_name"] for row in await pool.fetch(TABLES)]
    about_people = [table for table in tables if table not in OF_THE_MANUAL]
    return {
        table: [opened_row(table, row) for row in await pool.fetch(f'SELECT * FROM "{table}"')]  # noqa: S608 its own names
        for table in about_people
    }


def opened_row(table: str, row: asyncpg.Record) -> dict[str, Any]:
    """A row with its seals opened."""
    return {
        column: _unsealed(table, column, row, value) if isinstance(value, bytes) else value
        for column, value in row.items()
    }


def _unsealed(table: str, column: str, row: asyncpg.Record, sealed: bytes) -> Any:
    place, row_key, key_id = SEALED[table, column]
    binding = Binding(table=place, row=str(row[row_key]), owner=row["owner"])
    text = _SEALER.open(sealed, key_id=row[key_id], binding=binding).decode("utf-8", errors="replace")
    return _read(text)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def strings_in(value: Any) -> Iterator[str]:
    """Every text of a value, keys too; JSON that stands in a text is read."""
    match value:
        case dict():
            for key, inner in value.items():
                yield from strings_in(key)
                yield from strings_in(inner)
        case list() | tuple():
            for inner in value:
                yield from strings_in(inner)
        case str() if value.startswith(("{", "[")) and not isinstance(_read(value), str):
            yield from strings_in(_read(value))
        case _:
            yield str(value)


async def all_kept(pool: asyncpg.Pool) -> str:
    """All of it as one text to search in."""
    return "\n".join(strings_in(await kept(pool)))
