"""The five types of question: the texts of each, what may be appended, and what its config must look like."""

import json
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

from examples.reference_lms.api.look import Answer
from examples.reference_lms.api.shapes import TextLabel

MAX_CHOICES = 8

_STATEMENT: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 20_000}
_TEXT: dict[str, Any] = {"type": "string", "maxLength": 2000}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _config(**properties: dict[str, Any]) -> dict[str, Any]:
    return _object(statement=_STATEMENT, **properties)


def _list(element: dict[str, Any], *, least: int = 1, most: int = 20) -> dict[str, Any]:
    return {"type": "array", "items": element, "minItems": least, "maxItems": most}


_CHOICE = _object(text=_TEXT, correct={"type": "boolean"})
_GAP = _object(id={"type": "integer", "minimum": 1}, answers=_list(_TEXT))
_SORTED = _object(text=_TEXT, category={"type": "integer", "minimum": 0})
_NUMBER = {"type": "number"}

CONFIG_SCHEMAS: Mapping[str, dict[str, Any]] = {
    "mcq": _config(multiple={"type": "boolean"}, choices=_list(_CHOICE, least=2, most=MAX_CHOICES)),
    "cloze": _config(text=_TEXT, gaps=_list(_GAP)),
    "categorize": _config(categories=_list(_TEXT, least=2), items=_list(_SORTED)),
    "numeric": _config(answer=_NUMBER, tolerance={**_NUMBER, "minimum": 0}, unit={"type": "string", "maxLength": 20}),
    "open": _config(guidance=_TEXT, max_words={"type": "integer", "minimum": 1}),
}

_WORDS: Mapping[str, tuple[str, str, Mapping[str, TextLabel]]] = {
    "mcq": ("Multiple choice", "One or several right choices.", {"choices[].text": TextLabel.CHOICE}),
    "cloze": ("Fill in the gaps", "A text with gaps written [[1]], [[2]].", {"text": TextLabel.TEXT}),
    "categorize": (
        "Categorize",
        "Items are put into categories.",
        {"categories[]": TextLabel.COLUMN, "items[].text": TextLabel.CARD},
    ),
    "numeric": ("Number", "A number, within a tolerance.", {"unit": TextLabel.UNIT}),
    "open": ("Open question", "A text that a teacher marks.", {"guidance": TextLabel.GUIDANCE}),
}

_APPEND: Mapping[str, Answer] = {
    "mcq": {"path": "config.choices", "text": "text", "item": {"text": "", "correct": False}, "most": MAX_CHOICES}
}


def _text_fields(fields: Mapping[str, TextLabel]) -> list[Answer]:
    own = {f"config.{path}": label for path, label in fields.items()}
    every = {"config.statement": TextLabel.STATEMENT, **own, "explanation": TextLabel.EXPLANATION}
    return [{"path": path, "label": label.value} for path, label in every.items()]


QUESTION_TYPES: tuple[Answer, ...] = tuple(
    {
        "type": type_,
        "title": title,
        "description": description,
        "text_fields": _text_fields(fields),
        "append": _APPEND.get(type_),
        "config_schema": CONFIG_SCHEMAS[type_],
    }
    for type_, (title, description, fields) in _WORDS.items()
)


def is_valid_config(type_: str, config: object) -> bool:
    """False for an unknown type too, and for NaN, which Python's JSON knows and JSON does not."""
    try:
        json.dumps(config, allow_nan=False)
    except ValueError:
        return False
    return type_ in CONFIG_SCHEMAS and Draft202012Validator(CONFIG_SCHEMAS[type_]).is_valid(config)
