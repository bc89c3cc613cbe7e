"""What the stub makes of a draft of any type: the texts that are named, tokens kept, and nothing that is refused."""

from typing import Any

import pytest

from assist_service.adapters.models.stub_acts import next_act
from assist_service.adapters.models.stub_asked import Asked, Call, Step
from assist_service.adapters.models.stub_editing import NO_CHOICES, NO_CHOICES_HERE, NO_TEXT
from assist_service.domain.messages import ToolResult

OFFERED = frozenset({"propose_question_edit", "ask_back"})

CHOICES = (
    "In the editor: a question of type mcq, as a draft.\n"
    '/config/statement (statement): "Pick one."\n'
    '/config/choices/0/text (choice): "the first"\n'
    '/config/choices/1/text (choice): "The second."'
)
NUMBERS = (
    "In the editor: a question of type numeric, as a draft.\n"
    '/config/statement (statement): "Read asset:figure-1."\n'
    '/config/unit (unit): "cm"\n'
    '/explanation (explanation): ""'
)
GAPS = (
    "In the editor: a question of type cloze, as a draft.\n"
    '/config/statement (statement): "asset:map"\n'
    '/config/text (text): "[[1]] lies in [[2]]"\n'
    '/explanation (explanation): "it does"'
)


def edits(*rewrites: tuple[str, str], **more: Any) -> Call:
    texts = [{"path": path, "text": text} for path, text in rewrites]
    return Call("propose_question_edit", {**({"rewrites": texts} if texts else {}), **more})


def back(text: str) -> Call:
    return Call("ask_back", {"text": text})


STATEMENT, EXPLANATION = "/config/statement", "/explanation"
FIGURE = (STATEMENT, "**Read** asset:figure-1.")

ASKED: list[tuple[str, str, Call]] = [
    ("Improve the choices", CHOICES, edits(("/config/choices/0/text", "The first."))),
    ("Peux-tu améliorer cette question ?", CHOICES, edits((STATEMENT, "**Pick one.**"))),
    ("Rewrite the text as “It is.”", CHOICES, edits((STATEMENT, "It is."))),
    ("Make it clearer", NUMBERS, edits(FIGURE)),
    ("Simplifie la question", NUMBERS, edits(FIGURE)),
    ("Rewrite this and add two choices", NUMBERS, edits(FIGURE)),
    ("Rewrite the statement as “Which?”", NUMBERS, edits((STATEMENT, "Which? asset:figure-1"))),
    ("Rewrite the statement as “See asset:figure-1”", NUMBERS, edits((STATEMENT, "See asset:figure-1"))),
    ("Rewrite the unit as “mm”", NUMBERS, edits(("/config/unit", "mm"))),
    ("Improve the unit", NUMBERS, back(NO_TEXT["en"])),
    ("Add two choices", NUMBERS, back(NO_CHOICES["en"])),
    ("Ajoute deux choix", NUMBERS, back(NO_CHOICES["fr"])),
    ("Magdagdag ng dalawang pagpipilian", NUMBERS, back(NO_CHOICES["fil"])),
    ("Rewrite the explanation", NUMBERS, back(NO_TEXT["en"])),
    ("Rewrite the explanation as “So it is.”", NUMBERS, edits((EXPLANATION, "So it is."))),
    ("Rewrite the guidance as “Mark it.”", NUMBERS, back(NO_TEXT["en"])),
    ("Réécris l'explication", GAPS, edits((EXPLANATION, "It does."))),
    ("Improve the text", GAPS, edits(("/config/text", "**[[1]] lies in [[2]]**"))),
    ("Rewrite the text as “[[2]] holds it”", GAPS, edits(("/config/text", "[[2]] holds it [[1]]"))),
    ("Improve the statement", GAPS, edits((STATEMENT, "· asset:map"))),
]


@pytest.mark.parametrize(("question", "draft", "expected"), ASKED)
def test_it_proposes_what_the_draft_takes(question: str, draft: str, expected: Call) -> None:
    assert next_act(Asked(question, f"Screen: /\n{draft}", OFFERED)) == expected


def test_it_asks_nothing_back_where_it_may_not() -> None:
    asked = Asked("Add two choices", f"Screen: /\n{NUMBERS}", OFFERED - {"ask_back"})
    assert next_act(asked) is None


def test_it_says_that_no_choice_was_added() -> None:
    made = Step("propose_question_edit", ToolResult("call", "Shown."))
    for draft, is_said in ((NUMBERS, True), (CHOICES, False)):
        told = next_act(Asked("Rewrite this and add two choices", f"Screen: /\n{draft}", OFFERED, (made,)))
        assert isinstance(told, str)
        assert (NO_CHOICES_HERE["en"] in told) == is_said
