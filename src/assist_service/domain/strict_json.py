"""JSON that no two readers take for different things, and that every field downstream can hold.

The one rule for JSON from outside: bodies of callers, replies of providers, and what a model writes.
"""

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn

from assist_service.domain.text import visible

MAX_DEPTH = 32
"""Levels of nesting in what comes from outside: what reads it later recurses."""


class RepeatedKey(ValueError):
    """An object in which a key stands twice."""


def parse(text: str) -> Any:
    """The value of a JSON text. Raises ValueError for all that is none, NaN included, and RepeatedKey."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_once_keyed)
    except RecursionError:
        raise ValueError("nested out of reason") from None


def _once_keyed(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no key stands twice: of two values one reader would take the first, another the last."""
    keyed = dict(pairs)
    if len(keyed) != len(pairs):
        raise RepeatedKey("a key stands twice")
    return keyed


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def foreign(value: Any) -> str | None:
    """Why a parsed value may not be there, in words that never quote it; walks without recursion."""
    stack: list[tuple[Any, int]] = [(value, 1)]
    while stack:
        item, depth = stack.pop()
        if depth > MAX_DEPTH:
            return "is nested too deeply"
        if isinstance(item, dict):
            stack += [(key, depth) for key in item]
            stack += [(child, depth + 1) for child in item.values()]
        elif isinstance(item, list):
            stack += [(child, depth + 1) for child in item]
        elif isinstance(item, str):
            if fault := _foreign_text(item):
                return fault
        elif isinstance(item, float) and not math.isfinite(item):
            return "holds a number that is none"
    return None


def _foreign_text(text: str) -> str | None:
    if "\x00" in text:
        return "holds a NUL character"
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        return "holds a lone surrogate"
    return None


def cleaned(value: Any) -> Any:
    """The value with every text and key in it visible. Raises RepeatedKey where two keys become one."""
    return each_text(value, visible)


def each_text(value: Any, made: Callable[[str], str]) -> Any:
    """The value with what is made of every text and key in it. Raises RepeatedKey where two keys become one.

    For values that `foreign` has let pass: it goes as deep as they do.
    """
    if isinstance(value, str):
        return made(value)
    if isinstance(value, list):
        return [each_text(item, made) for item in value]
    if isinstance(value, dict):
        return _once_keyed([(made(key), each_text(item, made)) for key, item in value.items()])
    return value
