"""What goes to a model and what comes back, in no provider's dialect, and when a history is well formed."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, assert_never

JsonObject = dict[str, Any]
"""A JSON object as `json.loads` gives it."""


class Stop(StrEnum):
    """Why the model stopped. A reason this list does not know is a fault, never a success."""

    END = "end"
    TOOLS = "tools"
    LENGTH = "length"
    REFUSAL = "refusal"


@dataclass(frozen=True)
class ToolSpec:
    """A tool as the model sees it; `schema` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: JsonObject

    @cached_property
    def size_bytes(self) -> int:
        """What it adds to a request: never below what a provider makes of it."""
        return len(json.dumps([self.name, self.description, self.schema]))


@dataclass(frozen=True)
class ToolCall:
    """One call the model asks for. `arguments` is None when what it wrote was no JSON object."""

    id: str
    name: str
    arguments: JsonObject | None


@dataclass(frozen=True)
class ToolResult:
    """What the model reads of one call."""

    call_id: str
    content: str
    is_error: bool = False


@dataclass(frozen=True)
class UserText:
    """What the person wrote."""

    text: str


@dataclass(frozen=True)
class AssistantText:
    """The final text of an earlier answer."""

    text: str


@dataclass(frozen=True)
class AssistantTurn:
    """A reply of this question that asked for tools.

    `native` is the provider's own content, block by block, reasoning included: it goes back byte for byte,
    and to the same provider only.
    """

    native: Sequence[JsonObject]
    text: str
    calls: tuple[ToolCall, ...]


@dataclass(frozen=True)
class ToolResults:
    """The results of every call of the turn before, in its order."""

    results: tuple[ToolResult, ...]


Message = UserText | AssistantText | AssistantTurn | ToolResults


@dataclass(frozen=True)
class ModelRequest:
    """One provider request. `prefix` is stable for a role, policy and publication; `screen` is this question's."""

    prefix: str
    screen: str
    tools: tuple[ToolSpec, ...]
    messages: tuple[Message, ...]
    may_call: bool
    max_tokens: int
    output_schema: JsonObject | None = None
    """The JSON Schema of an answer that is to be one JSON object; the adapter asks for it as its wire does."""

    def continues(self, earlier: "ModelRequest") -> bool:
        """Whether this begins with all that the earlier one said to the model."""
        begins = self.messages[: len(earlier.messages)] == earlier.messages
        frame = (self.prefix, self.screen, self.tools, self.output_schema)
        return begins and frame == (earlier.prefix, earlier.screen, earlier.tools, earlier.output_schema)


@dataclass(frozen=True)
class Usage:
    """Tokens of one request as the provider counted them; `input_tokens` leaves the two cached kinds out."""

    input_tokens: int
    cached_input_tokens: int
    cache_write_tokens: int
    output_tokens: int

    @property
    def all_input_tokens(self) -> int:
        return self.input_tokens + self.cached_input_tokens + self.cache_write_tokens


@dataclass(frozen=True)
class ModelReply:
    """One whole provider reply. `usage` is None where the provider did not say: then the worst case is charged."""

    stop: Stop
    text: str
    calls: tuple[ToolCall, ...]
    native: Sequence[JsonObject]
    usage: Usage | None


class ProviderFaultKind(StrEnum):
    """What a failed provider request means for the next step.

    `TRANSIENT`: the same may succeed later. `CLOSED`: trying here again helps nobody until somebody acts or the request
    differs, and another provider may answer (no credit, a retired model, an answer of no kind there is). `PERMANENT`:
    the request itself is refused, here and by anyone.
    """

    TRANSIENT = "transient"
    CLOSED = "closed"
    PERMANENT = "permanent"


@dataclass
class ProviderFault(Exception):
    """A provider request that brought no whole, understood reply.

    `billed` says whether the provider may have charged for it: a lost answer may, a refusal at its door does not.
    `retry_after_seconds` is what the provider asked for, if it did. `reason` is a short closed word for the log.
    """

    kind: ProviderFaultKind
    billed: bool
    reason: str
    retry_after_seconds: float | None = None

    def __str__(self) -> str:
        return self.reason


def _faults_of_calls(ids: Sequence[str], seen: Collection[str]) -> Iterator[str]:
    if not ids:
        yield "a turn without calls"
    if not all(ids):
        yield "a call without an id"
    if len(set(ids)) != len(ids) or not set(ids).isdisjoint(seen):
        yield "a call id twice"


def faults_of(messages: Sequence[Message]) -> list[str]:
    """What is wrong with a history before it is sent; empty when it is well formed.

    Each call has exactly one result in the message right after it, ids are unique, nothing is empty, the person
    speaks first and the two sides alternate.
    """
    faults: list[str] = []
    open_calls: tuple[str, ...] = ()
    seen: set[str] = set()
    speaker = "assistant"
    for position, message in enumerate(messages):
        side = "assistant" if isinstance(message, AssistantText | AssistantTurn) else "user"
        if side == speaker:
            faults.append(f"message {position}: {side} speaks twice")
        speaker = side
        if not isinstance(message, ToolResults) and open_calls:
            faults.append(f"message {position}: calls left without a result")
            open_calls = ()
        match message:
            case UserText() | AssistantText():
                if not message.text.strip():
                    faults.append(f"message {position}: empty text")
            case AssistantTurn():
                open_calls = tuple(call.id for call in message.calls)
                faults += (f"message {position}: {fault}" for fault in _faults_of_calls(open_calls, seen))
                seen |= set(open_calls)
            case ToolResults():
                if tuple(result.call_id for result in message.results) != open_calls or not open_calls:
                    faults.append(f"message {position}: results do not match the calls")
                if not all(result.content for result in message.results):
                    faults.append(f"message {position}: an empty result")
                open_calls = ()
            case _:
                assert_never(message)
    if speaker != "user":
        faults.append("the last message is not the person's or a result")
    return faults
