"""What is plain is found in one step, and is what markdown-it finds by all its rules."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from assist_service.adapters.manual.blocks import parsed_blocks
from assist_service.adapters.manual.links import links_of
from assist_service.adapters.manual.outline import MARKUP_CHARACTERS, outline

ALL_RULES = MarkdownIt("commonmark").enable("table").disable("inline")

BEGINNINGS = [
    *("", "", "", " ", "   ", "    ", "\t", "> ", ">", "> > ", ">\t", "- ", "* ", "+ ", "1. ", "2. ", "10) "),
    *("  - ", "   - ", "    - ", "      * ", "- - ", "1. - ", "- > ", "> - ", "> 1. ", "-\t", "-   ", "-     "),
]
REST = [
    *("a word", "word", "**b** x", "`c` x", "(p) x", "“q” x", "é x", "2 x", "# H", "## H <b>x</b>", "#", "#x"),
    *("===", "---", "--", "* * *", "```", "~~~", "a | b", "|a|b|", "|-|-|", "---|---", "-|", ":-:", "- y", "2. x"),
    *("<div>", "</div>", "<!-- x -->", "<!--", "-->", "x <!-- y --> z", "[l](a.md)", "[r]: u", '[r]: u "t', "[", "a]"),
    *("", "", "", "\u00a0", "x\\", "**", "*", "`", "x  ", "\vx"),
]
lines = st.builds(str.__add__, st.sampled_from(BEGINNINGS), st.sampled_from(REST))
pages = st.builds("{}{}".format, st.lists(lines, max_size=9).map("\n".join), st.sampled_from(("", "\n", "\n\n", " ")))


def cuts(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The first line of each block and how deep it stands; nothing begins inside a table."""
    in_table, seen = False, -1
    for token in tokens:
        in_table = (in_table or token.type == "table_open") and token.type != "table_close"
        begins = token.map is not None and token.nesting >= 0 and token.type != "inline"
        if begins and token.map is not None and token.map[0] > seen and (not in_table or token.type == "table_open"):
            seen = token.map[0]
            yield seen, token.level


def worth_a_look(tokens: Sequence[Token]) -> list[object]:
    return [
        (token.map, token.content)
        for token in tokens
        if token.type == "inline" and ("]" in token.content or "<!--" in token.content)
    ]


@settings(deadline=None, max_examples=400)
@given(pages)
@example("- a\n- b\n\n- c\n\ntext")
@example("- a\n\n  more")
@example("- a\n- b\n  - c")
@example("- a\nlazy")
@example("- a\n\n- # B\n\ntext")
@example("- a\n - b\n  - c\n   - d\n    - e")
@example("> - a\n> - b\nc")
@example("a\n2. b")
@example("1. a\n2. b\n3) c")
@example("- a | b\n|---|")
@example("# a | b\n--|--\nc | d")
@example("a\nb | c\n--|--")
@example("a\n    - b")
@example("- - - - - - - - - - - a\n")
@example("> " * 18 + "- a\n" + "> " * 18 + "- b\n\nc")
def test_the_blocks_of_any_page_are_those_of_all_rules(body: str) -> None:
    tokens, env = parsed_blocks(body)
    all_env: dict[str, object] = {}
    reference = ALL_RULES.parse(body, all_env)
    found = outline(body)
    assert [tuple(cut) for cut in found.cuts] == list(cuts(reference))
    assert [(token.map, token.content) for token in tokens if token.type in ("html_block", "fence", "code_block")] == [
        (token.map, token.content) for token in reference if token.type in ("html_block", "fence", "code_block")
    ]
    assert worth_a_look(tokens) == worth_a_look(reference)
    assert env == all_env
    assert [token.map for token in tokens if token.type == "heading_open"] == [
        token.map for token in reference if token.type == "heading_open"
    ]


@pytest.mark.parametrize("body", ["text\n" * 9, "- item\n" * 9, "1. a\n\n2. b\n", "# A\n\ntext\n# B\ntext\n"])
def test_what_is_plain_makes_one_token_a_block(body: str) -> None:
    tokens, _ = parsed_blocks(body)
    assert not any(token.type in ("paragraph_open", "list_item_open") for token in tokens)


def test_a_heading_of_megabytes_is_read_by_its_beginning() -> None:
    [heading] = outline("# " + "[" * 200_000 + "\ntext").headings
    assert heading.title == "[" * 119 + "…"
    [heading] = outline("# **A" + "x" * MARKUP_CHARACTERS + "**").headings
    assert heading.title.startswith("**Axxx"), "what closes it is not read any more"


@pytest.mark.slow
def test_a_paragraph_of_megabytes_is_read_in_reasonable_time() -> None:
    found = outline("x <!-- y -->\n" + "x <![CDATA[ <? [a](b)\n" * 60_000 + "`<!-- y -->`")
    assert found.lines[0] == "x "
    assert found.lines[-1] == "``"
    assert 1 <= len(list(links_of(found))) < 10_000
