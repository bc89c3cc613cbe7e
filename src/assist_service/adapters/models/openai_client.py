"""The OpenAI SDK's client, for both of its wires: bounded, without retries, its settings checked at start."""

import logging
from typing import Any

import httpx2
import openai

from assist_service.adapters.models.openai_reading import TELLING_CODES
from assist_service.adapters.models.sdk import SdkErrors, guarded, refuse_address, refuse_key
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.messages import ToolResult

OPENAI_HOST = "api.openai.com"
"""Where the SDK goes when it is told nothing else."""

KEY_VARIABLE = "OPENAI_API_KEY"
"""Where the SDK looks for the key when it is given none."""

FORMAT_NAME = "answer"
"""Both wires want a name for the shape of an answer."""

NOTHING = "(nothing)"


def make_client(*, api_key: str | None, base_url: str | None, key_variable: str = KEY_VARIABLE) -> openai.AsyncOpenAI:
    """The client; `key_variable` is where its key was set.

    Raises ConfigurationError: by itself it would complain at the first request only.
    """
    # At DEBUG, which OPENAI_LOG=debug turns on at import, earlier releases of the SDK logged every request whole.
    logging.getLogger("openai").setLevel(logging.WARNING)
    try:
        client = openai.AsyncOpenAI(
            api_key=api_key,
            base_url=base_url,
            http_client=openai.DefaultAioHttpClient(**guarded()),
            max_retries=0,
        )
    except openai.OpenAIError as error:
        # Not its message: that may hold anything.
        raise ConfigurationError(f"no {key_variable} ({type(error).__name__})") from None
    except (httpx2.InvalidURL, ValueError):
        raise ConfigurationError("OPENAI_BASE_URL is no address") from None
    refuse_address(client.base_url, variable="OPENAI_BASE_URL")
    if not client.api_key:  # the SDK is content with an administrator's key, which no model answers
        raise ConfigurationError(f"{key_variable} is not set")
    refuse_key(client.api_key, variable=key_variable)
    return client


def _meant_status(error: Any) -> int:
    """The status, unless the code beside it says more: used-up credit comes as 429, a retired model as 400."""
    return TELLING_CODES.get(error.code or "", int(error.status_code))


ERRORS = SdkErrors(
    status=openai.APIStatusError,
    connection=openai.APIConnectionError,
    api=openai.APIError,
    base=openai.OpenAIError,
    meant_status=_meant_status,
)


def told(result: ToolResult) -> str:
    """A result as the model reads it: neither wire has a mark for an error, nor takes a blank."""
    content = result.content if result.content.strip() else NOTHING
    return f"Error: {content}" if result.is_error else content
