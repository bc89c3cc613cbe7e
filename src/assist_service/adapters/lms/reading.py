"""Reads as one person for one question: what may be asked at all, how it is sent, what its answer means."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from uuid import UUID

from pydantic import BaseModel

from assist_service.adapters.lms.dpop import Proofs
from assist_service.adapters.lms.faults import OF_READ, fault_of_status
from assist_service.adapters.lms.signed import refused_proof, send_signed
from assist_service.adapters.lms.tokens import QuestionToken
from assist_service.adapters.lms.wire import Answer, Sending, Wire, within
from assist_service.ports import LmsFault, LmsFaultKind

READ_METHODS = frozenset({"GET"})

SEARCHES = frozenset({("POST", "/api/questions/similar")})
"""Reads that are no GET: what is searched for is too long for an address."""

_TOOL = re.compile(r"[a-z][a-z0-9_]{0,63}")

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Read(Generic[Model]):
    """One thing that may be read: an endpoint, and what it answers."""

    path: str
    model: type[Model]
    method: str = "GET"

    def path_of(self, entity: UUID | None) -> str:
        # By way of UUID again: whatever came here, nothing but a UUID stands in the path.
        return self.path.replace("{id}", str(UUID(str(entity)))) if "{id}" in self.path else self.path


@dataclass(frozen=True)
class Reading:
    """Sends the reads of one question, and nothing else, and nothing after its end."""

    url: str
    wire: Wire
    proofs: Proofs
    token: QuestionToken
    seconds: float
    tool: str | None = None

    def for_tool(self, tool: str) -> "Reading":
        if not _TOOL.fullmatch(tool):
            raise ValueError("not the name of a tool")
        return replace(self, tool=tool)

    async def fetch(
        self,
        read: Read[Model],
        entity: UUID | None = None,
        *,
        query: Mapping[str, str | None] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Model:
        """What the LMS answers. Raises LmsFault, which says nothing of what was asked or answered."""
        params = {name: value for name, value in (query or {}).items() if value is not None}
        content = None if body is None else json.dumps(body).encode("ascii")
        url = self.url + read.path_of(entity)
        sending = Sending(read.method, url, headers={}, params=params, content=content)
        answer = await within(self.seconds, self._answer(sending))
        if isinstance(answer, LmsFaultKind):
            raise LmsFault(answer)
        return model_of(answer, read.model, fault_of(answer))

    async def _answer(self, sending: Sending) -> Answer | LmsFaultKind:
        """Refuses whatever is no read, unsent."""
        if sending.method not in READ_METHODS and (sending.method, sending.url.removeprefix(self.url)) not in SEARCHES:
            raise RuntimeError("nothing but reads is sent here")
        return await send_signed(sending, wire=self.wire, proofs=self.proofs, token=self.token, tool=self.tool)


def fault_of(answer: Answer) -> LmsFaultKind | None:
    """What an answer to a read means; None for a 200."""
    return LmsFaultKind.UNAVAILABLE if refused_proof(answer) else fault_of_status(answer.status, OF_READ)


def model_of(answer: Answer, model: type[Model], fault: LmsFaultKind | None) -> Model:
    """The answer's body. Raises LmsFault: `fault` where there is one, MALFORMED for another shape."""
    if fault is not None:
        raise LmsFault(fault)
    found = answer.read_as(model)
    if found is None:  # raised out here, so that no traceback leads to what was read
        raise LmsFault(LmsFaultKind.MALFORMED)
    return found
