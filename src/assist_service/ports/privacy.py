"""All that is kept of one person, over every table: read out whole, and erased."""

import datetime as dt
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Protocol

from assist_service.domain.person_data import DamagedRow, KeptRow


class PersonData(Protocol):
    """The rows of one person. What tells or erases them leaves its entry in the audit log; counting tells nobody."""

    def export(
        self, sub: str, *, actor: str, now: dt.datetime
    ) -> AsyncGenerator[tuple[str, Sequence[KeptRow | DamagedRow]], None]:
        """Every row, in batches, as they all stood at one moment: the field of `PersonDocument`, and rows of it.

        The fields come in the document's order, each at least once. The audit entry is written before anything is
        read; where nothing is kept of the person, it does not name them.
        """
        ...

    async def count(self, sub: str) -> Mapping[str, int]:
        """How many rows of each table tell of the person."""
        ...

    async def erase(self, sub: str, *, actor: str, now: dt.datetime) -> None:
        """Erases the person in one transaction."""
        ...
