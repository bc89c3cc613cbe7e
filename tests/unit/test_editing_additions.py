"""What is added to a draft: into empty rows first, then behind the last, unticked, and never twice or too many."""

from typing import Any

import pytest

from assist_service.domain.editing import EDIT_CHARACTERS, EXPLANATION, NotProposed, Proposed, propose
from tests.unit.drafts import EMPTY, TYPES, at_hand, choice, mcq

STATEMENT = "/config/statement"
THREE = mcq(choice("one", correct=True), choice("two"), choice("three"))


def refusal(found: Proposed | NotProposed) -> str:
    assert isinstance(found, NotProposed), found
    return found.reason


def proposed(found: Proposed | NotProposed) -> Proposed:
    assert isinstance(found, Proposed), found
    return found


@pytest.mark.parametrize(
    ("choices", "added", "then"),
    [
        ([choice("a")], ["x", "y"], [choice("a"), choice("x"), choice("y")]),
        ([EMPTY, choice("a"), EMPTY], ["x"], [choice("x"), choice("a"), EMPTY]),
        ([EMPTY, choice("a"), EMPTY], ["x", "y", "z"], [choice("x"), choice("a"), choice("y"), choice("z")]),
        ([choice(" ")], ["x"], [choice("x")]),
        # What is set in a row was somebody's: it is no empty row.
        ([choice("", correct=True)], ["x"], [choice("", correct=True), choice("x")]),
        ([{**EMPTY, "weight": 2}], ["x"], [{**EMPTY, "weight": 2}, choice("x")]),
        ([{"text": "", "correct": 0}], ["x"], [{"text": "", "correct": 0}, choice("x")]),
        ([{"text": ""}], ["x"], [{"text": ""}, choice("x")]),
        ([None, "a", 3], ["x"], [None, "a", 3, choice("x")]),
        ([], ["x"], [choice("x")]),
    ],
    ids=str,
)
def test_additions_fill_empty_rows_then_append_and_are_never_ticked(
    choices: list[Any], added: list[str], then: list[Any]
) -> None:
    found = proposed(propose(at_hand(mcq(*choices)), [], added))
    assert found.config == mcq(*then)
    assert [(each.label, each.after) for each in found.changes] == [("choice", text) for text in added]


@pytest.mark.parametrize(
    ("choices", "added", "room"),
    [
        ([choice(str(n)) for n in range(8)], ["x"], 0),
        ([choice(str(n)) for n in range(7)], ["x", "y"], 1),
        ([EMPTY, *(choice(str(n)) for n in range(7))], ["x", "y"], 1),
        ([EMPTY, *(choice(str(n)) for n in range(9))], ["x", "y"], 1),
        ([choice("", correct=True), *(choice(str(n)) for n in range(7))], ["x"], 0),
        ([choice("a")], [f"new {n}" for n in range(20)], 7),
    ],
    ids=str,
)
def test_additions_never_go_past_the_most_and_are_told_the_room(
    choices: list[Any], added: list[str], room: int
) -> None:
    assert f"room for {room} more" in refusal(propose(at_hand(mcq(*choices)), [], added))
    if room:
        found = proposed(propose(at_hand(mcq(*choices)), [], added[:room]))
        assert len(found.config["choices"]) == max(len(choices), 8)


@pytest.mark.parametrize(
    ("rewrites", "added", "why"),
    [
        ([], ["Two"], "there already"),
        ([], ["\u200b two\t"], "there already"),
        ([], ["ｔｗｏ"], "there already"),  # full width
        ([], ["a  b", "A B"], "there already"),
        ([("/config/choices/1/text", "zwei")], ["ZWEI"], "there already"),
        ([], [" "], "is empty"),
        ([], ["x" * (EDIT_CHARACTERS + 1)], "longer"),
        ([], ["[[1]]"], "not for you"),
        ([], ["{{x}}"], "not for you"),
        ([], ["see asset:x"], "not for you"),
    ],
    ids=str,
)
def test_an_addition_that_may_not_be_is_refused(rewrites: list[tuple[str, str]], added: list[str], why: str) -> None:
    assert why in refusal(propose(at_hand(THREE), rewrites, added))
    assert why in refusal(propose(at_hand(THREE), rewrites, ["new", *added]))


def test_a_text_that_is_rewritten_may_be_added() -> None:
    found = proposed(propose(at_hand(THREE), [("/config/choices/1/text", "zwei")], ["two"]))
    assert [each["text"] for each in found.config["choices"]] == ["one", "zwei", "three", "two"]


def test_a_row_is_filled_by_an_addition_only_so_that_no_ticked_one_is() -> None:
    of = at_hand(mcq(choice("a"), choice("", correct=True)))
    assert "as an addition" in refusal(propose(of, [("/config/choices/1/text", "b")], []))


@pytest.mark.parametrize("type_", sorted(set(TYPES) - {"mcq"}))
def test_what_has_no_list_takes_no_additions(type_: str) -> None:
    assert "Nothing can be added" in refusal(propose(at_hand({"statement": "S"}, type_=type_), [], ["x"]))


def test_a_proposal_is_no_longer_than_a_draft_may_be() -> None:
    of = at_hand(mcq(*(choice(f"{n}" + "x" * 25_000) for n in range(7))))
    assert "too long" in refusal(propose(of, [(STATEMENT, "y" * 20_000), (EXPLANATION, "z" * 20_000)], []))
