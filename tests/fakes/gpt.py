"""OpenAI's two adapters at a fake wire, each by its name."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from assist_service.adapters.models.openai import OpenAIModel
from assist_service.adapters.models.openai_chat import OpenAIChatModel
from assist_service.domain.messages import Message, ModelReply, ProviderFault
from assist_service.ports import ModelProvider
from tests.fakes.claude import fault_of, request_of
from tests.fakes.openai_wire import OpenAIWire, Reply, Said, completion, response
from tests.fakes.scripted_wire import RawReply
from tests.fakes.serving import serve

API_KEY = "sk-proj-canary-7d1f0c"
MODEL_ID = "gpt-6.2-sol"

ADAPTERS: Mapping[str, Callable[..., ModelProvider]] = {"openai": OpenAIModel, "openai-chat": OpenAIChatModel}
WIRES = tuple(ADAPTERS)

BODIES: Mapping[str, Callable[..., dict[str, Any]]] = {"openai": response, "openai-chat": completion}
"""How each wire writes what was said."""

USAGES: Mapping[str, dict[str, Any]] = {
    "openai": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
    "openai-chat": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}


def body_of(wire: str, said: Said, **changes: Any) -> dict[str, Any]:
    """A whole body on a wire; `changes` replace its keys."""
    return {**BODIES[wire](said, USAGES[wire]), **changes}


@asynccontextmanager
async def gpt_at(wire: str, url: str) -> AsyncIterator[ModelProvider]:
    """The adapter of a wire, pointed at a server's URL."""
    model = ADAPTERS[wire](MODEL_ID, api_key=API_KEY, base_url=f"{url}/v1")
    try:
        yield model
    finally:
        await model.close()


@asynccontextmanager
async def gpt_over(wire: str, server: OpenAIWire) -> AsyncIterator[ModelProvider]:
    """The adapter of a wire, talking to a server that runs for as long."""
    async with serve(server) as url, gpt_at(wire, url) as model:
        yield model


def raw_of(body: Any) -> RawReply:
    """A body of status 200 as it is."""
    return RawReply(json.dumps(body).encode())


async def ask(model: ModelProvider, *messages: Message, may_call: bool = True) -> ModelReply:
    """One request of these messages."""
    return await model.send(request_of(*messages, may_call=may_call), timeout_seconds=5)


async def fault_after(wire: str, reply: Reply) -> ProviderFault:
    """The fault that one reply of a server comes to."""
    server = OpenAIWire(reply)
    async with gpt_over(wire, server) as model:
        fault = await fault_of(model)
    assert len(server.requests) == 1  # no retry of the SDK's
    assert server.violations == []
    return fault
