"""A server that speaks Chat Completions, through OpenAI's SDK: one request, one whole reply or a ProviderFault.

vLLM, llama.cpp, Ollama and others: what is sent is what all of them take, and what they leave out is borne.
"""

from collections.abc import Sequence
from typing import assert_never

from assist_service.adapters.models.openai_chat_reply import read_reply
from assist_service.adapters.models.openai_client import ERRORS, FORMAT_NAME, OPENAI_HOST, make_client, told
from assist_service.adapters.models.reading import can_be_sent
from assist_service.adapters.models.sdk import SdkModel, Wire
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    JsonObject,
    Message,
    ModelRequest,
    ToolResults,
    UserText,
)


def params_of(request: ModelRequest, model_id: str) -> JsonObject:
    """The request in the words of Chat Completions, those keys only that a plain server has."""
    params: JsonObject = {
        "model": model_id,
        "messages": [*_system(request), *(said for message in request.messages for said in _messages(message))],
        # Not `max_completion_tokens`: every server takes the older name, but Ollama, LM Studio, llama-cpp-python and
        # older llama.cpp ignore the newer one, and would write past what the budget holds back.
        "max_tokens": request.max_tokens,
    }
    if request.tools:
        params["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
            }
            for tool in request.tools
        ]
        params["tool_choice"] = "auto" if request.may_call else "none"
    if request.output_schema is not None and can_be_sent(request.output_schema):
        shape = {"name": FORMAT_NAME, "schema": request.output_schema, "strict": False}
        params["response_format"] = {"type": "json_schema", "json_schema": shape}
    return params


def _system(request: ModelRequest) -> list[JsonObject]:
    """One message, the stable part first: the templates of many models take no second one."""
    said = [text for text in (request.prefix, request.screen) if text.strip()]
    return [{"role": "system", "content": "\n\n".join(said)}] if said else []


def _messages(message: Message) -> Sequence[JsonObject]:
    match message:
        case UserText():
            return [{"role": "user", "content": message.text}]
        case AssistantText():
            return [{"role": "assistant", "content": message.text}]
        case AssistantTurn():
            return list(message.native)
        case ToolResults():
            return [
                {"role": "tool", "tool_call_id": result.call_id, "content": told(result)} for result in message.results
            ]
        case _:
            assert_never(message)


WIRE = Wire(name="openai-chat", path="/chat/completions", params_of=params_of, read_reply=read_reply, errors=ERRORS)


class OpenAIChatModel(SdkModel):
    """One model of an OpenAI-compatible server, which OPENAI_BASE_URL names."""

    def __init__(
        self,
        model_id: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
    ) -> None:
        client = make_client(api_key=api_key, base_url=base_url)
        # OpenAI's own models would refuse `max_tokens`, and the notice would name somebody else.
        if client.base_url.host == OPENAI_HOST:
            raise ConfigurationError("OPENAI_BASE_URL names no server of your own; OpenAI's models are openai:<id>")
        super().__init__(WIRE, model_id, client)
