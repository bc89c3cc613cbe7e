"""The five types of question: the text fields of each, and what its config must look like."""

import json
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

from examples.reference_lms.api.look import Answer

MAX_CHOICES = 8

_TEXT: dict[str, Any] = {"type": "string", "maxLength": 2000}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(element: dict[str, Any], *, least: int = 1, most: int = 20) -> dict[str, Any]:
    return {"type": "array", "items": element, "minItems": least, "maxItems": most}


_CHOICE = _object(text=_TEXT, correct={"type": "boolean"})
_GAP = _object(id={"type": "integer", "minimum": 1}, answers=_list(_TEXT))
_SORTED = _object(text=_TEXT, category={"type": "integer", "minimum": 0})
_NUMBER = {"type": "number"}

CONFIG_SCHEMAS: Mapping[str, dict[str, Any]] = {
    "mcq": _object(multiple={"type": "boolean"}, choices=_list(_CHOICE, least=2, most=MAX_CHOICES)),
    "cloze": _object(text=_TEXT, gaps=_list(_GAP)),
    "categorize": _object(categories=_list(_TEXT, least=2), items=_list(_SORTED)),
    "numeric": _object(answer=_NUMBER, tolerance={**_NUMBER, "minimum": 0}, unit={"type": "string", "maxLength": 20}),
    "open": _object(guidance=_TEXT, max_words={"type": "integer", "minimum": 1}),
}

_WORDS: Mapping[str, tuple[str, str, tuple[str, ...], int | None]] = {
    "mcq": ("Multiple choice", "One or several right choices.", ("choices[].text",), MAX_CHOICES),
    "cloze": ("Fill in the gaps", "A text with gaps written [[1]], [[2]].", ("text",), None),
    "categorize": ("Categorize", "Items are put into categories.", ("categories[]", "items[].text"), None),
    "numeric": ("Number", "A number, within a tolerance.", ("unit",), None),
    "open": ("Open question", "A text that a teacher marks.", ("guidance",), None),
}

QUESTION_TYPES: tuple[Answer, ...] = tuple(
    {
        "type": type_,
        "title": title,
        "description": description,
        "text_fields": ["statement", "explanation", *(f"config.{field}" for field in fields)],
        "max_choices": max_choices,
        "config_schema": CONFIG_SCHEMAS[type_],
    }
    for type_, (title, description, fields, max_choices) in _WORDS.items()
)


def is_valid_config(type_: str, config: object) -> bool:
    """False for an unknown type too, and for NaN, which Python's JSON knows and JSON does not."""
    try:
        json.dumps(config, allow_nan=False)
    except ValueError:
        return False
    return type_ in CONFIG_SCHEMAS and Draft202012Validator(CONFIG_SCHEMAS[type_]).is_valid(config)
