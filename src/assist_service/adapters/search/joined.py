"""The index of words joined with vectors: what a question means finds pages that share no word with it.

Only this reader's sections are compared, so that nothing else can move a rank. A model puts texts of one language
nearer to each other than to any of another, whatever they say; so a section counts by how far it stands out among
this reader's sections of its own language.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assist_service.adapters.search.index import written_for
from assist_service.domain.fusion import fused
from assist_service.domain.manual import Audience, Publication, Section
from assist_service.domain.search import QUERY_CHARACTERS, Hit, query_words
from assist_service.domain.vectors import Vectors
from assist_service.ports import Embedder, SectionIndex

PAGES = 20
"""Of each ranking, the pages that are joined. A vector is near everything: a longer tail would only be guesses."""

PAGES_ALONE = 5
"""Where no word of the query is in the manual: it may have nothing to do with it, and a list would mislead."""

SECTIONS = 10 * PAGES
"""Of each language, the sections that are looked through for these pages."""

OWN_APART = 1.3
"""In standard deviations: how much further a section stands out that was written for this reader, rather than for
others who need it. What a teacher asks, a student's page says nearly as well."""

WORDS_WEIGHT, MEANING_WEIGHT = 1.0, 0.6
"""The words' ranking knows the manual's names and this language's forms, and is right more often where both speak."""


@dataclass(frozen=True)
class _Shelf:
    """The sections of one language for one audience; a row of the matrix is a section's vector."""

    audience: Audience
    sections: Sequence[Section]
    rows: Mapping[str, int]
    matrix: NDArray[np.float32]


class JoinedIndex:
    """Implements ports.SectionIndex. Safe from several threads, as its parts are."""

    takes_time = True

    def __init__(self, words: SectionIndex, publication: Publication, vectors: Vectors, embedder: Embedder) -> None:
        """`words` is of the same publication; a section without a vector is found by it alone. Raises ValueError for
        vectors that are not of this model, by name or by size."""
        if vectors.model != embedder.model or vectors.of_size(embedder.dimensions) != vectors:
            raise ValueError("the vectors are not of this model")
        self._words = words
        self._embedder = embedder
        self._publication = publication
        self._shelves = _shelves(publication, vectors)
        self._lacking = {
            section.id
            for page in publication.pages
            for section in page.sections
            if section.id not in vectors.by_section
        }

    def search(self, query: str, *, audiences: frozenset[Audience], language: str, limit: int) -> tuple[Hit, ...]:
        """The pages that fit best by words and by meaning, each once with the section of whichever ranks it higher."""
        if limit < 1 or not query_words(query):
            return ()
        depth = max(PAGES, limit)
        by_words = self._words.search(query, audiences=audiences, language=language, limit=depth)
        near = self._near(query[:QUERY_CHARACTERS], audiences, language)
        by_meaning = near if by_words else near[:PAGES_ALONE]
        hits = _first_ranked(by_words, by_meaning)
        rankings = (
            (WORDS_WEIGHT, [hit.page for hit in by_words]),
            (MEANING_WEIGHT, [hit.page for hit in by_meaning]),
        )
        return tuple(Hit(hits[page].section_id, page, score) for page, score in fused(rankings)[:limit])

    def holds(self, section_id: str, *, audiences: frozenset[Audience]) -> bool:
        """Whether a reader of these audiences can find the section by its meaning; by words where it has no vector.

        Words are asked by themselves (`services/publishing.py`): either way would hide what the other lost.
        """
        if section_id in self._lacking:
            return self._words.holds(section_id, audiences=audiences)
        return any(section_id in shelf.rows for shelves in self._of(audiences).values() for shelf in shelves)

    def prepare(self, audiences: frozenset[Audience]) -> None:
        """Makes what the first search by words would have to wait for; vectors are ready."""
        self._words.prepare(audiences)

    def _of(self, audiences: frozenset[Audience]) -> Mapping[str, list[_Shelf]]:
        """What these readers may read, by language."""
        theirs: dict[str, list[_Shelf]] = defaultdict(list)
        for (language, audience), shelf in self._shelves.items():
            if audience in audiences:
                theirs[language].append(shelf)
        return theirs

    def _near(self, query: str, audiences: frozenset[Audience], language: str) -> Sequence[Hit]:
        """The pages whose sections stand out most, none less like the query than the model's floor."""
        asked = np.asarray(self._embedder.query(query), dtype=np.float32)
        best: dict[str, tuple[float, Section]] = {}
        own = written_for(audiences)
        for shelves in self._of(audiences).values():
            for apart, section in _nearest(shelves, asked, own, floor=self._embedder.floor):
                if section.page not in best or apart > best[section.page][0]:
                    best[section.page] = apart, section
        ranked = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))[:PAGES]
        found = ((self._in_language(section, audiences, language, asked), apart) for _, (apart, section) in ranked)
        return [Hit(section.id, section.page, apart) for section, apart in found]

    def _in_language(
        self, found: Section, audiences: frozenset[Audience], language: str, asked: NDArray[np.float32]
    ) -> Section:
        """The section, or that of its page's translation that is most like the query, where this reader has one."""
        page = self._publication.page(found.page, audiences, language)
        if page is None or page.language != language or found.language == language:
            return found
        shelf = self._shelves.get((page.language, page.audience))
        rows = [] if shelf is None else [shelf.rows[each.id] for each in page.sections if each.id in shelf.rows]
        if shelf is None or not rows:
            return found
        return shelf.sections[rows[int(np.argmax(_products(shelf.matrix[rows], asked)))]]


