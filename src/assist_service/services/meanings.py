"""Vectors of a publication's sections, made once and kept, and the index that is joined with them."""

import asyncio
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from assist_service import telemetry
from assist_service.domain.manual import Publication, Section
from assist_service.domain.passages import passage_of
from assist_service.domain.vectors import Vectors, pack
from assist_service.ports import Embedder, Publications, SectionIndex

BATCH = 8
"""Sections embedded between two words on how far it is, and the most that a stop waits for: some seconds."""

Progress = Callable[[int, int], None]
"""Told how many sections of how many have their vector, beginning with none."""


@dataclass(frozen=True, kw_only=True)
class Meanings:
    """How meanings are compared: a model, and what joins its vectors with the words of a publication."""

    embedder: Embedder
    index_of: Callable[[Publication, Vectors], SectionIndex]
    progress: Progress

    def embed(self, publication: Publication) -> Vectors:
        """The vectors of all its sections. Takes up to a second for each: for a command that does nothing else."""
        made: dict[str, bytes] = {}
        for batch in _batches(publication, (), self.progress):
            made |= self._batch(batch)
        return Vectors(self.embedder.model, made)

    async def embed_apart(self, publication: Publication, *, there: Container[str] = ()) -> Vectors:
        """Those of sections that are not there yet, in another thread: it can be stopped, and nothing waits for it."""
        made: dict[str, bytes] = {}
        for batch in _batches(publication, there, self.progress):
            made |= await asyncio.to_thread(self._batch, batch)
        return Vectors(self.embedder.model, made)

    def _batch(self, sections: Sequence[Section]) -> dict[str, bytes]:
        vectors = self.embedder.passages([passage_of(section) for section in sections])
        return {section.id: pack(vector) for section, vector in zip(sections, vectors, strict=True)}


def _batches(publication: Publication, there: Container[str], progress: Progress) -> Iterator[Sequence[Section]]:
    sections = [section for page in publication.pages for section in page.sections if section.id not in there]
    progress(0, len(sections))
    for first in range(0, len(sections), BATCH):
        yield sections[first : first + BATCH]
        progress(min(first + BATCH, len(sections)), len(sections))


async def index_of(
    publication: Publication,
    *,
    by_words: Callable[[Publication], SectionIndex],
    meanings: Meanings | None,
    store: Publications,
) -> tuple[SectionIndex, bool]:
    """The index of a stored publication, made in another thread; whether vectors that it should have are missing."""
    vectors = None if meanings is None else await store.vectors(publication.id, meanings.embedder.model)
    if meanings is not None and vectors is not None and vectors.cover(publication):
        return await asyncio.to_thread(meanings.index_of, publication, vectors), False
    return await asyncio.to_thread(by_words, publication), meanings is not None


def log_progress(done: int, sections: int) -> None:
    """For a start: told when it begins and when it ends."""
    if done in (0, sections):
        telemetry.log.info("vectors_made", sections=sections, done=done)
