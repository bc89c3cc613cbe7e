"""What a person must read of a lookup, as values: cells, numbers, names, ways to go on, and what each stands for."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.slow.lookup_names import is_nothing

SORTS = ("quiz", "test", "contrôle", "controle")
"""Of exams, which a list of exams may be narrowed to."""

Kinds = Mapping[str, str]
"""The records that are selected, by kind: "class", "student", "exam"."""


@dataclass(frozen=True)
class Share:
    """A part of one, shown in percent."""

    of_one: float


@dataclass(frozen=True)
class Word:
    """A word of a closed list, worded in each language."""

    key: str


Cell = str | Word | Share | float | int | dt.datetime | None
"""A name or a title is a str. None: there is none, which is worded."""

NONE, NO_DATE = Word("none"), Word("no date")


@dataclass(frozen=True)
class Handle:
    """A record to be asked about further, and what is selected with it."""

    label: str
    selected: Kinds
    kind: str


@dataclass(frozen=True)
class Query:
    """A lookup as it is asked for; `searches` by kind."""

    lookup: str
    operation: str
    searches: Mapping[str, str] = field(default_factory=dict)
    limit: int = 20

    def without(self, *kinds: str) -> "Query":
        left = {kind: words for kind, words in self.searches.items() if kind not in kinds}
        return Query(self.lookup, self.operation, left, self.limit)


@dataclass(frozen=True)
class Ask:
    """A lookup in its place: what was selected, and what is on screen."""

    query: Query
    selected: Kinds = field(default_factory=dict)
    on_screen: Kinds = field(default_factory=dict)

    def words(self, kind: str) -> str | None:
        words = self.query.searches.get(kind)
        if words is None or (self.query.lookup == "query_exams" and words.casefold() in SORTS):
            return words
        return None if is_nothing(words, kind) else words

    def picked(self, kind: str) -> str | None:
        """What was selected counts wherever no words were given, what is on screen where it was named."""
        if self.words(kind) is not None:
            return None
        seen = self.on_screen.get(kind) if kind in self.query.searches and not self.selected else None
        return self.selected.get(kind) or seen


@dataclass(frozen=True)
class Option:
    label: str
    selected: Kinds
    goes_on: Query


@dataclass(frozen=True)
class Found:
    """An answer. `say` names the sentence where it is said that there is nothing; `numbers` stand in sentences."""

    rows: tuple[tuple[Cell, ...], ...] | None = None
    more: int = 0
    numbers: tuple[float | int | Share, ...] = ()
    names: tuple[str, ...] = ()
    say: str | None = None
    handles: tuple[Handle, ...] = ()
    is_closest: bool = False
    """Whether it is said that something is not called exactly so."""
    about: tuple[str, ...] = ()
    """The exam and the student that the heading names."""
    classes: tuple[str, ...] = ()
    """What the classes are called that it is about."""
    topic: str | None = None
    """What is answered, where that is not what was asked."""


@dataclass(frozen=True)
class Choice:
    """A question back."""

    kind: str
    options: tuple[Option, ...]
    more: int = 0


Expected = Found | Choice
