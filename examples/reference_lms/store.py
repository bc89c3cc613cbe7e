"""The school's database: SQLite, in memory unless a file is named, filled once per process and copied from there."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from examples.reference_lms.making.school import fill
from examples.reference_lms.tables import TABLES, VIEWS

Row = dict[str, Any]


class Store:
    """One connection, used by one event loop: a statement is never interrupted by another request's."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.executescript(VIEWS)
        # SQLite's own LIKE knows the case of ASCII letters alone.
        connection.create_function("folded", 1, str.casefold, deterministic=True)

    def ask_as(self, me: str | None, *, everything: bool) -> None:
        """The `my_…` views show what this person reaches, until the next call: no `await` may lie between."""
        self.run("UPDATE asker SET me = :me, everything = :everything", me=me, everything=everything)

    def rows(self, sql: str, **values: object) -> list[Row]:
        cursor = self._connection.execute(sql, values)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def row(self, sql: str, **values: object) -> Row | None:
        return next(iter(self.rows(sql, **values)), None)

    def run(self, sql: str, **values: object) -> None:
        self._connection.execute(sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of the block or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def open_store(path: str | None = None) -> Store:
    """A school of its own; a file that has one already is taken as it is."""
    fresh = path is None or not Path(path).exists() or Path(path).stat().st_size == 0
    # An app may be built in one thread and served in another; only ever one of them uses it.
    connection = sqlite3.connect(path or ":memory:", isolation_level=None, check_same_thread=False)
    if fresh:
        with closing(sqlite3.connect(":memory:")) as made:
            made.deserialize(_made_school())
            made.backup(connection)
    return Store(connection)


@cache
def _made_school() -> bytes:
    """The whole school as the bytes of a database: making it takes longer than copying it."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        fill(connection)
        connection.commit()
        return connection.serialize()
