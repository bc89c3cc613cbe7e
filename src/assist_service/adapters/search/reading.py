"""What a question says before it meets the manual: its telling words, and the names of things in it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from assist_service.adapters.search.analysis import REMEMBERED_WORDS, Terms
from assist_service.domain.search import NAME_WORDS, Glossary, query_words, words
from assist_service.domain.telling import LITTLE, telling

QUERY_WORDS = 40
"""Of a query, the different words that are looked up, and the names of the glossary."""


@dataclass(frozen=True)
class Word:
    """A word of the question with its place in it, and how much it says, from 0 to 1."""

    at: int
    text: str
    weight: float


@dataclass(frozen=True, eq=False)
class Named:
    """A name of the glossary that was said, how much it says, and the other names with the weight of each.

    A reader makes each once, and it is equal to itself only: what was made of it is found again without a look inside.
    """

    said: tuple[str, ...]
    weight: float
    others: Mapping[tuple[str, ...], float]


@dataclass(frozen=True)
class Reading:
    """What a question says before it meets a language of the manual."""

    said: tuple[str, ...]
    telling: tuple[Word, ...]
    """The words that carry the subject, each once; all of them where none does."""
    named: tuple[Named, ...]


class Reader:
    """Reads questions in one language: its stop words, its other names for things."""

    def __init__(self, language: str, glossaries: Sequence[tuple[float, Glossary]]) -> None:
        """The glossaries with the weight of the names in them; of a name in several, the last one's counts."""
        self._language = language
        self._named_as = lru_cache(REMEMBERED_WORDS)(self._made)
        self._terms = Terms(language)
        self._names: dict[tuple[str, ...], dict[tuple[str, ...], float]] = {}
        for weight, glossary in glossaries:
            for group in glossary.of(language):
                self._learn([words(name) for name in group], weight)

    def _learn(self, names: Sequence[tuple[str, ...]], weight: float) -> None:
        stems = {name: self._stems(name) for name in names}
        for own in stems.values():
            self._names.setdefault(own, {}).update({name: weight for name in names if stems[name] != own})

    def read(self, query: str) -> Reading:
        said = query_words(query)
        first_places = {word: at for at, word in reversed(list(enumerate(said)))}
        placed = sorted(first_places.items(), key=lambda item: item[1])
        weighed = [Word(at, word, weight) for word, at in placed if (weight := telling(word, self._language))]
        telling_words = weighed or [Word(at, word, 1.0) for word, at in placed]
        return Reading(said, tuple(telling_words[:QUERY_WORDS]), tuple(islice(self._named(said), QUERY_WORDS)))

    def _named(self, said: Sequence[str]) -> Iterator[Named]:
        stems = self._stems(said)
        runs = {
            stems[at : at + length]: tuple(said[at : at + length])
            for length in range(1, NAME_WORDS + 1)
            for at in range(len(stems) - length + 1)
        }
        for name, run in runs.items():
            if name in self._names:
                yield self._named_as(name, run)

    def _made(self, name: tuple[str, ...], run: tuple[str, ...]) -> Named:
        weight = self._said(run)
        return Named(run, weight, {other: weight * each for other, each in self._names[name].items()})

    def _said(self, name: Sequence[str]) -> float:
        """How much a name says: as its most telling word, and something even where each word says nothing."""
        return max(LITTLE, *(telling(word, self._language) for word in name))

    def _stems(self, name: Sequence[str]) -> tuple[str, ...]:
        """A name as terms, so that a plural is it too."""
        return tuple(self._terms.of(word)[0] for word in name)
