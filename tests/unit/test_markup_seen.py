"""What a reader sees of Markdown, as moderation reads it: no markup hides a word from it."""

import re
from html import unescape

import pytest
from hypothesis import given

from tests.unit.hostile_markdown import HOSTILE
from tests.unit.markup_harm import MARKUP, answers, clean, html

SEEN = {
    "a link inside a word": ("fl[a](https://lms.example/x)gword", "flagword\nhttps://lms.example/x"),
    "emphasis inside a word": ("f**l**a*g*~~word~~", "flagword"),
    "an entity": ("fl&#97;gword", "flagword"),
    "an escape": ("flag\\-word", "flag-word"),
    "a soft hyphen as an entity": ("flag&shy;word", "flagword"),
    "an image": ("fl![](https://evil.example/x)agword", "flagword"),
    "an image's words": ("fl![a](https://evil.example/x)gword", "flagword"),
    "a citation inside a word": ("flag[1]word", "flagword"),
    "a citation between words": ("two [1]words [2].", "two words ."),
    "code": ("`a*b*`", "a*b*"),
    "a block of code": ("```\na\n```", "a\n"),
    "HTML is what it looks like": ("fl<b></b>agword", "fl<b></b>agword"),
    "lines": ("a\nb\\\nc", "a\nb\nc"),
    "blocks": ("# a\n\nb\n\n- c\n- d\n\n|e|f|\n|-|-|\n|g|h|", "a\nb\nc\nd\ne\nf\ng\nh"),
    "an address that hides words": ("[a](https://lms.example/flag%77ord)", "a\nhttps://lms.example/flagword"),
}


@pytest.mark.parametrize(("markdown", "seen"), SEEN.values(), ids=SEEN)
def test_what_is_seen(markdown: str, seen: str) -> None:
    assert MARKUP.text(markdown) == seen


def letters(text: str) -> str:
    return re.sub(r"\W+", "", text)


def on_the_page(markdown: str) -> str:
    marks = re.compile(r'<sup class="citation".*?</sup>')
    return letters(unescape(re.sub(r"<[^>]+>", "", marks.sub("", html(markdown)))))


@given(answers)
def test_it_is_what_the_page_shows(markdown: str) -> None:
    cleaned = clean(markdown)
    assert letters(MARKUP.text(cleaned)).startswith(on_the_page(cleaned))


@pytest.mark.parametrize("markdown", HOSTILE.values(), ids=HOSTILE)
def test_so_it_is_of_hostile_text(markdown: str) -> None:
    cleaned = clean(markdown)
    assert letters(MARKUP.text(cleaned)).startswith(on_the_page(cleaned))


def test_what_breaks_a_parser_is_seen_as_it_is() -> None:
    text = "|" + "a|" * 50 + "\n|" + "-|" * 50 + "\n" + "|\n" * 200
    assert MARKUP.text(text) == text
