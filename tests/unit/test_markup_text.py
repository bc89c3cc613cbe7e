"""Honest Markdown stays as it is, and every citation marker comes from `cite`."""

import re

import pytest
from hypothesis import given

from assist_service.adapters.markdown.markup import LANGUAGES
from tests.unit.markup_harm import MARKUP, answers, by_another_renderer, clean, html

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
    "underscores that are no emphasis": "\\_\\_init\\_\\_ and a\\_\\_b",
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
