"""Cuts a text that is too long for one section: where blocks begin, else at lines, else in the middle of one."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from assist_service.adapters.manual.outline import Cut, Outline

SECTION_CHARACTERS = 6_000
"""Of Markdown in a section: several fit in one tool result (24,000), and what is cited can be read at a glance."""


def bounded(page: Outline, start: int, end: int, *, before: str, after: str) -> Iterator[str]:
    """The lines from `start` to `end` between two texts, as pieces of at most SECTION_CHARACTERS each."""
    pending: str | None = None
    for text in (*_short(before), *_blocks(page, start, end, page.cuts), *_short(after)):
        joined = text if pending is None else f"{pending}\n{text}"
        if pending is not None and len(joined) > SECTION_CHARACTERS:
            yield pending
            joined = text
        pending = joined
    if pending is not None:
        yield pending


def _short(text: str) -> Iterator[str]:
    return _lines_together(text, SECTION_CHARACTERS) if text else iter(())


def _blocks(page: Outline, start: int, end: int, cuts: Sequence[Cut]) -> Iterator[str]:
    """The blocks of these lines, the outermost that fit: a list stays whole if it can, else its items, and so on."""
    text = "\n".join(line for line in page.lines[start:end] if line is not None)
    inside = cuts[bisect_right(cuts, Cut(start, 1_000)) : bisect_left(cuts, Cut(end, -1))]
    if len(text) <= SECTION_CHARACTERS and not (inside and inside[0].depth == 0):
        yield text
    elif not inside:
        yield from _forced(text, *page.wrappers.get(start, ("", "")))
    else:
        outermost = min(cut.depth for cut in inside)
        starts = [start, *(cut.line for cut in inside if cut.depth == outermost), end]
        for first, last in pairwise(starts):
            yield from _blocks(page, first, last, inside)


def _forced(text: str, opening: str, closing: str) -> Iterator[str]:
    """A block too long in itself, cut at lines; a fence is closed and opened again, a table's head repeated."""
    room = SECTION_CHARACTERS - len(opening) - len(closing) - 1
    parts = list(_lines_together(text.rstrip(), room))
    for number, part in enumerate(parts):
        # After the last one a blank line, as it stood there: what follows is another paragraph.
        first, last = opening if number else "", closing if number < len(parts) - 1 else "\n"
        yield f"{first}{part}{last}"


def _lines_together(text: str, room: int) -> Iterator[str]:
    pending: list[str] = []
    size = 0
    for line in text.split("\n"):
        for piece in _hard(line, room):
            if pending and size + len(piece) > room:
                yield "\n".join(pending)
                pending, size = [], 0
            pending.append(piece)
            size += len(piece) + 1
    yield "\n".join(pending)


def _hard(line: str, room: int) -> Iterator[str]:
    """A line in pieces: at its last space that is not too early, else anywhere."""
    start = 0
    while len(line) - start > room:
        space = line.rfind(" ", start + room // 2, start + room)
        end = space if space >= 0 else start + room
        yield line[start:end]
        start = end + (space >= 0)
    yield line[start:]
