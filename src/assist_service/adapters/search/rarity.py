"""How much finding a term says, by how rare it is: among the pages of its own language, where words compare."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

Parts = tuple[tuple[str, ...], ...]
"""Every part of a name, each as the terms that it may stand as."""


@dataclass(frozen=True)
class Rarity:
    """Counts of the documents a reader may read: of one language, with each term and in all, and of every language."""

    here: Mapping[str, int]
    here_documents: int
    documents: int

    def share(self, parts: Parts) -> float:
        """The share of this language's documents that have all parts, at most."""
        found = min(max(self.here.get(term, 0) for term in terms) for terms in parts)
        return found / max(self.here_documents, 1)

    def wanted(self, share: float) -> float:
        """What a term on this share of the documents is to weigh, by the documents of every language.

        Else a word of a language with few pages could not be rare.
        """
        return _weight(share * self.documents, self.documents)

    def counted(self, term: str) -> float:
        """What the index of this language makes a term weigh by itself."""
        return _weight(self.here[term], self.here_documents)


def _weight(found: float, documents: int) -> float:
    """The inverse document frequency of BM25, as the index has it."""
    return math.log(1 + (documents - found + 0.5) / (found + 0.5))
