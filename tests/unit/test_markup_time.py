"""No text an answer could hold takes long to clean and to render."""

import time

import pytest

from assist_service.domain.answer import ANSWER_CHARACTERS
from tests.unit.markup_harm import Harm, clean, html

pytestmark = pytest.mark.slow

SLOWEST_SECONDS = 10
"""Of processor time: ten times what any text takes here, far below what work that grows with a cube takes."""

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
