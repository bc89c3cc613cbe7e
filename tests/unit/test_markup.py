"""Whatever the model writes: no fetch, no link off the LMS's origin, no marker but those `cite` gave."""

import re
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Never

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from assist_service.adapters.markdown import markup as markup_module
from assist_service.adapters.markdown.markup import LANGUAGES, Markup
from assist_service.domain.answer import ANSWER_CHARACTERS
from assist_service.domain.origin import Origin
from assist_service.domain.text import visible
from tests.unit.hostile_markdown import HOSTILE, ORIGIN

MARKUP = Markup(ORIGIN)
MARKERS = {"s1": 1, "s2": 2, "s3": 3}
ELEMENTS = frozenset(
    [
        *("p", "br", "strong", "em", "s", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "a", "sup"),
        *("table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6"),
    ]
)
CLICKABLE = re.compile(r"[a-z0-9+.-]://|//\w+\.\w|\bwww\.\w|[\w.+-]@[\w-]+\.\w|\w\.(com|net|org)\b", re.IGNORECASE)
SLOWEST_SECONDS = 10
"""Of processor time: ten times what any text takes here, far below what work that grows with a cube takes."""


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


# --- no fetch, no foreign link -------------------------------------------------------------------------------------


@pytest.mark.parametrize("markdown", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_answer_does_no_harm(markdown: str) -> None:
    for rendered in outputs(markdown):
        assert Harm(rendered).found == [], rendered


def test_the_check_itself_finds_harm() -> None:
    found = [name for name, markdown in HOSTILE.items() if Harm(by_another_renderer(markdown)).found]
    assert len(HOSTILE) > 120
    assert len(found) > 100


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


@given(answers)
def test_no_answer_does_harm(markdown: str) -> None:
    for rendered in outputs(markdown):
        assert Harm(rendered).found == []


@given(answers)
def test_what_comes_out_is_visible_and_can_be_cleaned_again(markdown: str) -> None:
    cleaned = clean(markdown)
    assert visible(cleaned) == cleaned
    assert visible(html(cleaned)) == html(cleaned)
    assert Harm(html(clean(cleaned))).found == []


BECOMES = {
    "an image its description": ("a ![b **c**](https://evil.example) d", "a b c d"),
    "an image without one nothing": ("a ![](https://evil.example) b", "a b"),
    "a link its text": ("[*a* b](https://evil.example)", "*a* b"),
    "a link of a script its text": ("[a](javascript:alert(1))", "a"),
    "a reference its text": ("[a][x] [x]\n\n[x]: //evil.example 'title'", "a x"),
    "an autolink code": ("<https://evil.example/?a=b>", "`https://evil.example/?a=b`"),
    "an autolink of any scheme code": ("<xx:a><tel:123>", "`xx:a` `tel:123`"),
    "an autolink in a link the link": (
        "[a <https://lms.example/x> b](/pools)",
        "a [https://lms.example/x](https://lms.example/x) b",
    ),
    "an exclamation before a link no image": ("Look!![](x)[here](/a)", "Look\\![here](/a)"),
    "a break in a heading a space": ("a\\\nb\n===", "# a b"),
    "a pipe after a backslash one that every reader reads alike": (
        "| a |\n|---|\n| `\\\\|b` |",
        "| a |\n| --- |\n| `\\ \\|b` |",
    ),
    "a fence without end a whole one": ("~~~\n[s1]", "```\n[s1]\n```"),
    "a quotation too deep nothing": ("a\n\n" + "> " * 50 + "b", "a\n\n" + "> " * 19 + ">"),
    "an e-mail code": ("<a@evil.example>", "`a@evil.example`"),
    "an address code": ("(see https://evil.example/a_b).", "(see `https://evil.example/a_b`)."),
    "a domain code": ("evil.com, www.evil.example!", "`evil.com`, `www.evil.example`!"),
    "HTML text": ("<b onclick=x>a</b>", "\\<b onclick=x>a\\</b>"),
    "HTML by entities text": ("&lt;b&gt; &amp;lt;", "\\<b> \\&lt;"),
    "a line feed by an entity a space": ("a&#10;&#10;# b", "a # b"),
    "an escaped definition text": ("\\[x]: //evil.example", "\\[x\\]: `//evil.example`"),
    "a title nothing": ("[a](/pools 'title')", "[a](/pools)"),
    "a drawing a code block": ("```mermaid\na\n```", "```\na\n```"),
    "emphasis around nothing nothing": ("a **![](x)** b", "a b"),
    "a line after nothing the first": ("![](x)\\\na", "a"),
    "an invisible nothing": ("a&#x202e;b&#8203;c `d\u2066e`", "abc `de`"),
}


@pytest.mark.parametrize(("markdown", "expected"), BECOMES.values(), ids=BECOMES)
def test_becomes(markdown: str, expected: str) -> None:
    assert clean(markdown) == expected


ON_ORIGIN = {
    "/": "/",
    "/pools/1?tab=a&b=c#top": "/pools/1?tab=a&b=c#top",
    "/cours/é": "/cours/%C3%A9",
    "/a%20b": "/a%20b",
    "/a(b)": "/a%28b%29",
    "/search?q=https://x.example//": "/search?q=https://x.example//",
    "/@me": "/@me",
    "https://lms.example": "https://lms.example/",
    "HTTPS://LMS.Example:443/a": "https://lms.example/a",
    "https://lms.example?q": "https://lms.example/?q",
    "https://lms.example#q": "https://lms.example/#q",
}

OFF_ORIGIN = (
    *("", "x", "./x", "../x", "?q", "#q", "//evil.example", "///evil.example", "/\\evil.example"),
    *(
        "/%5cevil.example",
        "/%2fevil.example",
        "/%252fevil.example",
        "/%25252fevil.example",
        "/%2525252525252fevil",
        "/\t/evil.example",
    ),
    *("/\n/evil.example", " /pools", "/pools ", "/a b", "/a\u00a0b", "/a%00b", "/a%0ab", "/a\u2028b"),
    *("/./a", "/../a", "/a/..", "/%2e%2e/a", "/a//b", "/a\\b", "/／evil.example", "/a%EF%BC%8Fb", "/&#47;evil.example"),
    *(
        "/&sol;evil.example",
        "http://lms.example/",
        "https://lms.example:80/",
        "https://lms.example:/",
        "https:/lms.example",
    ),
    *("https:lms.example", "https:///lms.example", "https:\\\\lms.example", "https://lms.example\\@evil.example"),
    *("https://lms.example@evil.example", "https://a:b@lms.example/", "https://@lms.example/", "https://lms.example./"),
    *("https://lms.example.evil.example", "https://evil.example/https://lms.example", "https://lms%2eexample/"),
    *(
        "https://lms。example/",
        "https://lms.ехample/",
        "https://LMS.EXAMPLE\u0301/",
        "https://lms.example//evil.example",
    ),
    *("https://lms.example/..//x", "https:// lms.example/", "https://lms.example:0443x/", "javascript:alert(1)"),
    *("javascript://lms.example/%0aalert(1)", "data:text/html,x", "ftp://lms.example/", "blob:https://lms.example/x"),
    *(
        "mailto:a@lms.example",
        "lms.example/pools",
        "https://[::1]/",
        "https://lms.example:99999999/",
        "https://Kms.example",
    ),
)


@pytest.mark.parametrize(("href", "expected"), ON_ORIGIN.items())
def test_a_link_on_the_origin_stays_clickable(href: str, expected: str) -> None:
    assert Origin.parse(ORIGIN).resolve(href) == expected
    assert clean(f"[a](<{href}>)") == f"[a]({expected})"
    for rendered in outputs(f"[a](<{href}>)"):
        assert Harm(rendered).links == [expected]


@pytest.mark.parametrize("href", ["\\/evil.example", "/a\x00b", "/a\u200bb", "/a\u202eb", "/a\ufdd0b", "/a\x7fb"])
def test_an_address_that_no_parser_would_hand_over(href: str) -> None:
    assert Origin.parse(ORIGIN).resolve(href) is None


@pytest.mark.parametrize("href", OFF_ORIGIN)
def test_every_other_link_is_text(href: str) -> None:
    assert Origin.parse(ORIGIN).resolve(href) is None
    for rendered in outputs(f"[a](<{href}>) [b]\n\n[b]: <{href}>"):
        assert Harm(rendered).links == []


@given(st.text())
def test_an_address_that_stays_resolves_to_itself(href: str) -> None:
    origin = Origin.parse(ORIGIN)
    for candidate in (href, f"/{href}", f"{ORIGIN}/{href}", f"{ORIGIN}{href}"):
        resolved = origin.resolve(candidate)
        assert resolved is None or (resolved.isascii() and origin.resolve(resolved) == resolved)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("https://LMS.example/", "https://lms.example"),
        ("https://lms.example:443", "https://lms.example"),
        ("http://127.0.0.1:8081", "http://127.0.0.1:8081"),
        ("http://[::1]:8081", "http://[::1]:8081"),
    ],
)
def test_an_origin_as_settings_write_it(origin: str, expected: str) -> None:
    assert str(Origin.parse(origin)) == expected
    assert f'href="{expected}/a"' in Markup(origin).html(f"[a]({expected}/a)", markers=())


