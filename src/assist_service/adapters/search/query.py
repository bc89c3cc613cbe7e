"""From what was read of a question to a query: built from terms the index holds, never parsed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from tantivy import Occur, Query, Schema

from assist_service.adapters.search.analysis import REMEMBERED_WORDS, Terms
from assist_service.adapters.search.rarity import Parts, Rarity
from assist_service.adapters.search.reading import Named, Reading, Word
from assist_service.domain.search import fold, near_words, split_word

TEXT = "text"
"""The one field that is searched: the weights of title and headings are in it, as repetitions."""

IDENTITY = "identity"

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

NEIGHBOURS_PAIRS = 3
"""Pairs that are looked for: each costs what five words do, and a long question has better marks than these."""

NEIGHBOURS_SLOP = 2
"""Words that may stand between them."""

NEIGHBOURS_DISTANCE = 3
"""Two words of the question this far apart are still taken together: what stands between says nothing."""


GUESSED_WORDS = 5
"""Words of a question that are on none of the pages, of which slips are looked for: each costs hundreds of look-ups."""

MEANT = 16
"""Words and names of a question that are looked for in a language, the most telling first."""

REMEMBERED_CONCEPTS = 5_000
"""Words, pairs and names whose queries are kept: some kilobytes each."""

WAYS = 8
"""Ways to find each of them."""


@dataclass(frozen=True)
class Way:
    """One way to find what was said: all parts of a name, each as any of its terms, and what that counts."""

    weight: float
    parts: Parts


@dataclass(frozen=True)
class Concept:
    """A word or a name that was said, as the queries that look for it, and how much it tells."""

    tells: float
    in_sections: Query
    in_pages: Query


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
        self._known_terms = lru_cache(REMEMBERED_WORDS)(self._terms_here)
        self._known_parts = lru_cache(REMEMBERED_WORDS)(self._parts_here)
        # People ask in the same words again and again, and a word's queries cost more than looking them up.
        self._of_word = lru_cache(REMEMBERED_CONCEPTS)(self._word)
        self._of_pair = lru_cache(REMEMBERED_CONCEPTS)(self._pair)
        self._of_name = lru_cache(REMEMBERED_CONCEPTS)(self._name)

    def build(self, reading: Reading, asked_for: str) -> tuple[Query, Query] | None:
        """The queries for sections and for whole pages; None where these pages have nothing of what was read.

        Only a section's query minds which words stand together: somewhere on a long page most of them do.
        """
        meant = self._most_telling(reading)
        if not meant:
            return None
        weight = 1.0 if asked_for == self._language else FOREIGN_WEIGHT
        neighbours = islice(self._neighbours(reading.telling), NEIGHBOURS_PAIRS)
        in_sections = [*(each.in_sections for each in meant), *neighbours]
        return self._weighed(in_sections, weight), self._weighed([each.in_pages for each in meant], weight)

    def _most_telling(self, reading: Reading) -> list[Concept]:
        """Of a long question, the words that can change most in the order: the rarest, by what each counts."""
        meant = [concept for concept in self._meant(reading) if concept is not None]
        return sorted(meant, key=lambda concept: concept.tells, reverse=True)[:MEANT]

    def _weighed(self, meant: Sequence[Query], weight: float) -> Query:
        return Query.boost_query(Query.boolean_query([(Occur.Should, one) for one in meant]), weight)

    def _meant(self, reading: Reading) -> Iterator[Concept | None]:
        """Each word, and each name of the glossary, with the ways it can be found."""
        named = {name.said for name in reading.named}
        unknown = (word.text for word in reading.telling if not self._known_terms(word.text))
        guessed = frozenset(islice(unknown, GUESSED_WORDS))
        for word in reading.telling:
            if (word.text,) not in named:
                yield self._of_word(word.text, word.weight, word.text in guessed)
        yield from (self._of_pair(first, second) for first, second in pairwise(reading.said))
        for name in reading.named:
            yield self._of_name(name, name.said[0] in guessed)

    def _word(self, word: str, weight: float, guessed: bool) -> Concept | None:
        return self._concept(self._ways_of(word, weight, guessed=guessed))

    def _pair(self, first: str, second: str) -> Concept | None:
        return self._concept(self._together(first, second))

    def _name(self, name: Named, guessed: bool) -> Concept | None:
        # The words of a longer name are looked for one by one already.
        itself = self._ways_of(name.said[0], name.weight, guessed=guessed) if len(name.said) == 1 else []
        return self._concept([*itself, *self._others(name)][:WAYS])

    def _concept(self, ways: Sequence[Way]) -> Concept | None:
        """As it was said comes first of the ways; None where these pages have none of them."""
        if not ways:
            return None
        tells = ways[0].weight * self._in_sections.wanted(self._in_sections.share(ways[0].parts))
        return Concept(tells, self._any_way(ways, self._in_sections), self._any_way(ways, self._in_pages))

    def _others(self, name: Named) -> list[Way]:
        known = ((weight, self._known_parts(other)) for other, weight in name.others.items())
        ways = [Way(weight, parts) for weight, parts in known if parts]
        return ways if len(ways) < WAYS else sorted(ways, key=lambda way: -way.weight)

    def _ways_of(self, word: str, weight: float, *, guessed: bool) -> list[Way]:
        if known := self._known_terms(word):
            return [Way(weight, (known,))]
        return [Way(weight * GUESS_WEIGHT, parts) for parts in self._guesses(word)] if guessed else []

    def _guesses(self, word: str) -> tuple[Parts, ...]:
        """What a word that is nowhere on these pages may have meant: two words written together, or a slip."""
        bare = fold(word)
        if parts := split_word(bare, self._vocabulary):
            return (tuple(map(self._known_terms, parts)),)
        near = dict.fromkeys(t for other in near_words(bare, self._vocabulary) for t in self._known_terms(other))
        return tuple(((term,),) for term in near)

    def _together(self, first: str, second: str) -> list[Way]:
        """Two words that the manual writes as one: *log in*, *e-mail*."""
        whole = fold(first + second)
        return [Way(1.0, (self._known_terms(whole),))] if whole in self._vocabulary else []

    def _terms_here(self, word: str) -> tuple[str, ...]:
        return tuple(term for term in self._terms.of(word) if term in self._in_sections.here)

    def _parts_here(self, name: tuple[str, ...]) -> Parts:
        """Every part of a name as these pages have it; nothing where they lack one."""
        parts = tuple(map(self._known_terms, name))
        return parts if all(parts) else ()

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
        wanted = rarity.wanted(rarity.share(ways[0].parts))
        return _best_of([self._all_parts(way, rarity, wanted) for way in ways])

    def _all_parts(self, way: Way, rarity: Rarity, wanted: float) -> Query:
        weight = way.weight * wanted / len(way.parts)
        each = [_best_of([self._term(term, weight / rarity.counted(term)) for term in terms]) for terms in way.parts]
        return each[0] if len(each) == 1 else Query.boolean_query([(Occur.Must, one) for one in each])

    def _term(self, term: str, boost: float) -> Query:
        return Query.boost_query(Query.term_query(self._schema, TEXT, term, index_option="freq"), boost)


def _best_of(queries: Sequence[Query]) -> Query:
    return queries[0] if len(queries) == 1 else Query.disjunction_max_query(queries)
