"""Claude through the official SDK's Messages: one request, one whole reply or a ProviderFault, no retry."""

import logging
from collections.abc import Sequence
from typing import Any, assert_never

import anthropic
import httpx2

from assist_service.adapters.models.anthropic_reply import read_reply
from assist_service.adapters.models.reading import can_be_sent, is_deeper
from assist_service.adapters.models.sdk import SdkErrors, SdkModel, Wire, guarded, refuse_address, refuse_key
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    JsonObject,
    Message,
    ModelRequest,
    ToolResult,
    ToolResults,
    UserText,
)

CACHED: JsonObject = {"type": "ephemeral"}
"""The provider keeps the request up to this block for five minutes, its default and what is priced."""


def _meant_status(error: Any) -> int:
    """The status, unless the message says more: used-up credit comes as 400, like a request that is wrong."""
    is_unpaid = error.status_code == 400 and "credit balance" in str(error.message).lower()
    return 402 if is_unpaid else int(error.status_code)


ERRORS = SdkErrors(
    status=anthropic.APIStatusError,
    connection=anthropic.APIConnectionError,
    api=anthropic.APIError,
    base=anthropic.AnthropicError,
    meant_status=_meant_status,
)


def _client(*, api_key: str | None, base_url: str | None) -> anthropic.AsyncAnthropic:
    """The SDK's client, checked now: by itself it would complain at the first request only."""
    # At DEBUG, which ANTHROPIC_LOG=debug turns on at import, the SDK logs every request whole.
    logging.getLogger("anthropic").setLevel(logging.WARNING)
    try:
        client = anthropic.AsyncAnthropic(
            api_key=api_key,
            base_url=base_url,
            http_client=anthropic.DefaultAioHttpClient(**guarded()),
            max_retries=0,
            # The environment could have its spans carry what was said.
            open_telemetry=False,
        )
    except anthropic.AnthropicError as error:
        # It looks for a profile of its own where it is given no key. Not its message: that may hold anything.
        told = f"no ANTHROPIC_API_KEY, and no other credentials to be read ({type(error).__name__})"
        raise ConfigurationError(told) from None
    except (httpx2.InvalidURL, ValueError):
        raise ConfigurationError("ANTHROPIC_BASE_URL is no address") from None
    refuse_address(client.base_url, variable="ANTHROPIC_BASE_URL")
    secret = client.api_key or client.auth_token
    if secret is None and client.credentials is None:
        raise ConfigurationError("ANTHROPIC_API_KEY is not set")
    if secret is not None:
        refuse_key(secret, variable="ANTHROPIC_API_KEY")
    return client


def params_of(request: ModelRequest, model_id: str) -> JsonObject:
    """The request in the words of the Messages API.

    The cache goes by tools, then system, then messages, byte for byte. So a request that may not call keeps
    its tools and says so by `tool_choice`.
    """
    params: JsonObject = {
        "model": model_id,
        "max_tokens": request.max_tokens,
        "messages": _messages(request.messages),
    }
    if system := _system(request):
        params["system"] = system
    if request.tools:
        params["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema} for tool in request.tools
        ]
        params["tool_choice"] = {"type": "auto" if request.may_call else "none"}
    if (schema := _expressed(request.output_schema)) is not None:
        params["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    return params


def _expressed(schema: JsonObject | None) -> JsonObject | None:
    """The schema as the API takes it, None where it cannot: the prompt says it too, and the caller validates."""
    if schema is None or is_deeper(schema) or not can_be_sent(schema) or _is_open(schema):
        return None
    try:
        return anthropic.transform_schema(schema)
    except Exception:  # noqa: BLE001  it raises four kinds of error for what it does not know, an assertion too
        return None


def _is_open(schema: Any) -> bool:
    """Whether an object in it may have keys of any name: the API closes every object, and would let none be said."""
    if isinstance(schema, list):
        return any(_is_open(inner) for inner in schema)
    if not isinstance(schema, dict):
        return False
    names_none = schema.get("type") == "object" and not schema.get("properties")
    allows_any = schema.get("additionalProperties") not in (None, False) or "patternProperties" in schema
    return names_none or allows_any or any(_is_open(inner) for inner in schema.values())


def _system(request: ModelRequest) -> list[JsonObject]:
    blocks: list[JsonObject] = [
        {"type": "text", "text": request.prefix, "cache_control": CACHED},
        {"type": "text", "text": request.screen},
    ]
    return [block for block in blocks if block["text"].strip()]


def _messages(messages: Sequence[Message]) -> list[JsonObject]:
    said = [_message(message) for message in messages]
    # The last message is the person's or holds results (faults_of): the mark never falls on a native block.
    said[-1]["content"][-1]["cache_control"] = CACHED
    return said


def _message(message: Message) -> JsonObject:
    match message:
        case UserText():
            return {"role": "user", "content": [{"type": "text", "text": message.text}]}
        case AssistantText():
            return {"role": "assistant", "content": [{"type": "text", "text": message.text}]}
        case AssistantTurn():
            return {"role": "assistant", "content": list(message.native)}
        case ToolResults():
            return {"role": "user", "content": [_result(result) for result in message.results]}
        case _:
            assert_never(message)


def _result(result: ToolResult) -> JsonObject:
    block: JsonObject = {"type": "tool_result", "tool_use_id": result.call_id}
    if result.content.strip():  # a result may have no content, but none that is blank
        block["content"] = result.content
    if result.is_error:
        block["is_error"] = True
    return block


WIRE = Wire(name="anthropic", path="/v1/messages", params_of=params_of, read_reply=read_reply, errors=ERRORS)


class AnthropicModel(SdkModel):
    """One Claude model. Key and base URL are the SDK's own environment variables unless given."""

    def __init__(
        self,
        model_id: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
    ) -> None:
        super().__init__(WIRE, model_id, _client(api_key=api_key, base_url=base_url))