def test_a_letter_that_only_case_folding_makes_alike_is_another() -> None:
    assert Origin.parse("https://kms.example").resolve("https://\u212ams.example/") is None


@pytest.mark.parametrize("origin", ["", "lms.example", "ftp://lms.example", "https://lms.example/a", "https://a@b"])
def test_no_origin_no_markup(origin: str) -> None:
    with pytest.raises(ValueError, match="not an origin"):
        Markup(origin)


# --- honest Markdown -----------------------------------------------------------------------------------------------

UNCHANGED = {
    "paragraphs": "One, *two*, **three**, ~~four~~.\n\nFive! Six: (seven) AT&T, 3 > 2 + 1.",
    "nested emphasis": "**a *b* c** *d **e***",
    "lists": "- a\n  - b\n    - c\n- d\n\nText\n\n1. e\n2. f",
    "a loose list": "- a\n\n  b\n\n- c",
    "a quotation": "> a\n>\n> - b",
    "code": "`a[1] <b> https://x.example` and `` ` ``",
    "a code block": '```python\nurl = "https://x.example"[1]\n```',
    "a longer fence": "````\n```\n[s1]\n```\n````",
    "a table": "| a | b | c |\n| --- | :-- | --: |\n| 1 | `x\\|y` | **z** |\n|  | \\|\\| | [p](/pools) |",
    "a link": "See [the *pool*](/pools/1) and [it](https://lms.example/a_b).",
    "a hard break": "a\\\nb",
    "headings": "# a\n\n## b\n\n###### c",
    "a name with underscores": "snake_case stays",
}


