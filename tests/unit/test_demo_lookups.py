"""The demo of lookups believes no answer: its kind, its receipt and what it may be asked on about are looked at."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from devtools.demo_lookups import FOLLOW_UP, QUESTION, UNCLEAR, look_up_and_follow, looks_up
from devtools.demo_roles import School, read_policy
from devtools.demo_settings import DemoError, Ports

SEALED = [{"tool": "query_classes", "disclosure": "sealed"}]

LISTED = [{"kind": "class", "label": f"Class {n}", "token": f"f.{n}"} for n in range(5)]


def reply(**changes: Any) -> dict[str, Any]:
    receipt = {"sent": changes.pop("sent", SEALED), "requests": changes.pop("requests", 1)}
    usual = {"conversation_id": "c", "kind": "live", "language": "en", "answer": "Two.\n\n| a |", "references": []}
    return {**usual, "choices": [], "receipt": receipt, **changes}


REPLIES: Mapping[str, dict[str, Any]] = {
    QUESTION: reply(references=LISTED),
    FOLLOW_UP: reply(),
    UNCLEAR: reply(kind="choice", choices=[{"label": "Fractions", "token": "c.1"}]),
    "": reply(requests=0),
}
"""By question; a choice asks none."""

REFERENCES: Mapping[str, str | None] = {QUESTION: None, FOLLOW_UP: "f.0", UNCLEAR: None, "": "c.1"}


def told(**changed: Mapping[str, Any]) -> tuple[str, list[str]]:
    """What the demo prints of a service that replies so, and what it asked, in order."""
    replies = {**REPLIES, **{QUESTIONS[name]: each for name, each in changed.items()}}
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        if request.url.path == "/demo/session":
            return httpx2.Response(200, json={"token": body["person"]})
        question = body["question"]
        assert body["reference"] == REFERENCES[question]
        assert body["conversation_id"] == ("c" if asked else None)
        asked.append(question)
        return httpx2.Response(200, json=replies[question])

    with httpx2.Client(transport=httpx2.MockTransport(answer)) as client:
        people = {"teacher": {"sub": "s", "name": "A teacher"}}
        school = School(client=client, ports=Ports(service=1, lms=2), people=people, manual=Path())
        return look_up_and_follow(school), asked


QUESTIONS = {"first": QUESTION, "follow_up": FOLLOW_UP, "unclear": UNCLEAR, "chosen": ""}


def test_a_lookup_a_follow_up_and_a_choice_are_told_with_their_receipts() -> None:
    said, asked = told()
    assert asked == [QUESTION, FOLLOW_UP, UNCLEAR, ""]
    assert f"Question, from A teacher, role teacher: {QUESTION}\nAnswer (live, en)\n  Two.\n\n  | a |\n" in said
    assert "  to ask on about: Class 0; Class 1; Class 2; 2 more\n" in said
    assert f"Follow-up, about Class 0: {FOLLOW_UP}\n" in said
    assert "  to choose: Fractions\n" in said
    assert said.endswith("  receipt: query_classes (sealed); asked of the model: 0")


def test_where_nothing_is_asked_back_nothing_is_chosen() -> None:
    _, asked = told(unclear=reply())
    assert asked == [QUESTION, FOLLOW_UP, UNCLEAR]


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "manual"},
        {"kind": "refusal"},
        {"sent": []},
        {"sent": [{"tool": "query_classes", "disclosure": "masked"}]},
        {"sent": [*SEALED, {"tool": "read_guide", "disclosure": "open"}]},
    ],
    ids=str,
)
def test_an_answer_of_another_kind_or_one_that_was_not_sealed_fails_the_demo(name: str, wrong: dict[str, Any]) -> None:
    right = REPLIES[QUESTIONS[name]]
    rest = {key: value for key, value in right.items() if key != "receipt"}
    with pytest.raises(DemoError):
        told(**{name: reply(**{**rest, "requests": right["receipt"]["requests"], **wrong})})


def test_a_lookup_that_is_asked_back_at_once_fails_the_demo() -> None:
    with pytest.raises(DemoError, match="choice"):
        told(follow_up=reply(kind="choice"))


def test_an_answer_that_lists_nothing_fails_the_demo() -> None:
    with pytest.raises(DemoError, match="nothing to ask on about"):
        told(first=reply())


def test_a_choice_that_a_model_was_asked_for_fails_the_demo() -> None:
    with pytest.raises(DemoError, match="asked again"):
        told(chosen=reply(requests=1))


@pytest.mark.parametrize(("name", "does"), [("default", False), ("school-manuals", True)])
def test_which_policy_has_lookups_is_read_from_its_tools(name: str, does: bool) -> None:
    assert looks_up(read_policy(name)) is does
