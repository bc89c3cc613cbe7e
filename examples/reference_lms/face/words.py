"""The words of the pages in three languages, by key; what the school has written stays as it is."""

from collections.abc import Mapping
from functools import cache

from examples.reference_lms.face.cookie_sessions import LANGUAGES
from examples.reference_lms.face.word_table import SCRIPT_WORDS, WORDS


@cache
def words_in(language: str) -> Mapping[str, str]:
    place = LANGUAGES.index(language)
    return {key: texts[place] for key, texts in {**WORDS, **SCRIPT_WORDS}.items()}


def script_words(language: str) -> Mapping[str, str]:
    """Those that are said by scripts."""
    return {key: words_in(language)[key] for key in SCRIPT_WORDS}
