"""Finds everyone of a school whom a text names whole, in one pass over its words, however the name is written.

Case, accents and what parts the words do not count, an s may follow, and the last words may come first.
Words are looked up, not searched for: a school of thousands takes no longer than a class.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from assist_service.domain.folding import folded
from assist_service.domain.text import visible

_PLAIN = re.compile("[\x00-\u036f\u1e00-\u1eff\u2000-\u206f]*")
"""Text in which every mark is one of the accents below: Latin, and what stands between its words."""

_PLAIN_WORD = re.compile("[^\\W_](?:[^\\W_]|[\u0300-\u036f])*")

_SELECTORS = "\ufe0e\ufe0f"
"""Marks that belong to an emoji and to no word."""

_JOINERS = "_.'\u2018\u2019\u00b7\u2010-\u2015-"

_AT_TURN = re.compile(rf"\s*[,\u060c\u3001\uff0c]?\s*|[{_JOINERS}]")
"""What may stand where a name is turned: spaces and a comma, or what makes one word of two ("lima-ana").

Two people of a list are parted by a comma too. So a turned name yields to a whole one it would take words from.
"""

_WITHIN_TURNED = re.compile(rf"[\s{_JOINERS}]*")

MOST_TURNED = 12
"""Words of a name that is looked for turned: each can be turned everywhere, and a text may be called a name."""

Spelt = tuple[str, ...]
"""The words of a name, or of a part of a text, each folded."""


@dataclass(frozen=True)
class Word:
    """A word of a text and where it stands."""

    folded: str
    start: int
    end: int


class Place(NamedTuple):
    """Where somebody is named: from one word to another, the last of which may have an s too many."""

    first: int
    length: int
    numbers: Sequence[int]
    """Everyone who is called so, first the one it is taken for."""
    has_s: bool
    is_turned: bool

    @property
    def words(self) -> slice:
        return slice(self.first, self.first + self.length)

    def holds(self, other: "Place") -> bool:
        """Whether all of the other is in this, and more."""
        ends_inside = other.first + other.length <= self.first + self.length
        return self.length > other.length and self.first <= other.first and ends_inside


def words_of(decomposed: str) -> list[Word]:
    """The words of a text in NFD: its letters, numbers and the marks on them; whatever else there is parts them."""
    if _PLAIN.fullmatch(decomposed):
        spans = [found.span() for found in _PLAIN_WORD.finditer(decomposed)]
    else:
        spans = list(_spans(decomposed))
    return [Word(folded(decomposed[start:end]), start, end) for start, end in spans]


def _spans(decomposed: str) -> Iterator[tuple[int, int]]:
    for is_word, run in groupby(enumerate(decomposed), key=lambda each: _is_of_a_word(each[1])):
        if not is_word:
            continue
        characters = list(run)
        start = next((place for place, character in characters if character.isalnum()), None)
        if start is not None:  # a mark on nothing is no part of the word behind it
            yield start, characters[-1][0] + 1


def _is_of_a_word(character: str) -> bool:
    is_mark = unicodedata.category(character) in ("Mn", "Mc") and character not in _SELECTORS
    return character.isalnum() or is_mark


@dataclass
class Roll:
    """Names by their words, each with the numbers of who has it, in the order they came."""

    _whole: dict[Spelt, list[int]] = field(default_factory=dict)
    _turned: dict[Spelt, dict[int, list[int]]] = field(default_factory=dict)
    """The same with the last words first, by how many those are."""
    _lengths: set[int] = field(default_factory=set)

    def add(self, name: str, number: int) -> None:
        """Enters who is called so. A name without a letter is a number like any other, and finds nobody."""
        self._enter(name, number, is_former=False)

    def add_former(self, name: str, number: int) -> None:
        """Enters who was called so, unless somebody on the roll has that name: so these come after all the others."""
        self._enter(name, number, is_former=True)

    def _enter(self, name: str, number: int, *, is_former: bool) -> None:
        parts = [part for part in map(_spelt, visible(name).split()) if part]
        whole = tuple(word for part in parts for word in part)
        if not any(character.isalpha() for word in whole for character in word):
            return
        self._lengths.add(len(whole))
        holders = [self._whole.setdefault(whole, [])]
        for before in accumulate(map(len, parts[:-1] if len(parts) <= MOST_TURNED else ())):
            turned = self._turned.setdefault(whole[before:] + whole[:before], {})
            holders.append(turned.setdefault(len(whole) - before, []))
        for numbers in holders:
            if not (is_former and numbers):
                numbers.append(number)

    def places(self, decomposed: str, words: list[Word]) -> list[Place]:
        """Where somebody is named, in order; where names overlap, the longest.

        A turned name is one only where it takes no word from a whole name, or holds all of that.
        """
        taken: list[Place | None] = [None] * len(words)
        found = sorted(self._found(decomposed, words), key=lambda place: (place.is_turned, -_letters(words, place)))
        for place in found:
            beneath = [other for other in taken[place.words] if other is not None]
            if all(place.is_turned and place.holds(other) for other in beneath):
                taken[place.words] = [place] * place.length
        return [place for number, place in enumerate(taken) if place is not None and place.first == number]

    def _found(self, decomposed: str, words: list[Word]) -> Iterator[Place]:
        spoken = tuple(word.folded for word in words)
        lengths = sorted(self._lengths)
        for first in range(len(spoken)):
            for length in lengths:
                wanted = spoken[first : first + length]
                if len(wanted) < length:
                    break
                for spelt, has_s in _spellings(wanted):
                    if (numbers := self._whole.get(spelt)) is not None:
                        yield Place(first, length, numbers, has_s, is_turned=False)
                    elif (turned := self._turned.get(spelt)) is not None:
                        between = _between(decomposed, words[first : first + length])
                        if (numbers := _of_one_name(turned, between)) is not None:
                            yield Place(first, length, numbers, has_s, is_turned=True)


def _spellings(wanted: Spelt) -> Iterator[tuple[Spelt, bool]]:
    """As it stands, and without the s at its end."""
    yield wanted, False
    if wanted[-1].endswith("s"):
        yield (*wanted[:-1], wanted[-1][:-1]), True


def _between(decomposed: str, words: list[Word]) -> list[str]:
    return [decomposed[one.end : following.start] for one, following in pairwise(words)]


def _of_one_name(turned: Mapping[int, list[int]], between: list[str]) -> list[int] | None:
    """Who is called so turned, where what stands between the words lets them be one name."""
    return next((numbers for turn, numbers in turned.items() if _is_one_name(between, turn)), None)


def _is_one_name(between: list[str], turn: int) -> bool:
    return all(
        (_AT_TURN if place == turn else _WITHIN_TURNED).fullmatch(gap) for place, gap in enumerate(between, start=1)
    )


def _spelt(part: str) -> Spelt:
    return tuple(word.folded for word in words_of(unicodedata.normalize("NFD", part)) if word.folded)


def _letters(words: list[Word], place: Place) -> int:
    return sum(len(word.folded) for word in words[place.words])
