"""Understands what a model wrote as the arguments of a tool: visible, with the names put back, or not at all.

Why not is told to the model without a word of what it wrote: behind a placeholder that was put back stands a name.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from assist_service.domain.messages import JsonObject
from assist_service.domain.names import Masks
from assist_service.domain.strict_json import RepeatedKey, cleaned, foreign
from assist_service.tools.tool import Effect, Tool

FAULTS = 5
"""Of what does not fit, the model reads the first of."""

ANOTHER = "(another)"
"""Stands for the name of a field that the tool does not have."""

BROKEN = (
    "Not run: a placeholder of a person in the arguments is nobody's, or not written as it was given. Write it exactly "
    "as a result has it."
)


@dataclass(frozen=True)
class Misfit(Exception):
    """Why a call does not run, in a sentence for the model."""

    reason: str


def understood(tool: Tool, arguments: JsonObject | None, masks: Masks) -> BaseModel:
    """The arguments as the tool takes them. Raises Misfit for all others."""
    if fault := foreign(arguments):
        raise _misfit(f"arguments: {fault}")
    try:
        return tool.arguments.model_validate_json(json.dumps(_given(tool, arguments, masks)))
    except ValidationError as error:
        raise _misfit(_faults(error, tool)) from None
    except RepeatedKey:
        raise _misfit("arguments: two keys are the same") from None
    except (TypeError, ValueError):  # what no JSON can hold, whatever made it of a model's reply
        raise _misfit("arguments: are no JSON") from None


def _given(tool: Tool, arguments: JsonObject | None, masks: Masks) -> Any:
    """The arguments with the names as the LMS has them, ready to be acted on."""
    if tool.effect is Effect.END:  # it is said to the person, who gets the names with the answer
        return arguments
    # Cleaned first: a placeholder that is broken by what nobody sees would be whole again after it.
    given = masks.unmasked_json(cleaned(arguments))
    if masks.is_left_in(given):
        raise Misfit(BROKEN)
    return given


def _misfit(why: str) -> Misfit:
    return Misfit(f"Not run, the arguments do not fit: {why}")


def _faults(error: ValidationError, tool: Tool) -> str:
    known = set(_fields(tool.spec.schema))
    return "; ".join(
        f"{'.'.join(_named(step, known) for step in fault['loc']) or 'arguments'}: {fault['type']}"
        for fault in error.errors()[:FAULTS]
    )


def _named(step: int | str, known: set[str]) -> str:
    """A position, or a field that the tool has; a key of the model's own is not repeated."""
    return str(step) if isinstance(step, int) or step in known else ANOTHER


def _fields(schema: Any) -> Iterator[str]:
    """The names of the fields of a schema, however deep."""
    match schema:
        case dict():
            yield from schema.get("properties", {})
            for inner in schema.values():
                yield from _fields(inner)
        case list():
            for inner in schema:
                yield from _fields(inner)
