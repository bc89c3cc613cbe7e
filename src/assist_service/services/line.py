"""One question's requests: to the model that answered first, tried again and elsewhere as far as that helps."""

import asyncio
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assist_service import telemetry
from assist_service.domain.budget import (
    Counted,
    believable,
    cost_micros,
    input_token_bound,
    least_tokens,
    size_bytes,
    worst_case_micros,
)
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import ModelReply, ModelRequest, ProviderFault, ProviderFaultKind, Usage, faults_of
from assist_service.domain.outcomes import ABANDONED, NOT_SENT, OK
from assist_service.domain.progress import Asking, Tell, silent
from assist_service.domain.reply import Spent
from assist_service.ports import CallOrigin, Clock, Reservation
from assist_service.services.metering import Meter
from assist_service.services.sources import Source, by_admission

BACKOFF_SECONDS = (0.5, 2.0)
"""The pause before each further try of a request at one model, where it names none; each is reserved anew."""

PATIENCE = 0.5
PATIENCE_SECONDS = 30.0
"""The share of the time left, and the most, that a model may take while another could still stand in for it."""


@dataclass
class Line:
    """`deadline` is a moment of the clock's `monotonic`; `requests_left` counts every try, the failed ones too."""

    sources: Sequence[Source]
    meter: Meter
    clock: Clock
    purpose: str
    person: str
    question_id: uuid.UUID
    deadline: float
    requests_left: int
    tell: Tell = silent
    spent: list[Spent] = field(default_factory=list)
    _chosen: Source | None = None
    """Who answered first: the question stays there, for nobody else understands its own blocks."""
    _counted: list[tuple[ModelRequest, Counted]] = field(default_factory=list)
    """What was counted of this question's requests. One that was masked anew does not begin with the last."""
    _is_stopped: bool = False
    _probing: tuple[Source, float] | None = None
    """Whom this line was let through to, to see whether it is back, and when; until its first request is sent."""

    @property
    def seconds_left(self) -> float:
        return self.deadline - self.clock.monotonic()

    async def send(self, request: ModelRequest) -> ModelReply:
        """One whole reply. Raises AssistError `llm_budget_exhausted` or `llm_unavailable`."""
        if faults := faults_of(request.messages):
            raise RuntimeError(f"a malformed history was about to be sent: {faults}")
        try:
            return await self._tried(request, self._in_turn())
        finally:
            if self._probing is not None:  # refused or stopped before it could be sent
                source, began = self._probing
                source.gave_up(self.clock.monotonic(), began=began)

    def _in_turn(self) -> Sequence[Source]:
        """Who is asked, in that order."""
        if self._chosen is not None:
            return [self._chosen]
        now = self.clock.monotonic()
        sources, is_probe = by_admission(self.sources, now)
        self._probing = (sources[0], now) if is_probe else None
        return sources

    async def _tried(self, request: ModelRequest, sources: Sequence[Source]) -> ModelReply:
        """Tries each as often as that helps, the ones that can be asked at once before the ones that want a pause."""
        ready = dict.fromkeys(range(len(sources)), self.clock.monotonic())
        tries: Counter[int] = Counter()
        while ready:
            place = min(ready, key=lambda each: (ready[each], each))
            if not await self._paused_until(ready[place]):
                break
            try:
                return await self._try(sources[place], request, is_last=len(ready) == 1)
            except ProviderFault as fault:
                telemetry.log.warning("provider_fault", model=sources[place].model, reason=fault.reason)
                if fault.kind is ProviderFaultKind.PERMANENT:
                    break
                pause = _pause(fault, tries[place])
                tries[place] += 1
                del ready[place]
                if pause is not None:
                    ready[place] = self.clock.monotonic() + pause
        raise AssistError(Code.LLM_UNAVAILABLE)

    async def _try(self, source: Source, request: ModelRequest, *, is_last: bool) -> ModelReply:
        """Reserves, sends and settles once, to its end even when the question is stopped meanwhile."""
        attempt = self.meter.beside(self._attempt(source, request, is_last=is_last))
        try:
            return await asyncio.shield(attempt)
        except asyncio.CancelledError:
            # What is not sent by now will not be; what is on its way is read to its end, for its true cost.
            self._is_stopped = True
            raise

    async def _attempt(self, source: Source, request: ModelRequest, *, is_last: bool) -> ModelReply:
        """The last try a question has may not call a tool, or it could not end."""
        if self.requests_left == 0:
            raise AssistError(Code.LLM_UNAVAILABLE)
        request = replace(request, may_call=request.may_call and self.requests_left > 1)
        origin = CallOrigin(self.purpose, source.model, self.person, self.question_id)
        bound = input_token_bound(size_bytes(request), self._known(source, request))
        worst = worst_case_micros(source.price, input_token_bound=bound, max_tokens=request.max_tokens)
        reservation = await self.meter.reserve(origin, worst, deadline=self.deadline)
        seconds = self.deadline - self.clock.monotonic()
        if seconds <= 0 or self._is_stopped:
            await self._settle(source, reservation, None, NOT_SENT, billed=False)
            raise AssistError(Code.LLM_UNAVAILABLE)
        self.requests_left -= 1
        self._probing = None
        self.tell(Asking())
        patience = seconds if is_last else min(seconds * PATIENCE, PATIENCE_SECONDS)
        return await self._send_reserved(source, request, reservation, timeout_seconds=patience)

    def _known(self, source: Source, request: ModelRequest) -> Counted | None:
        """What was counted of the longest beginning of this request: only what it does begin with bounds it."""
        mine = (counted for earlier, counted in reversed(self._counted) if request.continues(earlier))
        return next(mine, None) or source.counted(request)

    async def _send_reserved(
        self, source: Source, request: ModelRequest, reservation: Reservation, *, timeout_seconds: float
    ) -> ModelReply:
        """Sends once and settles however it ends: a request that may have been billed never costs nothing."""
        began = self.clock.monotonic()
        try:
            reply = await self._timed(source, request, timeout_seconds)
        except ProviderFault as fault:
            source.failed(fault, self.clock.monotonic(), began=began)
            await self._settle(source, reservation, None, fault.reason, billed=fault.billed)
            raise
        except BaseException:
            source.gave_up(self.clock.monotonic(), began=began)
            await self._settle(source, reservation, None, ABANDONED, billed=True)
            raise
        source.answered(self.clock.monotonic(), began=began)
        usage = self._believed(source, request, reply)
        self._learn(source, request, reservation, usage)
        await self._settle(source, reservation, usage, OK, billed=True)
        self._chosen = source
        return reply

    async def _timed(self, source: Source, request: ModelRequest, timeout_seconds: float) -> ModelReply:
        """Sends, and tells how long the provider took, whichever way it ended."""
        started, outcome = self.clock.monotonic(), ABANDONED
        try:
            reply = await source.provider.send(request, timeout_seconds=timeout_seconds)
        except ProviderFault as fault:
            outcome = fault.reason
            raise
        else:
            outcome = OK
            return reply
        finally:
            telemetry.observe_provider(model=source.model, outcome=outcome, seconds=self.clock.monotonic() - started)

    def _believed(self, source: Source, request: ModelRequest, reply: ModelReply) -> Usage | None:
        """The provider's counts; None where it gave none, or such as cannot be: then the worst case is charged."""
        if reply.usage is None:
            return None
        bound = input_token_bound(size_bytes(request), None)
        most = worst_case_micros(source.price, input_token_bound=bound, max_tokens=request.max_tokens)
        if believable(reply.usage, price=source.price, most_micros=most):
            return reply.usage
        telemetry.log.error("usage_unbelievable", model=source.model)
        return None

    def _learn(self, source: Source, request: ModelRequest, reservation: Reservation, usage: Usage | None) -> None:
        """What was counted bounds what comes; counts above what others led to expect prove that those were wrong."""
        if usage is None:
            return
        if cost_micros(source.price, usage) > reservation.worst_micros:
            telemetry.log.error("usage_above_worst_case", model=source.model)
            source.forget(request)
            self._counted.clear()
        source.count(request, usage.all_input_tokens)
        size = size_bytes(request)
        self._counted.append((request, Counted(size, least_tokens(size, usage.all_input_tokens))))

    async def _settle(
        self, source: Source, reservation: Reservation, usage: Usage | None, outcome: str, *, billed: bool
    ) -> None:
        cost = reservation.worst_micros if billed else 0
        if usage is not None:
            cost = cost_micros(source.price, usage)
        await self.meter.settle(reservation, cost_micros=cost, usage=usage, outcome=outcome)
        self.spent.append(Spent(source.model, usage, cost))
        telemetry.count_provider_request(
            model=source.model,
            purpose=self.purpose,
            outcome=outcome,
            usage=usage,
            cost_micros=cost,
            worst_micros=reservation.worst_micros,
        )

    async def _paused_until(self, moment: float) -> bool:
        """Waits for the next try; False where the deadline comes first, whatever the provider asked for."""
        if moment >= self.deadline:
            return False
        if (seconds := moment - self.clock.monotonic()) > 0:
            await self.clock.sleep(seconds)
        return True


def _pause(fault: ProviderFault, failed_before: int) -> float | None:
    """Seconds until the same model may be tried again; None for never."""
    if fault.kind is ProviderFaultKind.CLOSED or failed_before == len(BACKOFF_SECONDS):
        return None
    return max(fault.retry_after_seconds or 0.0, BACKOFF_SECONDS[failed_before])
