"""A model that is written down: what it called for one question, how often it was asked, and how that ended last."""

from dataclasses import dataclass, field

from assist_service.domain.messages import ModelReply, ModelRequest, ProviderFault, ToolCall
from assist_service.ports import ModelProvider


@dataclass
class RecordingProvider:
    """Implements ports.ModelProvider by another one, of which it changes nothing."""

    provider: ModelProvider
    calls: list[ToolCall] = field(default_factory=list)
    requests: int = 0
    fault: str | None = None
    """Why the last request brought no reply; None where it brought one."""

    @property
    def model(self) -> str:
        return self.provider.model

    def begin(self) -> None:
        """Forgets the question before."""
        self.calls, self.requests, self.fault = [], 0, None

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        self.requests += 1
        self.fault = None
        try:
            reply = await self.provider.send(request, timeout_seconds=timeout_seconds)
        except ProviderFault as fault:
            self.fault = fault.reason
            raise
        self.calls += reply.calls
        return reply

    async def close(self) -> None:
        await self.provider.close()
