"""The only way to a model, in two calls: `converse` for a question of many turns, `complete` for one answer."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assist_service.domain.budget import ASSIST
from assist_service.domain.messages import ModelReply, ModelRequest
from assist_service.domain.progress import Tell, silent
from assist_service.domain.reply import Spent
from assist_service.ports import Clock
from assist_service.services.line import Line
from assist_service.services.metering import Meter
from assist_service.services.sources import Source


@dataclass(frozen=True, kw_only=True)
class Gateway:
    """Every request is reserved, logged and settled by the same rules. `deadline` is of the clock's `monotonic`."""

    sources: Sequence[Source]
    """Who is asked first, and who if that one is down."""
    named: Mapping[str, Source] = field(default_factory=dict)
    """Every model that a completion may name."""
    meter: Meter
    clock: Clock

    def converse(
        self, *, person: str, question_id: uuid.UUID, deadline: float, max_requests: int, tell: Tell = silent
    ) -> Line:
        """A line for one question of the chat."""
        return self._line(self.sources, ASSIST, person, question_id, deadline, max_requests, tell)

    async def complete(
        self,
        request: ModelRequest,
        *,
        purpose: str,
        caller: str,
        completion_id: uuid.UUID,
        deadline: float,
        max_requests: int,
        model: str | None = None,
    ) -> tuple[ModelReply, tuple[Spent, ...]]:
        """One reply and what it took. Raises KeyError for a model nobody has, else as a line does."""
        sources = self.sources if model is None else [self.named[model]]
        line = self._line(sources, purpose, caller, completion_id, deadline, max_requests)
        reply = await line.send(request)
        return reply, tuple(line.spent)

    def _line(
        self,
        sources: Sequence[Source],
        purpose: str,
        person: str,
        question_id: uuid.UUID,
        deadline: float,
        max_requests: int,
        tell: Tell = silent,
    ) -> Line:
        return Line(
            sources=sources,
            meter=self.meter,
            clock=self.clock,
            purpose=purpose,
            person=person,
            question_id=question_id,
            deadline=deadline,
            requests_left=max_requests,
            tell=tell,
        )

    async def close(self) -> None:
        """Waits a while for what still settles, then closes every model's connections."""
        await self.meter.close()
        for source in {id(each): each for each in (*self.sources, *self.named.values())}.values():
            await source.provider.close()
