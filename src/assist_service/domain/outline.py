"""The manual's outline in the prompt's prefix: as fine as fits, and never above its bound, however large the manual.

Sections while they fit, then pages only, then folders with a word on how to search them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from assist_service.domain.manual import ManualPage

OUTLINE_BYTES = 18_000
"""UTF-8 bytes of the outline at most: about 5,000 tokens, read with every question."""


def outline(pages: Sequence[ManualPage]) -> str:
    """The finest outline within the bound."""
    for level in LEVELS:
        text = level(pages)
        if len(text.encode()) <= OUTLINE_BYTES:
            return text
    return NOTHING_FITS


def _sections(pages: Iterable[ManualPage]) -> str:
    lines = ["Index of the manual (page | title, then its sections as anchor | title)"]
    for page in pages:
        lines.append(f"- {page.path} | {page.title}")
        lines += [f"  - {section.anchor} | {section.title}" for section in page.sections]
    return "\n".join(lines) + "\n"


def _pages(pages: Iterable[ManualPage]) -> str:
    lines = ["Index of the manual (page | title; `read_guide` names the sections of a page)"]
    lines += [f"- {page.path} | {page.title}" for page in pages]
    return "\n".join(lines) + "\n"


def _folders(depth: int | None) -> Callable[[Iterable[ManualPage]], str]:
    """The folders down to a depth; None for all the way."""

    def listed(pages: Iterable[ManualPage]) -> str:
        counts = Counter("/".join(page.path.split("/")[:-1][:depth]) or "." for page in pages)
        lines = ["Folders of the manual (folder | pages in it; find pages with `search_guide`)"]
        lines += [f"- {folder} | {count}" for folder, count in sorted(counts.items())]
        return "\n".join(lines) + "\n"

    return listed


LEVELS: Sequence[Callable[[Iterable[ManualPage]], str]] = (_sections, _pages, _folders(None), _folders(1))

NOTHING_FITS = "The manual is too large to list: find pages with `search_guide`.\n"
