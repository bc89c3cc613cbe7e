"""A model that says what a script tells it to, and remembers what it was asked."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count

from assist_service.domain.messages import (
    JsonObject,
    ModelReply,
    ModelRequest,
    ProviderFault,
    Stop,
    ToolCall,
    Usage,
    faults_of,
)

Script = Callable[[ModelRequest], "ModelReply | ProviderFault"]

USAGE = Usage(input_tokens=100, cached_input_tokens=0, cache_write_tokens=0, output_tokens=20)

_ids = count(1)


class ScriptedModel:
    """Implements ports.ModelProvider. The last step of a list is repeated; a fault among them is raised."""

    def __init__(
        self, *steps: "ModelReply | ProviderFault | Script", model: str = "stub", seconds: float = 0.0
    ) -> None:
        self.model = model
        self.requests: list[ModelRequest] = []
        self.seconds = seconds
        self._steps = list(steps)
        self._free = asyncio.Event()
        self._free.set()
        self._asked = asyncio.Condition()

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        assert faults_of(request.messages) == []
        self.requests.append(request)
        async with self._asked:
            self._asked.notify_all()
        await self._free.wait()
        if self.seconds:
            await asyncio.sleep(self.seconds)
        step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
        said = step(request) if callable(step) else step
        if isinstance(said, ProviderFault):
            raise said
        return said

    def hold(self) -> None:
        """Lets nobody have an answer until `let_go`."""
        self._free.clear()

    def let_go(self) -> None:
        self._free.set()

    async def asked(self, requests: int) -> None:
        """Returns once this many requests have come, all told."""
        async with self._asked:
            await asyncio.wait_for(self._asked.wait_for(lambda: len(self.requests) >= requests), timeout=10)

    async def close(self) -> None:
        """Holds nothing open."""


def says(text: str, *, stop: Stop = Stop.END, usage: Usage | None = USAGE) -> ModelReply:
    """A reply of words."""
    return ModelReply(stop, text, (), ({"type": "text", "text": text},), usage)


def calls(*wanted: tuple[str, JsonObject], usage: Usage | None = USAGE) -> ModelReply:
    """A reply that calls tools."""
    made = tuple(ToolCall(f"call_{next(_ids)}", name, arguments) for name, arguments in wanted)
    native: Sequence[JsonObject] = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments} for call in made
    ]
    return ModelReply(Stop.TOOLS, "", made, native, usage)


def reads(page: str, section: str | None = None) -> ModelReply:
    """A call of `read_guide`."""
    return calls(("read_guide", {"page": page} | ({"section": section} if section else {})))
