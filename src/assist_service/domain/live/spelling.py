"""How a name may be written: with its hyphens and apostrophes or without them, and with one slip of the hand."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from assist_service.domain.folding import folded
from assist_service.domain.text import visible

Words = tuple[str, ...]

_ALIKE = str.maketrans(dict.fromkeys("’‘ʼʻʹ`´′", "'") | dict.fromkeys("‐‑‒–—−", "-"))
"""Signs that keyboards set for an apostrophe and a hyphen. Before folding, which makes a space of one of them."""

_BETWEEN = str.maketrans(dict.fromkeys('!"(),./:;<=>?[\\]_{|}·•«»“”„‹›¡¿…、，。・،؛؟&', " "))
"""Signs that part words. Not "+" and "#": "C+" is not "C"."""

_WAYS: tuple[Mapping[int, str], ...] = (
    str.maketrans({"'": " ", "-": " "}),
    str.maketrans({"'": "", "-": ""}),
    str.maketrans({"'": "", "-": " "}),
    str.maketrans({"'": " ", "-": ""}),
)
"""With apostrophes and hyphens as spaces or as nothing, each as it comes."""

_RANGE = re.compile(r"(?<=\d)[-'](?=\d)")
"""Between numbers a hyphen always parts: "Quiz 1-2" is not "Quiz 12"."""

_DIGIT = re.compile(r"\d")

_LETTER_OF_NUMBER = re.compile(r"(?<=\d) (?=[^\W\d_](?: |$))")
"""The space of "3 B"."""

_NUMBER_OF_WORD = re.compile(r"(?<=[^\W\d_]) (?=\d)")
"""The space of "Quiz 1"."""

_TITLE = re.compile(
    r"^\s*(?:(?:mr|mrs|ms|miss|mme|mlle|dr|prof|gng|bb|monsieur|madame|ginoong|ginang)\b\.?|[mg]\.)\s*(?=\w\w)",
    re.IGNORECASE,
)
"""How people are addressed. "M" and "G" only with a point: they are somebody's initial without one."""

_POSSESSIVE = re.compile(r"(?<=\w)['’‘ʼ`´]s[.\s]*$", re.IGNORECASE)

_LABEL_NUMBER = re.compile(r" \(\d{1,4}\)(?=\s*$| ·)")

_POINTED = re.compile(r"\b[^\W\d_]\.")

_NO_SPACES = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+"
)
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese and Korean letters: a name may be one word, or the given name a part."""


def readings(text: str) -> tuple[Words, ...]:
    """The words of a text, by each way of writing it; none twice, none empty."""
    plain = folded(visible(text).translate(_ALIKE))  # nobody types what nobody sees
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", plain)
    spaced = _RANGE.sub(" ", plain.translate(_BETWEEN))
    ways = _WAYS if "'" in spaced or "-" in spaced else ({},)
    found = dict.fromkeys(each for way in ways for each in _regrouped(tuple(spaced.translate(way).split())))
    if not found and plain.strip():
        return ((plain.strip(),),)  # a name of nothing but signs
    return tuple(found)


def as_addressed(words: str) -> str:
    """The words without a "Mr" before them and a possessive "'s" behind; nothing where nothing would be left out."""
    bare = _POSSESSIVE.sub("", _TITLE.sub("", words))
    return "" if bare == words or has_digit(bare) else bare


def without_label_number(words: str) -> str:
    """The words without the " (2)" that tells apart what is called alike; nothing where there is none."""
    bare = _LABEL_NUMBER.sub("", words)
    return "" if bare == words else bare


def may_be_initials(words: str) -> bool:
    """Whether letters alone are written as initials are: "LI", "L.I.", "l. i.", and not "li"."""
    return words.isupper() or _POINTED.search(words) is not None


def _regrouped(words: Words) -> Iterator[Words]:
    """The same words, and with those together that may be written so."""
    if words:
        yield words
    if len(words) > 1:
        if has_digit("".join(words)):
            lettered = _LETTER_OF_NUMBER.sub("", " ".join(words))
            yield tuple(lettered.split())
            yield tuple(_NUMBER_OF_WORD.sub("", lettered).split())
        if has_no_spaces("".join(words)):
            yield ("".join(words),)


def has_digit(word: str) -> bool:
    return _DIGIT.search(word) is not None


def begins_number(word: str, other: str) -> bool:
    """Whether a bare number is that of another: "3" of "3A", and not of "30"."""
    return word.isdecimal() and other.startswith(word) and other[len(word) :].isalpha()


def has_no_spaces(word: str) -> bool:
    """Whether it is all in letters that are written without spaces."""
    return not word.isascii() and _NO_SPACES.fullmatch(word) is not None


def is_one_typo(one: str, other: str) -> bool:
    """Whether one letter was left out, put in or taken for another, or two neighbours changed places."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    short, long = sorted((one, other), key=len)
    at = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    if short[at + 1 :] == long[at + 1 :]:
        return True
    return short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
