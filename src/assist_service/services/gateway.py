"""The only way to a model: every request reserved at its worst case before it is made, settled after.

A question has one `Line`: it stays with one provider and knows what that provider counted so far.
"""

import asyncio
import datetime as dt
import uuid
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from assist_service import telemetry
from assist_service.domain.budget import (
    Counted,
    Price,
    Purpose,
    allowance_of,
    believable,
    cost_micros,
    input_token_bound,
    size_bytes,
    worst_case_micros,
)
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.messages import ModelReply, ModelRequest, ProviderFault, ProviderFaultKind, Usage, faults_of
from assist_service.domain.reply import Spent
from assist_service.ports import LEASE_MARGIN, CallOrigin, Clock, Exhausted, Ledger, ModelProvider, Reservation

BACKOFF_SECONDS = (0.5, 2.0)
"""The pause before each further try of a request, where the provider names none; each is reserved anew."""

SETTLING_WAIT_SECONDS = 3.0
"""How long a request that would fit once others have settled waits for them."""

SETTLING_POLL_SECONDS = 0.05

CLOSING_SECONDS = 5.0


@dataclass(frozen=True)
class Spending:
    """What a day may cost, in micro-units, the chat's share of it, and where days begin."""

    cap_micros: int
    share: Decimal
    tz: dt.tzinfo


class Gateway:
    """Opens lines to a model."""

    def __init__(
        self,
        *,
        provider: ModelProvider,
        prices: Mapping[str, Price],
        ledger: Ledger,
        clock: Clock,
        spending: Spending,
    ) -> None:
        self.provider = provider
        self.price = prices[provider.model]
        self.ledger = ledger
        self.clock = clock
        self.spending = spending
        self._settling: set[asyncio.Task[None]] = set()

    async def to_the_end(self, settling: Coroutine[None, None, None]) -> None:
        """Settles even when the question is stopped meanwhile: a cost once known is never lost."""
        task = asyncio.create_task(settling)
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        await asyncio.shield(task)

    async def close(self) -> None:
        """Waits a while for what still settles; what is left then, its lease settles."""
        if self._settling:
            await asyncio.wait(self._settling, timeout=CLOSING_SECONDS)

    def converse(self, *, person: str, question_id: uuid.UUID, deadline: float, max_requests: int) -> "Line":
        """A line for one question of the chat; `deadline` is a moment of the clock's `monotonic`."""
        origin = CallOrigin(Purpose.ASSIST, self.provider.model, person, question_id)
        return Line(self, origin, deadline, max_requests)


