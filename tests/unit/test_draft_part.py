"""The draft in the prompt is bounded, whole texts only, and what of it was not shown is not rewritten."""

import json

import pytest

from assist_service.domain.draft_texts import texts_of
from assist_service.domain.editing import DraftAtHand, NotProposed, Proposed, propose
from assist_service.domain.prompt import DRAFT_CHARACTERS, FURTHER, draft_part
from tests.unit.drafts import at_hand, choice, mcq

STATEMENT, EXPLANATION = "/config/statement", "/explanation"


def lines(of: DraftAtHand) -> list[str]:
    """Those behind the rules."""
    return draft_part(of, clear=lambda text: text).words.split("instruction:\n")[1].split("\n")


def test_a_draft_that_fits_is_shown_whole() -> None:
    of = at_hand(mcq(choice("one\ntwo")))
    assert draft_part(of, clear=str.upper).unshown == frozenset()
    assert lines(of) == [
        '/config/statement (statement): "What is it?"',
        '/config/choices/0/text (choice): "one\\ntwo"',
        '/explanation (explanation): "Because."',
    ]


def test_a_text_that_is_too_long_is_named_and_those_behind_it_are_shown() -> None:
    of = at_hand(mcq(choice("one"), statement="x" * DRAFT_CHARACTERS))
    assert draft_part(of, clear=str).unshown == {STATEMENT}
    assert lines(of) == [
        "/config/statement (statement) is too long and not shown",
        '/config/choices/0/text (choice): "one"',
        '/explanation (explanation): "Because."',
    ]


@pytest.mark.parametrize("count", [300, 1_000, 3_000])
def test_of_a_long_draft_whole_texts_are_shown_and_the_end_is_told(count: int) -> None:
    of = at_hand(mcq(*(choice(f"Number {n}") for n in range(count))))
    part, shown = draft_part(of, clear=str), lines(of)
    assert sum(len(line) + 1 for line in shown) <= DRAFT_CHARACTERS + 1
    texts = texts_of(of.draft, of.type)
    told = {line.split(" ")[0] for line in shown if line.endswith('"')}
    assert told | part.unshown == {text.path for text in texts}
    assert not told & part.unshown
    assert all(json.loads(line.split(": ", 1)[1]) for line in shown if line.endswith('"'))
    assert (shown[-1] == FURTHER) == bool(part.unshown) == (count > 300)


def test_what_was_not_shown_is_not_rewritten_nor_offered() -> None:
    of = at_hand(mcq(choice("one")))
    refused = propose(of, [(EXPLANATION, "So."), (STATEMENT, "Else?")], [], unshown={STATEMENT})
    assert isinstance(refused, NotProposed)
    assert "not shown" in refused.reason
    assert isinstance(propose(of, [(EXPLANATION, "So.")], ["two"], unshown={STATEMENT}), Proposed)
    lost = propose(of, [("/config/none", "x")], [], unshown={STATEMENT})
    assert isinstance(lost, NotProposed)
    assert "Those there are: /config/choices/0/text, /explanation." in lost.reason
