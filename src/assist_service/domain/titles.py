"""Finds titles in a text in one pass over its words: whole, together and on one line, however case and accents are.

A title can be anything, "the" too. One that is hardly a word proves nothing where it stands in a sentence: it counts
where it is quoted or stands alone. Of titles that overlap the longest counts.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Generic, TypeVar

from assist_service.domain.roll import Word, words_of
from assist_service.domain.text import visible

Key = TypeVar("Key")

TELLING_LETTERS = 6
"""Letters of a title of several words without a number that is told from the words of any sentence."""

TELLING_WORD = 4
"""Letters of a title of one word, which then has to stand as it is written, and not all in small letters."""

MOST_WORDS = 40
"""Words by which a title is found: a longer one by its beginning."""

_OF_NO_MEANING = re.compile("[^\\S\n]|[_\"'`\u00ab\u00bb\u2018-\u201f\u2039\u203a\u300c-\u300f*~\u2026]")
"""What may stand between two words of a title or be left out there: spaces and quotes, never the end of a line."""

_DASHES = re.compile("[\u2010-\u2015\u2212]")

_OPENS = frozenset("\n\"'`\u00ab\u201c\u201e\u2018\u201a\u2039\u300c\u300e")
_SPACES = " \t\u00a0\u202f"

_NEAR = 4
"""Characters around a title in which a quote has to begin: French sets a space there."""

_CLOSES = frozenset("\n\"'`\u00bb\u201d\u201c\u2019\u203a\u300d\u300f:")


@dataclass
class _Node(Generic[Key]):
    """The words so far; `gaps` is what may part the last one from the one before, `ends` the titles that end here."""

    gaps: set[str] = field(default_factory=set)
    further: dict[str, "_Node[Key]"] = field(default_factory=dict)
    ends: list[tuple[Key, str]] = field(default_factory=list)
    """Each with how it is written."""
    is_telling: bool = False
    """Whether these words say enough by themselves."""


@dataclass(frozen=True)
class _Place(Generic[Key]):
    first: int
    end: int
    length: int
    """In characters."""
    keys: tuple[Key, ...]


@dataclass
class Titles(Generic[Key]):
    """Titles by their words, each with what is called so."""

    _root: _Node[Key] = field(default_factory=_Node)

    def add(self, title: str, key: Key) -> None:
        """Enters what is called so. A title without a word is never found."""
        decomposed = unicodedata.normalize("NFD", visible(title))
        words = _words_of(decomposed)[:MOST_WORDS]
        node, before = self._root, None
        for word in words:
            node = node.further.setdefault(word.folded, _Node())
            if before is not None:
                node.gaps |= _parting(decomposed[before.end : word.start])
            before = word
        if words:
            node.ends.append((key, decomposed))
            node.is_telling = _is_telling(words)

    def found_in(self, text: str) -> tuple[Key, ...]:
        """What the text calls by a whole title, each once, in the order of the text."""
        decomposed = unicodedata.normalize("NFD", visible(text))
        spoken = _Spoken.of(decomposed)
        longest = (self._longest(spoken, first) for first in range(len(spoken.words)))
        taken: list[_Place[Key] | None] = [None] * len(spoken.words)
        for place in sorted(filter(None, longest), key=lambda place: -place.length):
            if not any(taken[place.first : place.end]):
                taken[place.first : place.end] = [place] * (place.end - place.first)
        placed = (place for at, place in enumerate(taken) if place is not None and place.first == at)
        return tuple(dict.fromkeys(key for place in placed for key in place.keys))

    def _longest(self, spoken: "_Spoken", first: int) -> "_Place[Key] | None":
        """The longest title that begins with this word."""
        node, path = self._root, []
        for at in range(first, len(spoken.words)):
            further = node.further.get(spoken.words[at].folded)
            if further is None or (at > first and not spoken.gaps[at] <= further.gaps):
                break
            node = further
            path.append((at, node))
        stands_open = spoken.opens_before(first)
        for at, node in reversed(path):
            if node.ends and (node.is_telling or (stands_open and spoken.closes_after(at))):
                meant = [key for key, _ in node.ends]
            elif node.ends and at == first and _is_name(written := spoken.written(first)):
                meant = [key for key, title in node.ends if written in title]
            else:
                continue
            if meant:
                return _Place(first, at + 1, spoken.words[at].end - spoken.words[first].start, tuple(meant))
        return None


@dataclass(frozen=True)
class _Spoken:
    """A text in NFD by its words; `gaps` is what parts each from the one before."""

    text: str
    words: Sequence[Word]
    gaps: Sequence[set[str]]

    @classmethod
    def of(cls, decomposed: str) -> "_Spoken":
        words = _words_of(decomposed)
        gaps = [_parting(decomposed[one.end : following.start]) for one, following in pairwise(words)]
        return cls(decomposed, words, [set(), *gaps])

    def written(self, at: int) -> str:
        return self.text[self.words[at].start : self.words[at].end]

    def opens_before(self, first: int) -> bool:
        """Whether a line or a quote begins there."""
        start = self.words[first].start
        return f"\n{self.text[max(start - _NEAR, 0) : start]}".rstrip(_SPACES)[-1:] in _OPENS

    def closes_after(self, last: int) -> bool:
        end = self.words[last].end
        return f"{self.text[end : end + _NEAR]}\n".lstrip(_SPACES)[:1] in _CLOSES


def _words_of(decomposed: str) -> list[Word]:
    return [word for word in words_of(decomposed) if word.folded]


def _parting(gap: str) -> set[str]:
    return set(_DASHES.sub("-", _OF_NO_MEANING.sub("", gap)))


def _is_telling(words: list[Word]) -> bool:
    """Whether nobody writes these words but to name what is called so."""
    letters = sum(character.isalpha() for word in words for character in word.folded)
    has_number = any(character.isdigit() for word in words for character in word.folded)
    return bool(letters) and (has_number or (len(words) > 1 and letters >= TELLING_LETTERS))


def _is_name(written: str) -> bool:
    """Whether a word is one by how it is written."""
    return sum(map(str.isalpha, written)) >= TELLING_WORD and not written.islower()
