"""Titles and names as plain text in Markdown: anybody may have written them, and no renderer makes anything of them."""

import re
import unicodedata
from collections.abc import Iterator

from assist_service.adapters.markdown.links import bare_urls
from assist_service.domain.text import one_line

TITLE_CHARACTERS = 120
"""Of a title or a name in an answer; of a longer one it is shown that it was cut."""

_SPECIAL = re.compile(r"[\\`*_\[\]<>&~|!#]")
_BEGINNING = re.compile(r"^(\d*)([-+=:.)])")
"""What makes a list, a heading or a rule at the beginning of a line."""

_CITES = re.compile(r"\[\s*\^?[sS]?\d[^\[\]]*\]?")
"""What could be taken for a citation, which would leave the text: see adapters/markdown/marks.py."""

_SPLIT = re.compile(r"([`|]+)")
"""What code in a table cannot hold in the same words for every reader."""

_BLANK = "\u2800"
"""Braille without a dot: no space to Unicode, and nothing to a reader."""


def plain(text: str, *, instead: str, limit: int = TITLE_CHARACTERS) -> str:
    """The visible text on one line, escaped; `instead` where nothing of it is visible.

    What looks like a citation or an address is written as code: escapes would not keep it from being taken for one.
    """
    line = one_line(text, limit)
    if not any(unicodedata.category(each)[0] in "LNPS" and each != _BLANK for each in line):
        return instead
    written, done = [], 0
    for start, end in _to_be_code(line):
        written += [_escaped(line[done:start], is_first=not done), *_as_code(line[start:end])]
        done = end
    return "".join((*written, _escaped(line[done:], is_first=not done)))


def _to_be_code(line: str) -> Iterator[tuple[int, int]]:
    """Where citations and addresses lie; those that touch are one, for two runs of code side by side are not."""
    found = sorted([*bare_urls(line, skip=""), *(each.span() for each in _CITES.finditer(line))])
    while found:
        start, end = found.pop(0)
        while found and found[0][0] <= end:
            end = max(end, found.pop(0)[1])
        yield start, end


def _as_code(text: str) -> Iterator[str]:
    for piece in _SPLIT.split(text):
        if piece:
            yield _escaped(piece, is_first=False) if _SPLIT.match(piece) else f"`{piece}`"


def _escaped(text: str, *, is_first: bool) -> str:
    """Without anything that starts markup within a line, nor, at its beginning, a list or a heading."""
    escaped = _SPECIAL.sub(r"\\\g<0>", text)
    return _BEGINNING.sub(r"\1\\\2", escaped) if is_first else escaped
