"""Claude through the official SDK's Messages: one request, one whole reply or a ProviderFault, no retry."""

import asyncio
import logging
from collections.abc import Sequence
from typing import assert_never

import anthropic
import httpx2

from assist_service.adapters.models.anthropic_reply import read_reply
from assist_service.adapters.models.bounded import UNPACKED, bound_response
from assist_service.adapters.models.faults import (
    PERMANENT,
    TIMED_OUT,
    TRANSIENT,
    Reason,
    Verdict,
    fault_of_connection,
    fault_of_status,
)
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    JsonObject,
    Message,
    ModelReply,
    ModelRequest,
    ProviderFault,
    ToolResult,
    ToolResults,
    UserText,
    faults_of,
)

CONNECT_SECONDS = 5.0
"""A host that has not taken the connection by then is not there; never more than half of a request's time, so
that an attempt that sent nothing is told apart from one that may be charged."""

CACHED: JsonObject = {"type": "ephemeral"}
"""The provider keeps the request up to this block for five minutes, its default and what is priced."""

NO_TIME = Verdict(TRANSIENT, False, Reason.TIMEOUT)
UNSENDABLE = Verdict(PERMANENT, False, Reason.UNSENDABLE)
CREDENTIALS = Verdict(TRANSIENT, False, Reason.CREDENTIALS)
UNKNOWN = Verdict(PERMANENT, True, Reason.UNKNOWN)


class AnthropicModel:
    """One Claude model. Key and base URL are the SDK's own environment variables unless given."""

    def __init__(
        self,
        model_id: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        # At DEBUG, which ANTHROPIC_LOG=debug turns on at import, the SDK logs every request whole.
        logging.getLogger("anthropic").setLevel(logging.WARNING)
        self._model_id = model_id
        self._client = _client(api_key=api_key, base_url=base_url, http_client=http_client)

    @property
    def model(self) -> str:
        return f"anthropic:{self._model_id}"

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        """One request, no retry. Raises ProviderFault for everything that is no whole, understood reply."""
        if faults_of(request.messages):
            raise UNSENDABLE.fault()
        if timeout_seconds <= 0:
            raise NO_TIME.fault()
        answer = await self._exchange(params_of(request, self._model_id), timeout_seconds)
        if isinstance(answer, ProviderFault):
            raise answer
        return read_reply(answer, used_ids=_call_ids(request.messages))

    async def close(self) -> None:
        await self._client.close()

    async def _exchange(self, params: JsonObject, timeout_seconds: float) -> bytes | ProviderFault:
        """The body of a 200, or what went wrong: returned, so that no traceback leads to the SDK's words."""
        patience = min(CONNECT_SECONDS, timeout_seconds / 2)
        timeout = httpx2.Timeout(timeout_seconds, connect=patience, pool=patience)
        try:
            # The client's own limits are for each read: a server that trickles bytes would never meet them.
            async with asyncio.timeout(timeout_seconds):
                response = await self._client.messages.with_raw_response.create(**params, timeout=timeout)
                raw = await response.read()
        except Exception as error:  # noqa: BLE001  the port promises ProviderFault for whatever the SDK raises
            return _fault_of(error)
        if response.status_code != 200:
            return fault_of_status(response.status_code, response.headers)
        return raw


def _client(
    *, api_key: str | None, base_url: str | None, http_client: httpx2.AsyncClient | None
) -> anthropic.AsyncAnthropic:
    """The SDK's client, checked now: by itself it would complain at the first request only."""
    try:
        client = anthropic.AsyncAnthropic(
            api_key=api_key,
            base_url=base_url,
            http_client=http_client
            or anthropic.DefaultAsyncHttpxClient(
                follow_redirects=False, headers=UNPACKED, event_hooks={"response": [bound_response]}
            ),
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
    if client.base_url.scheme not in ("http", "https") or not client.base_url.host:
        raise ConfigurationError("ANTHROPIC_BASE_URL is no http or https address")
    secret = client.api_key or client.auth_token
    if secret is None and client.credentials is None:
        raise ConfigurationError("ANTHROPIC_API_KEY is not set")
    if secret is not None and not (secret.isascii() and secret.isprintable() and " " not in secret):
        raise ConfigurationError("ANTHROPIC_API_KEY holds a space or a character that no key has")
    return client


def _fault_of(error: Exception) -> ProviderFault:
    match error:
        case anthropic.APIStatusError():
            return fault_of_status(error.status_code, error.response.headers)
        case anthropic.APIConnectionError():
            return fault_of_connection(error.__cause__)
        case TimeoutError():
            return TIMED_OUT.fault()
        case UnicodeEncodeError():
            return UNSENDABLE.fault()
        case anthropic.APIError():
            return UNKNOWN.fault()
        case anthropic.AnthropicError():
            return CREDENTIALS.fault()
        case _:
            return UNKNOWN.fault()


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
    return params


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


def _call_ids(messages: Sequence[Message]) -> frozenset[str]:
    return frozenset(call.id for message in messages if isinstance(message, AssistantTurn) for call in message.calls)