@dataclass
class Line:
    """One question's requests, one after the other; `requests_left` counts every try, the failed ones too."""

    gateway: Gateway
    origin: CallOrigin
    deadline: float
    requests_left: int
    spent: list[Spent] = field(default_factory=list)
    _counted: Counted | None = None

    async def send(self, request: ModelRequest) -> ModelReply:
        """One whole reply. Raises AssistError `llm_budget_exhausted` or `llm_unavailable`."""
        if faults := faults_of(request.messages):
            raise RuntimeError(f"a malformed history was about to be sent: {faults}")
        for pause in (*BACKOFF_SECONDS, None):
            try:
                return await self._try(request)
            except ProviderFault as fault:
                telemetry.log.warning("provider_fault", model=self.origin.model, reason=fault.reason)
                if fault.kind is ProviderFaultKind.PERMANENT or pause is None:
                    break
                if not await self._paused(fault.retry_after_seconds or pause):
                    break
        raise AssistError(Code.LLM_UNAVAILABLE)

    async def _try(self, request: ModelRequest) -> ModelReply:
        """Reserves and sends once. The last try a question has may not call a tool, or it could not end."""
        if self.requests_left == 0:
            raise AssistError(Code.LLM_UNAVAILABLE)
        request = replace(request, may_call=request.may_call and self.requests_left > 1)
        reservation = await self._reserve(request)
        seconds = self.deadline - self.gateway.clock.monotonic()
        if seconds <= 0:
            await self._settle(reservation, None, "not_sent", billed=False)
            raise AssistError(Code.LLM_UNAVAILABLE)
        self.requests_left -= 1
        return await self._send_reserved(request, reservation, timeout_seconds=seconds)

    async def _send_reserved(
        self, request: ModelRequest, reservation: Reservation, *, timeout_seconds: float
    ) -> ModelReply:
        """Sends once and settles however it ends: a request that may have been billed never costs nothing."""
        try:
            reply = await self.gateway.provider.send(request, timeout_seconds=timeout_seconds)
        except ProviderFault as fault:
            await self._settle(reservation, None, fault.reason, billed=fault.billed)
            raise
        except BaseException:
            await self._settle(reservation, None, "abandoned", billed=True)
            raise
        usage = self._believed(reply, reservation)
        await self._settle(reservation, usage, "ok", billed=True)
        if usage is not None:
            self._counted = Counted(size_bytes(request), usage.all_input_tokens)
        return reply

    def _believed(self, reply: ModelReply, reservation: Reservation) -> Usage | None:
        """The provider's counts; None where it gave none, or such as cannot be: then the worst case is charged."""
        if reply.usage is None:
            return None
        if believable(reply.usage, price=self.gateway.price, worst_micros=reservation.worst_micros):
            return reply.usage
        telemetry.log.error("usage_unbelievable", model=self.origin.model)
        return None

    async def _settle(self, reservation: Reservation, usage: Usage | None, outcome: str, *, billed: bool) -> None:
        cost = reservation.worst_micros if billed else 0
        if usage is not None:
            cost = cost_micros(self.gateway.price, usage)
        await self.gateway.to_the_end(
            self.gateway.ledger.settle(
                reservation, cost_micros=cost, usage=usage, outcome=outcome, now=self.gateway.clock.now()
            )
        )
        self.spent.append(Spent(self.origin.model, usage, cost))
        telemetry.count_provider_request(model=self.origin.model, outcome=outcome, cost_micros=cost)

    async def _reserve(self, request: ModelRequest) -> Reservation:
        """Reserves the worst case, waiting a while where those in flight may leave room for it."""
        bound = input_token_bound(size_bytes(request), self._counted)
        worst = worst_case_micros(self.gateway.price, input_token_bound=bound, max_tokens=request.max_tokens)
        answer = await self._try_reserve(worst)
        if isinstance(answer, Exhausted):
            await self.gateway.ledger.settle_dead(now=self.gateway.clock.now())  # no room will come of the dead
        wait_until = self.gateway.clock.monotonic() + SETTLING_WAIT_SECONDS
        while isinstance(answer, Exhausted):
            if not answer.fits_once_settled or self.gateway.clock.monotonic() >= wait_until:
                raise AssistError(Code.LLM_BUDGET_EXHAUSTED)
            await self.gateway.clock.sleep(SETTLING_POLL_SECONDS)
            answer = await self._try_reserve(worst)
        return answer

    async def _try_reserve(self, worst_micros: int) -> Reservation | Exhausted:
        spending, now = self.gateway.spending, self.gateway.clock.now()
        return await self.gateway.ledger.reserve(
            self.origin,
            worst_micros=worst_micros,
            allowance=allowance_of(self.origin.purpose, cap_micros=spending.cap_micros, share=spending.share),
            day=now.astimezone(spending.tz).date(),
            now=now,
            lease_until=now + dt.timedelta(seconds=self._left()) + LEASE_MARGIN,
        )

    def _left(self) -> float:
        """Seconds to the deadline; raises when none are left, so that nothing starts after it."""
        left = self.deadline - self.gateway.clock.monotonic()
        if left <= 0:
            raise AssistError(Code.LLM_UNAVAILABLE)
        return left

    async def _paused(self, seconds: float) -> bool:
        """Waits before the next try; False where the deadline comes first, whatever the provider asked for."""
        if seconds >= self.deadline - self.gateway.clock.monotonic():
            return False
        await self.gateway.clock.sleep(seconds)
        return True
