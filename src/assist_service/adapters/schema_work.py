"""Keywords of JSON Schema, each charged before it looks, so that no schema and no answer make checking run away.

References that double from one to the next cost 2^n; a long list of values or branches costs its length at each
place. So a charge follows what a keyword does: it compares, walks and, in its message, prints.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any, TypeVar

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import create
from jsonschema_specifications import REGISTRY as SPECIFIED  # type: ignore[import-untyped]  # it ships no types
from referencing import Registry
from referencing.jsonschema import DRAFT202012, SchemaRegistry

UNITS = 200_000
"""What checking once may cost: a unit is 10 to 20 µs, a whole answer of 128 kB a fraction of them."""

LEAST_UNITS = 30_000
UNITS_PER_CHARACTER = 10
"""What an answer may cost, up to UNITS: a short one is not worth the seconds of a long one."""

NOT_TAKEN = frozenset({"$dynamicRef", "format", "pattern", "patternProperties"}) | {
    "unevaluatedItems",
    "unevaluatedProperties",
}
"""Keywords that check nothing here: a schema with them is refused, and `format` is a word for the reader only."""

DEEPLY_COMPARED = frozenset({"const", "dependentRequired", "enum"})

Answer = TypeVar("Answer")
Keyword = Callable[[Any, Any, Any, Any], Any]


class TooMuchWork(Exception):
    """The schema asks for more than it may."""


class Work:
    """What is left to spend on one check. Sizes are remembered by identity: what they are of outlives the check."""

    def __init__(self, units: int = UNITS) -> None:
        self._left = units
        self._sizes: dict[int, int] = {}
        self._is_stopped = False

    @classmethod
    def on(cls, answer: Any) -> "Work":
        """As much as an answer of its size is worth."""
        work = cls()
        work._left = min(UNITS, LEAST_UNITS + UNITS_PER_CHARACTER * work._size(answer))
        return work

    def stop(self) -> None:
        """Ends the check at its next look, from another thread: nobody waits for it any more."""
        self._is_stopped = True

    def spend(self, keyword: str, value: Any, instance: Any) -> None:
        """Charges one look of a keyword with this value at this instance."""
        self._left -= 1 + _length(value) // 4 + _length(instance) // 4 + self._size(instance) // 500
        if keyword in DEEPLY_COMPARED:
            self._left -= self._size(value) // 50
        if keyword == "uniqueItems":
            self._left -= self._size(instance) // 50
        if self._left < 0 or self._is_stopped:
            raise TooMuchWork

    def _size(self, value: Any) -> int:
        """Roughly its characters."""
        if isinstance(value, str):
            return len(value)
        if not isinstance(value, dict | list):
            return 4
        if id(value) not in self._sizes:
            parts = (*value, *value.values()) if isinstance(value, dict) else value
            self._sizes[id(value)] = 2 + sum(2 + self._size(part) for part in parts)
        return self._sizes[id(value)]


def _length(value: Any) -> int:
    return len(value) if isinstance(value, dict | list) else 0


_WORK: ContextVar[Work] = ContextVar("work")


def working(work: Work, check: Callable[[], Answer]) -> Answer:
    """What a check finds. Raises TooMuchWork where it costs more, or leads into itself without an end."""
    token = _WORK.set(work)
    try:
        return check()
    except RecursionError:
        raise TooMuchWork from None
    finally:
        _WORK.reset(token)


def _charged(name: str, keyword: Keyword) -> Keyword:
    def check(validator: Validator, value: Any, instance: Any, schema: Any) -> Any:
        _WORK.get().spend(name, value, instance)
        return keyword(validator, value, instance, schema)

    return check


def _unique_items(validator: Validator, wanted: bool, instance: Any, _: Any) -> Iterator[ValidationError]:
    """By one set of canonical texts: the library compares each pair where the items cannot be sorted."""
    if wanted and validator.is_type(instance, "array") and len({_canonical(item) for item in instance}) < len(instance):
        yield ValidationError("has an item twice")


def _canonical(item: Any) -> str:
    return json.dumps(_numbers(item), sort_keys=True)


def _numbers(item: Any) -> Any:
    """With every number that is whole written as an integer: to JSON Schema 1.0 is 1."""
    if isinstance(item, list):
        return [_numbers(each) for each in item]
    if isinstance(item, dict):
        return {key: _numbers(each) for key, each in item.items()}
    return int(item) if isinstance(item, float) and item.is_integer() else item


def _keywords(leaving_out: frozenset[str]) -> Mapping[str, Keyword]:
    known: dict[str, Keyword] = {**Draft202012Validator.VALIDATORS, "uniqueItems": _unique_items}
    return {name: _charged(name, keyword) for name, keyword in known.items() if name not in leaving_out}


def _specified(uri: str) -> Any:
    """A schema of the specification without its dialect's name, by which the library would take its own keywords."""
    return {keyword: value for keyword, value in SPECIFIED.contents(uri).items() if keyword != "$schema"}


def _vocabularies() -> SchemaRegistry:
    """What the metaschema refers to. Crawled here, since the library's own would lend it their anchors otherwise."""
    known = [(uri, DRAFT202012.create_resource(_specified(uri))) for uri in SPECIFIED if uri.startswith(_DRAFT)]
    return Registry().with_resources(known).crawl()


_DRAFT = "https://json-schema.org/draft/2020-12/"
_META_SCHEMA: Any = _specified(f"{_DRAFT}schema")

_TAKEN = create(_META_SCHEMA, _keywords(NOT_TAKEN))


def validator_of(schema: Any) -> Validator:
    """A validator by a schema that has been let pass. Its registry holds nothing and fetches nothing."""
    return _TAKEN(schema, registry=Registry())


META: Validator = create(_META_SCHEMA, _keywords(frozenset()))(_META_SCHEMA, registry=_vocabularies())
"""What says whether a schema is one; its keywords are charged, too, and its patterns are the specification's."""
