"""Finds what an answer names of what its own look-ups brought: people, classrooms and evaluations, to be asked about.

People stand in an answer as placeholders, which nobody else can write. A title is anybody's words: it counts where all
of it stands together, and two things of one title count only where they can be told apart. Nothing is guessed.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from assist_service.domain.live.query import RecordKind
from assist_service.domain.names import Masks
from assist_service.domain.placeholders import numbers_in, one_word_each
from assist_service.domain.records import Found, Record, Seen, Someone, Titled, Value, as_title
from assist_service.domain.references import LABEL_CHARACTERS, NOTHING, Listed, Picked, Selection
from assist_service.domain.roll import words_of
from assist_service.domain.screens import EntityKind
from assist_service.domain.text import one_line, visible
from assist_service.domain.titles import Titles

MOST_NAMED = 40
"""Records of one answer that can be asked about; an answer that names more is a list, and its first are kept."""


@dataclass(frozen=True)
class _Thing:
    """A classroom, an evaluation or a person of a result; `beside` tells it from another that is called so."""

    kind: RecordKind
    id: UUID
    called: str
    classroom: UUID | None = None
    beside: str = ""


def named_in(
    markdown: str, text: str, found: Sequence[Found], masks: Masks, *, selected: Selection = NOTHING
) -> tuple[Listed, ...]:
    """What the answer names, people first, each kind in the order it is named; `text` is what is read of `markdown`.

    Both are masked. Each is listed with the classroom its result was of, where that is one, and with what the person
    had selected before, where that is of the same classroom.
    """
    things = _merged(thing for each in found for thing in _things(each.records, each.of))
    behind = {number: known.person for number, known in masks.names.people.items()}
    numbers = dict.fromkeys(behind.get(number) for number in numbers_in(markdown, masks.tag))
    people = {thing.id: thing for thing in things if thing.kind is RecordKind.STUDENT}
    said = [people[person] for person in numbers if person in people]
    # Where results are open, people have no placeholder: their names are words like those of a title.
    masked = frozenset(behind.values())
    said += _worded(text, [thing for thing in things if thing.id not in masked], masks)
    ordered = sorted(said, key=lambda thing: _ORDER.index(thing.kind))
    # What was selected in another classroom has nothing to do with this one.
    chosen = selected.of(RecordKind.EXAM)
    near = selected.of(RecordKind.CLASS) or next((thing.classroom for thing in things if thing.id == chosen), None)
    return tuple(
        _listed(thing, label, selected if near is not None and near == thing.classroom else NOTHING)
        for thing, label in _told_apart(ordered)
    )[:MOST_NAMED]


_ORDER = (RecordKind.STUDENT, RecordKind.CLASS, RecordKind.EXAM)


def _things(value: Value, within: Seen | None, course: str = "") -> Iterator[_Thing]:
    """Everything of a result that can be asked about, however deep."""
    if isinstance(value, Mapping):
        yield from _of_record(value, within, course)
        course = _titled(value, EntityKind.COURSE) or course
        for inner in value.values():
            yield from _things(inner, within, course)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            yield from _things(inner, within, course)


def _of_record(record: Record, within: Seen | None, course: str) -> Iterator[_Thing]:
    title = record.get("title")
    called = title.text if isinstance(title, Titled) else ""
    classroom, beside = _classroom_of(record, within)
    for value in record.values():
        match value:
            case Someone():
                yield _Thing(RecordKind.STUDENT, value.person, value.name, classroom)
            case Seen(EntityKind.CLASSROOM, id_) if called:
                yield _Thing(RecordKind.CLASS, id_, called, id_, course)
            case Seen(EntityKind.EVALUATION, id_) if called:
                yield _Thing(RecordKind.EXAM, id_, called, classroom, beside)


def _classroom_of(record: Record, within: Seen | None) -> tuple[UUID | None, str]:
    """The classroom that a record says it belongs to, or else all of its result does, and its title where that is
    known."""
    for value in record.values():
        if isinstance(value, Mapping) and (title := _titled(value, EntityKind.CLASSROOM)):
            return next(each.id for each in value.values() if isinstance(each, Seen)), title
    return (within.id if within is not None and within.kind is EntityKind.CLASSROOM else None), ""


def _titled(record: Record, kind: EntityKind) -> str:
    """The title of a record of this kind; empty for any other."""
    title, id_ = record.get("title"), record.get("id")
    return title.text if isinstance(title, Titled) and isinstance(id_, Seen) and id_.kind is kind else ""


def _merged(things: Iterable[_Thing]) -> tuple[_Thing, ...]:
    """Each once, with what any result says of it. Somebody of two classrooms is taken for nobody's of either."""
    merged: dict[tuple[RecordKind, UUID], _Thing] = {}
    of_several: set[tuple[RecordKind, UUID]] = set()
    for thing in things:
        key = (thing.kind, thing.id)
        before = merged.setdefault(key, thing)
        if None not in (before.classroom, thing.classroom) and before.classroom != thing.classroom:
            of_several.add(key)
        merged[key] = replace(
            before, classroom=before.classroom or thing.classroom, beside=before.beside or thing.beside
        )
    called = {thing.id: thing.called for thing in merged.values() if thing.kind is RecordKind.CLASS}
    return tuple(
        replace(thing, classroom=None)
        if key in of_several
        else replace(thing, beside=thing.beside or _beside(thing, called))
        for key, thing in merged.items()
    )


