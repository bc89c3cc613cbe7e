"""Cuts a text that is too long for one section: where blocks begin, else at lines, else in the middle of one."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from assist_service.adapters.manual.outline import Cut, Outline, indent

SECTION_CHARACTERS = 6_000
"""Of Markdown in a section: several fit in one tool result (24,000), and what is cited can be read at a glance."""


class _Piece(NamedTuple):
    """Lines that stay together, and the columns to take off where a part begins with them."""

    text: str
    columns: int | None = 0
    """None for all its first line is indented by."""


def bounded(page: Outline, start: int, end: int, *, before: str, after: str) -> Iterator[str]:
    """The lines from `start` to `end` between two texts, as pieces of at most SECTION_CHARACTERS each."""
    lines = page.lines[start:end]
    if not before and not after and None not in lines:
        text = "\n".join(line or "" for line in lines)
        if len(text) <= SECTION_CHARACTERS:
            yield text
            return
    pending: str | None = None
    columns: int | None = 0
    for piece in (*_short(before), *_blocks(page, start, end, page.cuts, 0), *_short(after)):
        joined = piece.text if pending is None else f"{pending}\n{piece.text}"
        if pending is not None and len(joined) > SECTION_CHARACTERS:
            yield _outdented(pending, columns)
            joined, columns = piece
        pending = joined
    if pending is not None:
        yield _outdented(pending, columns)


def _short(text: str) -> Iterator[_Piece]:
    return map(_Piece, _lines_together(text, SECTION_CHARACTERS)) if text else iter(())


def _outdented(text: str, columns: int | None) -> str:
    """A part without the indentation of the list item it begins in: four columns of it would make code of the text.

    It is taken off up to where the item ends, and from there what an outer item still has.
    """
    lines = text.split("\n")
    if columns is None:
        columns = next((indent(line) for line in lines if line.strip()), 0)
    for at, line in enumerate(lines):
        if not columns:
            break
        if line.strip():
            columns = min(columns, indent(line))
            lines[at] = _without_columns(line, columns)
    return "\n".join(lines)


def _without_columns(line: str, columns: int) -> str:
    """The line without these columns; a tab that reaches past them goes whole, so that no part grows."""
    at = column = 0
    while column < columns:
        column += 4 - column % 4 if line[at] == "\t" else 1
        at += 1
    return line[at:]


def _blocks(page: Outline, start: int, end: int, cuts: Sequence[Cut], depth: int) -> Iterator[_Piece]:
    """The blocks of these lines, the outermost that fit: a list stays whole if it can, else its items, and so on."""
    columns = page.codes.get(start, None if depth else 0)
    text = "\n".join(line for line in page.lines[start:end] if line is not None)
    inside = cuts[bisect_right(cuts, Cut(start, 1_000)) : bisect_left(cuts, Cut(end, -1))]
    if len(text) <= SECTION_CHARACTERS and not (inside and inside[0].depth == 0):
        yield _Piece(text, columns)
    elif not inside:
        first, *rest = _forced(text, *page.wrappers.get(start, ("", "")))
        yield _Piece(first, columns)
        yield from (_Piece(part, page.codes.get(start)) for part in rest)
    else:
        outermost = min(cut.depth for cut in inside)
        begins = [Cut(start, depth), *(cut for cut in inside if cut.depth == outermost), Cut(end, 0)]
        for this, following in pairwise(begins):
            yield from _blocks(page, this.line, following.line, inside, this.depth)


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
