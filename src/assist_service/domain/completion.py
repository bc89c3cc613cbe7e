"""A completion: what the LMS's back end may ask, how the model is asked, and when its answer is an answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from typing import Annotated

from pydantic import BaseModel, ConfigDict, JsonValue, StringConstraints

from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.messages import (
    AssistantText,
    JsonObject,
    Message,
    ModelReply,
    ModelRequest,
    Stop,
    UserText,
    faults_of,
)
from assist_service.domain.reply import SHAPE, Took
from assist_service.domain.strict_json import RepeatedKey, cleaned, foreign, parse
from assist_service.domain.text import visible

CONTENT_CHARACTERS = 200_000
MESSAGES = 100
MAX_TOKENS = 32_000

_INSTRUCTION = """Answer with one JSON object and nothing else: no words around it, no code fence. It must be valid by \
this JSON Schema:
{schema}"""

_AGAIN = """That was not the answer: it {told}. Answer again, with the one JSON object alone, valid by the schema."""


class Speaker(StrEnum):
    """Whose words a message holds."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class Spoken(BaseModel):
    """One message of the conversation that is to be completed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    role: Speaker
    content: Annotated[str, StringConstraints(min_length=1, max_length=CONTENT_CHARACTERS)]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A completion as it was asked for, its shape already checked."""

    purpose: str
    model: str | None
    messages: tuple[Spoken, ...]
    schema: JsonObject
    max_tokens: int


class Completion(BaseModel):
    """An answer that is valid by the caller's schema, and what it took."""

    model_config = SHAPE

    output: dict[str, JsonValue]
    receipt: Took


@dataclass(frozen=True)
class Unfit:
    """An answer that is none: `reason` is a closed word for the log, `told` is what the model reads of it."""

    reason: str
    told: str
    may_ask_again: bool = True


_UNFIT_STOPS: Mapping[Stop, Unfit] = {
    Stop.LENGTH: Unfit("cut_short", "was cut off at its greatest length, so it has to be shorter"),
    Stop.TOOLS: Unfit("called_tools", "called a tool, and there is none"),
    Stop.REFUSAL: Unfit("refused", "was refused", may_ask_again=False),
}


def refuse_unseen(schema: JsonObject) -> None:
    """Raises `invalid_request` for a schema that holds what no reader sees.

    A model reads and writes visible text only. By a schema cleaned for it, an answer would be valid by another schema
    than the caller's.
    """
    try:
        is_visible = cleaned(schema) == schema
    except RepeatedKey:
        is_visible = False
    if not is_visible:
        raise _invalid("schema", "has characters that no answer can have: invisible ones, or other line ends than \\n")


def request_of(wanted: Wanted) -> ModelRequest:
    """The provider request. Raises `invalid_request` for a conversation that cannot be one."""
    system = [visible(each.content) for each in takewhile(_is_systems, wanted.messages)]
    messages = _messages(wanted.messages, start=len(system))
    instruction = _INSTRUCTION.format(schema=json.dumps(wanted.schema, ensure_ascii=False, separators=(",", ":")))
    return ModelRequest(
        prefix="\n\n".join((*system, instruction)),
        screen="",
        tools=(),
        messages=messages,
        may_call=False,
        max_tokens=wanted.max_tokens,
        output_schema=wanted.schema,
    )


def _is_systems(spoken: Spoken) -> bool:
    return spoken.role is Speaker.SYSTEM


def _messages(spoken: Sequence[Spoken], *, start: int) -> tuple[Message, ...]:
    """The messages after the system's own, which are those before `start`."""
    faults, messages = [], []
    for position, each in enumerate(spoken):
        if not (text := visible(each.content)).strip():
            faults.append(FieldFault(f"messages.{position}.content", "is empty"))
        if position >= start and _is_systems(each):
            faults.append(FieldFault(f"messages.{position}.role", "is not one of the first messages"))
        if position >= start:
            messages.append(AssistantText(text) if each.role is Speaker.ASSISTANT else UserText(text))
    if not faults and faults_of(messages):
        faults.append(FieldFault("messages", "do not begin and end with the user and alternate in between"))
    if faults:
        raise AssistError(Code.INVALID_REQUEST, faults=tuple(faults))
    return tuple(messages)


def object_of(reply: ModelReply) -> JsonObject | Unfit:
    """The one JSON object a reply says, its texts visible; not yet checked by the schema."""
    if unfit := _UNFIT_STOPS.get(reply.stop):
        return unfit
    try:
        value = parse(_unfenced(reply.text.strip()))
    except ValueError:
        return Unfit("no_json", "was no JSON by itself")
    if not isinstance(value, dict):
        return Unfit("no_object", "was no JSON object")
    if fault := foreign(value):
        return Unfit("foreign_value", fault)
    try:
        output: JsonObject = cleaned(value)
    except ValueError:
        return Unfit("foreign_value", "has two keys that differ in invisible characters only")
    return output


def _unfenced(text: str) -> str:
    """The text without the one code fence around it."""
    opening, _, rest = text.partition("\n")
    is_fenced = opening.startswith("```") and "`" not in opening[3:] and rest.endswith("```")
    return rest[:-3] if is_fenced else text


def again(request: ModelRequest, reply: ModelReply, unfit: Unfit) -> ModelRequest:
    """The same request, with the answer that was none and what is wrong with it."""
    complaint = _AGAIN.format(told=unfit.told)
    said = visible(reply.text).strip()
    if said:
        return replace(request, messages=(*request.messages, AssistantText(said), UserText(complaint)))
    last = request.messages[-1]
    assert isinstance(last, UserText)  # or `request_of` would have refused it
    return replace(request, messages=(*request.messages[:-1], UserText(f"{last.text}\n\n{complaint}")))


def _invalid(field: str, message: str) -> AssistError:
    return AssistError(Code.INVALID_REQUEST, faults=(FieldFault(field, message),))