def _beside(thing: _Thing, called: Mapping[UUID, str]) -> str:
    is_class = thing.kind is RecordKind.CLASS
    return "" if is_class or thing.classroom is None else called.get(thing.classroom, "")


def _worded(text: str, things: Sequence[_Thing], masks: Masks) -> tuple[_Thing, ...]:
    """Those whose title stands in the text. One that is no more than somebody's placeholder names that person."""
    titles: Titles[_Thing] = Titles()
    for thing in things:
        title = one_word_each(as_title(thing.called, masks), masks.tag)
        if not _is_somebody(title, masks.tag):
            titles.add(title, thing)
    return titles.found_in(one_word_each(text, masks.tag))


def _is_somebody(title: str, tag: str) -> bool:
    words = _spelt(title)
    return len(words) == 1 and words[0].startswith(tag)


def _told_apart(things: Sequence[_Thing]) -> Iterator[tuple[_Thing, str]]:
    """Each with a label that no other has: people who are called alike are numbered, other things left out."""
    groups: dict[tuple[str, ...], list[_Thing]] = {}
    for thing in things:
        groups.setdefault(_spelt(thing.called), []).append(thing)
    labels: dict[_Thing, str] = {}
    for alike in groups.values():
        labels |= _labels(alike)
    return ((thing, labels[thing]) for thing in things if labels.get(thing))


def _labels(alike: Sequence[_Thing]) -> Mapping[_Thing, str]:
    if len(alike) == 1:
        return {thing: _line(thing.called) for thing in alike}
    whole = {thing: _line(" · ".join(filter(None, (thing.called, thing.beside)))) for thing in alike}
    if len({_spelt(label) for label in whole.values()}) == len(alike):
        return whole
    people = [thing for thing in alike if thing.kind is RecordKind.STUDENT]
    return {thing: f"{_line(thing.called)} ({number})" for number, thing in enumerate(people, 1)}


def _spelt(title: str) -> tuple[str, ...]:
    return tuple(word.folded for word in words_of(unicodedata.normalize("NFD", visible(title))))


def _line(text: str) -> str:
    return one_line(text, LABEL_CHARACTERS - len(" (000)"))


def _listed(thing: _Thing, label: str, kept: Selection) -> Listed:
    own = Picked(kind=thing.kind, id=thing.id)
    if thing.classroom is None or thing.kind is RecordKind.CLASS:
        around: tuple[Picked, ...] = ()
    else:
        around = (Picked(kind=RecordKind.CLASS, id=thing.classroom),)
    return Listed(thing.kind, label, kept.with_(*around, own))
