"""Whom a few words mean among names, worked out the long way: each way of meaning somebody, from the nearest on."""

import re
import unicodedata
from collections.abc import Callable, Sequence
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


def _is_by_initials(wanted: list[str], name: list[str]) -> bool:
    """Letters alone for all of a name, or beside whole words of it for some of the others."""
    letters = [word for word in wanted if len(word) == 1]
    if len(name) < 2 or any(map(_has_digit, wanted)):
        return False
    if len(letters) == len(wanted) or len(wanted) == 1:
        return "".join(wanted) == "".join(word[0] for word in name)
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


WAYS: Sequence[Way] = (
    lambda wanted, name: sorted(wanted) == sorted(name),
    _is_part,
    lambda wanted, name: _pairs(wanted, name, _begins),
    _is_by_initials,
    _is_by_one_typo,
)


def meant(words: str, names: Sequence[str]) -> list[int]:
    """The places of the names that are meant in the nearest way that anybody is."""
    wanted = words_of(words)
    if not wanted:
        return []
    all_words = [words_of(name) for name in names]
    for way in WAYS:
        found = [at for at, name in enumerate(all_words) if way(wanted, name)]
        if found:
            return found
    return []
