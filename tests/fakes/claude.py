"""The Anthropic adapter at a fake wire, and what to ask any adapter and hear from it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from assist_service.adapters.models.anthropic import AnthropicModel
from assist_service.domain.messages import (
    AssistantTurn,
    Message,
    ModelReply,
    ModelRequest,
    ProviderFault,
    ProviderFaultKind,
    ToolResult,
    ToolResults,
    ToolSpec,
    UserText,
)
from assist_service.ports import ModelProvider
from tests.fakes.anthropic_wire import AnthropicWire, Reply
from tests.fakes.serving import serve

API_KEY = "sk-ant-canary-7d1f0c"
MODEL_ID = "claude-sonnet-5-5"

READ_GUIDE = ToolSpec(
    name="read_guide",
    description="Reads a page of the manual.",
    schema={
        "type": "object",
        "properties": {"page": {"type": "string"}, "section": {"type": ["string", "null"]}},
        "required": ["page"],
        "additionalProperties": False,
    },
)


@asynccontextmanager
async def claude_at(url: str) -> AsyncIterator[AnthropicModel]:
    """The adapter, pointed at a URL."""
    model = AnthropicModel(MODEL_ID, api_key=API_KEY, base_url=url)
    try:
        yield model
    finally:
        await model.close()


@asynccontextmanager
async def claude_over(wire: AnthropicWire) -> AsyncIterator[AnthropicModel]:
    """The adapter, talking to a wire that runs for as long."""
    async with serve(wire) as url, claude_at(url) as model:
        yield model


def request_of(
    *messages: Message,
    prefix: str = "You help people with the manual.",
    screen: str = "The screen is a pool.",
    tools: tuple[ToolSpec, ...] = (READ_GUIDE,),
    may_call: bool = True,
    max_tokens: int = 1_000,
) -> ModelRequest:
    """A request with the parts a test does not care for filled in."""
    said = messages or (UserText("How do I share a pool?"),)
    return ModelRequest(prefix, screen, tools, said, may_call, max_tokens)


def step(reply: ModelReply, *, content: str = "## Sharing a pool\nPress Share.") -> tuple[Message, Message]:
    """What a turn adds to the conversation: the reply that called, and a result for each of its calls."""
    results = tuple(ToolResult(call.id, content) for call in reply.calls)
    return AssistantTurn(reply.native, reply.text, reply.calls), ToolResults(results)


Meaning = tuple[ProviderFaultKind, bool, str]
"""What a fault says: its kind, whether it is charged, and its word."""


def meaning_of(fault: ProviderFault) -> Meaning:
    """The fault as a test compares it."""
    return fault.kind, fault.billed, fault.reason


async def fault_of(model: ModelProvider, *, timeout_seconds: float = 5) -> ProviderFault:
    """The fault of one request, which must end in one that nothing of the exchange hangs on."""
    with pytest.raises(ProviderFault) as caught:
        await model.send(request_of(UserText("The canary?")), timeout_seconds=timeout_seconds)
    # A log of the traceback would find what it leads to.
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "canary" not in repr(caught.value)
    return caught.value


async def fault_after(reply: Reply) -> ProviderFault:
    """The fault that one reply of a server comes to."""
    wire = AnthropicWire(reply)
    async with claude_over(wire) as model:
        fault = await fault_of(model)
    assert len(wire.requests) == 1  # no retry of the SDK's
    return fault
