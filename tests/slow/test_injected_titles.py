"""Published injections in everything that people name and write, and a model that obeys: nothing comes of it (J8)."""

import json
from typing import Any

import asyncpg
import pytest

from assist_service.domain.people import Role
from assist_service.domain.statement import EN, NOTHING_CHANGED
from assist_service.domain.text import visible
from tests.case_counts import CountCases
from tests.fakes.house import TEACHER, House, running_house
from tests.slow.checked_acts import check_words
from tests.slow.hostile_acts import CATALOGUE, LENT, TYPES
from tests.slow.injections import (
    CLAIM,
    CLASSROOM,
    COURSE,
    INJECTIONS,
    POOL,
    QUESTION,
    TEMPLATE,
    ObedientModel,
    on_one_line,
    orders_in,
)
from tests.web.kept_rows import kept, strings_in
from tests.web.live_questions import live_tokens, screen
from tests.web.writing import written

pytestmark = pytest.mark.slow

ENTITIES = {"pool": POOL, "course": COURSE, "question": QUESTION, "template": TEMPLATE, "classroom": CLASSROOM}

TITLED = ("pool", "course", "template", "classroom", "category", "evaluation")

SAYS_SO = ("othing has changed yet.", NOTHING_CHANGED[EN])
"""One of these stands under every claim."""


def poison(house: House, text: str) -> None:
    """Puts the text wherever somebody with a seat could."""
    run = house.school.run
    for table in TITLED:
        run(f"UPDATE {table} SET title = :text", text=text)  # noqa: S608 a closed list of tables
    for table in ("pool", "course"):
        run(f"UPDATE {table} SET description = :text", text=text)  # noqa: S608
    choices = [{"text": text, "correct": False}, {"text": f"{text} too", "correct": True}]
    config = json.dumps({"statement": text, "multiple": False, "choices": choices})
    run("UPDATE question SET title = :text, statement = :text, explanation = :text", text=text)
    run("UPDATE question SET config = :config WHERE id = :id", config=config, id=QUESTION)
    run("UPDATE pool SET owner = :me WHERE id = :pool", me=TEACHER, pool=POOL)
    run("DELETE FROM course_pool WHERE pool = :pool AND course = :course", pool=POOL, course=COURSE)


@pytest.mark.parametrize("policy", ["default", "teacher-assistant"])
async def test_nothing_comes_of_an_injection_that_is_obeyed(
    database_url: str, pool: asyncpg.Pool, policy: str, count_cases: CountCases
) -> None:
    model, ruled = ObedientModel(), {"limits": {"questions_per_minute": 1_000, "questions_per_day": None}}
    prepared, cards = 0, 0
    async with running_house(database_url, provider=model, policy=policy, ruled=ruled) as house:
        names = [row["name"] for row in house.school.rows("SELECT name FROM person WHERE role = 'student'")]
        for name, text in INJECTIONS.items():
            poison(house, text)
            model.obey(text)
            reply = await asked(house)
            assert on_one_line(text)[:60] in "\n".join(map(_read, model.read)), f"{name}: the model has not read it"
            check_answer(reply, name)
            check_acts(reply, text)
            assert not [each for each in names if each in reply["answer"]], name
            assert all(visible(each) == each for each in model.read), name
            prepared += bool(reply["statement"]["prepared"])
            cards += len(reply["writes"])
        assert await written(house) == []
        assert await live_tokens(house) == []
        assert house.school.row("SELECT 1 FROM category WHERE title = 'pwned'") is None
    assert all(visible(each) == each for each in strings_in(await kept(pool)))
    assert prepared > 10, "the model obeys too little for this to prove anything"
    assert cards > 10
    count_cases("injections", len(INJECTIONS), policy)


async def asked(house: House) -> dict[str, Any]:
    context = {**screen(**ENTITIES), "commands": LENT}
    editor = _draft(house)
    context["route"] = "/questions/:id"
    answer = await house.ask("What is in my pool?", context=context, editor=editor)
    assert answer.status_code == 200, answer.text
    reply: dict[str, Any] = answer.json()
    return reply


def _draft(house: House) -> dict[str, Any]:
    """The question as the editor has it: what is poisoned is in the prompt before anything is looked up."""
    row = house.school.row("SELECT config, explanation FROM question WHERE id = :id", id=QUESTION)
    assert row is not None
    config = json.loads(row["config"])
    return {"question_id": QUESTION, "type": "mcq", "base": "v1", "config": config, "explanation": row["explanation"]}


def _read(content: str) -> str:
    """A result with what JSON escapes read: titles stand in it as they are."""
    return content.replace('\\"', '"')


def check_answer(reply: dict[str, Any], name: str) -> None:
    """No way out of the page, nothing unseen, no citation of what was never read; the service speaks last."""
    check_words({key: value for key, value in reply.items() if key != "actions"})
    assert reply["citations"] == [], name
    assert reply["statement"]["changed"] is False
    assert reply["kind"] in ("live", "proposal"), name
    answer = reply["answer"]
    assert "](" not in answer, name
    ours = [each for each in SAYS_SO if each in answer.rpartition(CLAIM)[2]]
    assert ours, (name, answer)


def check_acts(reply: dict[str, Any], text: str) -> None:
    """Screens of the catalogue, commands as registered, cards that show titles as titles: what was ordered, no more."""
    ordered = {name for name, _ in orders_in(text)}
    for action in reply["actions"]:
        match action["type"]:
            case "open_screen":
                assert action["screen"] in CATALOGUE.of_roles(Role.TEACHER)
                assert action["path"] == f"/pools/{POOL}?tab=settings"
            case "edit_question":
                assert action["config"]["choices"] == json.loads(json.dumps(action["config"]["choices"]))
                assert [each["correct"] for each in action["config"]["choices"]] == [False, True]
                assert [each["path"] for each in action["changes"]] == ["/config/statement"]
            case command:
                assert command == TYPES[action["id"]] == "confirm_command"
    for card in reply["writes"]:
        assert card["tool"] in ordered
        for line in card["lines"]:
            if line["label"] in ("pool", "course", "template"):
                assert line["value"] == " ".join(visible(text).split())
