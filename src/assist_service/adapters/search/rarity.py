"""How much finding a term says, by how rare it is: among the pages of its own language, where words compare."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Parts = tuple[tuple[str, ...], ...]
"""Every part of a name, each as the terms that it may stand as."""


@dataclass(frozen=True)
class Rarity:
    """Counts of documents: with a term and in all, of one language and of the index that is scored as a whole."""

    here: Counter[str]
    here_documents: int
    everywhere: Counter[str]
    documents: int

    def share(self, parts: Parts) -> float:
        """The share of this language's documents that have all parts, at most."""
        found = min(max(self.here[term] for term in terms) for terms in parts)
        return found / max(self.here_documents, 1)

    def boost(self, term: str, share: float) -> float:
        """What lifts or lowers a term, as the index scores it by its own rarity, to one that this share has."""
        return self._weight(share * self.documents) / self._weight(self.everywhere[term])

    def _weight(self, found: float) -> float:
        """The inverse document frequency of BM25, as the index has it."""
        return math.log(1 + (self.documents - found + 0.5) / (found + 0.5))


def rarities(documents: Iterable[tuple[str, Sequence[str]]]) -> dict[str, Rarity]:
    """By language, from every document's language and terms."""
    everywhere: Counter[str] = Counter()
    here: dict[str, Counter[str]] = {}
    sizes: Counter[str] = Counter()
    for language, terms in documents:
        each = set(terms)
        everywhere.update(each)
        here.setdefault(language, Counter()).update(each)
        sizes[language] += 1
    return {language: Rarity(counted, sizes[language], everywhere, sizes.total()) for language, counted in here.items()}
