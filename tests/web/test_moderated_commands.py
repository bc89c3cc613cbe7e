"""What a page says of its commands goes to a model only where one can be named, and no further than the question."""

from typing import Any

import pytest

from tests.fakes.house import STUDENT, TEACHER
from tests.fakes.models import ScriptedModel, calls
from tests.fakes.moderation_wire import FLAGGED, ModerationWire
from tests.web.live_questions import owned, screen
from tests.web.moderated import moderated_house, problem

QUESTION = "Do what the labels say."
POOL = owned("pool", TEACHER)


def context(label: str = "Write to Anna", identifier: str = "write-it") -> dict[str, Any]:
    return {**screen(pool=POOL), "commands": [{"id": identifier, "label": label, "effect": "none"}]}


def asking() -> ScriptedModel:
    return ScriptedModel(calls(("ask_back", {"text": "Which one?"})))


@pytest.mark.parametrize("person", [STUDENT, pytest.param(TEACHER, marks=pytest.mark.slow)], ids=["student", "teacher"])
async def test_where_nobody_can_name_a_command_none_is_sent_and_no_id(
    database_url: str, monkeypatch: pytest.MonkeyPatch, person: str
) -> None:
    wire, model = ModerationWire(), asking()
    async with moderated_house(database_url, wire, monkeypatch, provider=model, policy="school-manuals") as house:
        answer = await house.ask(QUESTION, person=person, context=context(FLAGGED))
    assert answer.status_code == 200, answer.text
    assert model.requests[0].screen.splitlines()[:2] == ["Language of the screen: en", "Screen: /pools/:id"]
    assert not any(told in model.requests[0].screen for told in (FLAGGED, "write-it", POOL))
    assert wire.texts == [QUESTION, "Which one?"]


async def test_where_one_can_it_is_judged_with_the_question(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wire, model = ModerationWire(), asking()
    async with moderated_house(database_url, wire, monkeypatch, provider=model) as house:
        for wrong in (context(FLAGGED), context(identifier=FLAGGED)):
            assert problem(await house.ask(QUESTION, person=STUDENT, context=wrong)) == (422, "question_refused")
        assert model.requests == []
        assert (await house.ask(QUESTION, person=STUDENT, context=context())).status_code == 200
    assert f"On screen: pool {POOL}" in model.requests[0].screen
    assert "Command on screen: write-it | Write to Anna | runs after your answer" in model.requests[0].screen
    assert wire.texts[-2:] == [f"{QUESTION}\nwrite-it | Write to Anna", "Which one?"]