@pytest.mark.parametrize("markdown", UNCHANGED.values(), ids=UNCHANGED)
def test_canonical_markdown_stays_as_it_is(markdown: str) -> None:
    assert clean(markdown) == markdown
    assert clean(clean(markdown)) == markdown


RENDERED = {
    "emphasis": ("*a* **b** ~~c~~", "<p><em>a</em> <strong>b</strong> <s>c</s></p>"),
    "headings, two levels down": (
        "# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f",
        "<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>\n<h6>d</h6>\n<h6>e</h6>\n<h6>f</h6>",
    ),
    "a list that starts later": ("3. a", '<ol start="3">\n<li>a</li>\n</ol>'),
    "a link": ("[a](/pools?a=1&b=2)", '<p><a href="/pools?a=1&amp;b=2" rel="noopener">a</a></p>'),
    "an address of the origin": (
        "https://lms.example/x.",
        '<p><a href="https://lms.example/x" rel="noopener">https://lms.example/x</a>.</p>',
    ),
    "an autolink of the origin": (
        "<https://lms.example/x>",
        '<p><a href="https://lms.example/x" rel="noopener">https://lms.example/x</a></p>',
    ),
    "a table": (
        "| a |\n|:-:|\n| `b` |",
        "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n"
        "<tbody>\n<tr>\n<td><code>b</code></td>\n</tr>\n</tbody>\n</table>",
    ),
    "a code block": ("```python\na[1] < b\n```", "<pre><code>a[1] &lt; b\n</code></pre>"),
    "breaks": ("a\\\nb\nc", "<p>a<br>\nb\nc</p>"),
    "a rule": ("a\n\n***\n\nb", "<p>a</p>\n<hr>\n<p>b</p>"),
    "a quotation": ("> a", "<blockquote>\n<p>a</p>\n</blockquote>"),
    "a manual's relative link": ("[Pools](../shared/pools.md) ![A screen](a.png)", "<p>Pools A screen</p>"),
    "a marker": ("a [2]", '<p>a <sup class="citation" data-marker="2">[2]</sup></p>'),
    "a marker that is none": ("a [7] b[8].", "<p>a b.</p>"),
    "a handle of a manual's page": ("write [s1]", "<p>write [s1]</p>"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("markdown", "expected"), RENDERED.values(), ids=RENDERED)
def test_rendered(markdown: str, expected: str) -> None:
    assert html(markdown) == expected


def test_a_manual_section_has_no_markers() -> None:
    assert MARKUP.html("a [1]", markers=()) == "<p>a</p>"


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_language_of_the_list_is_kept(language: str) -> None:
    assert clean(f"~~~ {language.upper()} x=1\na\n~~~") == f"```{language}\na\n```"


# --- citations -----------------------------------------------------------------------------------------------------

CITED = {
    "one": ("Open the pool [s1].", "Open the pool [1]."),
    "several in one": ("a [s1, s2] b [s1; s3] c [s2 s3]", "a [1][2] b [1][3] c [2][3]"),
    "several in a row": ("a [s1][s2]", "a [1][2]"),
    "capitals": ("a [S1] b [ S2 , s3 ]", "a [1] b [2][3]"),
    "unknown": ("a [s9]. b\n[s9] c", "a. b c"),
    "known and unknown": ("a [s1, s9] [s9, s8]", "a [1]"),
    "twice": ("a [s1][s1] b [s1, s1] [s1]", "a [1] b [1]"),
    "the model's own number": ("a [12]. b [1] [1, 2] [s1]", "a. b [1]"),
    "the model's own footnote": ("a[^1] b[^s2]", "a b[2]"),
    "a number in another's brackets": ("a [[12]1] [[[1]2]3]b", "ab"),
    "a number split by emphasis": ("a [**1**] [*s1*] **[s2**]", "a [1] **[2]**"),
    "a number split by an image": ("a [![](x)1]", "a"),
    "a number by escapes": ("a \\[1\\] &#91;2&#93; b", "a b"),
    "a number of other digits": ("a [１] [١] b", "a b"),
    "a number as description": ("a ![[1]](x) ![1](x) b", "a 1 b"),
    "in emphasis": ("**a [s1]** *[s2]* ~~[s9]~~", "**a [1]** *[2]*"),
    "at the start of emphasis": ("**[s9] a**", "**a**"),
    "in a heading": ("# a [s1]", "# a [1]"),
    "in a list": ("- a [s1]\n- [s2]", "- a [1]\n- [2]"),
    "in a table": ("| a [s1] |\n|---|\n| [s2][s9] |", "| a [1] |\n| --- |\n| [2] |"),
    "in a link's text": ("[a [s1]](/pools)", "[a [1]](/pools)"),
    "after punctuation": ("a.[s1] (b)[s2]", "a.[1] (b)[2]"),
    "before what makes a link": ("[s1](x y) [s1]: a", "[1]\\(x y) [1]\\: a"),
    "as a link": ("a [s1](https://evil.example) [s2](/pools)", "a [1] [2]"),
    "as an image before": ("a ![s1]", "a \\![1]"),
    "defined": ("a [s1]\n\n[s1]: https://evil.example", "a [1]"),
    "defined as a list": ("a [s1, s2]\n\n[s1, s2]: /pools", "a [1][2]"),
    "as a label": ("[see][s1]\n\n[s1]: https://evil.example", "\\[see\\][1]"),
    "an own number defined": ("a [1]\n\n[1]: https://evil.example", "a"),
    "an own number as a link": ("a [1](https://evil.example) [2](/pools)", "a"),
    "in code": ("`[s1]` `a[1]`\n\n```\n[s1]\n```", "`[s1]` `a[1]`\n\n```\n[s1]\n```"),
    "with an invisible": ("a [s\u200b1]", "a [1]"),
    "next to an address": ("https://evil.example/a[s1]", "`https://evil.example/a`[1]"),
    "not a handle": ("[sx] [s] [] [1a] [-1]", "\\[sx\\] \\[s\\] \\[\\] \\[1a\\] \\[-1\\]"),
}


@pytest.mark.parametrize(("markdown", "expected"), CITED.values(), ids=CITED)
def test_cited(markdown: str, expected: str) -> None:
    assert clean(markdown) == expected


def test_handles_reach_cite_in_order_and_lower_case() -> None:
    asked: list[str] = []
    clean("[S2] `[s7]` *[s1,\nS3]*\n\n| [s5] |\n|---|\n\n- [4] [s2]", lambda handle: asked.append(handle))
    assert asked == ["s2", "s1", "s3", "s5", "s2"]


@given(answers)
def test_every_marker_comes_from_cite(markdown: str) -> None:
    cleaned = clean(markdown, lambda handle: 70 + len(handle))
    rendered = re.sub(r"<code>.*?</code>", "", html(cleaned), flags=re.DOTALL)
    assert "data-marker" not in rendered  # 1, 2 and 3 are markers, but cite gave none of them
    uncited = clean(markdown, lambda handle: None)
    outside_code = re.sub(r"<code.*?</code>", "`", by_another_renderer(uncited), flags=re.DOTALL)
    assert not re.search(r"\[\d+\]", re.sub(r"<[^>]*>", "", outside_code))


# --- the second guards, and what no guard expects -------------------------------------------------------------------


def _untouched(tokens: list[object], **_: object) -> list[object]:
    return tokens


@pytest.mark.parametrize("markdown", HOSTILE.values(), ids=HOSTILE)
def test_each_output_has_a_guard_of_its_own(markdown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the first guard taken out and HTML let in, nh3 and the reading back still hold."""
    markup = Markup(ORIGIN)
    markup._parser.options["html"] = True
    monkeypatch.setattr(markup_module, "settle", _untouched)
    assert Harm(markup.html(markdown, markers=())).markup_found == []
    assert Harm(by_another_renderer(markup.clean(markdown, cite=MARKERS.get))).found == []


@pytest.mark.parametrize(
    "written",
    ["![a](/b)", "a <b>c</b>", "<div>", "[a](//b)", "[a](b)", "<https://b.example>", "https://b.example", "[a]: /b"],
)
def test_markdown_that_does_not_read_back_as_safe_is_not_given_out(
    written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markup_module, "write_markdown", lambda tokens: written)
    assert clean("The answer.") == "```\nThe answer.\n```"


class _Broken(list[int]):
    """A collection nobody can look into."""

    def __contains__(self, item: object) -> Never:
        raise RuntimeError


def test_what_breaks_a_renderer_comes_out_as_plain_text() -> None:
    def cite(handle: str) -> Never:
        raise RuntimeError(handle)

    markdown = "[s1] ![a](https://evil.example)\u202e\n```\n<b>"
    assert clean(markdown, cite) == "````\n[s1] ![a](https://evil.example)\n```\n<b>\n````"
    assert MARKUP.html("[1] <img src=x>\u202e", markers=_Broken()) == "<p>[1] &lt;img src=x&gt;</p>"


PATHOLOGICAL = {
    "quotations": ">" * 10_000,
    "brackets": "[" * 10_000,
    "asterisks": "*" * 10_000,
    "pairs of brackets": "[" * 10_000 + "]" * 10_000,
    "nested numbers": "[" * 6_000 + "1]" * 6_000,
    "nested emphasis": "*a " * 3_300 + "a* " * 3_300,
    "lists of one kind": "- a\n* b\n" * 12_500,
    "lists of one item": "- a\n1. b\n* c\n" * 8_000,
    "a table of missing cells": "|" + "a|" * 50 + "\n|" + "-|" * 50 + "\n" + "|\n" * 9_800,
    "an address encoded over and over": "[a](/" + "%25" * 6_000 + ")",
}
PATTERNS = (
    *("![", "[](", "[a](<b", "> a\n", "**a*", "_", "`` ` ", "<", "<!--", "&", "~~a", "\\", "&#10;", "[s1] ", "[[12]1]"),
    *("- ", "- a\n", "a|b\n-|-\n", "[a]: /b\n", "```\n", "a\u200d", "👩\u200d", "https://", "a.", "a@b.co "),
)
MORE_PATHOLOGICAL = {
    **{repr(pattern): pattern * (100_000 // len(pattern)) for pattern in PATTERNS},
    "nested images": "![" * 3_000 + "](x)" * 3_000,
    "backticks of every length": " ".join("`" * length for length in range(1, 190)),
    "steps of a list": "".join("  " * depth + "- a\n" for depth in range(140)),
    "steps of a quotation": "".join(">" * depth + "a\n" for depth in range(190)),
    "many definitions": "".join(f"[{n}a]: /x{n}\n" for n in range(800)) + "".join(f"[{n}a] " for n in range(800)),
    "a long address": "[a](/" + "b" * 19_000 + ") https://" + "a." * 400,
}


@pytest.mark.parametrize("markdown", PATHOLOGICAL.values(), ids=PATHOLOGICAL)
def test_no_text_takes_long(markdown: str) -> None:
    started = time.process_time()
    cleaned = clean(markdown)
    rendered = html(cleaned)
    assert time.process_time() - started < SLOWEST_SECONDS
    assert Harm(rendered).found == []
    assert len(cleaned) < 4 * ANSWER_CHARACTERS


@pytest.mark.slow
@pytest.mark.parametrize("markdown", MORE_PATHOLOGICAL.values(), ids=MORE_PATHOLOGICAL)
def test_none_of_many_more_takes_long(markdown: str) -> None:
    test_no_text_takes_long(markdown)


def test_a_text_over_the_bound_is_cut_with_a_mark() -> None:
    assert clean("a" * ANSWER_CHARACTERS) == "a" * ANSWER_CHARACTERS
    assert clean("a" * (ANSWER_CHARACTERS + 1)) == "a" * ANSWER_CHARACTERS + "…"
