"""Embeddings: texts as vectors, near each other where they mean much the same, in whatever language."""

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]
"""Of length one, so that the product of two is their likeness."""


class Embedder(Protocol):
    """One model; vectors of another cannot be compared with its own. Takes its time: call it in another thread.

    Any text is taken, an empty one too. Safe from several threads at once.
    """

    @property
    def model(self) -> str:
        """The model with its version and the number of the rule by which texts are cut (`domain/passages.py`), as it
        stands beside every vector that it made."""
        ...

    @property
    def dimensions(self) -> int:
        """Of each of its vectors."""
        ...

    @property
    def floor(self) -> float:
        """The likeness below which two texts of this model have nothing to do with each other, from -1 to 1."""
        ...

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vectors of texts that are to be found, one for each."""
        ...

    def query(self, text: str) -> Vector:
        """The vector of what is looked for."""
        ...
