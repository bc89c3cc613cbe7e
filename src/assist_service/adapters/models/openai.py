"""OpenAI's models through the official SDK's Responses: one request, one whole reply or a ProviderFault, no retry."""

import hashlib
from collections.abc import Sequence
from typing import assert_never

from assist_service.adapters.models.openai_client import ERRORS, FORMAT_NAME, make_client, told
from assist_service.adapters.models.openai_reply import read_reply
from assist_service.adapters.models.reading import can_be_sent
from assist_service.adapters.models.sdk import SdkModel, Wire
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    JsonObject,
    Message,
    ModelRequest,
    ToolResults,
    UserText,
)

MARK: JsonObject = {"mode": "explicit"}
"""Ends a part of the request that the provider's cache keeps. Since gpt-5.6 it knows no other parts than marked
ones and the whole: without a mark the prefix would be paid anew for every question."""

REASONING = "reasoning.encrypted_content"


def params_of(request: ModelRequest, model_id: str) -> JsonObject:
    """The request in the words of the Responses API.

    The cache goes by tools, then input, byte for byte. The prefix is the first text of the input and not
    `instructions`, which can carry no mark. A request that may not call keeps its tools, so the cache covers them.
    """
    params: JsonObject = {
        "model": model_id,
        "input": [*_system(request), *(item for message in request.messages for item in _items(message))],
        "max_output_tokens": request.max_tokens,
        "prompt_cache_key": _cache_key(request.prefix),
        # The provider keeps nothing to answer from; so what it reasoned comes sealed and goes back with the results.
        "store": False,
        "include": [REASONING],
    }
    if request.tools:
        params["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.schema,
                # Strict would take a part of JSON Schema only, and demand every argument.
                "strict": False,
            }
            for tool in request.tools
        ]
        params["tool_choice"] = "auto" if request.may_call else "none"
        params["parallel_tool_calls"] = True
    if request.output_schema is not None and can_be_sent(request.output_schema):
        shape = {"type": "json_schema", "name": FORMAT_NAME, "schema": request.output_schema, "strict": False}
        params["text"] = {"format": shape}
    return params


def _cache_key(prefix: str) -> str:
    """The same for every request that begins alike: they are led to where that beginning is kept."""
    return hashlib.sha256(prefix.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _system(request: ModelRequest) -> list[JsonObject]:
    texts: Sequence[JsonObject] = (_marked(request.prefix), {"type": "input_text", "text": request.screen})
    said = [text for text in texts if text["text"].strip()]
    return [{"role": "developer", "content": said}] if said else []


def _marked(text: str) -> JsonObject:
    return {"type": "input_text", "text": text, "prompt_cache_breakpoint": MARK}


def _items(message: Message) -> list[JsonObject]:
    """A message's items. Whatever ends a request is marked, and stays so in the next, which then reads up to there."""
    match message:
        case UserText():
            return [{"role": "user", "content": [_marked(message.text)]}]
        case AssistantText():
            return [{"role": "assistant", "content": message.text}]
        case AssistantTurn():
            return list(message.native)
        case ToolResults():
            return [
                {"type": "function_call_output", "call_id": result.call_id, "output": [_marked(told(result))]}
                for result in message.results
            ]
        case _:
            assert_never(message)


WIRE = Wire(name="openai", path="/responses", params_of=params_of, read_reply=read_reply, errors=ERRORS)


class OpenAIModel(SdkModel):
    """One model of OpenAI's, gpt-5.6 or later. Key and base URL are the SDK's own variables unless given."""

    def __init__(
        self,
        model_id: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
    ) -> None:
        super().__init__(WIRE, model_id, make_client(api_key=api_key, base_url=base_url))
