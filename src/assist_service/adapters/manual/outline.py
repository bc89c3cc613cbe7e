"""What a Markdown parser sees in a page: its headings, the lines it may be cut at, its comments taken out.

A page's blocks are parsed once, for its sections and its links. Inline markup is parsed in headings that hold some and
where a comment may stand.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it.token import Token

from assist_service.adapters.manual.blocks import PARSER, parsed_blocks
from assist_service.domain.text import one_line

TITLE_CHARACTERS = 120
"""Of a heading, as a title stands in the prompt's index and in citations."""

MARKUP_CHARACTERS = 10_000
"""Of a heading, that are read as inline markup: 5 MB of brackets in one would take minutes."""

INLINE_CHARACTERS = 50_000
"""Of a paragraph or cell, that are read as inline markup: some of it takes the square of its length."""

_COMMENT = re.compile(r"<!--(?:-?>|.*?-->)", re.DOTALL)

_INLINE_MARKUP = re.compile(r"[\n\\`*_\[!<&]")
"""What any inline markup of CommonMark begins with."""


@dataclass(frozen=True)
class Heading:
    """A heading: the lines it takes, from `start` up to but not `end`, counted from 0; level 0 is the page's own."""

    start: int
    end: int
    level: int
    title: str
    source: str
    """As Markdown on one line, without HTML."""


class Cut(NamedTuple):
    """A block's first line, where a page may be cut, and how deep the block stands in others."""

    line: int
    depth: int


@dataclass(frozen=True)
class Outline:
    """A page's lines (None where nothing but a comment stood inside HTML), headings, cuts in order, and more."""

    lines: tuple[str | None, ...]
    headings: tuple[Heading, ...]
    cuts: tuple[Cut, ...]
    wrappers: dict[int, tuple[str, str]]
    """By the first line of a fence or table: what each of its parts must begin and end with when it is cut."""
    codes: dict[int, int]
    """By the first line of indented code: the columns of the list item it stands in, which are not the code's."""
    linked: tuple[tuple[int, str], ...]
    """The paragraphs, headings and cells that may hold a link, each with its first line."""
    references: dict[str, Any]
    """The targets of reference links, as the parser keeps them."""


def outline(body: str) -> Outline:
    """The outline of a page; its lines keep their numbers."""
    tokens, references = parsed_blocks(body)
    lines: list[str | None] = list(body.split("\n"))
    wrappers: dict[int, tuple[str, str]] = {}
    codes: dict[int, int] = {}
    for token in tokens:
        if token.map is None:
            continue
        if "<!--" in token.content and token.type in ("html_block", "inline"):
            _drop_comments(token, lines)
        if token.level == 0 and token.type in ("fence", "table_open"):
            wrappers[token.map[0]] = _wrapper(token, lines)
        elif token.type == "code_block":
            codes[token.map[0]] = _columns_outside(token, lines)
    return Outline(
        lines=tuple(lines),
        headings=tuple(_headings(tokens)),
        cuts=tuple(sorted(_cuts(tokens))),
        wrappers=wrappers,
        codes=codes,
        linked=tuple(_linked(tokens)),
        references=references,
    )


def inline_tokens(content: str, references: dict[str, Any] | None = None) -> list[Token]:
    """The inline markup of a paragraph or heading; reference links only where their targets are given."""
    children: list[Token] = []
    PARSER.inline.parse(content, PARSER, {} if references is None else references, children)
    return children


def _linked(tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    for token in tokens:
        if token.type == "inline" and token.map is not None and "]" in token.content:
            yield token.map[0], token.content


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map is not None:
            has_markup = _INLINE_MARKUP.search(inline.content)
            children = inline_tokens(inline.content[:MARKUP_CHARACTERS]) if has_markup else []
            title = one_line(_plain(children) if has_markup else inline.content, TITLE_CHARACTERS)
            if title:
                source = _without_html(inline.content, children)
                yield Heading(token.map[0], token.map[1], int(token.tag[1:]), title, source)


def _plain(children: Sequence[Token]) -> str:
    """A heading's words without markup; HTML such as an `<a id>` leaves nothing."""
    kept = ("text", "text_special", "code_inline")
    words = (
        child.content if child.type in kept else " " if child.type in ("softbreak", "hardbreak") else ""
        for child in children
    )
    return "".join(words)


def _without_html(content: str, children: Sequence[Token]) -> str:
    for child in children:
        if child.type == "html_inline":
            content = content.replace(child.content, "", 1)
    return " ".join(content.split())


def _cuts(tokens: Sequence[Token]) -> Iterator[Cut]:
    """Where blocks begin; inside a table nothing does, and what a container begins with is not cut from it."""
    in_table, seen = False, -1
    for token in tokens:
        in_table = (in_table or token.type == "table_open") and token.type != "table_close"
        is_block = token.block and token.nesting >= 0 and token.type != "inline"
        if is_block and token.map is not None and token.map[0] > seen and (not in_table or token.type == "table_open"):
            seen = token.map[0]
            yield Cut(seen, token.level)


def _wrapper(token: Token, lines: Sequence[str | None]) -> tuple[str, str]:
    start = token.map[0] if token.map is not None else 0
    if token.type == "fence":
        return f"{token.markup}{one_line(token.info, 40)}\n", f"\n{token.markup}"
    head = "\n".join(line or "" for line in lines[start : start + 2])
    # A head of thousands of characters would leave the parts no room for rows.
    return (f"{head}\n", "") if len(head) <= 1_000 else ("", "")


def _columns_outside(token: Token, lines: Sequence[str | None]) -> int:
    """The columns a block of code is indented by beside the four that make it one, and beside its own."""
    written = (lines[token.map[0]] if token.map is not None else None) or ""
    return max(indent(written) - 4 - indent(token.content), 0) if token.level else 0


def indent(text: str) -> int:
    """The columns before a text's first line begins."""
    line = text.split("\n", 1)[0].expandtabs(4)
    return len(line) - len(line.lstrip(" "))


def _drop_comments(token: Token, lines: list[str | None]) -> None:
    """Takes a block's comments out of its lines. One without an end is kept: it would take the rest of the page."""
    start, end = token.map or (0, 0)
    source = "\n".join(line or "" for line in lines[start:end])
    kept, done = "", 0
    for first, last in _comment_spans(token, source):
        kept += source[done:first] + "\n" * source.count("\n", first, last)
        done = last
    # A blank line would end the paragraph or HTML that the comment stood in; a comment of its own ends what is before.
    blank = "" if token.content.lstrip().startswith("<!--") and token.type == "html_block" else None
    lines[start:end] = [line if line.strip() else blank for line in (kept + source[done:]).split("\n")]


def _comment_spans(token: Token, source: str) -> Iterator[tuple[int, int]]:
    end = 0
    # In a paragraph out of all measure a comment is taken out even where it is shown as code.
    if token.type == "html_block" or len(token.content) > INLINE_CHARACTERS:
        while (start := source.find("<!--", end)) >= 0 and (found := _COMMENT.match(source, start)):
            end = found.end()
            yield start, end
        return
    for child in inline_tokens(token.content):
        start = source.find(child.content, end) if child.type in ("code_inline", "html_inline") else -1
        if start < 0:
            continue
        end = start + len(child.content)
        if child.type == "html_inline" and child.content.startswith("<!--"):
            yield start, end
