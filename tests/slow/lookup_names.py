"""Whom a few words mean among names, worked out the long way: each way of meaning somebody, from the nearest on."""

import itertools
import operator
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from assist_service.domain.text import visible

_ODD = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "œ": "oe", "æ": "ae", "ı": "i", "ß": "ss"})

Way = Callable[[list[str], list[str]], bool]


def plain(text: str) -> str:
    """Without case and accents."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", visible(text)) if not unicodedata.combining(c))
    return bare.casefold().translate(_ODD)


@cache
def _words_of(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", re.sub(r"['’ʼ]", "", plain(text))))


def words_of(text: str) -> list[str]:
    return list(_words_of(text))


def is_near(left: str, right: str) -> bool:
    """Whether one letter more, less, other, or two that changed places make one word of the other."""
    if left == right:
        return True
    if len(left) == len(right):
        differ = [at for at in range(len(left)) if left[at] != right[at]]
        swapped = len(differ) == 2 and differ[1] == differ[0] + 1
        return len(differ) == 1 or (
            swapped and left[differ[0]] == right[differ[1]] and left[differ[1]] == right[differ[0]]
        )
    short, long = sorted((left, right), key=len)
    return len(long) - len(short) == 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def _pairs(wanted: Sequence[str], name: Sequence[str], fits: Callable[[str, str], bool]) -> bool:
    """Whether each word wanted can have a word of the name to itself."""
    if not wanted:
        return True
    return any(
        fits(wanted[0], of_name) and _pairs(wanted[1:], [*name[:at], *name[at + 1 :]], fits)
        for at, of_name in enumerate(name)
    )


def _is_part(wanted: list[str], name: list[str]) -> bool:
    return all(wanted.count(word) <= name.count(word) for word in wanted)


def _begins(word: str, of_name: str) -> bool:
    return word == of_name or (len(word) >= 3 and not _has_digit(word) and of_name.startswith(word))


def _is_by_initials(wanted: list[str], name: list[str], *, are_written: bool) -> bool:
    """Letters alone for all of a name, or beside whole words of it for some of the others."""
    letters = [word for word in wanted if len(word) == 1]
    if len(name) < 2 or any(map(_has_digit, wanted)):
        return False
    if len(letters) == len(wanted) or len(wanted) == 1:
        return are_written and "".join(wanted) == "".join(word[0] for word in name)
    others, spelled = list(name), [word for word in wanted if len(word) > 1]
    if not letters or not _is_part(spelled, name):
        return False
    for word in spelled:
        others.remove(word)
    return _is_part(letters, [word[0] for word in others])


def _is_by_one_typo(wanted: list[str], name: list[str]) -> bool:
    return any(
        _may_be_wrong(word) and _may_be_wrong(right) and is_near(word, right) and _is_part([*rest, right], name)
        for at, word in enumerate(wanted)
        for rest in [wanted[:at] + wanted[at + 1 :]]
        for right in name
    )


def _may_be_wrong(word: str) -> bool:
    return len(word) >= 4 and not _has_digit(word)


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _is_a_typo_away(wanted: list[str], name: list[str]) -> bool:
    """The same, of a name whose word is as short as it likes."""
    return any(
        _may_be_wrong(word) and not _has_digit(right) and is_near(word, right) and _is_part([*rest, right], name)
        for at, word in enumerate(wanted)
        for rest in [wanted[:at] + wanted[at + 1 :]]
        for right in name
    )


def _is_numbered(word: str, of_name: str) -> bool:
    """ "7" for "7" and for "7B"."""
    return word == of_name or bool(re.fullmatch(r"\d+", word) and re.fullmatch(rf"{word}[^\W\d_]+", of_name))


def _in_label(wanted: list[str], name: list[str], beside: list[str], fits: Callable[[str, str], bool]) -> bool:
    """Whether all of a name is said, and all else is beside it."""
    return any(
        len(rest) < len(wanted) and rest and _is_part(rest, beside) and _pairs(name, used, _turned(fits))
        for used, rest in _splits(wanted, len(name))
        if _is_part([word for word in used if word in beside], name)
    )


def _turned(fits: Callable[[str, str], bool]) -> Callable[[str, str], bool]:
    return lambda left, right: fits(right, left)


def _splits(wanted: list[str], size: int) -> list[tuple[list[str], list[str]]]:
    places = range(len(wanted))
    return [
        ([wanted[at] for at in chosen], [wanted[at] for at in places if at not in chosen])
        for chosen in itertools.combinations(places, size)
        if size < len(wanted) <= 12
    ]


@dataclass(frozen=True)
class Meant:
    """Places, and whether what was written is all there."""

    places: list[int]
    is_exact: bool = True


@dataclass(frozen=True)
class Besides:
    """What stands beside each name in a label; `is_enough` where it may be said alone."""

    texts: Sequence[str]
    is_enough: bool = False


_ADDRESS = re.compile(r"(?i)^(?:(?:mr|ms|mme|gng)\.?|[mg]\.) (?=\w\w)")


def meant(words: str, names: Sequence[str], besides: Besides | None = None) -> Meant:
    """The places of the names that are meant in the nearest way that anybody is."""
    wanted = words_of(words)
    if not wanted:
        return Meant([])
    bare = re.sub(r"['’]s$", "", _ADDRESS.sub("", words))
    wants = [wanted] if bare == words or _has_digit(bare) else [wanted, words_of(bare)]
    labelled = [wanted, words_of(re.sub(r" \(\d+\)$", "", words))] if "·" in words else [wanted]
    all_words = [words_of(name) for name in names]
    beside = [words_of(text) for text in besides.texts] if besides else []
    alone = beside if besides and besides.is_enough else []

    def those(way: Way, wants: Sequence[list[str]], *lists: Sequence[list[str]]) -> set[int]:
        return {at for names in lists for at, name in enumerate(names) for want in wants if way(want, name)}

    def labels(way: Callable[[list[str], list[str], list[str]], bool]) -> set[int]:
        return {at for at, other in enumerate(beside) for want in labelled if way(want, all_words[at], other)}

    for want in wants:
        if whole := those(lambda want, name: sorted(want) == sorted(name), [want], all_words):
            return Meant(sorted(whole))
    if whole := labels(lambda want, name, other: sorted(want) == sorted(name + other)):
        return Meant(sorted(whole))
    exact = those(_is_part, wants, all_words, alone)
    exact |= labels(lambda want, name, other: _in_label(want, name, other, operator.eq))
    near = those(lambda want, name: _pairs(want, name, _is_numbered), wants, all_words, alone)
    near |= labels(lambda want, name, other: _in_label(want, name, other, _is_numbered))
    if exact | near:
        return Meant(sorted(exact | near), near <= exact)
    are_written = words.isupper() or bool(re.search(r"\b[^\W\d_]\.", words))
    for found in (
        those(lambda want, name: _pairs(want, name, _begins), wants, all_words, alone),
        those(lambda want, name: _is_by_initials(want, name, are_written=are_written), wants, all_words),
        those(_is_by_one_typo, wants, all_words, alone) and those(_is_a_typo_away, wants, all_words, alone),
    ):
        if found:
            return Meant(sorted(found), is_exact=False)
    return Meant([])


_NOUNS: Mapping[str, str] = {
    "class": "class classe klase section seksyon course cours kurso group groupe grupo",
    "exam": "exam examen test quiz controle pagsusulit evaluation eksamen eksam class classe klase section seksyon",
    "student": "student pupil learner eleve etudiant etudiante estudyante mag aaral magaaral",
}
_AROUND = (
    "the le la les l de du des d ng ni sa ang na of in on this that ce cet cette ito itong iyon yung my our mon ma"
    " notre ko aking our selected chosen current selectionne selectionnee choisi choisie napili napiling"
).split()


def is_nothing(words: str, kind: str) -> bool:
    """Whether one of a kind is pointed at, and none is named. A word of the kind is always there as it is drawn."""
    said = re.findall(r"[^\W_]+", plain(words))
    nouns = _NOUNS[kind].split()
    return any(word in nouns for word in said) and all(word in nouns or word in _AROUND for word in said)
