"""Whatever the model writes: no fetch, no link off the LMS's origin, no marker but those `cite` gave."""

from typing import Never

import pytest
from hypothesis import given

from assist_service.adapters.markdown import markup as markup_module
from assist_service.adapters.markdown.markup import Markup
from assist_service.domain.text import visible
from tests.unit.hostile_markdown import HOSTILE, ORIGIN
from tests.unit.markup_harm import MARKERS, MARKUP, Harm, answers, by_another_renderer, clean, html, outputs


@pytest.mark.parametrize("markdown", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_answer_does_no_harm(markdown: str) -> None:
    for rendered in outputs(markdown):
        assert Harm(rendered).found == [], rendered


def test_the_check_itself_finds_harm() -> None:
    found = [name for name, markdown in HOSTILE.items() if Harm(by_another_renderer(markdown)).found]
    assert len(HOSTILE) > 120
    assert len(found) > 100


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
