"""The least object that is valid by a simple JSON Schema: the same every time, made without a thought."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

VALUES = 2_000
"""How many values are made at most: a schema may lead into itself, and its least numbers may be large."""

CHARACTERS = 100_000

MAX_DEPTH = 30


def least(schema: Any) -> Any:
    """A value of the schema, by the first way there is; one that is no simple schema may not be met."""
    return _Making(schema).value(schema, 0)


@dataclass
class _Making:
    root: Any
    left: int = VALUES

    def value(self, schema: Any, depth: int) -> Any:
        self.left -= 1
        if not isinstance(schema, dict) or depth > MAX_DEPTH or self.left < 0:
            return None
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return schema["enum"][0]
        if "$ref" in schema:
            return self.value(self._target(schema["$ref"]), depth + 1)
        if (choices := schema.get("anyOf") or schema.get("oneOf")) and "properties" not in schema:
            return self.value(_first_ended(choices), depth + 1)
        make = _OF_TYPE.get(_type(schema))
        return make(self, schema, depth + 1) if make is not None else None

    def _target(self, reference: str) -> Any:
        """Where `#/$defs/name` leads; None where it leads nowhere, or further than a stub goes."""
        found = self.root
        for part in reference.removeprefix("#").split("/")[1:]:
            found = found.get(part) if isinstance(found, dict) else None
        return found

    def object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        properties = schema.get("properties", {})
        return {name: self.value(properties.get(name), depth) for name in schema.get("required", ())}

    def array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        wanted = min(int(schema.get("minItems", 0)), VALUES)
        first = schema.get("prefixItems", [])[:wanted]
        parts = [*first, *[schema.get("items")] * (wanted - len(first))]
        return [self.value(part, depth) for part in parts]

    def string(self, schema: Mapping[str, Any], _: int) -> str:
        wanted = min(int(schema.get("minLength", 0)), CHARACTERS)
        return ("stub " * wanted)[:wanted]

    def integer(self, schema: Mapping[str, Any], _: int) -> int:
        """The least that is allowed; where nothing says, 0 or the most."""
        if "minimum" in schema:
            return int(-(-schema["minimum"] // 1))
        if "exclusiveMinimum" in schema:
            return int(schema["exclusiveMinimum"] // 1) + 1
        return min(0, int(schema.get("maximum", schema.get("exclusiveMaximum", 1) - 1) // 1))

    def false(self, _: Mapping[str, Any], __: int) -> bool:
        return False


def _first_ended(choices: list[Any]) -> Any:
    """The first choice that does not lead elsewhere, for that one ends; else the first."""
    return next((each for each in choices if isinstance(each, dict) and "$ref" not in each), choices[0])


def _type(schema: Mapping[str, Any]) -> str:
    said = schema.get("type", "object" if "properties" in schema or "required" in schema else "null")
    return str(said[0] if isinstance(said, list) else said)


_OF_TYPE: Mapping[str, Callable[[_Making, Mapping[str, Any], int], Any]] = {
    "object": _Making.object,
    "array": _Making.array,
    "string": _Making.string,
    "integer": _Making.integer,
    "number": _Making.integer,
    "boolean": _Making.false,
}
"""What makes a value of a type; of any other it is null."""
