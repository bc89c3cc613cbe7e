"""No rendered answer makes a browser fetch anything or leads off the LMS's own origin, whatever was written.

The Markdown is parsed without HTML, its tokens are brought down to what is allowed, and only then are they
written out: as canonical Markdown (`clean`) that any other renderer may take, or as HTML (`html`). Behind each
stands a second guard that knows nothing of the first: the Markdown is read again as a renderer with HTML would
read it, the HTML goes through nh3 with a short allow-list. Markdown that fails, and any text that breaks a
parser, comes out as plain text.
"""

import html as entities
import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from assist_service.adapters.markdown.inlines import settle
from assist_service.adapters.markdown.links import bare_urls
from assist_service.adapters.markdown.marks import BREAKS, MARKER, Resolve, citation_items
from assist_service.adapters.markdown.writer import write_markdown
from assist_service.domain.answer import ANSWER_CHARACTERS
from assist_service.domain.origin import Origin
from assist_service.domain.placeholders import before_cut
from assist_service.domain.text import visible

LONGEST_MARKDOWN = 200_000
"""Code points of Markdown that are rendered to HTML: a cleaned answer with every character escaped, a long section."""

DEEPEST_NESTING = 20
"""Levels of blocks or inlines; what lies deeper is left as text or out. CommonMark's own preset has the same."""

MOST_TOKENS = 5_000
"""Block tokens of one text: a long section has 3,000. A line with one pipe fills a whole table row with cells it does
not have, and each costs time."""

LANGUAGES = frozenset(
    "bash c cpp csharp css diff go html java javascript js json kotlin latex markdown md php python py r ruby rust sh "
    "sql swift text toml ts typescript xml yaml".split()
)
"""Languages a code block may name. A closed list: some renderers draw `mermaid` and its kind, links included."""

_TAGS = frozenset(
    "p br strong em s code pre ul ol li blockquote h3 h4 h5 h6 hr table thead tbody tr th td a sup".split()
)
_ATTRIBUTES = {"a": {"href"}, "sup": {"class", "data-marker"}, "ol": {"start"}}
_HEADINGS = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}
_LIST_AFTER_LIST = {f"{kind}_open": f"{kind}_close" for kind in ("bullet_list", "ordered_list")}
_CODE_BLOCKS = frozenset({"fence", "code_block"})


class Markup:
    """Cleans and renders the Markdown of answers and of the manual for one LMS."""

    def __init__(self, lms_origin: str) -> None:
        self._origin = Origin.parse(lms_origin)
        self._parser = _parser()
        self._other_renderer = MarkdownIt("default", {"html": True})
        self._sanitiser = nh3.Cleaner(
            tags=_TAGS,
            attributes=_ATTRIBUTES,
            attribute_filter=self._allowed_attribute,
            url_schemes={"http", "https"},
            link_rel="noopener",
        )

    def clean(self, markdown: str, *, cite: Callable[[str], int | None], tag: str = "") -> str:
        """The model's Markdown, safe for any renderer; `cite` turns a handle into its marker's number, or drops it.

        With the `tag` of names in it an address is none: a name would break it, or be told to whoever keeps its visits.
        """

        def resolve(inner: str) -> list[int] | None:
            items = citation_items(inner)
            if items is None:
                return None
            numbers = (cite(item) for item in items if item.startswith("s"))
            return [number for number in numbers if number is not None]

        text, origin = _cut(visible(markdown), ANSWER_CHARACTERS), replace(self._origin, without=tag)
        try:
            cleaned = write_markdown(_settled(self._parser.parse(text), origin, resolve))
            return cleaned if self._holds(cleaned) else _as_code_block(text)
        except Exception:  # noqa: BLE001  whatever breaks a parser must come out as plain text, never raw
            return _as_code_block(text)

    def html(self, markdown: str, *, markers: Collection[int]) -> str:
        """Clean Markdown or a manual section as HTML; `[n]` is a citation where `markers` has n, and left out else."""

        def resolve(inner: str) -> list[int] | None:
            items = citation_items(inner)
            if items is None or any(item.startswith("s") for item in items):
                return None
            return [int(item) for item in items if item.isascii() and int(item) in markers]

        text = _cut(visible(markdown), LONGEST_MARKDOWN)
        try:
            tokens = [_shifted(token) for token in _settled(self._parser.parse(text), self._origin, resolve)]
            return self._sanitiser.clean(str(self._parser.renderer.render(tokens, self._parser.options, {}))).strip()
        except Exception:  # noqa: BLE001  as above
            return f"<p>{entities.escape(text)}</p>"

    def text(self, markdown: str) -> str:
        """What a reader sees of that HTML, a line for each block, without citation marks; then where its links lead."""
        text = _cut(visible(markdown), LONGEST_MARKDOWN)
        try:
            tokens = _settled(self._parser.parse(text), self._origin, _any_citation)
        except Exception:  # noqa: BLE001  as above
            return text
        return "\n".join(part for part in (*map(_seen, tokens), *map(_addresses, tokens)) if part)

    def _holds(self, cleaned: str) -> bool:
        """Whether a renderer that knows HTML finds nothing to fetch and nothing to click off the origin."""
        env: dict[str, Any] = {}
        tokens = self._other_renderer.parse(cleaned, env)
        inlines = [child for token in tokens for child in token.children or ()]
        in_link = False
        for token in [*tokens, *inlines]:
            in_link = token.type == "link_open" or (in_link and token.type != "link_close")
            if token.type in {"image", "html_block", "html_inline"}:
                return False
            if token.type == "link_open" and self._origin.resolve(str(token.attrs["href"])) is None:
                return False
            if token.type == "text" and not in_link and any(bare_urls(token.content, skip="")):
                return False
        return not env.get("references")

    def _allowed_attribute(self, tag: str, name: str, value: str) -> str | None:
        if (tag, name) == ("a", "href"):
            return self._origin.resolve(value)
        pattern = _VALUES.get((tag, name))
        return value if pattern and pattern.fullmatch(value) else None


