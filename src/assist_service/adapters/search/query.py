"""From what was read of a question to a query: built from terms the index holds, never parsed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from tantivy import Occur, Query, Schema

from assist_service.adapters.search.analysis import Terms
from assist_service.adapters.search.rarity import Parts, Rarity
from assist_service.adapters.search.reading import Named, Reading, Word
from assist_service.domain.search import fold, near_words, split_word

TEXT = "text"
"""The one field that is searched: the weights of title and headings are in it, as repetitions."""

LANGUAGE = "language"

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
class Way:
    """One way to find what was said: all parts of a name, each as any of its terms, and what that counts."""

    weight: float
    parts: Parts


class QueryBuilder:
    """Builds the queries for the pages of one language, from the words that are on them."""

    def __init__(
        self,
        schema: Schema,
        language: str,
        terms: Terms,
        vocabulary: Mapping[str, int],
        *,
        in_sections: Rarity,
        in_pages: Rarity,
    ) -> None:
        self._schema = schema
        self._language = language
        self._terms = terms
        self._vocabulary = vocabulary
        self._in_sections = in_sections
        self._in_pages = in_pages

    def build(self, reading: Reading, asked_for: str) -> tuple[Query, Query] | None:
        """The queries for sections and for whole pages; None where these pages have nothing of what was read.

        Only a section's query minds which words stand together: somewhere on a long page most of them do.
        """
        meant = [ways for ways in self._meant(reading) if ways]
        if not meant:
            return None
        weight = 1.0 if asked_for == self._language else FOREIGN_WEIGHT
        neighbours = islice(self._neighbours(reading.telling), NEIGHBOURS_PAIRS)
        in_sections = [self._any_way(ways, self._in_sections) for ways in meant]
        in_pages = [self._any_way(ways, self._in_pages) for ways in meant]
        return self._weighed([*in_sections, *neighbours], weight), self._weighed(in_pages, weight)

    def _weighed(self, meant: Sequence[Query], weight: float) -> Query:
        any_of_it = Query.boost_query(Query.boolean_query([(Occur.Should, one) for one in meant]), weight)
        language = Query.term_query(self._schema, LANGUAGE, self._language, index_option="basic")
        return Query.boolean_query([(Occur.Must, Query.const_score_query(language, 0.0)), (Occur.Must, any_of_it)])

    def _meant(self, reading: Reading) -> Iterator[list[Way]]:
        """For each word, and each name of the glossary, the ways it can be found; as it was said comes first."""
        named = {name.said for name in reading.named}
        yield from (self._ways_of(word.text, word.weight) for word in reading.telling if (word.text,) not in named)
        yield from (self._together(first, second) for first, second in pairwise(reading.said))
        for name in reading.named:
            # The words of a longer name are looked for one by one already.
            itself = self._ways_of(name.said[0], name.weight) if len(name.said) == 1 else []
            yield [*itself, *self._others(name)]

    def _others(self, name: Named) -> Iterator[Way]:
        for other, weight in name.others.items():
            parts = tuple(map(self._known_terms, other))
            if all(parts):
                yield Way(weight, parts)

    def _ways_of(self, word: str, weight: float) -> list[Way]:
        if known := self._known_terms(word):
            return [Way(weight, (known,))]
        bare = fold(word)
        if parts := split_word(bare, self._vocabulary):
            return [Way(weight * GUESS_WEIGHT, tuple(map(self._known_terms, parts)))]
        near = dict.fromkeys(t for other in near_words(bare, self._vocabulary) for t in self._known_terms(other))
        return [Way(weight * GUESS_WEIGHT, ((term,),)) for term in near]

    def _together(self, first: str, second: str) -> list[Way]:
        """Two words that the manual writes as one: *log in*, *e-mail*."""
        whole = fold(first + second)
        return [Way(1.0, (self._known_terms(whole),))] if whole in self._vocabulary else []

    def _known_terms(self, word: str) -> tuple[str, ...]:
        return tuple(term for term in self._terms.of(word) if term in self._in_sections.here)

    def _neighbours(self, telling: Sequence[Word]) -> Iterator[Query]:
        for first, second in pairwise(telling):
            pair = [self._terms.of(word.text)[0] for word in (first, second)]
            near = second.at - first.at <= NEIGHBOURS_DISTANCE and pair[0] != pair[1]
            if near and all(term in self._in_sections.here for term in pair):
                phrase = Query.phrase_query(self._schema, TEXT, [*pair], slop=NEIGHBOURS_SLOP)
                yield Query.boost_query(phrase, NEIGHBOURS_WEIGHT)

    def _any_way(self, ways: Sequence[Way], rarity: Rarity) -> Query:
        """The best of the ways: a page that has them all is no better for it.

        Each counts as if it were as rare as what was said: a rare synonym is no better witness than the word itself.
        """
        share = rarity.share(ways[0].parts)
        return _best_of([self._all_parts(way, rarity, share) for way in ways])

    def _all_parts(self, way: Way, rarity: Rarity, share: float) -> Query:
        weight = way.weight / len(way.parts)
        each = [
            _best_of([self._term(term, weight * rarity.boost(term, share)) for term in terms]) for terms in way.parts
        ]
        return each[0] if len(each) == 1 else Query.boolean_query([(Occur.Must, one) for one in each])

    def _term(self, term: str, boost: float) -> Query:
        return Query.boost_query(Query.term_query(self._schema, TEXT, term, index_option="freq"), boost)


def _best_of(queries: Sequence[Query]) -> Query:
    return queries[0] if len(queries) == 1 else Query.disjunction_max_query(queries)
