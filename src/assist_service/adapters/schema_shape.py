"""Which JSON Schemas can be checked by in bounded work: told from their shape, before anything is checked by one."""

import json
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final
from urllib.parse import unquote

from assist_service.adapters.schema_work import META
from assist_service.domain.messages import JsonObject

SCHEMA_BYTES = 64 * 1024
SUBSCHEMAS = 1_000
"""How many schemas a schema may hold: each is checked by the whole metaschema, about half a millisecond."""

LENGTHS: Final[Mapping[str, int]] = {"type": 7, "enum": 1_000, "required": 1_000}
"""How long these lists may be. There are seven types; the others are gone through at each place they stand for."""

LOOKS = 500
"""How many schemas may look at one value: those that double from one to the next are 2^n."""

CHAIN = 32
"""How many schemas may stand one behind the other at one value: each takes a part of Python's stack."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_ONE = frozenset(
    {"additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then"}
)
_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAP = frozenset({"$defs", "definitions", "dependencies", "dependentSchemas", "properties"})
"""Keywords under which further schemas stand: one, a list of them, or one by name. The metaschema looks at two
that no answer is checked by: `contentSchema` and `dependencies`."""

_SAME_VALUE = frozenset({"allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"})
"""Keywords whose schemas look at the very value that theirs looks at, as the schema behind a reference does."""

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

_PASSED_OVER = frozenset({"pattern", "patternProperties", "unevaluatedItems", "unevaluatedProperties"})
"""Of the refused, those that only narrow what is taken: a check can do without them."""

_TURNING = frozenset({"contains", "if", "not", "oneOf"})
"""Keywords that may take less where a schema under them takes more."""

Pointer = tuple[str, ...]


def unfit(schema: JsonObject) -> str | None:
    """Why a schema cannot be checked by, cheap reasons first."""
    if len(json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()) > SCHEMA_BYTES:
        return "is larger than 64 kB"
    if schema.get("$schema", DIALECT) not in (DIALECT, f"{DIALECT}#"):
        return "is of another dialect than JSON Schema 2020-12"
    if fault := walked(schema):
        return fault
    return None if META.is_valid(plain(schema)) else "is no JSON Schema"


def walked(schema: JsonObject) -> str | None:
    """Meets every schema in the document once; references may lead to these and nowhere else."""
    stack: list[tuple[Any, Pointer]] = [(schema, ())]
    beside: dict[Pointer, list[Pointer | None]] = {}
    while stack:
        found, place = stack.pop()
        beside[place] = []
        if len(beside) > SUBSCHEMAS:
            return "has too many parts"
        if not isinstance(found, dict):
            continue
        for keyword, value in found.items():
            if fault := _refused(keyword, value, place):
                return fault
            parts = [((*place, *path), part) for path, part in _parts(keyword, value)]
            stack += [(part, at) for at, part in parts]
            if keyword in _SAME_VALUE:
                beside[place] += [at for at, _ in parts]
            elif keyword == "$ref":
                beside[place].append(_pointer(value))
    known = {place: [at for at in looked if at in beside] for place, looked in beside.items()}
    if known != beside:
        return "has a reference that leads to no schema in it"
    return _multiplied(known)


def loosened(schema: JsonObject) -> JsonObject:
    """The schema without what is passed over, at every place where it can stand: nothing it takes is refused for that.

    Where less is looked at, a schema takes more, and one that turns it around takes less: those go, too, then. Beside
    `patternProperties` goes `additionalProperties`: which those are, only the expressions know.
    """
    named = {keyword: value for keyword, value in schema.items() if keyword != "$id"}
    looser: JsonObject = _without(named, _PASSED_OVER)
    return named if looser == named else _without(named, _PASSED_OVER | _TURNING)


def _without(schema: Any, left_out: frozenset[str]) -> Any:
    if not isinstance(schema, dict):
        return schema
    here = left_out | {"additionalProperties"} if "patternProperties" in schema else left_out
    return {
        keyword: _parts_without(keyword, value, left_out) for keyword, value in schema.items() if keyword not in here
    }


def _parts_without(keyword: str, value: Any, left_out: frozenset[str]) -> Any:
    if keyword in _ONE:
        return _without(value, left_out)
    if keyword in _LIST and isinstance(value, list):
        return [_without(part, left_out) for part in value]
    if keyword in _MAP and isinstance(value, dict):
        return {name: _without(part, left_out) for name, part in value.items()}
    return value


def _refused(keyword: str, value: Any, place: Pointer) -> str | None:
    if keyword in REFUSED:
        return REFUSED[keyword]
    if keyword == "$schema" and place:
        return "names a dialect in one of its parts"
    if isinstance(value, list) and len(value) > LENGTHS.get(keyword, len(value)):
        return f"has more than {LENGTHS[keyword]:,} values in a list under {keyword}"
    return None


def _multiplied(beside: Mapping[Pointer, Sequence[Pointer]]) -> str | None:
    """Why the schemas that look at one value are too many; `beside` has those each place leads to at its own value.

    Counted here, before an answer is paid for: what an answer meets of them is not known yet.
    """
    looks: dict[Pointer, int] = {}
    chain: dict[Pointer, int] = {}
    try:
        for place in TopologicalSorter(beside).static_order():
            looks[place] = 1 + sum(looks[each] for each in beside[place])
            chain[place] = 1 + max((chain[each] for each in beside[place]), default=0)
            if looks[place] > LOOKS or chain[place] > CHAIN:
                return "has references or branches that multiply: too many schemas look at one value"
    except CycleError:
        return "leads into itself without an end"
    return None


def _parts(keyword: str, value: Any) -> list[tuple[Pointer, Any]]:
    if keyword in _ONE:
        return [((keyword,), value)]
    if keyword in _LIST and isinstance(value, list):
        return [((keyword, str(position)), part) for position, part in enumerate(value)]
    if keyword in _MAP and isinstance(value, dict):
        return [((keyword, name), part) for name, part in value.items()]
    return []


def _pointer(reference: Any) -> Pointer | None:
    """The place a reference names (RFC 6901); None for another document, for a name, and for what is no text."""
    if not isinstance(reference, str):
        return None
    fragment = unquote(reference[1:])
    if not reference.startswith("#") or (fragment and not fragment.startswith("/")):
        return None
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in fragment.split("/")[1:])


def plain(schema: JsonObject) -> JsonObject:
    """The schema without its dialect's name, by which the library would choose keywords that nobody charges for."""
    return {keyword: value for keyword, value in schema.items() if keyword != "$schema"}
