"""Finds whom or what a few search words mean among names: forgivingly, and never by a guess between two that fit."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from assist_service.domain.live.bounds import bounded
from assist_service.domain.live.small_words import has_small_words, is_small, without_small_words
from assist_service.domain.live.spelling import Words, has_digit, has_no_spaces, is_one_typo, readings

PREFIX_LETTERS = 3
"""The fewest letters that stand for the word they begin: two begin too many."""

TYPO_LETTERS = 4
"""The fewest letters of a word in which one may be wrong: "Lea" is not "Lee"."""


def matches(words: str, names: Sequence[str]) -> tuple[int, ...]:
    """The places of the names that fit best, in order: none, the one, or several that fit equally well."""
    few = bounded(words, names)
    return few.places(_fitting(few.words, few.names))


def _fitting(words: str, names: Sequence[str]) -> tuple[int, ...]:
    """The same, of names that are within bounds."""
    wanted = readings(words)
    pairs = [
        _Pair(at, want, name)
        for at, each in enumerate(names)
        for name in readings(each)
        for want in wanted
        if len(want) <= len(name) or has_small_words(want)
    ]
    around = [
        _Pair(pair.at, kept, pair.name)
        for pair in pairs
        if has_small_words(pair.want) and (kept := without_small_words(pair.want, pair.name)) != pair.want
    ]
    fewest_left_out = [
        (_is_whole, [pair for pair in around if len(pair.want) == kept])
        for kept in sorted({len(pair.want) for pair in around}, reverse=True)
    ]
    for fits, compared in ((_is_whole, pairs), *fewest_left_out, *((each, pairs + around) for each in _TIERS)):
        found = {pair.at for pair in compared if len(pair.want) <= len(pair.name) and fits(pair.want, pair.name)}
        if found:
            return tuple(sorted(found))
    return ()


class _Pair(NamedTuple):
    """One reading of what is wanted, beside one of the name at its place."""

    at: int
    want: Words
    name: Words


def _is_whole(wanted: Words, name: Words) -> bool:
    return len(wanted) == len(name) and (wanted == name or sorted(wanted) == sorted(name))


def _is_among(wanted: Words, name: Words) -> bool:
    """A name that is written without spaces has its parts within it."""
    return all(_is_within(word, name) for word in _missing(wanted, name))


def _is_within(word: str, name: Words) -> bool:
    return any(word in each for each in name) and has_no_spaces(word)


def _begins(wanted: Words, name: Words) -> bool:
    """Each word begins one of its own. The longest first: what it may begin, a shorter one may begin too."""
    left = sorted(name, key=len)
    for word in sorted(wanted, key=len, reverse=True):
        is_prefix = len(word) >= PREFIX_LETTERS and not has_digit(word)
        begun = next((each for each in left if each == word or (is_prefix and each.startswith(word))), None)
        if begun is None:
            return False
        left.remove(begun)
    return True


def _is_by_initials(wanted: Words, name: Words) -> bool:
    """Letters alone stand for all of a name; beside a word of it, each for one of the others."""
    if len(name) < 2 or any(map(has_digit, wanted)):
        return False
    letters = [word for word in wanted if len(word) == 1 and word.isalpha()]
    if len(letters) == len(wanted) or len(wanted) == 1:
        return sum(map(len, wanted)) == len(name) and "".join(wanted) == "".join(word[0] for word in name)
    spelled = tuple(word for word in wanted if len(word) > 1 or not word.isalpha())
    if not letters or all(is_small(word) for word in spelled) or _missing(spelled, name):
        return False
    others = Counter(word[0] for word in _missing(name, spelled))
    return Counter(letters) <= others


def _has_one_typo(wanted: Words, name: Words) -> bool:
    missing = _missing(wanted, name)
    if len(missing) != 1 or not _may_be_misspelled(missing[0]):
        return False
    return any(is_one_typo(missing[0], word) and _may_be_misspelled(word) for word in _missing(name, wanted))


def _may_be_misspelled(word: str) -> bool:
    return len(word) >= TYPO_LETTERS and not has_digit(word)


def _missing(wanted: Words, name: Words) -> Words:
    """What of the words is not among the name's, each of which counts once."""
    left = list(name)
    missing = []
    for word in wanted:
        if word in left:
            left.remove(word)
        else:
            missing.append(word)
    return tuple(missing)


_TIERS: tuple[Callable[[Words, Words], bool], ...] = (
    _is_among,
    _begins,
    _is_by_initials,
    _has_one_typo,
)
"""What counts where no whole name is meant, the best one first: where one fits at all, those after it do not."""
