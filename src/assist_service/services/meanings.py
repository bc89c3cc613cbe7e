"""Vectors of a publication's sections, made once and kept, and the index that is joined with them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from assist_service import telemetry
from assist_service.domain.manual import Publication, Section
from assist_service.domain.passages import passage_of
from assist_service.domain.vectors import Vectors, pack
from assist_service.ports import Embedder, Publications, SectionIndex

BATCH = 8
"""Sections embedded between two words on how far it is, and the most that a stop waits for, or loses: some seconds."""

Progress = Callable[[int, int], None]
"""Told how many sections of how many have their vector, beginning with none."""


@dataclass(frozen=True, kw_only=True)
class Meanings:
    """How meanings are compared: a model, and what joins its vectors with the words of a publication."""

    embedder: Embedder
    join: Callable[[SectionIndex, Publication, Vectors], SectionIndex]
    """The index of the publication's words with these vectors, of some of its sections or of all."""
    progress: Progress

    def embed(self, publication: Publication) -> Vectors:
        """The vectors of all its sections. Takes up to a second for each: for a command that does nothing else."""
        made: dict[str, bytes] = {}
        for batch in _batches(publication, (), self.progress):
            made |= self._batch(batch)
        return Vectors(self.embedder.model, made)

    async def embed_apart(self, publication: Publication, *, there: Container[str] = ()) -> AsyncIterator[Vectors]:
        """Those of sections that are not there yet, in another thread: nothing waits for it, and it can be stopped.

        Some at a time, so that what was made can be kept.
        """
        for batch in _batches(publication, there, self.progress):
            yield Vectors(self.embedder.model, await asyncio.to_thread(self._batch, batch))

    def fits(self, vectors: Vectors) -> bool:
        """Whether these can be compared with this model's own."""
        is_named = vectors.model == self.embedder.model
        return is_named and vectors.of_size(self.embedder.dimensions) == vectors

    async def kept(self, publication: Publication, store: Publications) -> Vectors:
        """What the store has for this publication that can be compared with this model's vectors; it may be nothing."""
        found = await store.vectors(publication.id, self.embedder.model)
        return (found or Vectors(self.embedder.model, {})).of_size(self.embedder.dimensions)

    async def lacking(self, publication: Publication, store: Publications) -> int:
        """How many of its sections have no such vector in the store by now."""
        sections = sum(len(page.sections) for page in publication.pages)
        model, dimensions = self.embedder.model, self.embedder.dimensions
        return sections - await store.count_vectors(publication, model, dimensions=dimensions)

    def _batch(self, sections: Sequence[Section]) -> dict[str, bytes]:
        vectors = self.embedder.passages([passage_of(section) for section in sections])
        return {section.id: pack(vector) for section, vector in zip(sections, vectors, strict=True)}


def _batches(publication: Publication, there: Container[str], progress: Progress) -> Iterator[Sequence[Section]]:
    sections = [section for page in publication.pages for section in page.sections if section.id not in there]
    progress(0, len(sections))
    for first in range(0, len(sections), BATCH):
        yield sections[first : first + BATCH]
        progress(min(first + BATCH, len(sections)), len(sections))


@dataclass(frozen=True, kw_only=True)
class Indexed:
    """The index of a publication, and that of its words, of which it is made; the same where there are no meanings."""

    index: SectionIndex
    words: SectionIndex
    lacking: int = 0
    """Sections that should have a vector and are found by words only."""


async def index_of(
    publication: Publication,
    *,
    by_words: Callable[[Publication], SectionIndex],
    meanings: Meanings | None,
    store: Publications,
) -> Indexed:
    """The index of a stored publication, made in another thread, with the vectors that the store has of its model."""
    vectors = None if meanings is None else await meanings.kept(publication, store)

    def made() -> Indexed:
        words = by_words(publication)
        if meanings is None or vectors is None:
            return Indexed(index=words, words=words)
        lacking = vectors.lacking(publication)
        is_any = lacking < sum(len(page.sections) for page in publication.pages)
        index = meanings.join(words, publication, vectors) if is_any else words
        return Indexed(index=index, words=words, lacking=lacking)

    return await asyncio.to_thread(made)


def log_progress(done: int, sections: int) -> None:
    """For a start: told when it begins and when it ends."""
    if done in (0, sections):
        telemetry.log.info("vectors_made", sections=sections, done=done)
