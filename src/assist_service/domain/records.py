"""What a data tool found, as values that say what they are; how much of it a model reads is the policy's.

A tool names people, free texts and ids as such. Shown *open*, all of it is written out. *Masked*, a person is a
placeholder and free text is left out: only names and marks were asked for, and nobody masks what a text says.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from assist_service.domain.names import Masks
from assist_service.domain.placeholders import before_cut
from assist_service.domain.policy import Disclosure
from assist_service.domain.screens import EntityKind
from assist_service.domain.text import one_line, visible

TITLE_CHARACTERS = 200
TEXT_CHARACTERS = 4_000

CUT = "[Cut here: narrow your request.]"
"""Ends a result of which not all could be shown."""


@dataclass(frozen=True)
class Someone:
    """A person in a result."""

    person: UUID
    name: str


@dataclass(frozen=True)
class Titled:
    """What somebody called something, on one line: it may hold a name."""

    text: str


@dataclass(frozen=True)
class FreeText:
    """What somebody wrote: a description, a statement, an explanation."""

    text: str


class ItemKind(StrEnum):
    """What an id in a result may stand for beside an `EntityKind`: it has no screen, so no question comes with it."""

    CATEGORY = "category"


@dataclass(frozen=True)
class Seen:
    """The id of something, by which the model may ask on in this question."""

    kind: EntityKind | ItemKind
    id: UUID


Value = str | int | float | bool | None | Someone | Titled | FreeText | Seen | Sequence["Value"] | Mapping[str, "Value"]

Record = Mapping[str, Value]


@dataclass(frozen=True)
class Found:
    """The records of one call, in order; `is_cut` where the LMS has more than were fetched."""

    records: Sequence[Record]
    is_cut: bool = False
    of: Seen | None = None
    """What all of them belong to, where the records do not say it: the classroom of its results."""


@dataclass
class Known:
    """The ids that may be asked for in a question: of its screen, of what was selected, of its own results (J2)."""

    ids: set[Seen] = field(default_factory=set)

    @classmethod
    def of(cls, *given: Mapping[EntityKind, UUID]) -> "Known":
        return cls({Seen(kind, found) for entities in given for kind, found in entities.items()})

    def holds(self, kind: EntityKind | ItemKind, wanted: UUID) -> bool:
        return Seen(kind, wanted) in self.ids


@dataclass(frozen=True)
class Shown:
    """A result as the model reads it, and the ids that stand in it."""

    text: str
    ids: frozenset[Seen]


def meet(found: Found, disclosure: Disclosure, masks: Masks) -> None:
    """Gives the people of a result their placeholders, before any title is written: a title may name one of them."""
    if disclosure is not Disclosure.OPEN:
        for someone in (each for record in found.records for each in _people(record)):
            masks.mask(someone.person, someone.name)


def shown(found: Found, disclosure: Disclosure, masks: Masks, *, limit: int, selected: UUID | None = None) -> Shown:
    """The records as lines of JSON, whole ones only, at most `limit` characters with the mark of the cut.

    `selected` is the student whom the person selected: marked, for the model knows nobody's name and nobody's id.
    """
    lines: list[str] = []
    ids: set[Seen] = set()
    left, is_cut = limit - len(CUT) - 1, found.is_cut
    meet(found, disclosure, masks)
    for record in found.records:
        writer = _Writer(disclosure, masks, selected)
        line = json.dumps(writer.record(record), ensure_ascii=False, separators=(",", ":"))
        left -= len(line) + 1
        if left < 0:
            is_cut = True
            break
        lines.append(line)
        ids |= writer.ids
    if is_cut:
        lines.append(CUT)
    return Shown("\n".join(lines) or "(none)", frozenset(ids))


@dataclass
class _Writer:
    """Writes one record, and notes the ids it holds."""

    disclosure: Disclosure
    masks: Masks
    selected: UUID | None = None
    ids: set[Seen] = field(default_factory=set)

    def record(self, record: Record) -> dict[str, object]:
        written = {key: self._value(value) for key, value in record.items()}
        beside = [value.person for value in record.values() if isinstance(value, Someone)]
        if self._is_masked and any(map(self.masks.is_asked_about, beside)):
            written["asked_about"] = True
        if self.selected is not None and self.selected in beside:
            written["selected"] = True
        # What is not there needs no words; a mark of 0 and a false are there.
        return {key: value for key, value in written.items() if value is not None and value not in ("", [], {})}

    @property
    def _is_masked(self) -> bool:
        return self.disclosure is not Disclosure.OPEN

    def _value(self, value: Value) -> object:
        match value:
            case Someone():
                return self.masks.placeholder(value.person) if self._is_masked else self._line(value.name)
            case FreeText():
                return None if self._is_masked else self._text(value.text)
            case Seen():
                self.ids.add(value)
                return str(value.id)
            case Titled():
                return self._line(value.text)
            case str():  # a closed word of the LMS or of ours, which names nobody
                return one_line(self.masks.unforgeable(visible(value)), TITLE_CHARACTERS)
            case Mapping():
                return self.record(value)
            case Sequence():
                return [self._value(inner) for inner in value]
            case _:
                return value

    def _line(self, text: str) -> str:
        return as_title(text, self.masks)

    def _text(self, text: str) -> str:
        return _cut(self.masks.kept_from(text), TEXT_CHARACTERS)


def as_title(text: str, masks: Masks) -> str:
    """A title as the model reads it. In an open result too: whoever was masked once in a conversation stays so."""
    clear = masks.kept_from(text)
    return _cut(one_line(clear, len(clear)), TITLE_CHARACTERS)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{before_cut(text[: limit - 1]).rstrip()}…"


def _people(value: Value) -> Iterator[Someone]:
    """Everyone in a record, however deep."""
    match value:
        case Someone():
            yield value
        case Mapping():
            for inner in value.values():
                yield from _people(inner)
        case Sequence() if not isinstance(value, str):
            for inner in value:
                yield from _people(inner)
