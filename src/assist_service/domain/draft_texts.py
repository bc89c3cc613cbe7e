"""The free texts of a draft, where its type declares them, and what of a text no rewrite may touch.

A draft is what a browser sent: whatever stands where a text is declared, if it is no text, it is not there.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from assist_service.domain.context import EditorDraft
from assist_service.domain.messages import JsonObject
from assist_service.domain.question_types import QuestionType, TextLabel
from assist_service.domain.text import visible

EACH = "[]"
"""In a declared path: each element of a list. No key can be this."""

EXPRESSIONS = (("[[", "]"), ("{{", "}"))
"""How a token opens, and the character of which two or more in a row close it."""

_ASSET = re.compile(r"asset:\S+", re.IGNORECASE)
_SENTENCE_ENDS = ".,;:!?…"
"""What may stand behind an asset without being of its name. A bracket or a quote may be of it, so it has to stay."""

Steps = tuple[str | int, ...]


class DraftText(NamedTuple):
    """One free text of a draft; `path` is a JSON Pointer into `{config, explanation}`."""

    path: str
    label: TextLabel
    text: str


class Spot(NamedTuple):
    """Where a text stands, by the keys and indices that lead to it."""

    steps: Steps
    label: TextLabel
    text: str


def texts_of(draft: EditorDraft, of_type: QuestionType) -> list[DraftText]:
    """What the type declares as texts, as the draft has them; never the key, an id or a setting."""
    root = {"config": draft.config, "explanation": draft.explanation}
    return [DraftText(pointer(spot.steps), spot.label, spot.text) for spot in spots(root, of_type)]


def spots(root: JsonObject, of_type: QuestionType) -> list[Spot]:
    """The same of `{config, explanation}` by their steps, each place once."""
    found: dict[Steps, Spot] = {}
    for field in of_type.text_fields:
        for steps, value in _reached(root, steps_of(field.path)):
            if isinstance(value, str):
                found.setdefault(steps, Spot(steps, field.label, value))
    return list(found.values())


def steps_of(path: str) -> tuple[str, ...]:
    """A declared path in its steps: keys and EACH."""
    return tuple(step for part in path.split(".") for step in _EACH_OR_KEY.findall(part))


_EACH_OR_KEY = re.compile(r"\[\]|[^\[\]]+")


def _reached(root: Any, path: Sequence[str]) -> list[tuple[Steps, Any]]:
    """All a declared path leads to."""
    reached: list[tuple[Steps, Any]] = [((), root)]
    for step in path:
        reached = [((*steps, key), child) for steps, value in reached for key, child in _children(value, step)]
    return reached


def _children(value: Any, step: str) -> Iterator[tuple[str | int, Any]]:
    if step == EACH:
        yield from enumerate(value) if isinstance(value, list) else ()
    elif isinstance(value, dict) and step in value:
        yield step, value[step]


def pointer(steps: Sequence[str | int]) -> str:
    """RFC 6901."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def at(root: Any, steps: Sequence[str | int]) -> Any:
    """What stands there; None where nothing does."""
    for step in steps:
        is_there = step in root if isinstance(root, dict) else isinstance(root, list) and step in range(len(root))
        if not is_there:
            return None
        root = root[step]
    return root


def is_blank(text: str) -> bool:
    return not visible(text).strip()


def tokens_of(text: str) -> Counter[str]:
    """Each `[[…]]`, `{{…}}` and `asset:` of a text, and how often. Found in one go: a draft may be long."""
    found = Counter(match[0].rstrip(_SENTENCE_ENDS) for match in _ASSET.finditer(text))
    for opening, closing in EXPRESSIONS:
        start = text.find(opening)
        while start >= 0 and (end := text.find(closing * 2, start + 2)) >= 0:
            end += 2
            while text.startswith(closing, end):  # `[[a[0]]]` closes with the last of them
                end += 1
            found[text[start:end]] += 1
            start = text.find(opening, end)
    return found


def likeness(text: str) -> str:
    """The same for texts that a reader takes for one: by case, by spaces, by forms of a letter."""
    return " ".join(unicodedata.normalize("NFKC", visible(text)).casefold().split())
