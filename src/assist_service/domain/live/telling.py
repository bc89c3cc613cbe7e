"""Names and titles as one answer tells them apart: each record has one name in it, and no other record has the same."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from assist_service.domain.school import Classroom, Named
from assist_service.domain.text import one_line, visible

NO_NAME = "\ufdef\ufdee"
"""Stands within a label where a person has no name that anybody sees: worded by `ports/wording.py`."""

NO_TITLE = "\ufdef\ufded"
"""Likewise of a title."""

NAME_CHARACTERS = 110
"""Of a name before what tells it apart, which an answer would else cut off (`adapters/wording/titles.py`)."""

_BLANK = "\u2800"
"""Braille without a dot: no space to Unicode, and nothing to a reader."""


@dataclass(frozen=True)
class Told:
    """What a record is called where it stands alone, and in a list of those that might be meant."""

    short: str
    full: str


def is_legible(text: str) -> bool:
    """Whether a reader sees anything of it."""
    return any(unicodedata.category(each)[0] in "LNPS" and each != _BLANK for each in visible(text))


def people_told(people: Iterable[Named]) -> Mapping[UUID, Told]:
    """Those of one name with a number each. It goes by the id: the same in every answer over the same people."""
    each = sorted({person.id: person for person in people}.values(), key=lambda person: person.id)
    names = numbered([_or(person.name, NO_NAME) for person in each])
    return {person.id: Told(name, name) for person, name in zip(each, names, strict=True)}


def titles_told(titled: Sequence[tuple[UUID, str, str]]) -> Mapping[UUID, Told]:
    """By id, title and where it belongs: alone by its title, and where that stands twice, with where it belongs.

    Where even that stands twice, with a number, in their order.
    """
    times = Counter(_seen(title) for _, title, _ in titled)
    full = numbered([_placed(title, place, is_cut=times[_seen(title)] > 1) for _, title, place in titled])
    return {
        id_: Told(_or(title, NO_TITLE) if times[_seen(title)] == 1 else label, label)
        for (id_, title, _), label in zip(titled, full, strict=True)
    }


def _placed(title: str, place: str, *, is_cut: bool) -> str:
    parts = _or(title, NO_TITLE), _or(place, NO_TITLE)
    if is_cut and sum(map(len, parts)) > NAME_CHARACTERS - 3:
        parts = _cut(parts[0], NAME_CHARACTERS // 2), _cut(parts[1], NAME_CHARACTERS // 2 - 3)
    return " · ".join(parts)


def classes_told(classes: Iterable[Classroom]) -> Mapping[UUID, Told]:
    return titles_told([(each.id, each.title, each.course.title) for each in classes])


def numbered(labels: Sequence[str]) -> list[str]:
    """The labels, those that read alike with a number each, in their order."""
    times = Counter(map(_seen, labels))
    numbers = {label: _free_numbers(label, times) for label, count in times.items() if count > 1}
    return [f"{_cut(each)} ({next(numbers[_seen(each)])})" if times[_seen(each)] > 1 else each for each in labels]


def _free_numbers(label: str, taken: Mapping[str, int]) -> Iterator[int]:
    """Without those by which it would be called as another is already."""
    return (number for number in range(1, 2 * sum(taken.values()) + 1) if f"{label} ({number})" not in taken)


def _cut(label: str, most: int = NAME_CHARACTERS) -> str:
    return label if len(label) <= most else one_line(label, most)


def _or(text: str, instead: str) -> str:
    return text if is_legible(text) else instead


def _seen(text: str) -> str:
    """As a reader sees it."""
    return one_line(text, NAME_CHARACTERS) if is_legible(text) else text
