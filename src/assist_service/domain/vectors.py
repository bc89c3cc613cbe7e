"""The vectors of a publication's sections, of one model: bytes that are whole, or are refused with their reason."""

import math
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assist_service.domain.manual import Publication

MAX_DIMENSIONS = 4_096
"""Of a vector; models in use have 384 to 3,072."""

MODEL_CHARACTERS = 100
"""Of a model's name."""

LENGTH_TOLERANCE = 1e-3
"""How far from one a vector's length may be: 32-bit floats of thousands of dimensions stay within a tenth of that."""

FLOAT_BYTES = 4


@dataclass(frozen=True)
class Vectors:
    """By the section's id its vector: 32-bit floats, little-endian, of length one; compared with this model's alone."""

    model: str
    by_section: Mapping[str, bytes]

    @property
    def told(self) -> str:
        """The model and the sizes, for an operator."""
        sizes = ", ".join(str(size // FLOAT_BYTES) for size in sorted(set(map(len, self.by_section.values()))))
        return f"{self.model} ({sizes or 'no'} dimensions)"

    def of_size(self, dimensions: int) -> "Vectors":
        """Those of so many dimensions: another's cannot be compared with them, whatever its model is called."""
        size = dimensions * FLOAT_BYTES
        return Vectors(self.model, {key: packed for key, packed in self.by_section.items() if len(packed) == size})

    def lacking(self, publication: Publication) -> int:
        """How many sections of the publication have no vector; those withdrawn since may have theirs too."""
        return sum(section.id not in self.by_section for page in publication.pages for section in page.sections)


def pack(vector: Iterable[float]) -> bytes:
    """A vector as it is kept."""
    numbers = tuple(vector)
    return struct.pack(f"<{len(numbers)}f", *numbers)


def vectors_fault(vectors: Vectors) -> str | None:
    """What is wrong with vectors that come from outside, in words without their content; None where nothing is."""
    if not (vectors.model.isprintable() and 1 <= len(vectors.model) <= MODEL_CHARACTERS):
        return f"a model's name is one line of 1 to {MODEL_CHARACTERS} characters"
    sizes = {len(packed) for packed in vectors.by_section.values()}
    if len(sizes) > 1:
        return "its vectors are not all of one size"
    size = next(iter(sizes), FLOAT_BYTES)
    if size % FLOAT_BYTES or not FLOAT_BYTES <= size <= MAX_DIMENSIONS * FLOAT_BYTES:
        return f"a vector has 1 to {MAX_DIMENSIONS} dimensions"
    shape = struct.Struct(f"<{size // FLOAT_BYTES}f")
    # What is no number has no length, so it is not near one either.
    lengths = (math.hypot(*shape.unpack(packed)) for packed in vectors.by_section.values())
    if not all(abs(length - 1) <= LENGTH_TOLERANCE for length in lengths):
        return "a vector is not of length one"
    return None
