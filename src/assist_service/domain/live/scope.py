"""Where a lookup begins: the person's own classes, narrowed by search words or by what the person selected (row J8)."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from assist_service.domain.live.asking import Brought, OwnClasses, Read, Several
from assist_service.domain.live.finding import Called, Finding, Looked, Say, Sentence, Unclear
from assist_service.domain.live.matching import matches
from assist_service.domain.live.query import Query, RecordKind
from assist_service.domain.references import NOTHING, Listed, Option, Picked, Selection, is_placeholder
from assist_service.domain.school import Classroom

MOST_OPTIONS = 20
"""Ways to go on that are offered; of more it is said how many there are."""

Result = TypeVar("Result")

Step = Generator[tuple[Read, ...], Mapping[Read, Brought], Result]
"""A part of a plan, which comes to a result of its own."""


@dataclass(frozen=True)
class Ask:
    """A lookup and what it may take for granted: what the person selected, and what is on their screen.

    What was selected counts wherever no words say otherwise; what is on screen only where the model names it, or where
    one class is needed and several would do.
    """

    query: Query
    selected: Selection = NOTHING
    on_screen: Selection = NOTHING

    def words(self, kind: RecordKind) -> str | None:
        """What to search for; None where nothing was named, or what is selected was."""
        words = self.query.searches.get(kind)
        return None if words is None or is_placeholder(words, kind) else words

    def picked(self, kind: RecordKind) -> UUID | None:
        """The record that was selected, or that is on screen where the model named it so."""
        if self.words(kind) is not None:
            return None
        is_named = kind in self.query.searches
        return self.selected.of(kind) or (self.on_screen.of(kind) if is_named else None)


@dataclass(frozen=True)
class Classes:
    """The classes a lookup is about; `named` is the one it was narrowed to, if it was."""

    all: tuple[Classroom, ...]
    named: Classroom | None = None
    is_cut: bool = False

    @property
    def called(self) -> tuple[Called, ...]:
        return tuple(Called(each.title) for each in self.all)


@dataclass(frozen=True)
class Nothing:
    """Ends a plan early, with what it came to."""

    looked: Looked = field()


def own_classes(ask: Ask) -> Step[Classes | Nothing]:
    """The person's own classes, narrowed to one where one was named. Another's reads like one that does not exist."""
    brought = yield (OwnClasses(),)
    several: Any = brought[OwnClasses()]
    assert isinstance(several, Several)
    own: tuple[Classroom, ...] = several.items
    if not own:
        return Nothing(said(ask, Sentence(Say.NO_CLASSES)))
    words, picked = ask.words(RecordKind.CLASS), ask.picked(RecordKind.CLASS)
    if words is None and picked is None:
        return Classes(own, is_cut=several.is_cut)
    found = (
        [each for each in own if each.id == picked]
        if words is None
        else [own[at] for at in matches(words, [each.title for each in own])]
    )
    if not found:
        return Nothing(no_such(ask, RecordKind.CLASS))
    if len(found) > 1:
        return Nothing(which_class(ask, found))
    return Classes((found[0],), named=found[0])


def said(ask: Ask, *sentences: Sentence) -> Finding:
    """A finding of words alone."""
    return Finding(ask.query, said=sentences)


def no_such(ask: Ask, kind: RecordKind) -> Finding:
    return said(ask, Sentence(Say.NO_SUCH, kind=kind))


def which_class(ask: Ask, classes: Sequence[Classroom]) -> Unclear:
    """Asks which of these classes is meant; each goes on with the same lookup, and keeps what was selected before."""
    return which(ask, RecordKind.CLASS, [(class_label(each), each.id) for each in classes])


def which(ask: Ask, kind: RecordKind, candidates: Sequence[tuple[str, UUID]], *kept: Picked) -> Unclear:
    """Asks which one is meant, of candidates by their labels; `kept` is what the lookup has found out already."""
    goes_on = ask.query.without(kind)
    for each in kept:
        goes_on = goes_on.without(each.kind)
    options = tuple(
        Option(label, ask.selected.with_(*kept, Picked(kind=kind, id=id_)), goes_on)
        for label, id_ in candidates[:MOST_OPTIONS]
    )
    return Unclear(ask.query, kind, options, more=max(len(candidates) - MOST_OPTIONS, 0))


def class_label(classroom: Classroom) -> str:
    """A class with its course, for a title alone may stand twice."""
    return f"{classroom.title} · {classroom.course.title}"


def listed(kind: RecordKind, id_: UUID, label: str, selected: Selection) -> Listed:
    """A record that an answer lists, to be asked about together with what the lookup was narrowed to."""
    return Listed(kind, label, selected.with_(Picked(kind=kind, id=id_)))
