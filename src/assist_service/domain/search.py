"""Searching the manual, as far as it is rules of words: any script, accents, slips, the glossary."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assist_service.domain.text import visible

QUERY_CHARACTERS = 300
"""Of a query, the characters that are looked at; a question in a person's words is shorter."""

WORD_CHARACTERS = 64
"""Of a word, the characters that are looked at: no word of a manual is longer, a key pasted into a query is."""

SLIP_LETTERS = 5
"""A word of fewer letters has too many neighbours for one of them to be what was meant."""

NEAR_WORDS = 5
"""Words taken for what a mistyped one may have meant, at most."""


NAME_WORDS = 5
"""Words of one name in a glossary, at most."""


@dataclass(frozen=True)
class Hit:
    """A page that was found, by the section of it that fits best."""

    section_id: str
    page: str
    score: float


@dataclass(frozen=True)
class Glossary:
    """Words people say and words the screens use: by language, groups of names for one thing."""

    groups: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # A language without names says as much as one that is not there, and must not make another glossary of it.
        object.__setattr__(self, "groups", {language: names for language, names in self.groups.items() if names})

    def of(self, language: str) -> tuple[tuple[str, ...], ...]:
        return self.groups.get(language, ())


_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai and Lao, Myanmar, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"  # kana, Han
    "\uac00-\ud7af"  # Hangul, whose spaces part phrases and whose endings stick to the word
)
"""Scripts without spaces between words: every two neighbouring characters count as a word."""

_MARKS = "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
"""Vowel signs and accents that stand behind their letter: a part of the word, which `\\w` does not know."""

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*")
_RUN = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")

_FOLDED_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
"""Letters that Unicode does not take apart and that people type without their stroke."""


def words(text: str) -> tuple[str, ...]:
    """The words of a text in order, in lower case, with their accents; nothing for what holds no letter or digit."""
    text = visible(text)
    if text.isascii():
        return tuple(word[:WORD_CHARACTERS] for word in _ASCII_WORD.findall(text.lower()))
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return tuple(part for word in _WORD.findall(folded) for part in _parts(word))


def _parts(word: str) -> Iterator[str]:
    """The word itself; of a script without spaces, each pair of neighbours."""
    if not _IS_UNSPACED.search(word):
        yield word[:WORD_CHARACTERS]
        return
    for run in _RUN.findall(word):
        if _IS_UNSPACED.match(run) and len(run) > 1:
            yield from (run[at : at + 2] for at in range(len(run) - 1))
        else:
            yield run[:WORD_CHARACTERS]


def query_words(query: str) -> tuple[str, ...]:
    """The words of a query, which is cut to its bound first."""
    return words(query[:QUERY_CHARACTERS])


def fold(word: str) -> str:
    """The word as it is typed without accents."""
    if word.isascii():
        return word
    taken_apart = unicodedata.normalize("NFKD", word.translate(_FOLDED_LETTERS))
    bare = "".join(character for character in taken_apart if not unicodedata.combining(character))
    return unicodedata.normalize("NFC", bare)


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def near_words(word: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """Known words one slip away (a letter missing, added, wrong, two swapped), the most frequent first.

    Nothing for a short word or one of another alphabet. The slips are made and looked up, which costs the same
    however many words are known.
    """
    if len(word) < SLIP_LETTERS or not (word.isascii() and word.isalpha()):
        return ()
    found = [slip for slip in _slips(word) if slip in known]
    return tuple(sorted(found, key=lambda near: (-known[near], near))[:NEAR_WORDS])


def _slips(word: str) -> set[str]:
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    return {
        *[head + letter + tail for head, tail in cuts for letter in _LETTERS],
        *[head + letter + tail[1:] for head, tail in cuts[:-1] for letter in _LETTERS],
        *[head + tail[1:] for head, tail in cuts[:-1]],
        *[head + tail[1] + tail[0] + tail[2:] for head, tail in cuts[:-2]],
    }


PART_LETTERS = 3
"""The parts of a word that was written together have so many letters at least."""


def split_word(word: str, known: Mapping[str, int]) -> tuple[str, str] | None:
    """Two known words that stand together in this one (`gradebook`): those whose rarer one is most frequent."""
    cuts = range(PART_LETTERS, len(word) - PART_LETTERS + 1)
    pairs = [(word[:at], word[at:]) for at in cuts if word[:at] in known and word[at:] in known]
    return max(pairs, key=lambda pair: min(known[pair[0]], known[pair[1]]), default=None)


def path_words(path: str) -> tuple[str, ...]:
    """The words of a page's path, but for its first folder: that one says who reads it, not what it is about."""
    return words(path.partition("/")[2] or path)
