"""What the tests of an answer's Markdown share: how it is made, what harm a browser would see in it, hostile pieces."""

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser

from hypothesis import strategies as st
from markdown_it import MarkdownIt

from assist_service.adapters.markdown.markup import Markup
from tests.unit.hostile_markdown import ORIGIN

MARKUP = Markup(ORIGIN)
MARKERS = {"s1": 1, "s2": 2, "s3": 3}
ELEMENTS = frozenset(
    [
        *("p", "br", "strong", "em", "s", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "a", "sup"),
        *("table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6"),
    ]
)
CLICKABLE = re.compile(r"[a-z0-9+.-]://|//\w+\.\w|\bwww\.\w|[\w.+-]@[\w-]+\.\w|\w\.(com|net|org)\b", re.IGNORECASE)


def clean(markdown: str, cite: Callable[[str], int | None] = MARKERS.get) -> str:
    return MARKUP.clean(markdown, cite=cite)


def html(markdown: str) -> str:
    return MARKUP.html(markdown, markers={1, 2, 3})


def by_another_renderer(markdown: str) -> str:
    """As GFM with HTML would; what it would make clickable by itself is looked for by `Harm`."""
    return str(MarkdownIt("default", {"html": True}).render(markdown))


class Harm(HTMLParser):
    """Collects what makes a browser fetch, leave the origin or run anything. Knows nothing of the code under test."""

    def __init__(self, rendered: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.markup_found: list[str] = []
        self.links: list[str] = []
        self._inert: list[str] = []
        self.feed(rendered)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ELEMENTS:
            self._report(f"<{tag}>")
        if tag in {"a", "code"}:
            self._inert.append(tag)
        for name, value in attrs:
            if name == "href":
                self._link(value or "")
            elif name not in {"rel", "class", "data-marker", "start"} and not (value or "").startswith("text-align:"):
                self._report(f"{name}={value}")

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inert:
            self._inert.remove(tag)

    def handle_data(self, data: str) -> None:
        if not self._inert and CLICKABLE.search(data):
            self.found.append(data)

    def _link(self, href: str) -> None:
        self.links.append(href)
        if not re.fullmatch(rf"({re.escape(ORIGIN)})?/([^/\\].*)?", href, re.ASCII):
            self._report(f"href={href}")

    def _report(self, harm: str) -> None:
        self.found.append(harm)
        self.markup_found.append(harm)

    def handle_comment(self, data: str) -> None:
        self._report(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self._report(f"<!{decl}>")

    def handle_pi(self, data: str) -> None:
        self._report(f"<?{data}>")

    def unknown_decl(self, data: str) -> None:
        self._report(f"<![{data}]>")


def outputs(markdown: str) -> Iterator[str]:
    """Everything a browser may be given of an answer: cleaned, or straight from a store that was tampered with."""
    cleaned = clean(markdown)
    yield html(cleaned)
    yield html(markdown)
    yield by_another_renderer(cleaned)


FRAGMENTS = (
    *("[", "]", "(", ")", "!", "`", "``", "```", "~~~", "~~", "*", "**", "_", "__", "<", ">", "|", "\\", "&", "#"),
    *("\n", "\n\n", "  \n", "\\\n", "    ", "\t", " ", ":", "//", "'", '"', "=", "\n===\n", "\n---\n", "$", "{"),
    *("- ", "1. ", "> ", "# ", "|-|", "\n|---|---|\n", "\n| a | b |\n", "&#10;", "&lt;", "&#91;", "&amp;lt;", "&#96;"),
    *("[s1]", "[s1, s9]", "[1]", "[^1]: ", "[x]: ", "[a][x]", "![a][x]", "![", "](https://evil.com)", "](/pools)"),
    *("https:", "https://evil.com", "//evil.com/x", "www.", "ww", "evil.com", "@evil.com", "mailto:", "javascript:"),
    *("<https://evil.com>", "<https://lms.example/y>", "https://lms.example/x", "https://lms.example", "/\\evil.com"),
    *("<img src=https://evil.com>", "<b>", "</a>", "<!--", "-->", "<script>", "\u200b", "\ufdd0", "\ufdd1", "\u00a0"),
    *("a", "1", "é", "👩‍💻", "\u202e"),
)
answers = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=5)), max_size=30).map("".join)
