"""Export and erasure of one person, for the LMS's own back end and for the operator."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

from assist_service.domain.person_data import refuse_no_subject
from assist_service.ports import Clock, PersonData

EXPORT_SECONDS = 300.0
"""No export takes longer: it holds a connection, and whoever reads it may be slow."""

AT_ONCE = 2
"""Exports and erasures of one replica that may hold a connection: questions come first."""


@dataclass(frozen=True, kw_only=True)
class Privacy:
    """Whose data it is comes from who is trusted to name people, never from a person's own session."""

    people: PersonData
    clock: Clock
    export_seconds: float = EXPORT_SECONDS
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    """Who waits for one holds nothing."""

    async def export(self, sub: str, *, actor: str) -> AsyncGenerator[bytes, None]:
        """The pieces of one JSON document, a `PersonDocument`. Raises AssistError `invalid_request` before the first.

        A fault in the middle is raised there: pieces without their end are no document.
        """
        refuse_no_subject(sub)
        pieces: asyncio.Queue[bytes | Exception | None] = asyncio.Queue(maxsize=1)
        # In a task of its own: a reader that hangs up must not leave a connection in the middle of its transaction.
        writing = asyncio.create_task(self._write(sub, actor, pieces))
        try:
            while (piece := await pieces.get()) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            writing.cancel()

    async def erase(self, sub: str, *, actor: str) -> None:
        """Erases the person. Raises AssistError `invalid_request`."""
        refuse_no_subject(sub)
        async with self.turns:
            # By its own moment, not by the request's: what ran is looked for around it.
            await self.people.erase(sub, actor=actor, now=self.clock.now())

    async def count(self, sub: str) -> Mapping[str, int]:
        """What an erasure would find. Raises AssistError `invalid_request`."""
        refuse_no_subject(sub)
        return await self.people.count(sub)

    async def _write(self, sub: str, actor: str, pieces: "asyncio.Queue[bytes | Exception | None]") -> None:
        try:
            async with (
                self.turns,
                asyncio.timeout(self.export_seconds),
                aclosing(self._document(sub, actor)) as document,
            ):
                async for piece in document:
                    await pieces.put(piece)
        except Exception as error:  # noqa: BLE001  whatever it is, it is raised where the pieces are read
            await pieces.put(error)
        else:
            await pieces.put(None)

    async def _document(self, sub: str, actor: str) -> AsyncGenerator[bytes, None]:
        now = self.clock.now()
        text = f'{{"sub":{json.dumps(sub)},"exported_at":{json.dumps(now.isoformat())}'
        ending, open_field = "", ""
        async with aclosing(self.people.export(sub, actor=actor, now=now)) as batches:
            async for field, rows in batches:
                if field != open_field:
                    text += f"{ending},{json.dumps(field)}:["
                    ending, open_field, comma = "]", field, ""
                for row in rows:
                    text += comma + row.model_dump_json()
                    comma = ","
                yield text.encode()
                text = ""
        yield f"{text}{ending}}}".encode()
