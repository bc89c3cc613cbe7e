"""Cards: a frozen write as lines that a person reads before it is done, never from a model's words (row A17).

Every value that is sent stands on the card, whole: what is too long to be read is refused, not cut.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from assist_service.domain.draft_texts import Steps, pointer, spots
from assist_service.domain.question_types import QuestionType
from assist_service.domain.reply import CardLine
from assist_service.domain.text import visible
from assist_service.domain.unprepared import Unprepared

CARD_LINES = 80
VALUE_CHARACTERS = 4_000
"""Of one line; a value that is longer is refused (invariant W2)."""

TOO_LONG = "Not prepared: it is too long for a card. Make it shorter, or several smaller ones."


UNTITLED = "?"
"""Stands for a title in which nothing can be seen: an empty line would be overlooked."""


class Label(StrEnum):
    """The closed keys of a card's lines, worded by the front end; a question's texts have those of its type beside."""

    POOL = "pool"
    COURSE = "course"
    CATEGORY = "category"
    TEMPLATE = "template"
    QUESTION = "question"
    TYPE = "type"
    TITLE = "title"
    LANGUAGE = "language"
    DIFFICULTY = "difficulty"
    EXPLANATION = "explanation"
    STATUS = "status"
    SETTING = "setting"
    GAINS_ACCESS = "gains_access"


@dataclass(frozen=True)
class Unfit(Exception):
    """Why nothing can be prepared: in a sentence for the model, and as what the person is told."""

    reason: str
    unprepared: Unprepared = Unprepared.UNFIT


def line(label: str, text: str) -> CardLine:
    """One line; titles that people wrote come on one line, without characters that cannot be seen."""
    return CardLine(label=label, value=" ".join(visible(text).split()) or UNTITLED)


def passage(label: str, text: str) -> CardLine:
    """A line whose text may have line ends of its own."""
    return CardLine(label=label, value=visible(text))


def card(lines: Sequence[CardLine]) -> tuple[CardLine, ...]:
    """The lines, all of them. Raises Unfit for more than a person can be asked to read."""
    if len(lines) > CARD_LINES or any(len(each.value) > VALUE_CHARACTERS for each in lines):
        raise Unfit(TOO_LONG, Unprepared.TOO_LONG)
    return tuple(lines)


def config_lines(config: Mapping[str, Any], type_: QuestionType) -> Iterator[CardLine]:
    """Every value of a question's config: its texts by their labels, the rest as `place: value`."""
    labels = {spot.steps: spot.label for spot in spots({"config": config}, type_)}
    for steps, value in _leaves(config, ("config",)):
        if steps in labels:
            yield passage(labels[steps], value)
        else:
            place = _on_one_line(pointer(steps[1:]))[1:-1]  # a key may hold line ends
            yield passage(Label.SETTING, f"{place}: {_on_one_line(value)}")


def _on_one_line(value: Any) -> str:
    """The value as JSON; the two line ends that JSON leaves as they are stand escaped, as all others do."""
    written = json.dumps(value, ensure_ascii=False)
    return written.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _leaves(value: Any, steps: Steps) -> Iterator[tuple[Steps, Any]]:
    """Each value that holds no other, with the steps to it; an empty list or object is one too."""
    match value:
        case dict() if value:
            children: Iterable[tuple[str | int, Any]] = value.items()
        case list() if value:
            children = enumerate(value)
        case _:
            yield steps, value
            return
    for step, child in children:
        yield from _leaves(child, (*steps, step))
