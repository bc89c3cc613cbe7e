"""From a person's words to a query: built from terms the index holds, never parsed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from tantivy import Occur, Query, Schema

from assist_service.adapters.search.analysis import Terms
from assist_service.domain.search import (
    NAME_WORDS,
    Glossary,
    fold,
    is_stop_word,
    near_words,
    query_words,
    split_word,
    words,
)

TEXT = "text"
"""The one field that is searched: the weights of title and headings are in it, as repetitions."""

LANGUAGE = "language"

QUERY_WORDS = 40
"""Of a query, the different words that are looked up, and the names of the glossary."""

FOREIGN_WEIGHT = 0.85
"""A page in another language than the one asked for: its words are often alike by chance."""

GLOSSARY_WEIGHT = 0.6
"""Another name for a thing counts less than the one that was said."""

EVERYDAY_WEIGHT = 0.5
"""A word of much the same meaning counts less than a name the school itself gives."""

GUESS_WEIGHT = 0.6
"""What a word that is nowhere may have meant counts less than a word that is there."""

TRANSLATION_WEIGHT = 0.8
"""A word in the page's language for one in the question's: the same thing, but a word has more than one meaning."""

NEIGHBOURS_WEIGHT = 0.2
"""Two words of the question that stand together count again by this much: they mean more than both apart."""

NEIGHBOURS_PAIRS = 5
"""Pairs that are looked for: each costs what five words do, and a long question has better marks than these."""

NEIGHBOURS_SLOP = 2
"""Words that may stand between them."""

NEIGHBOURS_DISTANCE = 3
"""Two words of the question this far apart are still taken together: what stands between says nothing."""


@dataclass(frozen=True)
class Word:
    """A word of the question with its place in it."""

    at: int
    text: str


@dataclass(frozen=True)
class Named:
    """A name of the glossary that was said, and the other names of the thing with the weight of each."""

    said: tuple[str, ...]
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
        self._terms = Terms(language)
        self._names: dict[tuple[str, ...], dict[tuple[str, ...], float]] = {}
        for weight, glossary in glossaries:
            for group in glossary.of(language):
                self._learn([words(name) for name in group], weight)

    def _learn(self, names: Sequence[tuple[str, ...]], weight: float) -> None:
        for name in names:
            stems = self._stems(name)
            others = {other: weight for other in names if self._stems(other) != stems}
            self._names.setdefault(stems, {}).update(others)

    def read(self, query: str) -> Reading:
        said = query_words(query)
        first_places = {word: at for at, word in reversed(list(enumerate(said)))}
        placed = [Word(at, word) for word, at in sorted(first_places.items(), key=lambda item: item[1])]
        telling = [word for word in placed if not is_stop_word(word.text, self._language)] or placed
        return Reading(said, tuple(telling[:QUERY_WORDS]), tuple(islice(self._named(said), QUERY_WORDS)))

    def _named(self, said: Sequence[str]) -> Iterator[Named]:
        stems = self._stems(said)
        runs = {
            stems[at : at + length]: tuple(said[at : at + length])
            for length in range(1, NAME_WORDS + 1)
            for at in range(len(stems) - length + 1)
        }
        yield from (Named(run, self._names[name]) for name, run in runs.items() if name in self._names)

    def _stems(self, name: Sequence[str]) -> tuple[str, ...]:
        """A name as terms, so that a plural is it too."""
        return tuple(self._terms.of(word)[0] for word in name)


class QueryBuilder:
    """Builds the queries for the pages of one language, from the words that are on them."""

    def __init__(self, schema: Schema, language: str, terms: Terms, vocabulary: Mapping[str, int]) -> None:
        self._schema = schema
        self._language = language
        self._terms = terms
        self._vocabulary = vocabulary
        self._known = frozenset(term for word in vocabulary for term in terms.of(word))

    def build(self, reading: Reading, asked_for: str) -> tuple[Query, Query] | None:
        """The queries for sections and for whole pages; None where these pages have nothing of what was read.

        Only a section's query minds which words stand together: somewhere on a long page most of them do.
        """
        meant = [self._any_of(ways) for ways in self._ways(reading) if ways]
        if not meant:
            return None
        weight = 1.0 if asked_for == self._language else FOREIGN_WEIGHT
        neighbours = islice(self._neighbours(reading.telling), NEIGHBOURS_PAIRS)
        return self._weighed([*meant, *neighbours], weight), self._weighed(meant, weight)

    def _weighed(self, meant: Sequence[Query], weight: float) -> Query:
        any_of_it = Query.boost_query(Query.boolean_query([(Occur.Should, one) for one in meant]), weight)
        language = Query.term_query(self._schema, LANGUAGE, self._language, index_option="basic")
        return Query.boolean_query([(Occur.Must, Query.const_score_query(language, 0.0)), (Occur.Must, any_of_it)])

    def _ways(self, reading: Reading) -> Iterator[list[Query]]:
        """For each word, and each name of the glossary, what it can be found by."""
        named = {name.said for name in reading.named}
        yield from (self._ways_of(word.text) for word in reading.telling if (word.text,) not in named)
        yield from (self._together(first, second) for first, second in pairwise(reading.said))
        for name in reading.named:
            # The words of a longer name are looked for one by one already.
            itself = self._ways_of(name.said[0]) if len(name.said) == 1 else []
            yield [*itself, *self._others(name)]

    def _others(self, name: Named) -> Iterator[Query]:
        for other, weight in name.others.items():
            if self._knows(other):
                yield Query.boost_query(self._all_of(other), weight)

    def _ways_of(self, word: str) -> list[Query]:
        if known := self._known_terms(word):
            return [self._term(term) for term in known]
        bare = fold(word)
        if parts := split_word(bare, self._vocabulary):
            return [Query.boost_query(self._all_of(parts), GUESS_WEIGHT)]
        near = dict.fromkeys(t for other in near_words(bare, self._vocabulary) for t in self._known_terms(other))
        return [Query.boost_query(self._term(term), GUESS_WEIGHT) for term in near]

    def _together(self, first: str, second: str) -> list[Query]:
        """Two words that the manual writes as one: *log in*, *e-mail*."""
        whole = fold(first + second)
        return [self._term(term) for term in self._known_terms(whole)] if whole in self._vocabulary else []

    def _known_terms(self, word: str) -> list[str]:
        return [term for term in self._terms.of(word) if term in self._known]

    def _knows(self, name: Sequence[str]) -> bool:
        return all(map(self._known_terms, name))

    def _neighbours(self, telling: Sequence[Word]) -> Iterator[Query]:
        for first, second in pairwise(telling):
            pair = [self._terms.of(word.text)[0] for word in (first, second)]
            if second.at - first.at <= NEIGHBOURS_DISTANCE and pair[0] != pair[1] and self._known.issuperset(pair):
                phrase = Query.phrase_query(self._schema, TEXT, [*pair], slop=NEIGHBOURS_SLOP)
                yield Query.boost_query(phrase, NEIGHBOURS_WEIGHT)

    def _term(self, term: str) -> Query:
        return Query.term_query(self._schema, TEXT, term, index_option="freq")

    def _any_of(self, ways: Sequence[Query]) -> Query:
        """The best of several ways to find one word: a page that has them all is no better for it."""
        return ways[0] if len(ways) == 1 else Query.disjunction_max_query(ways)

    def _all_of(self, parts: Sequence[str]) -> Query:
        each = [self._any_of([self._term(term) for term in self._known_terms(part)]) for part in parts]
        return each[0] if len(each) == 1 else Query.boolean_query([(Occur.Must, one) for one in each])
