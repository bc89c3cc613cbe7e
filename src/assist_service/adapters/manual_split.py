"""Cuts a page of Markdown at its headings, as a Markdown parser sees them: never inside a fence or a list."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from assist_service.domain.manual import Audience, Section
from assist_service.domain.text import one_line, visible

TITLE_CHARACTERS = 120

_MARKDOWN = MarkdownIt("commonmark")

_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")
"""Before a text. The space its first line begins with is left to it: four of them make it code."""


@dataclass(frozen=True)
class _Heading:
    """A heading: the lines it takes, from `start` up to but not `end`, counted from 0."""

    start: int
    end: int
    title: str


def sections_of(body: str, *, page: str, page_title: str, language: str, audience: Audience) -> tuple[Section, ...]:
    """The sections of a page that have text, in order; what stands before the first heading has the page's title."""
    lines = body.split("\n")
    headings = [_Heading(0, 0, page_title), *_headings(body)]
    ends = [heading.start for heading in headings[1:]] + [len(lines)]
    anchors: set[str] = set()
    sections: list[Section] = []
    for heading, end in zip(headings, ends, strict=True):
        text = _BLANK_LINES.sub("", visible("\n".join(lines[heading.end : end]))).rstrip()
        if not text:
            continue
        anchor = _unique(_slug(heading.title), anchors)
        sections.append(Section(page, page_title, language, audience, anchor, heading.title, text))
    return tuple(sections)


def _headings(body: str) -> list[_Heading]:
    tokens = _MARKDOWN.parse(body)
    found: list[_Heading] = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map is not None:
            title = one_line(_plain(inline.children or ()), TITLE_CHARACTERS)
            if title:
                found.append(_Heading(token.map[0], token.map[1], title))
    return found


def _plain(children: Sequence[Token]) -> str:
    """A heading's words without markup; HTML such as an `<a id>` leaves nothing."""
    return "".join(
        child.content if child.type in ("text", "code_inline") else " " if child.type == "softbreak" else ""
        for child in children
    )


def _slug(title: str) -> str:
    """A title as a short name: folded to lower-case letters and digits of any script, joined by hyphens."""
    folded = unicodedata.normalize("NFKD", title.casefold())
    kept = "".join(character for character in folded if not unicodedata.combining(character))
    return re.sub(r"[\W_]+", "-", kept).strip("-")[:80] or "section"


def _unique(slug: str, taken: set[str]) -> str:
    """The slug, with a number behind it where the page already has it."""
    candidate, number = slug, 2
    while candidate in taken:
        candidate, number = f"{slug}-{number}", number + 1
    taken.add(candidate)
    return candidate
