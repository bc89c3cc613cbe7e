"""Cuts a page of Markdown at its headings, as a Markdown parser sees them: never inside a fence or a list.

A section too long for one is cut into parts; a heading that has no text of its own stands in a neighbour's.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assist_service.adapters.manual.bounds import bounded
from assist_service.adapters.manual.outline import TITLE_CHARACTERS, Heading, Outline
from assist_service.domain.manual import Audience, Section
from assist_service.domain.text import one_line, visible

_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")
"""Before a text. The space its first line begins with is left to it: four of them make it code."""

_LINK_TARGETS = re.compile(r"<a\s[^<>]*>|</a>")
"""HTML that only marks a place; a section of nothing else has no text."""

INTRO = "_intro"
"""The anchor of what stands before the first heading. No heading has it: a slug holds no underscore."""

UNDER = "/"
"""Between a heading's slug and its parent's, where the page has several of the same. No slug holds one."""


@dataclass
class _Cut:
    """A heading with its lines from `start` to `end`, and the headings without text that stand before and after."""

    heading: Heading
    end: int
    anchor: str
    before: list[Heading] = field(default_factory=list)
    after: list[Heading] = field(default_factory=list)


class _Names:
    """The names a page has given away."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def unique(self, slug: str) -> str:
        """The slug, with a number behind it where the page already has it."""
        candidate = slug
        # Counted on from the last one: a page of 100,000 equal headings is not searched 100,000 times.
        number = self._next.get(slug, 2)
        while candidate in self._taken:
            candidate, number = f"{slug}-{number}", number + 1
        self._next[slug] = number
        self._taken.add(candidate)
        return candidate


def sections_of(
    outlined: Outline, *, page: str, page_title: str, language: str, audience: Audience
) -> tuple[Section, ...]:
    """The sections of a page that have text, in order; what stands before the first heading has the page's title."""
    names = _Names()
    cuts = _folded(_cut(outlined, page_title, names), page_title)
    # Every heading has its name before any part has: a section that grows must not take another's.
    return tuple(
        Section(page, page_title, language, audience, anchor, title, text)
        for cut in cuts
        for anchor, title, text in _parts(outlined, cut, names)
    )


def has_text(outlined: Outline) -> bool:
    """Whether a page has any section."""
    return any(holds for _, holds in _cut(outlined, "", _Names()))


def slug_of(title: str) -> str:
    """A title as a short name: folded to lower-case letters and digits of any script, joined by hyphens."""
    folded = unicodedata.normalize("NFKD", title.casefold())
    kept = "".join(character for character in folded if not unicodedata.combining(character))
    return re.sub(r"[\W_]+", "-", kept).strip("-")[:80] or "section"


def _cut(page: Outline, page_title: str, names: _Names) -> Iterator[tuple[_Cut, bool]]:
    """Every heading of a page with its lines, and whether they hold text; it has a name even if they do not."""
    headings = [Heading(0, 0, 0, page_title, page_title), *page.headings]
    ends = [heading.start for heading in headings[1:]] + [len(page.lines)]
    anchors = _anchors(headings, page_title)
    for heading, end, anchor in zip(headings, ends, anchors, strict=True):
        text = "\n".join(line for line in page.lines[heading.end : end] if line is not None)
        has_text = bool(visible(_LINK_TARGETS.sub("", text)).strip())
        if has_text or heading.level > 0:
            yield _Cut(heading, end, names.unique(anchor)), has_text


def _anchors(headings: Sequence[Heading], page_title: str) -> Iterator[str]:
    """The anchor of each heading before it is numbered: its slug, and its parent's where it has namesakes.

    All of them are told apart, not the later ones: another put before them would take the name of the first.
    """
    count = Counter(slug_of(heading.title) for heading in headings if heading.level)
    above: list[Heading] = []
    for heading in headings:
        while above and above[-1].level >= heading.level:
            above.pop()
        slug = slug_of(heading.title) if heading.level else INTRO
        # The page's title stands over all of its sections: it tells none from another.
        parent = above[-1].title if above and above[-1].title != page_title else None
        yield f"{slug_of(parent)}{UNDER}{slug}" if count[slug] > 1 and parent is not None else slug
        above.append(heading)


def _folded(cuts: Iterator[tuple[_Cut, bool]], page_title: str) -> Sequence[_Cut]:
    """Those with text. A heading without goes to the deeper section that follows, else to the one before it."""
    kept: list[_Cut] = []
    empty: list[Heading] = []
    for cut, has_text in cuts:
        if not has_text:
            # The page's title stands over each of its sections already.
            empty += [cut.heading] if cut.heading.title != page_title else []
            continue
        first = _outermost_above(cut.heading, empty) if kept else 0
        if kept:
            kept[-1].after += empty[:first]
        cut.before += empty[first:]
        kept.append(cut)
        empty = []
    if kept:
        kept[-1].after += empty
    return kept


def _outermost_above(heading: Heading, before: Sequence[Heading]) -> int:
    """Where those headings begin that the last one stands under; their number where it stands under none."""
    level, found = heading.level, len(before)
    for at in range(len(before) - 1, -1, -1):
        if before[at].level < level:
            level, found = before[at].level, at
    return found


def _parts(page: Outline, cut: _Cut, names: _Names) -> Iterator[tuple[str, str, str]]:
    """Anchor, title and text of a section: of its parts, where it is too long for one."""
    pieces = bounded(page, cut.heading.end, cut.end, before=_as_lines(cut.before), after=_as_lines(cut.after))
    texts = [_BLANK_LINES.sub("", visible(piece)).rstrip() for piece in pieces]
    for number, text in enumerate(filter(None, texts), start=1):
        if number == 1:
            yield cut.anchor, cut.heading.title, text
            continue
        suffix = f" ({number})"
        title = one_line(cut.heading.title, TITLE_CHARACTERS - len(suffix)) + suffix
        yield names.unique(f"{cut.anchor}-part-{number}"), title, text


def _as_lines(headings: Sequence[Heading]) -> str:
    return "".join(f"\n{'#' * heading.level} {heading.source}\n" for heading in headings)
