"""Where a lookup begins: the person's own classes, narrowed by search words or by what the person selected (row J8)."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from uuid import UUID

from assist_service.domain.live.among import Fitting, fitting_classes, items_of, once_each
from assist_service.domain.live.asking import Brought, OwnClasses, Read, Several
from assist_service.domain.live.finding import Called, Finding, Looked, Say, Sentence, Table, Topic, Unclear
from assist_service.domain.live.query import Lookup, Query, RecordKind
from assist_service.domain.live.small_words import is_sort, names_nothing
from assist_service.domain.live.telling import Told, classes_told
from assist_service.domain.references import NOTHING, Listed, Option, Picked, Selection
from assist_service.domain.school import Classroom

MOST_OPTIONS = 20
"""Ways to go on that are offered; of more it is said how many there are."""

MOST_CLASSES = 24
"""Classes that a lookup reads one by one; where more would be needed, it asks which one is meant."""

_LISTS = frozenset({Lookup.STUDENTS, Lookup.EXAMS})
"""Lookups over all classes where no class is meant: "this class" would be answered with all of them."""

Result = TypeVar("Result")

Step = Generator[tuple[Read, ...], Mapping[Read, Brought], Result]
"""A part of a plan, which comes to a result of its own."""


@dataclass(frozen=True)
class Ask:
    """A lookup and what it may take for granted: what the person selected, and what is on their screen.

    What was selected counts wherever no words say otherwise; what is on screen only where the model names it, or where
    one class or one exam is needed and several would do.
    """

    query: Query
    selected: Selection = NOTHING
    on_screen: Selection = NOTHING

    def words(self, kind: RecordKind) -> str | None:
        """What to search for; None where nothing was named, or what is selected was."""
        words = self.query.searches.get(kind)
        if words is None or (self.query.lookup is Lookup.EXAMS and kind is RecordKind.EXAM and is_sort(words)):
            return words
        return None if names_nothing(words, kind) else words

    def picked(self, kind: RecordKind) -> UUID | None:
        """The record that was selected, or that is on screen where the model named it so."""
        if self.words(kind) is not None:
            return None
        is_named = kind in self.query.searches
        return self.selected.of(kind) or (self.on_screen.of(kind) if is_named else None)

    def singled_out(self, kind: RecordKind) -> UUID | None:
        """The record that the model named as the selected one. A list of such records is narrowed by no other: who
        clicked on a student and asks how many there are is not asking about that one."""
        return self.picked(kind) if kind in self.query.searches else None

    def is_given(self, kind: RecordKind) -> bool:
        """Whether a record of this kind was named or selected."""
        return self.words(kind) is not None or self.picked(kind) is not None

    @property
    def meant(self) -> Selection:
        """What was selected, and what the model named of the screen: all that goes on with a reference."""
        named = [Picked(kind=kind, id=id_) for kind in self.query.searches if (id_ := self.picked(kind)) is not None]
        return self.selected.with_(*named)


@dataclass(frozen=True)
class Record:
    """A record by its name or title: what a lookup is narrowed to, lists, or offers."""

    kind: RecordKind
    id: UUID
    label: str

    @property
    def picked(self) -> Picked:
        return Picked(kind=self.kind, id=self.id)


@dataclass(frozen=True)
class Nothing:
    """Ends a plan early, with what it came to."""

    looked: Looked


@dataclass(frozen=True)
class Scope:
    """What a lookup is about, as far as it is known: the person's own classes, and the records it was narrowed to."""

    ask: Ask
    classes: tuple[Classroom, ...]
    """Those it is about: all of them, or the one."""
    records: tuple[Record, ...] = ()
    """At most one of a kind."""
    is_cut: bool = False
    names: Mapping[tuple[RecordKind, UUID], Told] = field(default_factory=dict)
    """How those of whom it is known who else there is are told apart from them."""
    topic: Topic | None = None
    """What is answered, where that is not what was asked."""
    is_closest: bool = False
    """Whether something was found that is not called exactly what was searched for."""

    @property
    def classroom(self) -> Classroom | None:
        """The class that it was narrowed to, if it was."""
        is_narrowed = any(each.kind is RecordKind.CLASS for each in self.records)
        return self.classes[0] if is_narrowed else None

    @property
    def limit(self) -> int:
        return self.ask.query.limit

    def within(self, classroom: Classroom) -> "Scope":
        """Narrowed to a class."""
        return self.of(classroom).about(class_record(classroom))

    def of(self, *classes: Classroom) -> "Scope":
        """About these classes alone, because what it is narrowed to is theirs."""
        return replace(self, classes=classes)

    def about(self, record: Record) -> "Scope":
        """Narrowed to this too."""
        return replace(self, records=(*self.records, record))

    def cut(self, *several: Several[Any]) -> "Scope":
        """The same, of lists that may not have been whole."""
        return replace(self, is_cut=self.is_cut or any(each.is_cut for each in several))

    def on(self, topic: Topic) -> "Scope":
        """The same, to be answered under a heading of its own."""
        return replace(self, topic=topic)

    def knowing(self, kind: RecordKind, told: Mapping[UUID, Told]) -> "Scope":
        """The same, with these told apart."""
        return replace(self, names={**self.names, **{(kind, id_): each for id_, each in told.items()}})

    def told(self, record: Record) -> Told:
        """What a record is called in this answer."""
        return self.names.get((record.kind, record.id), Told(record.label, record.label))

    def called(self, record: Record) -> Called:
        return Called(self.told(record).short)

    def titles_of(self, classes: Iterable[Classroom]) -> str:
        return ", ".join(self.told(class_record(each)).short for each in classes)

    def by(self, fitting: Fitting[Any]) -> "Scope":
        """The same, where something was found like this."""
        return replace(self, is_closest=self.is_closest or not fitting.is_exact)

    def listed(self, record: Record) -> Listed:
        """A record that an answer lists, to be asked about together with what the lookup was narrowed to."""
        kept = [each.picked for each in self.records]
        return Listed(record.kind, self.told(record).short, self.ask.selected.with_(*kept).with_(record.picked))

    def finding(
        self, *said: Sentence, table: Table | None = None, notes: tuple[Sentence, ...] = (), is_of_classes: bool = True
    ) -> Finding:
        """What was found."""
        return Finding(
            self.ask.query,
            said=said,
            table=table,
            notes=(*([Sentence(Say.CLOSEST)] if self.is_closest else []), *notes),
            classes=tuple(self.called(class_record(each)) for each in self.classes) if is_of_classes else (),
            about=tuple(self.listed(each) for each in self.records),
            is_cut=self.is_cut,
            topic=self.topic,
        )

    def nothing(self, *said: Sentence) -> Nothing:
        """Ends the plan with words alone."""
        return Nothing(self.finding(*said))

    def no_such(self, kind: RecordKind) -> Nothing:
        """None of the person's is called so, or is the selected one any more: nothing of it is gone on with."""
        found = self.finding(self._not_found(kind), is_of_classes=kind is not RecordKind.CLASS)
        return Nothing(replace(found, about=(), notes=()))

    def _not_found(self, kind: RecordKind) -> Sentence:
        """The same for another's and for nobody's; of the one class that was looked in, where it was only one."""
        if self.ask.words(kind) is None:
            is_elsewhere = kind is not RecordKind.CLASS and self.ask.words(RecordKind.CLASS) is not None
            return Sentence(Say.NOT_IN_CLASS if is_elsewhere else Say.GONE)
        is_narrowed = any(each.kind in (RecordKind.CLASS, RecordKind.EXAM) for each in self.records)
        return Sentence(Say.NO_SUCH_IN_CLASS if is_narrowed else Say.NO_SUCH, kind=kind)

    def which(self, kind: RecordKind, candidates: Sequence[Record]) -> Nothing:
        """Asks which one is meant; each goes on with the same lookup, and keeps what was found out already.

        What the model named of the screen goes along: a choice is made without one.
        """
        kept = [each.picked for each in self.records]
        goes_on = self.ask.query.without(kind)
        for each in kept:
            goes_on = goes_on.without(each.kind)
        options = tuple(
            Option(each.label, self.ask.meant.with_(*kept).with_(each.picked), goes_on)
            for each in candidates[:MOST_OPTIONS]
        )
        return Nothing(Unclear(self.ask.query, kind, options, more=max(len(candidates) - MOST_OPTIONS, 0)))

    def which_class(self, classes: Sequence[Classroom]) -> Nothing:
        return self.which(RecordKind.CLASS, self.offered(map(class_record, classes)))

    def offered(self, records: Iterable[Record]) -> list[Record]:
        """Each called as among those that might be meant."""
        return [replace(each, label=self.told(each).full) for each in records]


