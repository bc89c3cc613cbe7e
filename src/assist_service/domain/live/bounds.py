"""However many names there are and whoever wrote them, to compare them with a few words takes a bounded time."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assist_service.domain.folding import folded
from assist_service.domain.live.small_words import is_small
from assist_service.domain.live.spelling import Words, readings

CHARACTERS = 120
"""Of a name, and of what is searched for, that are looked at."""

WORDS = 12
"""Of either, that are looked at: what it takes to compare two texts grows with the words of both."""

SIGNS = 3
"""Hyphens and apostrophes that may each be read in more ways than one; a text with more of them has them as spaces."""

MOST_PAIRS = 12_000
"""Readings that are compared with one another. Names beyond them are read in one way."""

MISSPELLED_LETTERS = 4
"""The fewest letters of a word of which a name that is meant may lack one: a slip of the hand put it in."""

_WORD = re.compile(r"[^\W_]+")
_IN_READINGS = frozenset("'-")
"""What stands in a reading for every sign of its kind."""

_SIGN = re.compile(r"(?<=\w)[-'’‘ʼʻʹ`´′‐‑‒–—−](?=\w)")


def looked_at(text: str) -> str:
    """What of a text is compared."""
    if len(text) > WORDS:
        text = text[:CHARACTERS]
        ends = [word.end() for word in _WORD.finditer(text)]
        text = text[: ends[WORDS - 1]] if len(ends) > WORDS else text  # else the ")" of a label's number would go
    return _in_one_way(text) if len(_SIGN.findall(text)) > SIGNS else text


@dataclass(frozen=True)
class Bounded:
    """The search words, and the names that they might mean, each once; `beside` what is said beside each, if anything
    is."""

    words: str
    names: tuple[str, ...]
    beside: tuple[str, ...]
    _places: tuple[tuple[int, ...], ...]

    def places(self, found: Iterable[int]) -> tuple[int, ...]:
        """Where those found among `names` stand in the list that was given."""
        return tuple(sorted(place for at in found for place in self._places[at]))


def bounded(words: str, names: Sequence[str], beside: Sequence[str] | None = None) -> Bounded:
    """As many names, and as much of them, as a bounded time allows to compare. `beside` has one text for each."""
    words = looked_at(words)
    wanted = _telling(words)
    places: dict[tuple[str, str], list[int]] = {}
    for place, called in enumerate(zip(names, beside or [""] * len(names), strict=True)):
        places.setdefault(called, []).append(place)
    shown: dict[tuple[str, str], list[int]] = {}
    for (name, text), at in places.items():
        short = looked_at(name), looked_at(text)
        if _may_mean(wanted, frozenset(folded("".join(short)))):
            shown.setdefault(short, []).extend(at)
    if len(shown) * len(readings(words)) > MOST_PAIRS:
        words = _in_one_way(words)
    few = _within(shown, len(readings(words)))
    return Bounded(
        words, tuple(name for (name, _), _ in few), tuple(text for (_, text), _ in few), tuple(at for _, at in few)
    )


def _within(named: dict[tuple[str, str], list[int]], ways: int) -> list[tuple[tuple[str, str], tuple[int, ...]]]:
    """The plainest first: one that can be read in many ways leaves the others none the fewer."""
    left, few = MOST_PAIRS, []
    for (name, text), at in sorted(named.items(), key=lambda each: len(set(_SIGN.findall(each[0][0] + each[0][1])))):
        left -= ways * len(readings(name)) if left > 0 else 0
        few.append(((name, text) if left > 0 else (_in_one_way(name), _in_one_way(text)), tuple(at)))
    return few


def _telling(words: str) -> Words:
    """The words, taken apart as far as they can be, without those that may be left out."""
    apart = max(readings(words), key=len, default=())
    return tuple(folded(word) for word in apart if not is_small(word)) or apart


def _may_mean(wanted: Words, letters: frozenset[str]) -> bool:
    """Whether half of the words could be there at all, as a word, a part of one, initials, or misspelled."""
    there = letters | _IN_READINGS
    fit = sum(len(set(word) - there) <= (len(word) >= MISSPELLED_LETTERS) for word in wanted)
    return 2 * fit >= len(wanted)


def _in_one_way(text: str) -> str:
    return _SIGN.sub(" ", text)
