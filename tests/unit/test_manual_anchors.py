"""A section's anchor says where it stands, and stays what it is while other text of its page changes."""

import pytest

from tests.unit.test_manual_split import cut, split

NAMED: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "a heading under two others": (
        "# Pools\n## A\n1\n### Share\n2\n## B\n3\n### Share\n4\n### Share\n5\n### C\n6",
        [
            ("a", "A", "1"),
            ("a/share", "Share", "2"),
            ("b", "B", "3"),
            ("b/share", "Share", "4"),
            ("b/share-2", "Share", "5"),
            ("c", "C", "6"),
        ],
    ),
    "a heading under another and one under the page's title": (
        "# Pools\n## Share\n1\n## B\n2\n### Share\n3",
        [("share", "Share", "1"), ("b", "B", "2"), ("b/share", "Share", "3")],
    ),
}


@pytest.mark.parametrize(("body", "sections"), NAMED.values(), ids=NAMED)
def test_namesakes_are_told_apart_by_what_they_stand_under(body: str, sections: list[tuple[str, str, str]]) -> None:
    assert cut(body) == sections


NAMESAKES = "# Pools\n## A\n### Share\nof A\n## B\n### Share\nof B\n"


@pytest.mark.parametrize(
    ("page", "changed"),
    [
        ("# Pools\nx\n## Pools\ny\n", "Before.\n\n# Pools\nx\n## Pools\ny\n"),
        (NAMESAKES, NAMESAKES.replace("## A\n", "## New\n### Share\nof New\n## A\n")),
        (NAMESAKES + "## C\n### Share\nof C\n", NAMESAKES),
    ],
)
def test_a_section_keeps_its_anchor_when_an_intro_or_a_namesake_comes_or_goes(page: str, changed: str) -> None:
    before, after = ({section.text: section.anchor for section in split(each)} for each in (page, changed))
    kept = before.keys() & after.keys()
    assert len(kept) >= 2
    assert {text: before[text] for text in kept} == {text: after[text] for text in kept}
