"""Seals rows again under the first key, a batch at a time, each only if it still is what was read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import asyncpg

from assist_service.adapters.postgres.engine import PATIENT_SECONDS
from assist_service.ports import Binding, Resealed, SealBroken, Sealer

BATCH = 500
"""Rows looked at by one statement, and locked by another while it changes them: a few milliseconds."""


@dataclass(frozen=True)
class SealedColumn:
    """Where it stands, how its rows are found, and what its texts are bound to."""

    table: str
    sealed: str
    key_id: str
    key: tuple[str, ...]
    """The table's primary key, with `casts` as its types."""
    casts: tuple[str, ...]
    bound_to: str
    row: str
    """The column of the key that the texts are bound to, beside the owner."""
    is_told: bool = True
    """Whether a row may be named by that: an id of ours, not a word from outside."""

    @property
    def name(self) -> str:
        return f"{self.table}.{self.sealed}"


_OF_REPLIES = ("owner", "key"), ("text", "text")

PLACES: Mapping[str, SealedColumn] = {
    column.name: column
    for column in (
        SealedColumn("exchanges", "sealed", "key_id", ("id",), ("uuid",), "exchanges", "id"),
        SealedColumn("pending_writes", "sealed", "key_id", ("id",), ("uuid",), "pending_writes", "id"),
        SealedColumn(
            "idempotent_replies",
            "sealed_body_digest",
            "key_id",
            *_OF_REPLIES,
            "idempotent_replies.body",
            "key",
            is_told=False,
        ),
        SealedColumn(
            "idempotent_replies",
            "sealed_reply",
            "reply_key_id",
            *_OF_REPLIES,
            "idempotent_replies.reply",
            "key",
            is_told=False,
        ),
    )
}
"""Every sealed column there is, by its name; a test holds it to the tables."""


def _look(place: SealedColumn, *, is_first: bool) -> str:
    """A batch by the primary key, whatever its keys: so no statement looks through more of a large table."""
    key = ", ".join(place.key)
    values = ", ".join(f"${number}::text::{cast}" for number, cast in enumerate(place.casts, start=3))
    return f"""
SELECT {", ".join(f"{column}::text AS row_{column}" for column in place.key)}, owner, {place.key_id} AS key_id,
       CASE WHEN {place.key_id} <> $1 THEN {place.sealed} END AS stale
FROM {place.table} {"" if is_first else f"WHERE ({key}) > ({values})"} ORDER BY {key} LIMIT $2
"""  # noqa: S608 names are the constants above


def _exchange(place: SealedColumn) -> str:
    """Compares and sets. What somebody holds is left for the next look: so this waits for nobody, and neither a
    confirm nor a question ever meets a deadlock with it. What they changed meanwhile is another text than was read."""
    first = len(place.key) + 2
    keys = [f"${number}::text[]" for number in range(2, first)]
    names = [f"key_{number}" for number in range(len(keys))]
    same = " AND ".join(
        f"t.{column} = given.{name}::{cast}" for column, name, cast in zip(place.key, names, place.casts, strict=True)
    )
    return f"""
WITH free AS MATERIALIZED (
    SELECT {", ".join(f"given.{name}" for name in names)}, given.after, given.was
    FROM unnest({", ".join(keys)}, ${first}::bytea[], ${first + 1}::bytea[], ${first + 2}::text[])
        AS given ({", ".join(names)}, before, after, was)
    JOIN {place.table} AS t ON {same}
    WHERE t.{place.sealed} = given.before
    FOR NO KEY UPDATE OF t SKIP LOCKED
)
UPDATE {place.table} AS t SET {place.sealed} = given.after, {place.key_id} = $1 FROM free AS given WHERE {same}
RETURNING given.was
"""  # noqa: S608 names are the constants above


def _count(place: SealedColumn) -> str:
    return f"""
SELECT {place.key_id} AS key_id, count(*) AS rows FROM {place.table}
WHERE {place.sealed} IS NOT NULL GROUP BY 1 ORDER BY 1
"""  # noqa: S608 names are the constants above


class PostgresRotating:
    """Implements ports.Rotating."""

    def __init__(self, pool: asyncpg.Pool, sealer: Sealer) -> None:
        self._pool = pool
        self._sealer = sealer

    @property
    def places(self) -> Sequence[str]:
        return tuple(PLACES)

    @property
    def key_ids(self) -> Sequence[str]:
        return self._sealer.key_ids

    async def reseal(self, place: str, *, after: tuple[str, ...] | None) -> Resealed:
        here = PLACES[place]
        statement = _look(here, is_first=after is None)
        rows = await self._pool.fetch(statement, self.key_ids[0], BATCH, *(after or ()))
        read = [(row, self._opened(here, row)) for row in rows if row["stale"] is not None]
        opened = [(row, text) for row, text in read if text is not None]
        taken = await self._exchanged(here, opened) if opened else {}
        return Resealed(
            taken=taken,
            unopened=len(read) - len(opened),
            ids=tuple(row[f"row_{here.row}"] for row, text in read if text is None and here.is_told),
            after=_key_of(here, rows[-1]) if len(rows) == BATCH else None,
        )

    async def rows_by_key(self, place: str) -> Mapping[str, int]:
        found = await self._pool.fetch(_count(PLACES[place]), timeout=PATIENT_SECONDS)
        return {row["key_id"]: row["rows"] for row in found}

    def _opened(self, place: SealedColumn, row: asyncpg.Record) -> bytes | None:
        try:
            return self._sealer.open(row["stale"], key_id=row["key_id"], binding=_binding(place, row))
        except SealBroken:
            return None

    async def _exchanged(
        self, place: SealedColumn, opened: Sequence[tuple[asyncpg.Record, bytes]]
    ) -> Mapping[str, int]:
        """By the key they stood under, how many rows were still what was read."""
        keys = zip(*(_key_of(place, row) for row, _ in opened), strict=True)
        rows = await self._pool.fetch(
            _exchange(place),
            self.key_ids[0],
            *(list(column) for column in keys),
            [row["stale"] for row, _ in opened],
            [self._sealer.seal(text, _binding(place, row))[1] for row, text in opened],
            [row["key_id"] for row, _ in opened],
        )
        return Counter(row["was"] for row in rows)


def _key_of(place: SealedColumn, row: asyncpg.Record) -> tuple[str, ...]:
    return tuple(row[f"row_{column}"] for column in place.key)


def _binding(place: SealedColumn, row: asyncpg.Record) -> Binding:
    return Binding(table=place.bound_to, row=row[f"row_{place.row}"], owner=row["owner"])
