"""Finds whom or what a few search words mean among names: forgivingly, and never by a guess between two that fit."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from assist_service.domain.live.bounds import bounded
from assist_service.domain.live.small_words import goes_unsaid, has_small_words, is_small, without_small_words
from assist_service.domain.live.spelling import (
    Words,
    as_addressed,
    begins_number,
    has_digit,
    has_no_spaces,
    is_one_typo,
    may_be_initials,
    readings,
    without_label_number,
)

LABEL_SIGN = "·"
"""Between a name and what is said beside it, where a choice is offered."""

PREFIX_LETTERS = 3
"""The fewest letters that stand for the word they begin: two begin too many."""

TYPO_LETTERS = 4
"""The fewest letters of a word in which one may be wrong: "Lea" is not "Lee"."""


@dataclass(frozen=True)
class Matched:
    """Places in a list of names, in order; `is_exact` where what was written is all there, letter by letter."""

    places: tuple[int, ...] = ()
    is_exact: bool = True


@dataclass(frozen=True)
class Beside:
    """What labels say beside the names, one for each: "3B · Algebra". `is_enough` where it may be all that is said."""

    texts: Sequence[str]
    is_enough: bool = False


def matches(words: str, names: Sequence[str], beside: Beside | None = None) -> Matched:
    """Those of the names that fit best: none, the one, or several that fit equally well."""
    few = bounded(words, names, beside.texts if beside is not None else None)
    also = Beside(few.beside, beside.is_enough) if beside is not None else None
    matched = _matched(few.words, few.names, also)
    return Matched(few.places(matched.places), matched.is_exact)


def _matched(words: str, names: Sequence[str], beside: Beside | None) -> Matched:
    """The same, of names that are within bounds."""
    named = _read(names)
    pairs = _paired(words, named)
    around = _around(pairs) + _paired(as_addressed(words), named)
    others = _read(beside.texts) if beside is not None else []
    if found := _fitting(_is_whole, pairs):
        return Matched(found)
    labels = _labels(words, named, others) if others else _Labels()
    if labels.whole:
        return Matched(tuple(sorted(labels.whole)))
    for compared in _by_words_left(around):
        if found := _fitting(_is_whole, compared):
            return Matched(found)
    pairs += around
    enough = others if beside is not None and beside.is_enough else []
    also = _paired(words, enough) + _paired(as_addressed(words), enough)
    also += _around(also)
    exact = {*_fitting(_is_among, pairs + also), *labels.part}
    found = tuple(sorted(exact.union(_fitting(_has_its_number, pairs + also), labels.by_number)))
    if found:
        return Matched(found, is_exact=exact.issuperset(found))
    if found := _fitting(_begins, pairs + also):
        return Matched(found, is_exact=False)
    if found := _fitting(_is_by_initials if may_be_initials(words) else _is_by_initial, pairs):
        return Matched(found, is_exact=False)
    if _fitting(_has_one_typo, pairs + also):
        return Matched(_fitting(_is_one_typo_away, pairs + also), is_exact=False)
    return Matched(is_exact=False)


class _Pair(NamedTuple):
    """One reading of what is wanted, beside one of the name at its place."""

    at: int
    want: Words
    name: Words


class _Labels(NamedTuple):
    """Places whose whole label is meant; whose name and a part of the rest; and those only by a number in the name."""

    whole: frozenset[int] = frozenset()
    part: frozenset[int] = frozenset()
    by_number: frozenset[int] = frozenset()


Readings = tuple[Words, ...]


def _read(texts: Sequence[str]) -> list[Readings]:
    """Each by its readings: many of them say the same."""
    read = {each: readings(each) for each in set(texts)}
    return [read[each] for each in texts]


def _paired(words: str, names: Sequence[Readings]) -> list[_Pair]:
    wanted = readings(words)
    if not wanted:
        return []
    return [
        _Pair(at, want, name)
        for at, each in enumerate(names)
        for name in each
        for want in wanted
        if len(want) <= len(name) or has_small_words(want)
    ]


def _around(pairs: Iterable[_Pair]) -> list[_Pair]:
    """Those with small words, without them."""
    return [
        _Pair(pair.at, kept, pair.name)
        for pair in pairs
        if has_small_words(pair.want) and (kept := without_small_words(pair.want, pair.name)) != pair.want
    ]


def _by_words_left(pairs: Iterable[_Pair]) -> list[list[_Pair]]:
    """Where fewer words were left out, first."""
    by_length: dict[int, list[_Pair]] = {}
    for pair in pairs:
        by_length.setdefault(len(pair.want), []).append(pair)
    return [by_length[length] for length in sorted(by_length, reverse=True)]


def _fitting(fits: Callable[[Words, Words], bool], pairs: Iterable[_Pair]) -> tuple[int, ...]:
    found = {pair.at for pair in pairs if len(pair.want) <= len(pair.name) and fits(pair.want, pair.name)}
    return tuple(sorted(found))


def _labels(words: str, names: Sequence[Readings], beside: Sequence[Readings]) -> _Labels:
    """Where all of a name is said, and something of what its label says beside it. A number tells apart those of one
    label, in an order that may be another by now: they are all meant."""
    whole, part, by_number = set(), set(), set()
    wanted = readings(words)
    if LABEL_SIGN in words and (bare := without_label_number(words)):
        wanted = (*wanted, *readings(bare))
    said = {word for want in wanted for word in want}
    for at, (name, other_ways) in enumerate(zip(names, beside, strict=True)):
        heard = [other for other in other_ways if not said.isdisjoint(other)]
        titles = [title for title in name if heard and _is_heard(title, said)]
        for want, title, other in product(wanted, titles, heard):
            left, rest = _missing(title, want), _missing(want, title)
            numbers = [each for each in rest if any(begins_number(each, word) for word in left)]
            if (len(left) == len(title) and not numbers) or not any(word in other for word in rest):
                continue
            if not left and sorted(rest) == sorted(other):
                whole.add(at)
            unheard = [each for each in _missing(rest, other) if not is_small(each)]
            unsaid = [each for each in left if not goes_unsaid(each)]
            if not unheard and not unsaid:
                part.add(at)
            elif unheard == numbers and len(numbers) == len(unsaid) == 1:
                by_number.add(at)
    return _Labels(frozenset(whole), frozenset(part), frozenset(by_number))


def _is_heard(title: Words, said: Set[str]) -> bool:
    """Whether each of its words is said, or its number is: a cheap look before a close one."""
    return all(word in said or is_small(word) or any(begins_number(each, word) for each in said) for word in title)


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


def _has_its_number(wanted: Words, name: Words) -> bool:
    """ "Biology 1" is either of "Biology 1A" and "Biology 1B"."""
    left = list(name)
    for word in sorted(wanted, key=str.isdecimal):
        meant = next((each for each in left if each == word), None)
        meant = meant or next((each for each in left if begins_number(word, each)), None)
        if meant is None:
            return False
        left.remove(meant)
    return True


def _is_by_initials(wanted: Words, name: Words) -> bool:
    """Letters alone stand for all of a name; beside a word of it, each for one of the others."""
    if any(map(has_digit, wanted)):
        return False
    is_all_letters = len(wanted) == 1 or all(len(word) == 1 for word in wanted)
    if not is_all_letters:
        return _is_by_initial(wanted, name)
    return len(name) > 1 and "".join(wanted) == "".join(word[0] for word in name)


def _is_by_initial(wanted: Words, name: Words) -> bool:
    """Beside a word of a name, a letter stands for one of the others."""
    if len(name) < 2 or any(map(has_digit, wanted)):
        return False
    letters = [word for word in wanted if len(word) == 1 and word.isalpha()]
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


def _is_one_typo_away(wanted: Words, name: Words) -> bool:
    """Whatever its length: "Anne" is "Ann" as well as "Anna"."""
    missing = _missing(wanted, name)
    if len(missing) != 1 or not _may_be_misspelled(missing[0]):
        return False
    return any(is_one_typo(missing[0], word) and not has_digit(word) for word in _missing(name, wanted))


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
