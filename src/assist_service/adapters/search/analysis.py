"""From words to terms: stems by language, and both ways of taking a word's accents off."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from assist_service.domain.search import fold

REMEMBERED_WORDS = 50_000
"""Words whose terms are kept: more than a large manual has, and a bound for what people type."""

_STEMMERS: Mapping[str, str] = {"en": "english", "fr": "french"}

_STRONG = frozenset({"fr"})
"""Languages in which a stem without accents is stemmed again: *publiee* ends at *publie*, and *publier* at *publi*."""


class Terms:
    """The terms of a word in one language; a language without a stemmer has the words themselves."""

    def __init__(self, language: str) -> None:
        self._stemmer = _stemmer(_STEMMERS[language]) if language in _STEMMERS else None
        self._strong = language in _STRONG
        self.of = lru_cache(REMEMBERED_WORDS)(self._of)

    def _of(self, word: str) -> tuple[str, ...]:
        """Folded and then stemmed, and, where it is another, stemmed and then folded.

        The first joins *publiée* with *publiee*, the second *publiée* with *publier*: neither does both.
        """
        bare = fold(word)
        first = self._stem(bare)
        if self._strong:
            first = self._stem(first)
        second = first if bare == word else fold(self._stem(word))
        return (first,) if first == second else (first, second)

    def _stem(self, word: str) -> str:
        return next(iter(self._stemmer.analyze(word)), word) if self._stemmer is not None else word

    def text(self, words: Iterable[str]) -> str:
        """What is indexed: the first terms in their order, then the second ones, which no phrase needs."""
        firsts: list[str] = []
        seconds: list[str] = []
        for word in words:
            first, *second = self.of(word)
            firsts.append(first)
            seconds += second
        return " ".join(firsts + seconds)


def _stemmer(language: str) -> TextAnalyzer:
    # One word at a time: the splitting into words is ours, the same for what is indexed and what is asked.
    return TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stemmer(language)).build()
