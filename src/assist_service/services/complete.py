"""The one path of a completion: checked, sent through the gateway, its answer checked, once more if it is none.

Nothing of what is asked or answered is logged or kept.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Collection
from dataclasses import dataclass
from typing import TypeVar

from assist_service import telemetry
from assist_service.domain.completion import Completion, Unfit, Wanted, again, object_of, refuse_unseen, request_of
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.messages import JsonObject, ModelReply
from assist_service.domain.reply import Spent, took_of
from assist_service.ports import Clock, OutputSchemas
from assist_service.services.gateway import Gateway

COMPLETION_SECONDS = 90.0
"""How long a completion may take, as long as a question may."""

PROVIDER_REQUESTS = 3
"""Provider requests of a completion at most, failed tries among them."""

ANSWERS = 2
"""How many answers the model may give until one is valid."""

Checked = TypeVar("Checked")


@dataclass(frozen=True, kw_only=True)
class Complete:
    """Completes conversations for the LMS's back end, under the day's cap."""

    purposes: Collection[str]
    gateway: Gateway
    schemas: OutputSchemas
    clock: Clock

    async def __call__(self, caller: str, wanted: Wanted) -> Completion:
        """A valid answer. Raises AssistError `invalid_request`, `llm_budget_exhausted` or `llm_unavailable`."""
        deadline = self.clock.monotonic() + COMPLETION_SECONDS
        self._refuse_unknown(wanted)
        refuse_unseen(wanted.schema)
        request = request_of(wanted)
        await self._by(deadline, self.schemas.refuse_unfit(wanted.schema))
        completion_id = uuid.uuid4()
        spent: tuple[Spent, ...] = ()
        for _ in range(ANSWERS):
            reply, took = await self.gateway.complete(
                request,
                purpose=wanted.purpose,
                caller=caller,
                completion_id=completion_id,
                deadline=deadline,
                max_requests=PROVIDER_REQUESTS - len(spent),
                model=wanted.model,
            )
            spent += took
            output = await self._by(deadline, self._valid(reply, wanted.schema))
            if not isinstance(output, Unfit):
                return Completion(output=output, receipt=took_of(spent))
            telemetry.log.warning("no_answer", reason=output.reason)
            if not output.may_ask_again:
                break
            request = again(request, reply, output)
        raise AssistError(Code.LLM_UNAVAILABLE)

    async def _by(self, deadline: float, checking: Awaitable[Checked]) -> Checked:
        """What a check comes to, where it ends in time."""
        try:
            async with asyncio.timeout(deadline - self.clock.monotonic()):
                return await checking
        except TimeoutError:
            raise AssistError(Code.LLM_UNAVAILABLE) from None

    def _refuse_unknown(self, wanted: Wanted) -> None:
        faults = []
        if wanted.purpose not in self.purposes:
            faults.append(FieldFault("purpose", "is not one of the purposes set here"))
        if wanted.model is not None and wanted.model not in self.gateway.named:
            faults.append(FieldFault("model", "is not one of the models in use here"))
        if faults:
            raise AssistError(Code.INVALID_REQUEST, faults=tuple(faults))

    async def _valid(self, reply: ModelReply, schema: JsonObject) -> JsonObject | Unfit:
        output = object_of(reply)
        if isinstance(output, Unfit):
            return output
        mismatch = await self.schemas.mismatch(schema, output)
        return output if mismatch is None else Unfit("off_schema", mismatch)
