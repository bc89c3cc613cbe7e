"""Text made safe to show, and the language it is in."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol


class Markup(Protocol):
    """Markdown of a model or a page, made safe to show."""

    def clean(self, markdown: str, *, cite: Callable[[str], int | None], tag: str = "") -> str:
        """Canonical Markdown with no foreign link or image, nor one with this tag of names in its address; `cite`
        numbers each `[s1]` or drops it."""
        ...

    def html(self, markdown: str, *, markers: Collection[int]) -> str:
        """Sanitised HTML of clean Markdown; `[n]` of `markers` becomes a citation mark."""
        ...

    def text(self, markdown: str) -> str:
        """What a reader sees of that HTML, without citation marks, and then the addresses of its links."""
        ...


class LanguageDetector(Protocol):
    """Which of a few languages a message is in."""

    def detect(self, text: str, languages: Sequence[str]) -> str | None:
        """One of `languages` where it is sure, else None."""
        ...
