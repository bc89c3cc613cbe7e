"""The inline tokens of one paragraph, brought down to text, code, emphasis and links that stay on the origin.

The order matters: what an image or a dropped link leaves behind joins the text around it before citations and
bare addresses are looked for, so nothing forms later out of pieces that each looked harmless.
"""

import itertools
import re

from markdown_it.token import Token

from assist_service.adapters.markdown.links import bare_urls
from assist_service.adapters.markdown.marks import BREAKS, CLOSE, OPEN, Resolve, citation_items, place_markers
from assist_service.domain.origin import Origin
from assist_service.domain.text import visible

_SHOWN = frozenset({"text", "code_inline"})


def settle(tokens: list[Token], *, origin: Origin, resolve: Resolve) -> list[Token]:
    """The tokens without images, foreign links and clickable addresses, citations as `resolve` has them."""
    tokens = [_made_visible(token) for token in _joined_text(_settled_links(tokens, origin))]
    tokens = _joined_text(_tidied(place_markers(tokens, resolve)))
    return _settled_urls(tokens, origin)


def _settled_links(tokens: list[Token], origin: Origin) -> list[Token]:
    """Images become their description; a link stays, or leaves its text."""
    settled: list[Token] = []
    starts: list[int] = []
    for token in tokens:
        if token.type == "link_open":
            starts.append(len(settled))
        if token.type == "image":
            settled.append(_text(_description(token)))
        elif token.type == "link_close":
            start = starts.pop()
            settled[start:] = _settled_link(settled[start], settled[start + 1 :], origin)
        else:
            settled.append(token)
    return settled


def _settled_link(opening: Token, inner: list[Token], origin: Origin) -> list[Token]:
    text = "".join(token.content for token in inner)
    if citation_items(text) is not None:  # `[s1](https://…)` cites, wherever it would lead
        return [_text("["), *inner, _text("]")]
    href = origin.resolve(str(opening.attrs["href"]))
    if href is not None:
        # An autolink may stand in a link's text here; elsewhere links do not nest.
        return inner if any(token.type == "link_open" for token in inner) else _link(href, inner)
    return [_code(text)] if opening.info == "auto" else inner


def _description(image: Token) -> str:
    return "".join(_description(child) if child.type == "image" else child.content for child in image.children or ())


def _joined_text(tokens: list[Token]) -> list[Token]:
    """The tokens with each run of text in one of them, single spaces in it."""
    joined: list[Token] = []
    for is_text, run in itertools.groupby(tokens, key=lambda token: token.type == "text"):
        group = list(run)
        if is_text:
            # An entity can put a line feed into text; written out it would start a new block.
            group = [_text(re.sub(r"[ \t\n]+", " ", "".join(token.content for token in group)))]
        joined += group
    return joined


def _made_visible(token: Token) -> Token:
    if token.type in _SHOWN:
        token.content = visible(token.content).replace("\n", " ")
    return token


def _settled_urls(tokens: list[Token], origin: Origin) -> list[Token]:
    """Bare addresses become code, which nothing makes clickable, or links where they stay on the origin."""
    settled: list[Token] = []
    in_link = False
    for token in tokens:
        in_link = token.type == "link_open" or (in_link and token.type != "link_close")
        if token.type != "text":
            settled.append(token)
            continue
        done = 0
        for start, end in bare_urls(token.content, skip=OPEN + CLOSE):
            url = token.content[start:end]
            href = origin.resolve(url)
            if href is not None and in_link:
                continue
            settled += _some_text(token.content[done:start])
            settled += [_code(url)] if href is None else _link(href, [_text(url)])
            done = end
        settled += _some_text(token.content[done:])
    return settled


def _tidied(tokens: list[Token]) -> list[Token]:
    """Without what the steps before left empty: emphasis and links around nothing, breaks at an end."""
    tidied: list[Token] = []
    opened: list[tuple[int, int]] = []  # where the element starts, how much was shown before it
    shown = 0
    loose_break: int | None = None
    for token in tokens:
        if token.nesting == 1:
            opened.append((len(tidied), shown))
        elif token.nesting == -1:
            start, shown_before = opened.pop()
            if shown == shown_before:
                del tidied[start]
                if loose_break is not None and loose_break > start:
                    loose_break -= 1
                continue
        elif token.type in BREAKS:
            if not shown or loose_break is not None:
                continue
            loose_break = len(tidied)
        elif not token.content:
            continue
        elif token.type == "code_inline" or not token.content.isspace():
            shown += 1
            loose_break = None
        tidied.append(token)
    if loose_break is not None:
        del tidied[loose_break]
    return tidied


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _some_text(content: str) -> list[Token]:
    return [_text(content)] if content else []


def _code(content: str) -> Token:
    return Token("code_inline", "code", 0, content=content, markup="`")


def _link(href: str, inner: list[Token]) -> list[Token]:
    """A link with its address and nothing else: a title is the model's words in a place nobody checks."""
    return [Token("link_open", "a", 1, attrs={"href": href}), *inner, Token("link_close", "a", -1)]
