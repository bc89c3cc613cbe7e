"""What the panel must do at each size, and by which test of `tests/browser` each of it is shown."""

from collections.abc import Callable, Mapping
from typing import Literal

Act = Literal[
    "ask",
    "cite",
    "open",
    "search",
    "tab",
    "command",
    "gesture",
    "write command",
    "rewrite and undo",
    "category card",
    "expired card",
    "follow-up chip",
    "stop",
    "service down",
    "session expired",
    "rate limit",
    "leave guard",
]

Tick = Callable[[Act], None]
"""Told by a test once it has shown this, at its size."""

CITED = "test_sections.test_a_citation_opens_its_section"
FOLLOWED = "test_acts.test_screens_and_commands_are_followed_and_told_as_they_came"
CARD = "test_cards.test_a_card_is_read_confirmed_and_its_result_opened"
KEPT = "test_problems.test_what_keeps_a_question_from_being_answered"
CAMPUS = "test_campus.test_what_an_answer_does_on_the_pages_of_an_lms"

SHOWN_BY: Mapping[Act, str] = {
    "ask": CITED,
    "cite": CITED,
    "open": CAMPUS,
    "search": CAMPUS,
    "tab": CAMPUS,
    "command": FOLLOWED,
    "gesture": FOLLOWED,
    "write command": FOLLOWED,
    "rewrite and undo": CAMPUS,
    "category card": CARD,
    "expired card": CARD,
    "follow-up chip": "test_chips.test_a_chip_asks_on",
    "stop": KEPT,
    "service down": KEPT,
    "session expired": KEPT,
    "rate limit": KEPT,
    "leave guard": CAMPUS,
}
"""Each of these runs at every size, and fails at its end unless it has shown all that stands for it here."""


def acts_of(test: str) -> set[Act]:
    return {act for act, shown_by in SHOWN_BY.items() if shown_by == test}
