"""A page is cut at the headings a Markdown parser sees, and a section keeps its name while others change."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assist_service.adapters.manual.bounds import SECTION_CHARACTERS
from assist_service.adapters.manual.outline import outline
from assist_service.adapters.manual.split import sections_of
from assist_service.domain.manual import Audience, Section


def split(body: str, *, title: str = "Pools") -> tuple[Section, ...]:
    return sections_of(outline(body), page="teacher/pools", page_title=title, language="en", audience=Audience.TEACHER)


def cut(body: str) -> list[tuple[str, str, str]]:
    return [(section.anchor, section.title, section.text) for section in split(body)]


SPLITS: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "no heading": ("Just text.", [("_intro", "Pools", "Just text.")]),
    "text before the first heading": ("Before.\n# A\na", [("_intro", "Pools", "Before."), ("a", "A", "a")]),
    "levels one to six": (
        "".join(f"{'#' * level} L{level}\nt{level}\n" for level in range(1, 7)),
        [(f"l{level}", f"L{level}", f"t{level}") for level in range(1, 7)],
    ),
    "seven signs are none": ("####### x\ny", [("_intro", "Pools", "####### x\ny")]),
    "a heading in a fence": (
        "# A\n```\n# no heading\n```\n~~~\n## nor here\n~~~\n# B\nb",
        [("a", "A", "```\n# no heading\n```\n~~~\n## nor here\n~~~"), ("b", "B", "b")],
    ),
    "a fence without end": ("# A\n```\n# no heading", [("a", "A", "```\n# no heading")]),
    "a heading in an indented block": ("# A\n\n    # code\n", [("a", "A", "    # code")]),
    "a heading in a list": ("# A\n- # item\n", [("a", "A", "- # item")]),
    "a heading in a quotation": ("# A\n> # quoted\n", [("a", "A", "> # quoted")]),
    "a heading in HTML": ("# A\n<div>\n# no heading\n</div>\n", [("a", "A", "<div>\n# no heading\n</div>")]),
    "a heading in a comment": ("# A\n<!--\n# no heading\n-->\nb", [("a", "A", "b")]),
    "a comment between paragraphs": ("# A\na\n<!-- x -->\nb", [("a", "A", "a\n\nb")]),
    "a comment in a paragraph": ("# A\none <!-- x\ny --> two", [("a", "A", "one \n two")]),
    "a comment on a line of a paragraph": ("# A\n> a\nb\nc <!-- x\n--> d", [("a", "A", "> a\nb\nc \n d")]),
    "a comment inside HTML": ("# A\n<div>\n<!-- x -->\nb\n</div>", [("a", "A", "<div>\nb\n</div>")]),
    "a comment in a list": ("# A\n- a <!-- x -->\n- b", [("a", "A", "- a \n- b")]),
    "a comment in a heading": ("# A <!-- x -->\na", [("a", "A", "a")]),
    "a comment shown as code": (
        "# A\n`<!-- x -->` <!-- x -->\n\n```\n<!-- y -->\n```",
        [("a", "A", "`<!-- x -->` \n\n```\n<!-- y -->\n```")],
    ),
    "a comment without end": ("# A\na\n\n<!-- x\n# B\nb", [("a", "A", "a\n\n<!-- x\n# B\nb")]),
    "comments only": ("# A\n<!-- x -->\n", []),
    "escapes": ("# A \\(b\\)\n\\(x\\) \\# y", [("a-b", "A (b)", "\\(x\\) \\# y")]),
    "inline HTML": ("# A<br>b\nx <kbd>F1</kbd>", [("ab", "Ab", "x <kbd>F1</kbd>")]),
    "a table": ("# A\n| a | b |\n|---|---|\n| # c | d |", [("a", "A", "| a | b |\n|---|---|\n| # c | d |")]),
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
    "the page's title again": ("Before.\n# Pools\nx", [("_intro", "Pools", "Before."), ("pools", "Pools", "x")]),
    "empty sections": ("# A\n\n## B\n \n## C\nc\n## D\n", [("c", "C", "# A\n\n## B\n\nc\n\n## D")]),
    "an empty section over a deeper one": (
        "# A\na\n# B <a id='b'></a>\n## C\nc",
        [("a", "A", "a"), ("c", "C", "# B\n\nc")],
    ),
    "an empty section beside others": ("# A\na\n# B\n# C\nc", [("a", "A", "a\n\n# B"), ("c", "C", "c")]),
    "empty sections on the way to a deeper one": (
        "# A\na\n# B\n# C\n## D\n### E\ne",
        [("a", "A", "a\n\n# B"), ("e", "E", "# C\n\n## D\n\ne")],
    ),
    "an empty heading that is the page's title": ("# Pools\n## C\nc", [("c", "C", "c")]),
    "a section of a mark only": ("# A\n<a id='x'></a>\n# B\nb", [("b", "B", "# A\n\nb")]),
    "one heading only": ("# A\n", []),
    "one heading and text": ("# A\na", [("a", "A", "a")]),
    "nothing": ("", []),
    "invisible characters": ("# A\u200b\U000e0041B\nx\u202ey\u2066z", [("ab", "AB", "xyz")]),
    "invisible characters only": ("# A\n\u200b\u2060\n# B\nb", [("b", "B", "# A\n\nb")]),
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
        PAGE.replace("# Create", "# New\n# Create"),
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
        for section in sections_of(
            outline(PAGE), page=page, page_title="Pools", language=language, audience=Audience.TEACHER
        )
    }
    assert len(made) == 4 * 4
    assert all(re.fullmatch(r"[0-9a-f]{20}", each) for each in made)


WORDS = " ".join(f"word{number}" for number in range(100))
CODE = "\n".join(f"line {number}" for number in range(1_500))
ROWS = "\n".join(f"| cell {number} | {number} |" for number in range(1_000))

LONG: dict[str, str] = {
    "paragraphs": f"{WORDS}\n\n" * 90,
    "one paragraph": f"{WORDS}\n" * 90,
    "one line": f"{WORDS} " * 90,
    "one word": "x" * 20_000,
    "a list": f"- {WORDS}\n" * 90,
    "an item": f"- {WORDS}\n" + f"\n  {WORDS}\n" * 90,
    "a fence": f"```sh\n{CODE}\n```\n\nBehind.",
    "a table": f"| a | b |\n|---|---|\n{ROWS}\n\nBehind.",
    "a block of code": "".join(f"    {line}\n" for line in CODE.split("\n")),
    "HTML": "<div>\n" + f"{WORDS}\n" * 90 + "</div>\n",
    "empty headings": "".join(f"## Word{number}\n" for number in range(2_000)) + "\nBehind.",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_section_is_cut_into_parts_that_lose_no_word(text: str) -> None:
    sections = split(f"# Before\nb\n\n# Long\n{text}\n# After\nc\n")
    assert (sections[0].anchor, sections[-1].anchor) == ("before", "after")
    assert all(len(section.text) <= SECTION_CHARACTERS for section in sections)
    assert len(sections) >= 4
    kept = "".join("".join(section.title + section.text for section in sections).split())
    assert all(word in kept for word in re.findall(r"\w+", text) if word != LONG["one word"])


def test_a_word_without_end_is_cut_anywhere() -> None:
    assert "".join(section.text for section in split(LONG["one word"])) == LONG["one word"]


def test_parts_are_named_by_their_heading() -> None:
    parts = split("# Long\n" + LONG["paragraphs"])
    assert [part.anchor for part in parts[:3]] == ["long", "long-part-2", "long-part-3"]
    assert [part.title for part in parts[:3]] == ["Long", "Long (2)", "Long (3)"]
    assert all(part.text.endswith("word99") for part in parts)


def test_a_fence_or_table_that_fits_is_never_cut() -> None:
    for block in ("```\n" + CODE[:4_000] + "\n\n# no heading\n```", "| a |\n|---|\n" + ROWS[:4_000].strip()):
        holding = [part for part in split(f"# A\n{WORDS * 4}\n\n{block}\n\n{WORDS * 4}") if block in part.text]
        assert len(holding) == 1


@pytest.mark.parametrize(("block", "first"), [("a fence", "```sh\n"), ("a table", "| a | b |\n|---|---|\n")])
def test_each_part_of_a_long_fence_or_table_is_one_itself(block: str, first: str) -> None:
    parts = split(LONG[block])
    assert all(part.text.startswith(first) for part in parts)
    assert block != "a fence" or all(part.text.count("```") == 2 for part in parts)
    assert parts[-1].text.endswith("\n\nBehind.")


@pytest.mark.parametrize("page", [PAGE, PAGE + "# Create part 2\nx\n"])
def test_a_section_that_grows_past_the_bound_leaves_the_others_their_ids(page: str) -> None:
    before, after = ids(page), ids(page.replace("Press New.", LONG["paragraphs"]))
    assert before.items() <= after.items()
    assert len(after) > len(before)


INSIDE: dict[str, tuple[str, str]] = {
    "a paragraph of an item": (f"\n    {WORDS}\n" * 20, WORDS),
    "after a tab": (f"\n\t{WORDS}\n" * 20, WORDS),
    "an item of an inner list": (f"    - {WORDS}\n" * 20, f"- {WORDS}"),
    "a paragraph of an inner item": ("\n    - inner\n" + f"\n      {WORDS}\n" * 20, WORDS),
    "code": ("\n" + f"            {WORDS}\n\n    then\n\n" * 20, f"        {WORDS}"),
    "a fence": (f"\n    ```\n    {WORDS}\n    ```\n" * 20, f"```\n{WORDS}\n```"),
    "one paragraph": ("\n" + f"    {WORDS}\n" * 20, WORDS),
}


@pytest.mark.parametrize(("inner", "first"), INSIDE.values(), ids=INSIDE)
def test_a_part_that_begins_inside_a_list_item_has_lost_the_items_indentation(inner: str, first: str) -> None:
    before, *parts, after = split(f"# A\na\n# Long\n1.  One\n{inner}\n    Last.\n2.  Two\n\n    More.\n# B\nb\n")
    assert len(parts) >= 3
    begun = [part.text for part in parts[1:] if not part.text.startswith("then")]
    assert all(text.startswith(first) for text in begun)
    assert parts[-1].text.endswith("\nLast.\n2.  Two\n\n    More.")
    assert [each.anchor for each in (before, *parts[:2], after)] == ["a", "long", "long-part-2", "b"]


def test_a_part_that_begins_in_code_of_its_own_stays_code() -> None:
    assert all(part.text.startswith("    line ") for part in split("# Long\n" + LONG["a block of code"]))


def test_a_heading_that_gets_text_leaves_its_namesakes_their_ids() -> None:
    assert ids("# A\n# A\nx").items() <= ids("# A\nnew\n# A\nx").items()


def test_a_page_of_equal_headings_is_cut_in_reasonable_time() -> None:
    sections = split("# A\nx\n" * 5_000)
    assert len({section.anchor for section in sections}) == 5_000


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
        "-->",
        "|a|\n|-|\n",
        "word " * 1_500,
        "word\n" * 1_500,
        "[x]: y\n",
        "\t",
    )
)


@settings(deadline=None)  # pages of up to 200,000 characters, beside other tests
@given(st.lists(pieces | st.text(max_size=10), max_size=30).map("".join))
def test_any_page_is_cut_into_sections_of_text_with_names_of_their_own(body: str) -> None:
    sections = split(body.replace("\r\n", "\n").replace("\r", "\n"))
    assert len({section.anchor for section in sections}) == len(sections)
    for section in sections:
        assert section.text.strip()
        assert section.text.rstrip() == section.text
        assert section.text.splitlines()[0].strip()
        assert section.anchor
        assert len(section.text) <= SECTION_CHARACTERS
        assert "\n" not in section.title
        assert not re.search(r"\s", section.anchor)
