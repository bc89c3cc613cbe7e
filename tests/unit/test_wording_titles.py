"""A title reads in an answer as it stands in the LMS, whatever it holds, and is nothing but text to any renderer."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assist_service.adapters.wording.titles import TITLE_CHARACTERS
from assist_service.domain.live.finding import Called, Column, Finding, Say, Sentence
from assist_service.domain.live.query import Lookup, Operation, RecordKind
from assist_service.domain.references import LABEL_CHARACTERS, shown_label
from assist_service.domain.screens import Language
from assist_service.domain.text import one_line
from examples.reference_lms.making import hostile
from tests.unit.hostile_markdown import HOSTILE
from tests.unit.live_findings import AT, WORDING, called, listed, of_table, query, table, unclear
from tests.unit.markup_harm import MARKUP, Harm, answers, by_another_renderer

TITLES = {
    "pipes": "a | b || c |",
    "a pipe behind a backslash": "a\\|b\\\\|",
    "a row of a table": "| a |\n|---|\n| b |",
    "backticks": "`a` ``b`` ```",
    "a backtick and a pipe": "`|` `[1]|`",
    "lines": "one\ntwo\r\n\r\nthree\u2028four",
    "a handle": "[s1]",
    "a citation": "Quiz [1]",
    "citations": "[1][2] [s1, s2] [^3] [ 4 ; 5 ]",
    "a citation in a citation": "[[12]1] [1 [2] 3] [s`1`]",
    "a citation that never closes": "[1",
    "a citation that closes early": "1] [",
    "an image": "![marks](https://evil.example/pixel.png)",
    "a link": "[Click here](https://evil.example)",
    "a link of the platform": "https://lms.example/logout [out](/logout)",
    "a definition": "[x]: https://evil.example",
    "html": "<img src=x onerror=alert(1)> <b>bold</b> <!-- no -->",
    "entities": "&lt;b&gt; &amp; &#91;1&#93; AT&T",
    "direction": "Right \u202egnp.exe\u202c",
    "invisible": "Quiz" + "".join(chr(0xE0000 + ord(letter)) for letter in "obey") + "\u200b",
    "a placeholder": "Person-abcdefgh-1 [[student:1]]",
    "emphasis": "*a* **b** _c_ __d__ ~~e~~ snake_case",
    "a list": "- a",
    "a numbered list": "1. a",
    "another numbered list": "12) a",
    "a heading": "# a",
    "a heading beneath": "===",
    "a rule": "---",
    "a quotation": "> a",
    "a fence": "```mermaid",
    "a backslash at the end": "a\\",
    "an address": "evil.com",
    "an address with a backslash": "http:\\\\evil.com",
    "an e-mail": "ana.cruz@school.example.com, mailto:a@b.com",
    "an address in pieces": "http://e|vil.com www.`evil.com",
    "braces": "{count} {0} {",
    "mathematics": "$x$ \\(y\\) \\[z\\]",
    "an emoji": "👩‍💻 Quiz",
    "Arabic": "اختبار",
    **{f"hostile {number}": title for number, title in enumerate(hostile.TITLES)},
    "a statement": hostile.STATEMENT,
    "a description": hostile.DESCRIPTION,
    **HOSTILE,
}
UNSEEN = {
    "nothing": "",
    "spaces": " \t \u00a0 \u3000",
    "invisible": "\u200b\u2060\U000e0041",
    "a joiner": "\u200d",
    "empty braille": "\u2800 \u2800",
    "an accent without a letter": "\u0301",
}


class Cells(HTMLParser):
    """What a reader sees of each cell, item and paragraph, and which elements there are."""

    def __init__(self, rendered: str) -> None:
        super().__init__()
        self.texts: dict[str, list[str]] = {}
        self.elements: set[str] = set()
        self._at: list[str] = []
        self.feed(rendered)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self._at.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._at.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in self._at:
            self.texts[tag][-1] += data


PLAIN = frozenset("p strong code ul li table thead tbody tr th td".split())
"""Elements that this service writes itself. Code: of what would else be clickable, or a citation."""


def rendered(*looked: Finding) -> Iterator[str]:
    """As this service shows it, and as another renderer would."""
    cleaned = MARKUP.clean(WORDING.answer(looked, language=Language.ENGLISH, at=AT), cite=lambda handle: None)
    yield MARKUP.html(cleaned, markers=())
    yield by_another_renderer(cleaned)


def close(text: str) -> str:
    """Two runs of code side by side are parted by a space: what is read is the same."""
    return re.sub(r"\s", "", text)


def check(title: str) -> None:
    line = one_line(title, TITLE_CHARACTERS)
    finding = Finding(
        query(Lookup.EXAM_RESULTS, Operation.LIST),
        said=(Sentence(Say.STUDENT_ABSENT, values={"student": Called(title)}),),
        table=table(
            [Column.EXAM, Column.MARK, Column.CLASS], (Called(title), 1, Called(title)), (Called("x"), 2, None)
        ),
        classes=called(title, "B", title),
        about=(listed(RecordKind.EXAM, title),),
    )
    for html in rendered(finding):
        seen = Cells(html)
        assert seen.elements <= PLAIN
        assert Harm(html).found == []
        assert Harm(html).links == []
        cells = seen.texts["td"]
        assert [close(cell) for cell in cells] == [close(line), "1", close(line), "x", "2", "none"]
        assert close(seen.texts["p"][1]) == close(f"{line} was absent from the exam.")
        heading = f"Results of an exam: {line} · classes: {line}; B; {line} · as of Nov 30, 2026, 6:01 PM"
        assert [close(text) for text in seen.texts["strong"]] == [close(heading)]


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_a_title_is_shown_as_it_stands_and_makes_nothing(title: str) -> None:
    check(title)


@settings(max_examples=40, deadline=None)
@given(answers.filter(lambda text: any(map(str.isalnum, one_line(text, TITLE_CHARACTERS)))))
@example("https:")
@example("mailto")
def test_whatever_it_is_made_of(title: str) -> None:
    check(title)


@settings(max_examples=30, deadline=None)
@given(st.lists(answers.filter(lambda text: any(map(str.isalnum, one_line(text, 100)))), min_size=1, max_size=4))
@example(["# a", "- b", "1. c", "> d", "[ ] e", "```"])
@example(["[x]: https://evil.example", "[x]"])
def test_an_option_is_an_item_of_the_list_and_nothing_else(labels: list[str]) -> None:
    shown = unclear(RecordKind.EXAM, *labels)
    cleaned = MARKUP.clean(WORDING.answer([shown], language=Language.ENGLISH, at=AT), cite=lambda handle: None)
    for html in (MARKUP.html(cleaned, markers=()), by_another_renderer(cleaned)):
        seen = Cells(html)
        assert seen.elements <= PLAIN
        assert Harm(html).found == []
        assert [close(item) for item in seen.texts["li"]] == [
            close(one_line(each, LABEL_CHARACTERS)) for each in labels
        ]


@pytest.mark.parametrize("title", UNSEEN.values(), ids=UNSEEN)
def test_a_title_of_which_nobody_sees_anything_is_said_to_be_none(title: str) -> None:
    finding = of_table(Column.STUDENT, Column.EXAM, rows=[called(title, title)])
    for html in rendered(finding):
        assert Cells(html).texts["td"] == ["(no name)", "(no title)"]


def test_a_long_title_is_cut_visibly() -> None:
    finding = of_table(Column.EXAM, rows=[called("*" * 500), called("é" * TITLE_CHARACTERS)])
    for html in rendered(finding):
        assert Cells(html).texts["td"] == ["*" * (TITLE_CHARACTERS - 1) + "…", "é" * TITLE_CHARACTERS]


@pytest.mark.parametrize("title", [*TITLES.values(), *UNSEEN.values(), "x" * 500])
def test_a_label_to_click_on_is_visible_on_one_line_and_not_escaped(title: str) -> None:
    label = shown_label(title)
    assert label
    assert label == (one_line(title, LABEL_CHARACTERS) or "…")
    assert len(label) <= LABEL_CHARACTERS
    assert "\n" not in label


def test_what_looks_like_a_citation_or_an_address_is_code_and_the_rest_is_escaped() -> None:
    text = WORDING.answer(
        [of_table(Column.EXAM, rows=[called("Quiz [1] of evil.com"), called("a_b *c* | d"), called("1. x")])],
        language=Language.ENGLISH,
        at=AT,
    )
    assert text.split("\n")[-3:] == ["| Quiz `[1]` of `evil.com` |", "| a\\_b \\*c\\* \\| d |", "| 1\\. x |"]
