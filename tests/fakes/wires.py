"""The three wires in one vocabulary: what a model says, as each provider writes it, and the adapter that reads it."""

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any

from assist_service.domain.messages import Usage
from assist_service.ports import ModelProvider
from tests.fakes import anthropic_wire, gpt, openai_wire
from tests.fakes.anthropic_wire import AnthropicWire, MessageReply
from tests.fakes.claude import claude_at
from tests.fakes.openai_wire import OpenAIWire, Said
from tests.fakes.scripted_wire import JsonObject, RawReply
from tests.fakes.serving import serve

WIRES = ("anthropic", *gpt.WIRES)

Server = AnthropicWire | OpenAIWire

COUNTED = Usage(input_tokens=100, cached_input_tokens=0, cache_write_tokens=0, output_tokens=20)
"""What each whole reply here was counted at."""

USAGES: dict[str, JsonObject] = {
    "anthropic": {"input_tokens": 100, "output_tokens": 20},
    "openai": {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120},
    "openai-chat": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
}

CUT, FILTERED = "cut", "filtered"

ENDINGS: dict[str, dict[str, str]] = {
    "anthropic": {CUT: "max_tokens", FILTERED: "refusal"},
    "openai": {CUT: "incomplete:max_output_tokens", FILTERED: "incomplete:content_filter"},
    "openai-chat": {CUT: "length", FILTERED: "content_filter"},
}
"""How each wire says that the token limit, or a filter, ended a reply."""


def body_on(wire: str, said: Said, **changes: Any) -> JsonObject:
    """A whole body; `said.ending` is CUT, FILTERED or the usual one, and `changes` replace the body's keys."""
    said = replace(said, ending=ENDINGS[wire][said.ending] if said.ending else None)
    body = _message(said) if wire == "anthropic" else gpt.BODIES[wire](said, USAGES[wire])
    return {**body, **changes}


def reply_on(wire: str, said: Said, **changes: Any) -> RawReply:
    """That body as a reply of status 200."""
    return gpt.raw_of(body_on(wire, said, **changes))


def refusal_on(wire: str, status: int, code: str, **headers: str) -> RawReply:
    """A refusal in the provider's envelope; the names of headers are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if wire == "anthropic":
        return anthropic_wire.error_reply(status, code, headers=named)
    return openai_wire.error_reply(status, code, headers=named)


def server_of(wire: str, *replies: RawReply) -> Server:
    """A server of this wire that gives these replies."""
    return AnthropicWire(*replies) if wire == "anthropic" else OpenAIWire(*replies)


def adapter_at(wire: str, url: str) -> AbstractAsyncContextManager[ModelProvider]:
    """The wire's adapter, pointed at a server."""
    return claude_at(url) if wire == "anthropic" else gpt.gpt_at(wire, url)


@asynccontextmanager
async def adapter_over(wire: str, server: Server) -> AsyncIterator[ModelProvider]:
    """The wire's adapter, talking to a server that runs for as long."""
    async with serve(server) as url, adapter_at(wire, url) as model:
        yield model


def _message(said: Said) -> JsonObject:
    calls = [(name, _input(arguments)) for name, arguments in said.calls]
    content = anthropic_wire.tool_reply(*calls, text=said.text, thinking=said.reasoning).content
    ending = said.ending or ("tool_use" if calls else "end_turn")
    message: JsonObject = json.loads(
        anthropic_wire.message_body(MessageReply(content, ending), usage=USAGES["anthropic"])
    )
    return message


def _input(arguments: str) -> Any:
    """Arguments as this wire has them: JSON, not a text of JSON; what is none stays the text."""
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments
