"""What an operator has closed: pages and sections by their names, in every publication, earlier and later ones."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from assist_service.domain.manual import Section

_PART = re.compile(r"-part-[0-9]+(?:-[0-9]+)?\Z")
"""What a long section's later parts have behind its anchor; numbered where a heading has that name already."""

_UNDER = "/"
"""Stands in an anchor between the parent's name and the heading's own, where the page has namesakes."""


@dataclass(frozen=True)
class Withdrawal:
    """A page, or with an anchor the sections of it that have this name."""

    page: str
    anchor: str | None

    def __str__(self) -> str:
        return f"page {self.page}" if self.anchor is None else f"section {self.anchor} of page {self.page}"

    def closes(self, section: Section) -> bool:
        """Whether this section is meant, or is a part of the one that is."""
        if section.page != self.page:
            return False
        return self.anchor is None or any(_is_same(self.anchor, name) for name in _names(section.anchor))


def _names(anchor: str) -> tuple[str, ...]:
    """An anchor, and that of the section it is a part of."""
    whole = _PART.sub("", anchor)
    return (anchor,) if whole == anchor else (anchor, whole)


def _is_same(withdrawn: str, anchor: str) -> bool:
    """Equal, or equal but for the parent that only one of them names.

    A heading's anchor gets its parent's name when the page gets another one like it, and loses it with that. What was
    withdrawn stays closed then, even if its namesake is closed with it.
    """
    if withdrawn == anchor:
        return True
    (_, _, own), (_, _, other) = withdrawn.rpartition(_UNDER), anchor.rpartition(_UNDER)
    return own == other and (_UNDER in withdrawn) is not (_UNDER in anchor)


@dataclass(frozen=True)
class Withdrawals:
    """All that is withdrawn at a moment."""

    every: frozenset[Withdrawal] = frozenset()
    _by_page: Mapping[str, tuple[Withdrawal, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_page: dict[str, list[Withdrawal]] = {}
        for each in self.every:
            by_page.setdefault(each.page, []).append(each)
        object.__setattr__(self, "_by_page", {page: tuple(found) for page, found in by_page.items()})

    def close(self, section: Section) -> bool:
        return any(each.closes(section) for each in self._by_page.get(section.page, ()))

    def of(self, page: str) -> tuple[Withdrawal, ...]:
        """Those of a page, the whole page first."""
        return tuple(sorted(self._by_page.get(page, ()), key=lambda each: each.anchor or ""))


NOTHING_WITHDRAWN = Withdrawals()
