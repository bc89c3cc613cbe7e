"""A page is cut at the headings a Markdown parser sees, and a section keeps its name while others change."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist_service.adapters.manual_split import sections_of
from assist_service.domain.manual import Audience, Section


def split(body: str, *, title: str = "Pools") -> tuple[Section, ...]:
    return sections_of(body, page="teacher/pools", page_title=title, language="en", audience=Audience.TEACHER)


def cut(body: str) -> list[tuple[str, str, str]]:
    return [(section.anchor, section.title, section.text) for section in split(body)]


SPLITS: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "no heading": ("Just text.", [("pools", "Pools", "Just text.")]),
    "text before the first heading": ("Before.\n# A\na", [("pools", "Pools", "Before."), ("a", "A", "a")]),
    "levels one to six": (
        "".join(f"{'#' * level} L{level}\nt{level}\n" for level in range(1, 7)),
        [(f"l{level}", f"L{level}", f"t{level}") for level in range(1, 7)],
    ),
    "seven signs are none": ("####### x\ny", [("pools", "Pools", "####### x\ny")]),
    "a heading in a fence": (
        "# A\n```\n# no heading\n```\n~~~\n## nor here\n~~~\n# B\nb",
        [("a", "A", "```\n# no heading\n```\n~~~\n## nor here\n~~~"), ("b", "B", "b")],
    ),
    "a fence without end": ("# A\n```\n# no heading", [("a", "A", "```\n# no heading")]),
    "a heading in an indented block": ("# A\n\n    # code\n", [("a", "A", "    # code")]),
    "a heading in a list": ("# A\n- # item\n", [("a", "A", "- # item")]),
    "a heading in a quotation": ("# A\n> # quoted\n", [("a", "A", "> # quoted")]),
    "a heading in HTML": ("# A\n<div>\n# no heading\n</div>\n", [("a", "A", "<div>\n# no heading\n</div>")]),
    "a heading in a comment": ("# A\n<!--\n# no heading\n-->\nb", [("a", "A", "<!--\n# no heading\n-->\nb")]),
    "underlined headings": ("A\n======\na\n\nB\n---\nb", [("a", "A", "a"), ("b", "B", "b")]),
    "an underlined heading of two lines": ("Create\na pool\n===\nx", [("create-a-pool", "Create a pool", "x")]),
    "a line across is none": ("# A\nx\n\n---\n\ny", [("a", "A", "x\n\n---\n\ny")]),
    "an anchor in a heading": ('# <a id="new"></a>Create\nPress.', [("create", "Create", "Press.")]),
    "an anchor behind a heading": ('# Create <a name="new"></a>\nPress.', [("create", "Create", "Press.")]),
    "markup in a heading": ("# *Do* **`it`** \\(now\\) &amp; go\nx", [("do-it-now-go", "Do it (now) & go", "x")]),
    "a link in a heading": ("# See [pools](x.md)\nx", [("see-pools", "See pools", "x")]),
    "signs behind a heading": ("# Create ##\nx", [("create", "Create", "x")]),
    "accents": ("# Où créer l’évaluation ?\nx", [("ou-creer-l-evaluation", "Où créer l’évaluation ?", "x")]),
    "another script": ("# 质量\nx", [("质量", "质量", "x")]),
    "a heading of signs only": ("# !!!\nx", [("section", "!!!", "x")]),
    "an empty heading is text": ("# A\nx\n#\ny", [("a", "A", "x\n#\ny")]),
    "a heading twice": ("# A\n1\n# A\n2\n# A\n3", [("a", "A", "1"), ("a-2", "A", "2"), ("a-3", "A", "3")]),
    "a number that is taken": ("# A\n1\n# A 2\n2\n# A\n3", [("a", "A", "1"), ("a-2", "A 2", "2"), ("a-3", "A", "3")]),
    "the page's title again": ("Before.\n# Pools\nx", [("pools", "Pools", "Before."), ("pools-2", "Pools", "x")]),
    "empty sections": ("# A\n\n## B\n \n## C\nc\n## D\n", [("c", "C", "c")]),
    "nothing": ("", []),
    "invisible characters": ("# A\u200b\U000e0041B\nx\u202ey\u2066z", [("ab", "AB", "xyz")]),
    "invisible characters only": ("# A\n\u200b\u2060\n# B\nb", [("b", "B", "b")]),
}  # fmt: skip


@pytest.mark.parametrize(("body", "sections"), SPLITS.values(), ids=SPLITS)
def test_a_page_is_cut_at_its_headings(body: str, sections: list[tuple[str, str, str]]) -> None:
    assert cut(body) == sections


def test_a_long_heading_is_cut_and_says_so() -> None:
    [section] = split(f"# {'word ' * 100}\nx")
    assert len(section.title) <= 120
    assert section.title.endswith("…")
    assert len(section.anchor) <= 80


def test_a_section_knows_its_page() -> None:
    first, second = split("Before.\n# Create\nPress.")
    assert first.full_title == "Pools"
    assert second.full_title == "Pools: Create"


PAGE = "Before.\n# Create\nPress New.\n# Share\nPress Share.\n# Share\nAgain.\n"


def ids(body: str) -> dict[str, str]:
    return {section.anchor: section.id for section in split(body)}


@pytest.mark.parametrize(
    "changed",
    [
        PAGE.replace("Before.", "Something else, and much longer."),
        PAGE.replace("Press New.", "Press **Create**.\n\n- a list\n"),
        PAGE.replace("# Create", "# New\nText.\n# Create"),
        PAGE.replace("# Create\nPress New.\n", ""),
        PAGE + "# Delete\nNo.\n",
        "\n\n" + PAGE,
    ],
)
def test_a_sections_id_stays_while_text_elsewhere_changes(changed: str) -> None:
    before, after = ids(PAGE), ids(changed)
    assert all(after[anchor] == before[anchor] for anchor in before.keys() & after.keys())
    assert {"share", "share-2"} <= after.keys()


def test_ids_differ_between_pages_languages_and_headings() -> None:
    made = {
        section.id
        for page in ("teacher/pools", "student/pools")
        for language in ("en", "fr")
        for section in sections_of(PAGE, page=page, page_title="Pools", language=language, audience=Audience.TEACHER)
    }
    assert len(made) == 4 * 4
    assert all(re.fullmatch(r"[0-9a-f]{20}", each) for each in made)


pieces = st.sampled_from(
    (
        "# A\n",
        "## A\n",
        "text\n",
        "```\n",
        "\n",
        "- ",
        "> ",
        "    ",
        "===\n",
        "---\n",
        "<div>\n",
        "<!--",
        "[x]: y\n",
        "\t",
    )
)


@given(st.lists(pieces | st.text(max_size=10), max_size=30).map("".join))
def test_any_page_is_cut_into_sections_of_text_with_names_of_their_own(body: str) -> None:
    sections = split(body.replace("\r\n", "\n").replace("\r", "\n"))
    assert len({section.anchor for section in sections}) == len(sections)
    for section in sections:
        assert section.text.strip()
        assert section.text.rstrip() == section.text
        assert section.text.splitlines()[0].strip()
        assert section.anchor
        assert "\n" not in section.title
        assert not re.search(r"\s", section.anchor)
