"""Confirm and cancel: a person decides what happens to a card, and what was frozen happens once or not at all.

The steps are: taken, compared, noted as sent, sent, ended. What stops before it is noted as sent has written
nothing, and is confirmed again as if for the first time. What stops after that is of unknown outcome once its lease is
over: the same confirm sends it again under the same key, and the LMS writes it once.
"""

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from assist_service import telemetry
from assist_service.domain.cards import Unfit
from assist_service.domain.errors import AssistError, Code, WriteFailure
from assist_service.domain.landing import landing
from assist_service.domain.people import Person
from assist_service.domain.reply import Confirmed
from assist_service.domain.screens import Catalogue, Language
from assist_service.domain.writes import WriteState
from assist_service.ports import (
    Clock,
    Lms,
    LmsFault,
    LmsFaultKind,
    PendingWrites,
    SchoolWriter,
    Taken,
    WriteRefused,
    WriteUnknown,
    Written,
)
from assist_service.services.finishing import finished, taken
from assist_service.services.standing import StandingDesk
from assist_service.services.toolbox import ToolboxOf
from assist_service.tools.cards import card_of

COMPARE_SECONDS = 12.0
"""For reading the card again. With the exchange and the sending it stays below the lease of a confirm."""

OVER: Mapping[LmsFaultKind, WriteFailure] = {
    LmsFaultKind.NOT_FOUND: WriteFailure.NOT_FOUND,
    LmsFaultKind.REFUSED: WriteFailure.REFUSED,
}
"""What ends a write before it was sent; after any other fault its card waits on."""

NOT_SENT: Mapping[LmsFaultKind, Code] = {LmsFaultKind.SESSION_ENDED: Code.UNAUTHENTICATED}
"""What the person learns where nothing was sent this time; of any other fault that the LMS does not answer."""


class _Changed(Exception):
    """The card would read otherwise now."""


@dataclass(frozen=True, kw_only=True)
class WriteDesk:
    """Where a person's word about a card arrives."""

    catalogue: Catalogue
    standing: StandingDesk
    toolbox: ToolboxOf
    writes: PendingWrites
    lms: Lms
    clock: Clock

    async def confirm(
        self, person: Person, conversation_id: uuid.UUID, write_id: uuid.UUID, *, session: str
    ) -> Confirmed:
        """Does it. Raises AssistError `write_not_found`, `write_failed`, `write_unknown`, `lms_unavailable`,
        `unauthenticated`, or what standing raises."""
        person = await self.standing(person)
        taking = self.writes.take(person.sub, conversation_id, write_id, now=self.clock.now())
        held = await taken(taking, self._give_back)
        if held is None:
            raise AssistError(Code.WRITE_NOT_FOUND)
        # Once taken it goes to its end, whoever hangs up: a write that is half told is worse than one that is not.
        written = await finished(self._carried_out(person, held, session))
        return landing(
            held.write.request,
            written.id,
            title=written.title,
            screens=self.catalogue.of_roles(*person.roles),
            language=Language(held.write.language),
        )

    async def cancel(self, person: Person, conversation_id: uuid.UUID, write_id: uuid.UUID) -> None:
        """Forgets it. Raises AssistError `write_not_found`."""
        if not await self.writes.cancel(person.sub, conversation_id, write_id, now=self.clock.now()):
            raise AssistError(Code.WRITE_NOT_FOUND)

    async def _carried_out(self, person: Person, held: Taken, session: str) -> Written:
        request = held.write.request
        if request.tool.value not in self.toolbox(person.roles).tools:
            await self._fail(held, WriteFailure.REFUSED)
        try:
            async with self.lms.writing(session, request.tool) as writer:
                if not held.is_repeated:
                    await _compare(held, writer)
                if not await self.writes.sending(held, now=self.clock.now()):
                    raise AssistError(Code.WRITE_NOT_FOUND)  # too slow: another confirm may have it by now
                written = await writer.write(request, key=held.write.id)
        except (_Changed, Unfit):
            await self._fail(held, WriteFailure.CHANGED)
        except WriteRefused as refused:
            await self._fail(held, refused.failure)
        except WriteUnknown:
            await self._unknown(held)
        except LmsFault as fault:
            await self._not_sent(held, fault.kind)
        await self._end(held, WriteState.DONE)
        return written

    async def _fail(self, held: Taken, failure: WriteFailure) -> NoReturn:
        if held.is_repeated and failure is WriteFailure.REFUSED:
            # The person may do it no more, which says nothing of the first time: keys are looked up after that.
            await self._unknown(held)
        await self._end(held, WriteState.REFUSED)
        raise AssistError(Code.WRITE_FAILED, reason=failure)

    async def _unknown(self, held: Taken) -> NoReturn:
        await self._end(held, WriteState.UNKNOWN)
        raise AssistError(Code.WRITE_UNKNOWN) from None

    async def _not_sent(self, held: Taken, kind: LmsFaultKind) -> NoReturn:
        """Nothing was sent this time. What the person no longer reaches is over; else the card waits on."""
        if (failure := OVER.get(kind)) is not None:
            await self._fail(held, failure)
        await self._give_back(held)
        silent = Code.WRITE_UNKNOWN if held.is_repeated else Code.LMS_UNAVAILABLE
        raise AssistError(NOT_SENT.get(kind, silent))

    async def _give_back(self, held: Taken | None) -> None:
        if held is not None:
            await self.writes.end(held, WriteState.PENDING, now=self.clock.now())

    async def _end(self, held: Taken, state: WriteState) -> None:
        """Notes what came of it. That this fails changes nothing of what the LMS did: the lease makes it unknown."""
        tool = held.write.request.tool.value
        try:
            was_held = await self.writes.end(held, state, now=self.clock.now())
        except Exception as error:  # noqa: BLE001  whatever the store raises, the LMS has answered already
            telemetry.log.error("write_not_noted", tool=tool, outcome=state.value, error=type(error).__name__)
            return
        telemetry.log.info("write_ended", tool=tool, outcome=state.value, was_held=was_held)


async def _compare(held: Taken, writer: SchoolWriter) -> None:
    """Raises _Changed where the card would read otherwise now, Unfit where it could not be prepared any more."""
    reads = writer.reads.for_tool(held.write.request.tool)
    try:
        async with asyncio.timeout(COMPARE_SECONDS):
            lines = await card_of(held.write.request, reads)
    except TimeoutError:
        raise LmsFault(LmsFaultKind.UNAVAILABLE) from None
    if lines != held.write.lines:
        raise _Changed