def own_classes(ask: Ask) -> Step[Scope | Nothing]:
    """The person's own classes, whatever was named."""
    brought = yield (OwnClasses(),)
    several = items_of(brought[OwnClasses()])
    if not several.items:
        return Nothing(Finding(ask.query, said=(Sentence(Say.NO_CLASSES),), is_cut=several.is_cut))
    own = once_each(several.items)
    return Scope(ask, own, is_cut=several.is_cut).knowing(RecordKind.CLASS, classes_told(own))


def narrowed(ask: Ask) -> Step[Scope | Nothing]:
    """The person's own classes, or the one that was named. Another's reads like one that does not exist."""
    scope = yield from own_classes(ask)
    if isinstance(scope, Nothing):
        return scope
    if not ask.is_given(RecordKind.CLASS):
        is_pointed_at = RecordKind.CLASS in ask.query.searches and ask.query.lookup in _LISTS
        return one_class(scope) if is_pointed_at else scope
    words, picked = ask.words(RecordKind.CLASS), ask.picked(RecordKind.CLASS)
    fits = fitting_classes(scope.classes, words=words, picked=picked)
    found = fits.items
    if not found:
        return scope.no_such(RecordKind.CLASS)
    if len(found) > 1:
        return scope.which_class(found)
    return replace(scope, is_cut=False).by(fits).within(found[0])


def of_one_class(ask: Ask) -> Step[Scope | Nothing]:
    """The same, where one class is needed."""
    scope = yield from narrowed(ask)
    return scope if isinstance(scope, Nothing) else one_class(scope)


def one_class(scope: Scope) -> Scope | Nothing:
    """The one class that a lookup needs: the one named, the only one, the one on screen; else it is asked for."""
    if scope.classroom is not None or len(scope.classes) == 1:
        return scope
    on_screen = scope.ask.on_screen.of(RecordKind.CLASS)
    shown = next((each for each in scope.classes if each.id == on_screen), None)
    return scope.which_class(scope.classes) if shown is None else scope.within(shown)


def class_record(classroom: Classroom) -> Record:
    return Record(RecordKind.CLASS, classroom.id, classroom.title)
