"""Embeddings: texts as vectors, near each other where they mean much the same, in whatever language."""

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]
"""Of length one, so that the product of two is their likeness."""


class Embedder(Protocol):
    """One model; vectors of another cannot be compared with its own. Takes its time: call it in another thread."""

    @property
    def model(self) -> str:
        """The model with its version, as it stands beside every vector that it made."""
        ...

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vectors of texts that are to be found."""
        ...

    def query(self, text: str) -> Vector:
        """The vector of what is looked for."""
        ...
