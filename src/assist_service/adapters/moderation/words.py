"""A moderator of words: refuses what holds one of a list, whole, however it is written. Reads a text once."""

import asyncio
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
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

_WORD = re.compile(r"[^\W_]+")
_SIGNED_WORD = re.compile(r"[^\W_]+(?:[@$!|]+[^\W_]+)*|[@$]+[^\W_]+(?:[@$!|]+[^\W_]+)*")
_SIGNS = str.maketrans("013457@$!|", "oieastasii")
"""Signs that are written for the letters they look like."""

_LONG_RUN = re.compile(r"(.)\1{2,}")

Words = tuple[str, ...]


class WordListModerator:
    """Implements ports.Moderator. Nothing of a text leaves the service."""

    name = WORDS
    provider = None

    def __init__(self, phrases: Iterable[str]) -> None:
        self._phrases: Mapping[str, Collection[Words]] = _by_first(map(words_of, phrases))

    async def refuses(self, text: str) -> bool:
        """Whether the text holds a word or phrase of the list."""
        if len(text) <= AT_ONCE_CHARACTERS:
            return self.holds(text)
        return await asyncio.to_thread(self.holds, text)

    def holds(self, text: str) -> bool:
        """The same at once, in time that grows with the length of the text and no faster."""
        plain = _plain(text)
        return self.has_any(_WORD.findall(plain)) or self.has_any(_spelt_out(plain))

    async def close(self) -> None:
        """Holds nothing open."""

    def has_any(self, words: Sequence[str]) -> bool:
        """Whether folded words hold a phrase of the list."""
        return any(
            phrase == tuple(words[at : at + len(phrase)])
            for at, word in enumerate(words)
            for phrase in self._phrases.get(word, ())
        )


def _by_first(phrases: Iterable[Words]) -> Mapping[str, Collection[Words]]:
    found: defaultdict[str, set[Words]] = defaultdict(set)
    for phrase in phrases:
        found[phrase[0]].add(phrase)
    return found


def words_of(phrase: str) -> Words:
    """A phrase as it is looked for: its words, folded."""
    return tuple(_WORD.findall(_plain(phrase)))


def _plain(text: str) -> str:
    text = _MARKS.sub("", visible(text))
    # Letter by letter: normalising a whole text takes time that grows with the square of a run of combining marks.
    return text.casefold() if text.isascii() else "".join(map(_folded_letter, text))


@lru_cache(maxsize=4096)
def _folded_letter(letter: str) -> str:
    return folded(letter)[:LETTERS_OF_ONE]


def _spelt_out(plain: str) -> list[str]:
    """The words with letters for the signs that stand for some, and without letters drawn out."""
    signed = (_LONG_RUN.sub(r"\1", word) for word in _SIGNED_WORD.findall(plain))
    return [word if word.isdigit() else word.translate(_SIGNS) for word in signed]


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
