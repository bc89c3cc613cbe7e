"""A page's blocks as markdown-it sees them, found in one step where a paragraph, list or heading is plain.

Each step here stands before the parser's own rules and takes only what they could read in no other way; what it is not
sure of it leaves to them. It makes one token of what they make three or five of: most of a manual's time was theirs.
"""

import re
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock, heading
from markdown_it.token import Token

_PLAIN = r"(?:[^\W\d_]|\*{1,2}[^\W_]|`[^\W_]|[\"'“‘«(])"
"""How a line begins that can be nothing but text: no marker, no fence, no line across, no delimiters of a table."""

_TEXT = re.compile(_PLAIN)

_ITEM = re.compile(rf"(?:[-+*]|\d{{1,9}}[.)])(?= {_PLAIN})")
"""The marker of a list item that begins with text."""

_HEADING = re.compile(r"#{1,6}(?=[ \t\n]|\Z)")

_MAY_MARK_ITEM = re.compile(r"[-+*\d]")


def parsed_blocks(body: str) -> tuple[list[Token], dict[str, Any]]:
    """The block tokens of a page, and the targets its reference links have.

    A plain paragraph or item is one token without content; an `inline` one follows if a comment or a link may be in it.
    """
    env: dict[str, Any] = {}
    return PARSER.parse(body, env), env


def _plain(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A block rule: takes the block that begins here if it is plain."""
    if state.is_code_block(start):
        return False
    src, at = state.src, state.bMarks[start] + state.tShift[start]
    if src[at] == "#":
        return not _may_be_delimiters(state, start + 1) and heading(state, start, end, silent)
    if _TEXT.match(src, at):
        return _paragraph(state, start)
    return _ITEM.match(src, at) is not None and _list(state, start, end)


def _may_be_delimiters(state: StateBlock, line: int) -> bool:
    """Whether this line could make a table's head of the one before it."""
    at = state.bMarks[line] + state.tShift[line]
    return line < state.lineMax and at < state.eMarks[line] and state.src[at] in "|-:"


def _paragraph(state: StateBlock, start: int) -> bool:
    """Lines of text up to an end. Any other line might be one or not, or make a heading or table of them."""
    line = start + 1
    while line < state.lineMax and not state.isEmpty(line) and not _ends_paragraph(state, line):
        if not _TEXT.match(state.src, state.bMarks[line] + state.tShift[line]):
            return False
        line += 1
    state.push("plain_paragraph", "p", 0).map = [start, line]
    _push_inline(state, start, line, state.bMarks[start] + state.tShift[start])
    state.line = line
    return True


def _ends_paragraph(state: StateBlock, line: int) -> bool:
    """Whether a heading or an item begins here for certain; of what stands deeper in or on a lazy line, none does."""
    indent = state.sCount[line]
    if indent < 0 or indent - state.blkIndent > 3 or 0 <= state.listIndent <= indent - 4:
        return False
    at = state.bMarks[line] + state.tShift[line]
    if _HEADING.match(state.src, at):
        return True
    # The first item of a numbered list ends a paragraph only if its number is 1; one further out always does.
    return _ITEM.match(state.src, at) is not None and (state.src[at] in "-+*" or indent < state.blkIndent)


def _list(state: StateBlock, start: int, end: int) -> bool:
    """Items of one line each, with empty lines between them or none, up to a line that cannot belong to them."""
    if state.level + 2 >= state.md.options.maxNesting:
        return False
    items, after = _items(state, start, end)
    if after is None:
        return False
    state.push("plain_list_open", "ul", 1).map = [start, after]
    for line, text in items:
        state.push("plain_item", "li", 0).map = [line, line + 1]
        _push_inline(state, line, line + 1, text)
    state.push("plain_list_close", "ul", -1)
    state.line = after
    return True


def _items(state: StateBlock, start: int, end: int) -> tuple[list[tuple[int, int]], int | None]:
    """Each item's line and where its text begins; the first line after the list, None if it is not plain."""
    items: list[tuple[int, int]] = []
    kind, indent, room = "", state.sCount[start], 0
    line, follows_empty = start, True
    while line < end:
        at = state.bMarks[line] + state.tShift[line]
        if at >= state.eMarks[line]:
            line, follows_empty = line + 1, True
            continue
        item = _ITEM.match(state.src, at) if state.sCount[line] == indent else None
        if item is not None and kind in ("", item[0][-1]):
            kind, room = item[0][-1], indent + len(item[0]) + 1
            items.append((line, item.end() + 1))
            line, follows_empty = line + 1, False
            continue
        is_outside = follows_empty and state.sCount[line] < room and not _MAY_MARK_ITEM.match(state.src, at)
        return items, line if is_outside else None
    return items, line


def _push_inline(state: StateBlock, start: int, end: int, text: int) -> None:
    last = state.eMarks[end - 1]
    if state.src.find("]", text, last) < 0 and state.src.find("<!--", text, last) < 0:
        return
    is_one_line = end == start + 1
    lines = state.src[text:last] if is_one_line else state.getLines(start, end, state.blkIndent, False)
    inline = state.push("inline", "", 0)
    inline.map, inline.content = [start, end], mdTrim(lines)


def _parser() -> MarkdownIt:
    """Blocks only: inline markup is parsed where a heading, a comment or a link may hold it."""
    parser = MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])
    parser.block.ruler.before("table", "plain", _plain)
    return parser


PARSER = _parser()
