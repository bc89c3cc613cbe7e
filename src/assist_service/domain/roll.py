"""Finds everyone of a school whom a text names whole, in one pass over its words, however the name is written.

Case, accents and what parts the words do not count, an s may follow, and the last word may come first.
Words are looked up, not searched for: a school of thousands takes no longer than a class.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from assist_service.domain.text import visible

_PLAIN = re.compile("[\x00-\u036f\u1e00-\u1eff\u2000-\u206f]*")
"""Text in which every mark is one of the accents below: Latin, and what stands between its words."""

_PLAIN_WORD = re.compile("[^\\W_](?:[^\\W_]|[\u0300-\u036f])*")

_SELECTORS = "\ufe0e\ufe0f"
"""Marks that belong to an emoji and to no word."""

Spelt = tuple[str, ...]
"""The words of a name, or of a part of a text, each without case and accents."""


@dataclass(frozen=True)
class Word:
    """A word of a text and where it stands."""

    folded: str
    start: int
    end: int


@dataclass(frozen=True)
class Place:
    """Where somebody is named: from one word to another, the last of which may have an s too many."""

    first: int
    length: int
    number: int
    has_s: bool


def words_of(decomposed: str) -> list[Word]:
    """The words of a text in NFD: its letters, numbers and the marks on them; whatever else there is parts them."""
    if _PLAIN.fullmatch(decomposed):
        spans = [found.span() for found in _PLAIN_WORD.finditer(decomposed)]
    else:
        spans = list(_spans(decomposed))
    return [Word(_folded(decomposed[start:end]), start, end) for start, end in spans]


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


def _folded(word: str) -> str:
    if word.isascii():
        return word.casefold()
    return "".join(c for c in word if not unicodedata.combining(c)).casefold()


@dataclass
class Roll:
    """Names by their words, each with the number of who has it: the first one of two that are called the same."""

    _exact: dict[Spelt, int] = field(default_factory=dict)
    _turned: dict[Spelt, int] = field(default_factory=dict)
    """The last word first, as lists have it: nobody's whole name loses to that."""
    _lengths: set[int] = field(default_factory=set)

    def add(self, name: str, number: int) -> None:
        """Enters a name, unless somebody is called so or it has no word that could be found."""
        spelt = [part for part in map(_spelt, visible(name).split()) if part]
        whole = _joined(spelt)
        if not whole or whole in self._exact:
            return
        self._exact[whole] = number
        self._turned.setdefault(_joined([spelt[-1], *spelt[:-1]]), number)
        self._lengths.add(len(whole))

    def places(self, words: list[Word]) -> list[Place]:
        """Where somebody is named, in order; where names overlap, the longest."""
        taken = bytearray(len(words))
        places = []
        for place in sorted(self._found([word.folded for word in words]), key=lambda place: -_letters(words, place)):
            end = place.first + place.length
            if not any(taken[place.first : end]):
                taken[place.first : end] = bytes([1]) * place.length
                places.append(place)
        return sorted(places, key=lambda place: place.first)

    def _found(self, folded: list[str]) -> Iterator[Place]:
        for first in range(len(folded)):
            for length in self._lengths:
                if first + length <= len(folded):
                    yield from self._called(tuple(folded[first : first + length]), first)

    def _called(self, wanted: Spelt, first: int) -> Iterator[Place]:
        """Who is called so, or so without the s at the end."""
        without_s = (*wanted[:-1], wanted[-1].removesuffix("s"))
        for spelt, has_s in ((wanted, False), (without_s, True)):
            number = self._exact.get(spelt, self._turned.get(spelt))
            if number is not None:
                yield Place(first, len(wanted), number, has_s)
                return


def _spelt(part: str) -> Spelt:
    return tuple(word.folded for word in words_of(unicodedata.normalize("NFD", part)))


def _joined(parts: list[Spelt]) -> Spelt:
    return tuple(word for part in parts for word in part)


def _letters(words: list[Word], place: Place) -> int:
    return sum(len(word.folded) for word in words[place.first : place.first + place.length])
