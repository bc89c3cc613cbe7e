"""One write as one person: the frozen bytes, sent once under their key, and what its answer says of the school.

A write is refused, made, or of unknown outcome. Unknown is whatever is not certain: a retry under the same key finds
out, and one that was called refused though it was made would be made again by the person.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from assist_service.adapters.lms.dpop import Proofs
from assist_service.adapters.lms.faults import CREATED, OK, refusal_of_status
from assist_service.adapters.lms.signed import refused_proof, send_signed
from assist_service.adapters.lms.tokens import QuestionToken
from assist_service.adapters.lms.wire import Answer, Sending, Wire
from assist_service.domain.errors import WriteFailure
from assist_service.domain.school import Ref
from assist_service.domain.writes import WriteRequest, WriteTool
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads, WriteRefused, WriteUnknown, Written

WRITTEN = frozenset({OK, CREATED})
"""Statuses of a write that was made, and whose answers are read to their end."""


@dataclass(frozen=True)
class Write:
    """Where one write is sent, and whose id its answer has: that of a new thing, or of the one in its address."""

    path: str
    answers_entity: bool = False

    def path_of(self, entity: UUID | None) -> str:
        """Raises RuntimeError for an entity where the address has none, and for none where it has one."""
        if ("{id}" in self.path) is (entity is None):
            raise RuntimeError("not the address of this write")
        # By way of UUID again: whatever came here, nothing but a UUID stands in the path.
        return self.path if entity is None else self.path.replace("{id}", str(UUID(str(entity))))


WRITES: Mapping[WriteTool, Write] = {
    WriteTool.CREATE_QUESTION: Write("/api/questions"),
    WriteTool.CREATE_CATEGORY: Write("/api/pools/{id}/categories"),
    WriteTool.CREATE_TEMPLATE: Write("/api/templates"),
    WriteTool.ADD_QUESTIONS_TO_TEMPLATE: Write("/api/templates/{id}/questions", answers_entity=True),
    WriteTool.LINK_POOL_TO_COURSE: Write("/api/courses/{id}/pools", answers_entity=True),
}
"""All that is ever written, each by one POST."""


@dataclass(frozen=True)
class RestWriter:
    """Implements ports.SchoolWriter."""

    tool: WriteTool
    """Whose token this is."""
    url: str
    wire: Wire
    proofs: Proofs
    token: QuestionToken
    seconds: float
    """For a whole write, the exchange before it included where nothing was read."""
    reads: SchoolReads

    async def write(self, request: WriteRequest, *, key: UUID) -> Written:
        if request.tool is not self.tool:
            raise RuntimeError("another write than the token is for")
        write = WRITES[request.tool]
        sending = Sending(
            "POST",
            self.url + write.path_of(request.entity),
            headers={"Idempotency-Key": str(UUID(str(key)))},
            content=request.body,
            bodies=WRITTEN,
        )
        answer = await self._answer(sending)
        if isinstance(answer, LmsFaultKind):
            raise LmsFault(answer)
        return _outcome_of(answer, request.entity if write.answers_entity else None)

    async def _answer(self, sending: Sending) -> Answer | LmsFaultKind | None:
        """A fault where nothing was sent; None where an answer to what was sent was lost."""
        is_sent = False
        try:
            async with asyncio.timeout(self.seconds):
                await self.token.get()
                is_sent = True
                answer = await send_signed(
                    sending, wire=self.wire, proofs=self.proofs, token=self.token, tool=self.tool.value
                )
        except TimeoutError:
            return None if is_sent else LmsFaultKind.UNAVAILABLE
        return answer if isinstance(answer, Answer) else None


def _outcome_of(answer: Answer | None, entity: UUID | None) -> Written:
    """What was made or changed; `entity` is the id that it must have, where it had one before."""
    if answer is None:
        raise WriteUnknown
    if answer.status in WRITTEN:
        found = answer.read_as(Ref)
        if found is None or entity not in (None, found.id):
            raise WriteUnknown
        return Written(found.id, found.title)
    refusal = LmsFaultKind.UNAVAILABLE if refused_proof(answer) else refusal_of_status(answer.status)
    match refusal:
        case None:
            raise WriteUnknown
        case WriteFailure():
            raise WriteRefused(refusal)
        case LmsFaultKind():
            raise LmsFault(refusal)