_VALUES = {
    ("a", "rel"): re.compile("noopener"),
    ("sup", "class"): re.compile("citation"),
    ("sup", "data-marker"): re.compile("[0-9]{1,6}"),
    ("ol", "start"): re.compile("[0-9]{1,9}"),
}


class _Parser(MarkdownIt):
    """Leaves addresses as they were written: `Origin.resolve` has to see them, and what it refuses must be a link."""

    def validateLink(self, url: str) -> bool:  # noqa: N802  the library's name
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802  the library's name
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802  the library's name
        return link


def _parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False, "maxNesting": DEEPEST_NESTING}).enable(["table", "strikethrough"])
    parser.core.ruler.after("block", "free_handles", _free_handles)
    parser.add_render_rule("text", _rendered_text)
    return parser


def _free_handles(state: StateCore) -> None:
    """A definition `[s1]: https://…` must not turn the handle into a link before it can cite."""
    references = state.env.get("references", {})
    for label in [label for label in references if citation_items(label) is not None]:
        del references[label]


def _rendered_text(_renderer: Any, tokens: list[Token], index: int, _options: Any, _env: Any) -> str:
    text = entities.escape(tokens[index].content)
    return MARKER.sub(r'<sup class="citation" data-marker="\1">[\1]</sup>', text)


def _any_citation(inner: str) -> list[int] | None:
    return None if citation_items(inner) is None else [1]


def _seen(token: Token) -> str:
    """What is read of a block; where a citation stands inside a word, the word is read all the same."""
    children = token.children if token.type == "inline" else [token]
    return "".join("\n" if each.type in BREAKS else MARKER.sub("", each.content) for each in children or ())


def _addresses(token: Token) -> str:
    links = (each for each in token.children or () if each.type == "link_open")
    return "\n".join(unquote(str(link.attrs["href"])) for link in links)


def _settled(parsed: list[Token], origin: Origin, resolve: Resolve) -> list[Token]:
    tokens = _joined_lists(parsed)
    if len(tokens) > MOST_TOKENS:
        raise ValueError("more blocks than a text of this length has in earnest")
    for token in tokens:
        if token.type == "inline":
            token.children = settle(token.children or [], origin=origin, resolve=resolve)
        elif token.type in _CODE_BLOCKS:
            language = next(iter(token.info.lower().split()), "")
            token.info = language if language in LANGUAGES else ""
            if not token.content.endswith("\n"):  # a fence that the text ended in
                token.content += "\n"
    return tokens


def _joined_lists(tokens: list[Token]) -> list[Token]:
    """Neighbouring lists of one kind as one list; the writer looks back over all of them for each."""
    joined: list[Token] = []
    for token in tokens:
        if token.type in _LIST_AFTER_LIST and joined and joined[-1].type == _LIST_AFTER_LIST[token.type]:
            joined.pop()
        else:
            joined.append(token)
    return joined


def _shifted(token: Token) -> Token:
    token.tag = _HEADINGS.get(token.tag, token.tag)
    return token


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{before_cut(text[:limit])}…"


def _as_code_block(text: str) -> str:
    """The text in a fence longer than any in it: no renderer reads anything in there."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
