"""Pending writes as they are kept: taken by one confirm at a time, and only by whose they are."""

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Protocol

from assist_service.domain.writes import PendingWrite, WriteState


@dataclass(frozen=True)
class Taken:
    """A write that this confirm, and no other, may send now.

    `is_repeated` where it may have been sent before: then nothing is compared, and the same key is sent again.
    """

    write: PendingWrite
    token: uuid.UUID
    is_repeated: bool


class PendingWrites(Protocol):
    """Writes wait here between the answer that prepared them and their person's word. They come in by
    `Conversations.add`, in the transaction that stores the answer."""

    async def take(
        self, owner: str, conversation_id: uuid.UUID, write_id: uuid.UUID, *, now: dt.datetime
    ) -> Taken | None:
        """Takes it for CONFIRMING; None for what is not theirs, spent, expired, cancelled, taken or never was.

        Enters `assist.confirm` in the audit log in the same statement. Raises SealBroken, and takes and enters
        nothing, where the write does not open as what was frozen.
        """
        ...

    async def sending(self, taken: Taken, *, now: dt.datetime) -> bool:
        """Notes that from now on the LMS may have it. False where the lease is over: then it must not be sent."""
        ...

    async def end(self, taken: Taken, state: WriteState, *, now: dt.datetime) -> bool:
        """Ends the confirm as `done`, `refused` or `unknown`, with its audit entry `assist.write`; or gives the write
        back as `pending`, of which nothing is entered. False where the lease was lost to another confirm.

        A repeated one that is given back is `unknown` again: what may have been sent is never forgotten. The outcome
        of a write whose conversation was deleted meanwhile is entered too. Raises ValueError for any other state.
        """
        ...

    async def cancel(self, owner: str, conversation_id: uuid.UUID, write_id: uuid.UUID, *, now: dt.datetime) -> bool:
        """Forgets it; False for what cannot be confirmed either, and for what may have been sent."""
        ...
