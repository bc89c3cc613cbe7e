"""A moderator of words: refuses what holds one of a list, whole, in many disguises. Its time grows with the text."""

import asyncio
import json
import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints, TypeAdapter, ValidationError

from assist_service.adapters.plain_files import read_at_most
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.folding import folded
from assist_service.domain.moderation import WORDS
from assist_service.domain.screens import Language
from assist_service.domain.text import visible

MAX_LIST_BYTES = 256 * 1024

PHRASE_WORDS = 8
"""The most words of one phrase."""

AT_ONCE_CHARACTERS = 4_000
"""A longer text is read in another thread: it takes milliseconds, and nobody else should wait for it."""

LETTERS_OF_ONE = 4
"""A sign that stands for more, up to eighteen, is of no word here, and would make a long text of a short one."""

_Phrase = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_LISTS: TypeAdapter[dict[Language, list[_Phrase]]] = TypeAdapter(
    Annotated[dict[Language, list[_Phrase]], Field(min_length=1)]
)

_MARKS = re.compile(r"[*`\\~\u200c\u200d\ufe0e\ufe0f]")
"""What may stand inside a word and is not seen once Markdown is rendered."""

# One class and no more under each repetition: what could match a run in two ways takes the square of its length.
_WORD = re.compile(r"[^\W_]+")
_SIGNED = re.compile(r"(?:[^\W_]|[@$!|])+")
_SIGNS = str.maketrans("013457@$!|", "oieastasii")
"""Signs that are written for the letters they look like."""

_FIRST_SIGNS = "@$"
_ALL_SIGNS = "@$!|"
"""Those that are punctuation too stand for a letter only inside a word."""

_LONG_RUN = re.compile(r"(.)\1{2,}")
_DOUBLE_VOWEL = re.compile(r"([aeiou])\1+")

_LOOKALIKES = str.maketrans(
    "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456"
    "\u0458\u0455\u04bb\u0501\u04cf\u043a"
    "\u0410\u0412\u0421\u0415\u041d\u041a\u041c\u041e\u0420\u0422\u0425\u0406\u0408\u0405"
    "\u03b1\u03bf\u03bd\u03b9\u03ba\u03c1\u03c5"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
    "aceopxyijshdlkABCEHKMOPTXIJSaovikpuABEZHIKMNOPTYX",
)
"""Letters of the Cyrillic and the Greek script that nobody tells from a Latin one. No word of those becomes one of the
list by it."""

Words = tuple[str, ...]


class WordListModerator:
    """Implements ports.Moderator. Nothing of a text leaves the service."""

    name = WORDS
    provider = None

    def __init__(self, phrases: Iterable[str]) -> None:
        self._phrases = frozenset(map(words_of, phrases))
        self._lengths = _lengths(self._phrases)

    async def refuses(self, text: str) -> bool:
        """Whether the text holds a word or phrase of the list."""
        if len(text) <= AT_ONCE_CHARACTERS:
            return self.holds(text)
        return await asyncio.to_thread(self.holds, text)

    def holds(self, text: str) -> bool:
        """The same at once, in time that grows with the length of the text and no faster."""
        return any(map(self.has_any, _readings(text)))

    async def close(self) -> None:
        """Holds nothing open."""

    def has_any(self, words: Sequence[str]) -> bool:
        """Whether folded words hold a phrase of the list."""
        return any(
            tuple(words[at : at + length]) in self._phrases
            for at, word in enumerate(words)
            for length in self._lengths.get(word, ())
        )


def _lengths(phrases: Iterable[Words]) -> Mapping[str, Collection[int]]:
    """How many words the phrases have that begin with a word: a few lengths, however many phrases."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for phrase in phrases:
        found[phrase[0]].add(len(phrase))
    return found


def words_of(phrase: str) -> Words:
    """A phrase as it is looked for: its words, folded."""
    return tuple(map(folded, _WORD.findall(_bare(phrase))))


def _readings(text: str) -> Iterator[Sequence[str]]:
    """The words as they stand, with letters for the signs that stand for some, and without letters drawn out."""
    bare = _bare(text)
    yield [folded(word) for word in _WORD.findall(bare)]
    spelt = [_LONG_RUN.sub(r"\1", _spelt_out(word)) for word in map(_trimmed, _SIGNED.findall(bare))]
    yield spelt
    yield [_DOUBLE_VOWEL.sub(r"\1", word) for word in spelt]


def _bare(text: str) -> str:
    text = _MARKS.sub("", visible(text))
    # Letter by letter: normalising a whole text takes time that grows with the square of a run of combining marks.
    return text if text.isascii() else "".join(map(_bare_letter, text))


@lru_cache(maxsize=4096)
def _bare_letter(letter: str) -> str:
    """The letter without accents, in the case it has: a code is known by its capitals."""
    parts = (part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
    return "".join(parts)[:LETTERS_OF_ONE].translate(_LOOKALIKES)


def _trimmed(word: str) -> str:
    """A word without the signs around it, but for those that could be its first letters."""
    inner = word.lstrip(_ALL_SIGNS)
    signs = word[: len(word) - len(inner)]
    return signs[len(signs.rstrip(_FIRST_SIGNS)) :] + inner.rstrip(_ALL_SIGNS)


def _spelt_out(word: str) -> str:
    """The word with letters for its signs, unless it is a number or the code of a course, "KY5" or "3B"."""
    has_digit = any(map(str.isdigit, word))
    is_code = has_digit and (word[-1].isdigit() or word.isupper())
    return folded(word) if is_code else folded(word).translate(_SIGNS)


def load_moderator(path: Path | None) -> WordListModerator:
    """The shipped list, with the words of a file beside it. Raises ConfigurationError, one line."""
    shipped = resources.files("assist_service.adapters.moderation") / "words.toml"
    phrases = _phrases(shipped.read_bytes(), "words.toml")
    return WordListModerator(phrases if path is None else (*phrases, *_phrases_of(path)))


def _phrases_of(path: Path) -> Sequence[str]:
    source = f"ASSIST_MODERATION_WORDS: {_one_line(path)}"
    try:
        data = read_at_most(path, MAX_LIST_BYTES)
    except OSError as error:
        raise ConfigurationError(f"{source} cannot be read ({type(error).__name__})") from None
    if len(data) > MAX_LIST_BYTES:
        raise ConfigurationError(f"{source} has more than {MAX_LIST_BYTES} bytes")
    return _phrases(data, source)


def _phrases(data: bytes, source: str) -> Sequence[str]:
    try:
        written = tomllib.loads(data.decode("utf-8").replace("\r\n", "\n"))
        lists = _LISTS.validate_json(json.dumps(written, default=str), strict=True)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors()[:5])
        raise ConfigurationError(f"{source}: {_one_line(faults)}") from None
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{source} is not TOML in UTF-8: {_one_line(error)}") from None
    phrases = [phrase for of_language in lists.values() for phrase in of_language]
    for phrase in phrases:
        if not 0 < len(words_of(phrase)) <= PHRASE_WORDS:
            raise ConfigurationError(f"{source}: {phrase!a} is no word, or has more than {PHRASE_WORDS}")
    return phrases


def _one_line(said: object) -> str:
    return " ".join(str(said).split())
