"""JSON Schemas of callers: one that cannot be checked by in bounded work is refused, and no address is ever fetched.

The library's keywords do the checking, each charged for what it is about to do (`adapters/schema_work.py`). It is
done in a thread: the work is all Python, so others run meanwhile.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from assist_service.adapters.schema_work import META, TooMuchWork, Work, validator_of, working
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.messages import JsonObject
from assist_service.domain.text import one_line

SCHEMA_BYTES = 64 * 1024
SUBSCHEMAS = 1_000
"""How many schemas a schema may hold: each is checked by the whole metaschema, about a millisecond."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"

TOLD_FAULTS = 5
FAULT_CHARACTERS = 200

_ONE = frozenset({"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"})
_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAP = frozenset({"$defs", "definitions", "dependentSchemas", "properties"})
"""Keywords under which further schemas stand: one, a list of them, or one by name."""

REFUSED: Final[Mapping[str, str]] = {
    # Python's own engine backtracks, and holds every thread of the process while it does: nothing could stop it.
    **dict.fromkeys(("pattern", "patternProperties"), "uses a regular expression, which is not taken here"),
    # A name lets a reference lead where no walk over the document sees it.
    **dict.fromkeys(
        ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "$vocabulary"),
        "uses an identifier, which is not taken here: refer by a pointer",
    ),
    # The library looks for what was evaluated by ways that no charge is put on.
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), "uses an unevaluated keyword, not taken here"),
}

Pointer = tuple[str, ...]


class JsonSchemas:
    """Implements ports.OutputSchemas for JSON Schema 2020-12."""

    async def refuse_unfit(self, schema: JsonObject) -> None:
        try:
            fault = await asyncio.to_thread(_fault, schema)
        except TooMuchWork:
            fault = "takes too much work to check"
        if fault is not None:
            raise _invalid(fault)

    async def mismatch(self, schema: JsonObject, output: JsonObject) -> str | None:
        try:
            return await asyncio.to_thread(_mismatch, schema, output)
        except TooMuchWork:
            raise _invalid("takes too much work to check an answer by") from None


def _invalid(fault: str) -> AssistError:
    return AssistError(Code.INVALID_REQUEST, faults=(FieldFault("schema", fault),))


def _fault(schema: JsonObject) -> str | None:
    """Why a schema is not taken, cheap reasons first."""
    if len(json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()) > SCHEMA_BYTES:
        return "is larger than 64 kB"
    if schema.get("type") != "object":
        return "is not of an object: its type has to be object"
    if schema.get("$schema", DIALECT) not in (DIALECT, f"{DIALECT}#"):
        return "is of another dialect than JSON Schema 2020-12"
    if fault := _walked(schema):
        return fault
    if not working(Work(), lambda: META.is_valid(_plain(schema))):
        return "is no JSON Schema"
    # One that runs away by itself does so here, before an answer is paid for.
    working(Work(), lambda: validator_of(_plain(schema)).is_valid({}))
    return None


def _walked(schema: JsonObject) -> str | None:
    """Meets every schema in the document once; references may lead to these and nowhere else."""
    stack: list[tuple[Any, Pointer]] = [(schema, ())]
    places: set[Pointer] = set()
    references: list[object] = []
    while stack:
        found, place = stack.pop()
        places.add(place)
        if len(places) > SUBSCHEMAS:
            return "has too many parts"
        if not isinstance(found, dict):
            continue
        for keyword, value in found.items():
            if keyword in REFUSED:
                return REFUSED[keyword]
            if keyword == "$schema" and place:
                return "names a dialect in one of its parts"
            if keyword == "$ref":
                references.append(value)
            stack += [(part, (*place, *path)) for path, part in _parts(keyword, value)]
    if not all(isinstance(each, str) and _pointer(each) in places for each in references):
        return "has a reference that leads to no schema in it"
    return None


def _parts(keyword: str, value: Any) -> list[tuple[Pointer, Any]]:
    if keyword in _ONE:
        return [((keyword,), value)]
    if keyword in _LIST and isinstance(value, list):
        return [((keyword, str(position)), part) for position, part in enumerate(value)]
    if keyword in _MAP and isinstance(value, dict):
        return [((keyword, name), part) for name, part in value.items()]
    return []


def _pointer(reference: str) -> Pointer | None:
    """The place a reference names (RFC 6901); None for another document and for a name."""
    fragment = unquote(reference[1:])
    if not reference.startswith("#") or (fragment and not fragment.startswith("/")):
        return None
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in fragment.split("/")[1:])


def _plain(schema: JsonObject) -> JsonObject:
    """The schema without its dialect's name, by which the library would choose keywords that nobody charges for."""
    return {keyword: value for keyword, value in schema.items() if keyword != "$schema"}


def _mismatch(schema: JsonObject, output: JsonObject) -> str | None:
    def told() -> list[str]:
        faults = validator_of(_plain(schema)).iter_errors(output)
        return [
            one_line(f"at {fault.json_path}: {fault.message}", FAULT_CHARACTERS)
            for _, fault in zip(range(TOLD_FAULTS), faults, strict=False)
        ]

    try:
        faults = working(Work(), told)
    except ArithmeticError:  # the library divides by floats
        faults = ["it holds a number too large to be checked"]
    return f"is not valid: {'; '.join(faults)}" if faults else None
