"""Money as integer micro-units: what a request can cost at worst, what it did cost, and who may spend how much.

1 USD is 1,000,000 micro-units. Nothing here rounds in the spender's favour.
"""

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    Message,
    ModelRequest,
    ToolResults,
    Usage,
    UserText,
)

MICROS_PER_USD = 1_000_000

PROVIDER_OVERHEAD_TOKENS = 1_500
"""Tokens a provider adds to a request by itself (its tool-use instructions, message frames): several times what
Anthropic documents for tool use, so that the bound stays above."""

COUNTED_OVERHEAD_TOKENS = 500
"""The same where the provider counted a request this one begins with: its additions are in that count, and what it
adds otherwise when tools may no longer be called is less than this."""

MOST_BYTES_PER_TOKEN = 6
"""Text of people has fewer. A lower count is not learned from: one that left out the cached part, or was made up, would
bound everything after it by what is not true."""

FRAME_BYTES = 64
"""Allowance in bytes for the frame of one message, call or tool beside its own text."""


ASSIST = "assist"
"""The purpose of the chat: it has a share of the day, the others have the day."""

PURPOSE_PATTERN = "^[a-z][a-z0-9_-]{0,31}$"
"""A purpose is a short word. Which ones there are beside the chat's, the settings say: a closed list."""


class Price(BaseModel):
    """Micro-units per million tokens of one model. Source: the provider's price list, rechecked by hand."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: int = Field(ge=0)
    cached_input: int = Field(ge=0)
    cache_write: int = Field(ge=0)
    output: int = Field(ge=0)
    long_prompt_tokens: int | None = Field(default=None, gt=0)
    """Above this many input tokens every price of the request is multiplied by `long_prompt_factor`."""
    long_prompt_factor: int = Field(default=1, ge=1)

    def factor(self, input_tokens: int) -> int:
        is_long = self.long_prompt_tokens is not None and input_tokens > self.long_prompt_tokens
        return self.long_prompt_factor if is_long else 1


def cost_micros(price: Price, usage: Usage) -> int:
    """What a request cost, by what the provider counted, rounded up to a whole micro-unit."""
    per_million = (
        usage.input_tokens * price.input
        + usage.cached_input_tokens * price.cached_input
        + usage.cache_write_tokens * price.cache_write
        + usage.output_tokens * price.output
    )
    return _ceil_million(per_million * price.factor(usage.all_input_tokens))


def worst_case_micros(price: Price, *, input_token_bound: int, max_tokens: int) -> int:
    """The most a request can cost: every input token at the dearest input price, and all its output."""
    dearest_input = max(price.input, price.cached_input, price.cache_write)
    per_million = input_token_bound * dearest_input + max_tokens * price.output
    return _ceil_million(per_million * price.factor(input_token_bound))


def believable(usage: Usage, *, price: Price, most_micros: int) -> bool:
    """Whether counts can be true of a request that was answered: neither side nothing, and no more than its bytes."""
    counted = usage.all_input_tokens > 0 and usage.output_tokens > 0
    return counted and cost_micros(price, usage) <= most_micros


def _ceil_million(amount: int) -> int:
    return -(-amount // 1_000_000)


@dataclass(frozen=True)
class Counted:
    """At most `input_tokens` for the first `size_bytes` of a request, as this provider and model counted them."""

    size_bytes: int
    input_tokens: int


def least_tokens(size_bytes: int, input_tokens: int) -> int:
    """What may be learned from a count of so many bytes: the count, unless no text has so few tokens."""
    return max(input_tokens, size_bytes // MOST_BYTES_PER_TOKEN)


def input_token_bound(size_bytes: int, counted: Counted | None) -> int:
    """An upper bound of a request's input tokens: a token is at least one byte of UTF-8.

    With `counted`, only the bytes added since count; the request must begin with the counted one, byte for byte.
    """
    if counted is None:
        return size_bytes + PROVIDER_OVERHEAD_TOKENS
    added = max(size_bytes - counted.size_bytes, 0)
    return counted.input_tokens + added + COUNTED_OVERHEAD_TOKENS


def stable_bytes(request: ModelRequest) -> int:
    """The UTF-8 size of what stays the same from question to question: prefix and tools, frames included."""
    tools = sum(tool.size_bytes + FRAME_BYTES for tool in request.tools)
    return _text_bytes(request.prefix) + tools


def size_bytes(request: ModelRequest) -> int:
    """The UTF-8 size of all a request says to the model, frames included."""
    spoken = sum(_message_bytes(message) + FRAME_BYTES for message in request.messages)
    schema = _json_bytes(request.output_schema) + FRAME_BYTES if request.output_schema is not None else 0
    return stable_bytes(request) + _text_bytes(request.screen) + schema + spoken


def _message_bytes(message: Message) -> int:
    match message:
        case UserText() | AssistantText():
            return _text_bytes(message.text)
        case AssistantTurn():
            return sum(_json_bytes(block) for block in message.native)
        case ToolResults():
            return sum(_text_bytes(r.call_id) + _text_bytes(r.content) + FRAME_BYTES for r in message.results)


def _text_bytes(text: str) -> int:
    return len(text.encode())


def _json_bytes(value: Any) -> int:
    """The size of a JSON value with everything outside ASCII escaped: never below what a provider makes of it."""
    return len(json.dumps(value))


@dataclass(frozen=True)
class Allowance:
    """How far a day may be spent, in micro-units. `purpose_micros` bounds the chat alone; None bounds nothing."""

    day_micros: int
    purpose_micros: int | None


def allowance_of(purpose: str, *, cap_micros: int, share: Decimal) -> Allowance:
    """The chat has its share, and stops where the day's total would leave less than that to the others (row A4)."""
    if purpose != ASSIST:
        return Allowance(day_micros=cap_micros, purpose_micros=None)
    # Not the product of decimals: that is rounded to 28 digits, which may lift it over a whole micro-unit.
    numerator, denominator = share.as_integer_ratio()
    left_to_others = -(-numerator * cap_micros // denominator)
    return Allowance(
        day_micros=cap_micros - left_to_others,
        purpose_micros=numerator * cap_micros // denominator,
    )


def micros_of_usd(amount: Decimal) -> int:
    """Micro-units of an amount of USD; what lies below one micro-unit is dropped."""
    numerator, denominator = amount.as_integer_ratio()
    return numerator * MICROS_PER_USD // denominator
