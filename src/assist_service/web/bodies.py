"""Reads a request's body within bounds and refuses what no field could hold, before it is validated.

One pass over the parsed JSON refuses NUL, lone surrogates, numbers that are none, and deep nesting; the words of a
refusal never quote the body.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.strict_json import foreign, parse

MAX_BYTES = 1024 * 1024
DRAINED_BYTES = 16 * MAX_BYTES
"""What is read and thrown away of a body that is too large, so that its sender gets to see the answer."""

Body = TypeVar("Body", bound=BaseModel)

_FIELD_NAME = re.compile(r"[A-Za-z0-9_.:-]{1,64}")

_WORDS: Mapping[str, str] = {
    "missing": "is required",
    "extra_forbidden": "is not a known field",
    "string_too_long": "is too long",
    "string_too_short": "is too short",
    "too_long": "has too many items",
    "string_pattern_mismatch": "does not have the form it must have",
    "enum": "is not one of the known values",
    "uuid_parsing": "is not a UUID",
    "uuid_type": "is not a UUID",
    "string_type": "is not a string",
    "bool_type": "is not true or false",
}


async def read_body(request: Request, model: type[Body]) -> Body:
    """The body as this model. Raises AssistError `too_large` or `invalid_request` with every wrong field named."""
    raw = await _bytes(request)
    refuse_foreign_values(_parsed(raw))
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise AssistError(Code.INVALID_REQUEST, faults=tuple(_faults(error))) from None


async def _bytes(request: Request) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= MAX_BYTES:
            chunks.append(chunk)
        elif size > DRAINED_BYTES:
            break
    if size > MAX_BYTES:
        raise AssistError(Code.TOO_LARGE)
    return b"".join(chunks)


def _parsed(raw: bytes) -> Any:
    try:
        return parse(raw.decode())
    except ValueError:
        _refuse("is not JSON")


def _refuse(message: str) -> NoReturn:
    raise AssistError(Code.INVALID_REQUEST, faults=(FieldFault("body", message),))


def refuse_foreign_values(value: Any) -> None:
    """Raises `invalid_request` where the parsed JSON holds what may not be there."""
    if fault := foreign(value):
        _refuse(fault)


def _faults(error: ValidationError) -> Iterable[FieldFault]:
    """Each wrong field in words of ours: pydantic's can quote what was sent."""
    for fault in error.errors(include_input=False, include_context=False, include_url=False)[:20]:
        path = ".".join(_shown(part) for part in fault["loc"]) or "body"
        yield FieldFault(path, _WORDS.get(fault["type"], "is not valid"))


def _shown(part: int | str) -> str:
    """A key as sent, if it looks like a key at all."""
    return str(part) if _FIELD_NAME.fullmatch(str(part)) else "(unnamed)"
