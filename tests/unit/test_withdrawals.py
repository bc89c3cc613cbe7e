"""A withdrawal closes what it names, however the page is cut and whatever comes and goes on it."""

import pytest

from assist_service.adapters.manual.outline import outline
from assist_service.adapters.manual.split import sections_of
from assist_service.domain.manual import Audience
from assist_service.domain.withdrawals import Withdrawal, Withdrawals
from tests.unit.small_manual import section

PAGE = "teacher/pools"

CLOSED: dict[str, tuple[str | None, str, bool]] = {
    "the page": (None, "create", True),
    "its beginning": (None, "_intro", True),
    "the section": ("create", "create", True),
    "another": ("create", "share", False),
    "one that begins like it": ("create", "create-more", False),
    "a part": ("create", "create-part-2", True),
    "a part of many": ("create", "create-part-12", True),
    "a part beside a heading of its name": ("create", "create-part-2-2", True),
    "no part": ("create", "create-part-two", False),
    "a part alone": ("create-part-2", "create-part-2", True),
    "the whole of a part": ("create-part-2", "create", False),
    "a number": ("create", "create-2", False),
    "of two namesakes the one": ("a/create", "a/create", True),
    "of two namesakes the other": ("a/create", "b/create", False),
    "one that has a namesake since": ("create", "a/create", True),
    "one that has none any more": ("a/create", "create", True),
    "a part of one that has a namesake since": ("create", "a/create-part-2", True),
    "the parent": ("create", "create/share", False),
    "nothing": ("", "create", False),
}


@pytest.mark.parametrize(("withdrawn", "anchor", "closed"), CLOSED.values(), ids=CLOSED)
def test_what_a_withdrawal_closes(withdrawn: str | None, anchor: str, closed: bool) -> None:
    every = Withdrawals(frozenset({Withdrawal(PAGE, withdrawn), Withdrawal("teacher/other", None)}))
    assert every.close(section(PAGE, anchor)) is closed
    assert every.close(section(PAGE, anchor, language="fr")) is closed
    assert not every.close(section("teacher/pool", anchor))
    assert not Withdrawal(PAGE, withdrawn).closes(section("teacher/pool", anchor))


BEFORE = "# Pools\n## A\n### Share\nof A\n## B\nb\n"

LATER: dict[str, str] = {
    "the text": BEFORE.replace("of A", "of A, other"),
    "an intro": "Share these pools.\n\n" + BEFORE,
    "a namesake before": BEFORE.replace("## A\n", "## New\n### Share\nnew\n## A\n"),
    "a namesake behind": BEFORE + "### Share\nof B\n",
    "its parent": BEFORE.replace("## A\n", "## Something else\n"),
    "its length": BEFORE.replace("of A", "of A\n\n" + "word " * 5_000),
}


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_a_section_stays_closed_when_something_else_changes(later: str) -> None:
    def cut(body: str) -> dict[str, list[bool]]:
        found = sections_of(outline(body), page=PAGE, page_title="Pools", language="en", audience=Audience.TEACHER)
        return {word: [closed.close(each) for each in found if word in each.text] for word in ("of A", "word ", "b")}

    closed = Withdrawals(frozenset({Withdrawal(PAGE, "share")}))
    assert cut(BEFORE) == {"of A": [True], "word ": [], "b": [False]}
    after = cut(later)
    assert after["of A"] == [True]
    assert all(after["word "])


def test_the_withdrawals_of_a_page_are_told_the_whole_page_first() -> None:
    every = frozenset(Withdrawal(PAGE, anchor) for anchor in ("share", None, "create"))
    told = ["page teacher/pools", "section create of page teacher/pools", "section share of page teacher/pools"]
    assert [str(each) for each in Withdrawals(every).of(PAGE)] == told
