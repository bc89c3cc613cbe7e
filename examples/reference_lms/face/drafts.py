"""A question as its editor has it: its revision, and what of a draft cannot be stored, by field; all as values."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, ValidationError

from examples.reference_lms.api.question_types import CONFIG_SCHEMAS
from examples.reference_lms.store import Row

DRAFT_BYTES = 200_000
"""Of config and explanation together, as JSON: no more than the assistant takes as a draft."""

BODY_BYTES = 1_000_000
"""Of a request: a draft is at most a fifth of it, however it is escaped."""

MOST_FAULTS = 50
"""Of one draft, however many there are."""

CONFIG = "/config"
EXPLANATION = "/explanation"
WHOLE = ""
"""The pointer of a fault that is of no one field."""


class Fault(NamedTuple):
    """What cannot be stored: a JSON Pointer into `{config, explanation}`, and the rule it breaks, worded by the page.

    The rule is a keyword of JSON Schema, or `shape`, `size`, or `characters`.
    """

    path: str
    rule: str


class SaveOrder(BaseModel):
    """What a save sends: the draft as a whole, and the revision it was made from."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    base: str
    config: dict[str, Any]
    explanation: str


@dataclass(frozen=True)
class Stored:
    """A question as the school has it."""

    id: str
    type: str
    status: str
    config: Mapping[str, Any]
    explanation: str

    @classmethod
    def of(cls, row: Row) -> "Stored":
        return cls(row["id"], row["type"], row["status"], json.loads(row["config"]), row["explanation"])

    @property
    def base(self) -> str:
        """A digest of 64 characters: the same for the same texts and settings, in whatever order they were written."""
        written = json.dumps([self.id, self.type, self.config, self.explanation], sort_keys=True)
        return sha256(written.encode()).hexdigest()

    def holds(self, order: SaveOrder) -> bool:
        return self == Stored(self.id, self.type, self.status, order.config, order.explanation)

    def answer(self) -> dict[str, object]:
        return {
            "question_id": self.id,
            "type": self.type,
            "status": self.status,
            "base": self.base,
            "config": self.config,
            "explanation": self.explanation,
        }


def read_order(raw: bytes) -> SaveOrder | Fault:
    """The order of a request; JSON that is none and other keys are a fault of its shape."""
    try:
        return SaveOrder.model_validate(json.loads(raw))
    except (ValueError, ValidationError, RecursionError):
        return Fault(WHOLE, "shape")


def faults_of(type_: str, order: SaveOrder) -> list[Fault]:
    """Nothing where it can be stored; else what is in the way, each once, in the order of its path."""
    unsendable = [Fault(path, "characters") for path, text in _texts(order) if not _is_plain(text)]
    if unsendable:
        return unsendable[:MOST_FAULTS]
    try:
        weight = len(json.dumps([order.config, order.explanation], ensure_ascii=False, allow_nan=False).encode())
    except ValueError:  # NaN, and 1e999: Python reads them as numbers, and they are none
        return [Fault(CONFIG, "type")]
    if weight > DRAFT_BYTES:
        return [Fault(WHOLE, "size")]
    return sorted(set(_schema_faults(type_, order.config)))[:MOST_FAULTS]


def _schema_faults(type_: str, config: Mapping[str, Any]) -> Iterator[Fault]:
    for error in Draft202012Validator(CONFIG_SCHEMAS[type_]).iter_errors(config):
        yield Fault(CONFIG + pointer_of(error.absolute_path), str(error.validator))


def pointer_of(steps: Any) -> str:
    """RFC 6901."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def _texts(order: SaveOrder) -> Iterator[tuple[str, str]]:
    """Every text and where it stands, keys too; without recursion, as a config may be nested out of reason."""
    stack: list[tuple[str, Any]] = [(EXPLANATION, order.explanation), (CONFIG, order.config)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, dict):
            yield from ((path, key) for key in value)
            stack += [(path + pointer_of([key]) if _is_plain(key) else path, child) for key, child in value.items()]
        elif isinstance(value, list):
            stack += [(f"{path}/{index}", child) for index, child in enumerate(value)]


def _is_plain(text: str) -> bool:
    """What the database, the assistant and a page can all hold: no NUL, no half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