def _products(matrix: NDArray[np.float32], asked: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of each row with what was asked. `@` would take every processor for a large matrix, and be no faster."""
    products: NDArray[np.float32] = np.einsum("ij,j->i", matrix, asked)
    return products


def _nearest(
    shelves: Sequence[_Shelf], asked: NDArray[np.float32], own: frozenset[Audience], *, floor: float
) -> Iterator[tuple[float, Section]]:
    """The sections of one language that stand out most, and by how many standard deviations above their mean."""
    likeness = np.concatenate([_products(shelf.matrix, asked) for shelf in shelves])
    spread = likeness.std()
    apart = (likeness - likeness.mean()) / spread if spread > 0 else np.zeros_like(likeness)
    apart += np.repeat(
        [OWN_APART * (shelf.audience in own) for shelf in shelves], [len(shelf.sections) for shelf in shelves]
    )
    sections = [section for shelf in shelves for section in shelf.sections]
    for place in np.argsort(-apart, kind="stable")[:SECTIONS]:
        if likeness[place] >= floor:
            yield float(apart[place]), sections[place]


def _first_ranked(*rankings: Sequence[Hit]) -> Mapping[str, Hit]:
    """By page the hit of the ranking that has it highest, of equal ones the first."""
    hits: dict[str, tuple[int, Hit]] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking):
            if hit.page not in hits or rank < hits[hit.page][0]:
                hits[hit.page] = rank, hit
    return {page: hit for page, (_, hit) in hits.items()}


def _shelves(publication: Publication, vectors: Vectors) -> Mapping[tuple[str, Audience], _Shelf]:
    """By language and audience, as `texts.py` parts the words."""
    parts: dict[tuple[str, Audience], list[Section]] = defaultdict(list)
    for page in publication.pages:
        parts[page.language, page.audience].extend(
            section for section in page.sections if section.id in vectors.by_section
        )
    return {key: _shelf(key[1], sections, vectors) for key, sections in sorted(parts.items()) if sections}


def _shelf(audience: Audience, sections: Sequence[Section], vectors: Vectors) -> _Shelf:
    packed = b"".join(vectors.by_section[section.id] for section in sections)
    matrix = np.frombuffer(packed, dtype="<f4").reshape(len(sections), -1)
    return _Shelf(audience, tuple(sections), {section.id: row for row, section in enumerate(sections)}, matrix)
