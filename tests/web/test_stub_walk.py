"""The stub does over HTTP what docs/first-walk.md asks of it, and more of its kind: by the service's tools and checks.

One house for all of it. Which words begin what is in tests/unit/test_stub_plans.py.
"""

import json
from typing import Any

import pytest

from examples.reference_lms.api.question_types import QUESTION_TYPES, is_valid_config
from tests.fakes.house import TEACHER, House, running_house
from tests.web.live_questions import owned, screen
from tests.web.writing import card_of, confirm, written

pytestmark = pytest.mark.slow

POOL, QUESTION, CLASSROOM = owned("pool", TEACHER), owned("question", TEACHER), owned("classroom", TEACHER)
EVALUATION = owned("evaluation", TEACHER)

MANY = {"limits": {"questions_per_minute": 1_000, "questions_per_day": 10_000}}


def command(id_: str, label: str, **about: Any) -> dict[str, Any]:
    return {"id": id_, "label": label, "effect": "none", "gesture": False, "danger": False, **about}


def at(route: str, *commands: dict[str, Any], language: str = "en", **entities: str) -> dict[str, Any]:
    return {**screen(**entities), "route": route, "language": language, "commands": list(commands)}


COURSES = at("/courses")
ON_POOL = at("/pools/:id", pool=POOL)
ON_CLASS = at("/classrooms/:id", classroom=CLASSROOM)
ON_EVALUATION = at("/evaluations/:id", evaluation=EVALUATION)
EDITOR = at(
    "/questions/:id",
    command("preview", "Preview"),
    command("try-it", "Try it", gesture=True),
    command("publish", "Publish", effect="write"),
    command("question.delete", "Delete question", effect="write", danger=True),
    question=QUESTION,
)


async def asked(house: House, question: str, context: dict[str, Any], **changes: Any) -> dict[str, Any]:
    answer = await house.ask(question, context=context, **changes)
    assert answer.status_code == 200, answer.text
    reply: dict[str, Any] = answer.json()
    return reply


SEARCHED = f"/pools/{POOL}?tab=questions&search=malloc"

OPENED = {
    "Show me the pool Pointeurs et tableaux, only the malloc ones": (COURSES, SEARCHED),
    "Only the malloc ones": (ON_POOL, SEARCHED),
    "Cherche malloc dans cette banque": (ON_POOL, SEARCHED),
    "Show the stats tab of this pool": (ON_POOL, f"/pools/{POOL}?tab=stats"),
    "Show me the gradebook of Groupe 1B": (COURSES, f"/classrooms/{CLASSROOM}?tab=gradebook"),
    "Montre le carnet de notes de cette classe": (ON_CLASS, f"/classrooms/{CLASSROOM}?tab=gradebook"),
    "Open the evaluation “Contrôle nº 1 : les pointeurs”": (COURSES, f"/evaluations/{EVALUATION}"),
    "Open the question “Que vaut un pointeur nul ?”": (COURSES, f"/questions/{QUESTION}"),
}  # fmt: skip

COMMANDS = {
    "Run Preview": ("run_command", "preview"),
    "Try it": ("offer_command", "try-it"),
    "Publish this question": ("confirm_command", "publish"),
    "Delete this question": ("confirm_command", "question.delete"),
}

CARDS = {
    "Create the category “Revision”": ("create_category", ["pool", "title"]),
    "Crée le modèle « Contrôle de fin »": ("create_template", ["title"]),
    "Add the published questions of this pool to the template “Modèle de contrôle court”": (
        "add_questions_to_template",
        ["template", "question", "question"],
    ),
    "Link the pool “Structures et fichiers” to my course": (
        "link_pool_to_course",
        ["pool", "course", "gains_access", "gains_access"],
    ),
    "Create the question “À quoi sert free ?” with “À rendre” and “À prendre”": (
        "create_question",
        ["pool", "type", "setting", "choice", "setting", "choice", "setting", "statement", "status"],
    ),
}


async def test_it_shows_and_runs_what_is_asked_for(database_url: str) -> None:
    async with running_house(database_url, ruled=MANY) as house:
        for question, (context, path) in OPENED.items():
            (action,) = (await asked(house, question, context))["actions"]
            assert action["path"] == path, question
        for question, what in COMMANDS.items():
            reply = await asked(house, question, EDITOR)
            (action,) = reply["actions"]
            assert (action["type"], action["id"]) == what, question
            assert reply["kind"] == "interface"
        assert (await asked(house, "Publish this question", ON_POOL))["actions"] == []


async def test_it_prepares_each_change_and_makes_none(database_url: str) -> None:
    async with running_house(database_url, ruled=MANY) as house:
        replies = {question: await asked(house, question, ON_POOL) for question in CARDS}
        for question, (tool, labels) in CARDS.items():
            card = card_of(replies[question])
            assert (card["tool"], [line["label"] for line in card["lines"]]) == (tool, labels)
        assert await written(house) == []
        for reply in replies.values():
            assert (await confirm(house, reply)).status_code == 200
        assert len(await written(house)) == len(CARDS)


async def test_it_rewrites_the_statement_and_adds_choices(database_url: str) -> None:
    async with running_house(database_url, ruled=MANY) as house:
        row = house.school.row("SELECT type, config, explanation FROM question WHERE id = :id", id=QUESTION)
        assert row is not None
        config, explanation = json.loads(row["config"]), row["explanation"]
        draft = {
            "question_id": QUESTION,
            "type": row["type"],
            "base": "v1",
            "config": config,
            "explanation": explanation,
        }
        question = "Réécris cette question et ajoute deux choix"
        (action,) = (await asked(house, question, EDITOR, editor=draft))["actions"]
        assert [(each["path"], each["before"], each["after"]) for each in action["changes"]] == [
            ("/config/statement", config["statement"], f"**{config['statement']}**"),
            ("/config/choices/4/text", "", "Un autre choix 1"),
            ("/config/choices/5/text", "", "Un autre choix 2"),
        ]
        assert action["config"]["choices"][:4] == config["choices"]


async def test_results_bring_chips_and_a_chip_brings_what_is_known_of_it(database_url: str) -> None:
    async with running_house(database_url, ruled=MANY) as house:
        shown = await asked(house, "Show the results of this classroom", ON_CLASS)
        assert shown["kind"] == "live"
        assert ("get_classroom_results", "masked") in [(e["tool"], e["disclosure"]) for e in shown["receipt"]["sent"]]
        student = shown["references"][0]
        assert student["kind"] == "student"
        assert student["label"] in shown["answer"]
        talk = shown["conversation_id"]
        followed = await asked(house, "How did this one do?", COURSES, conversation_id=talk, reference=student["token"])
        assert f"{student['label']}:" in followed["answer"]
        assert "where the mean is" in followed["answer"]

        listed = await asked(house, "Which evaluations do I have?", COURSES)
        assert {each["kind"] for each in listed["references"]} == {"exam"}
        running = next(each for each in listed["references"] if "nº 2 : Groupe 1B" in each["label"])
        told = await asked(
            house, "Et celle-ci ?", COURSES, conversation_id=listed["conversation_id"], reference=running["token"]
        )
        assert "en est à « running »" in told["answer"]


async def test_of_the_evaluation_on_screen_its_own_results_are_told(database_url: str) -> None:
    async with running_house(database_url, ruled=MANY) as house:
        reply = await asked(house, "What are the results?", ON_EVALUATION)
        assert "Contrôle nº 1 : les pointeurs: mean" in reply["answer"]
        assert reply["answer"].count("\n- ") == 1
        which = await asked(house, "Show me the results", COURSES)
        assert [each["label"] for each in which["references"]] == [
            "Groupe 1B, salle Méridienne",
            "Groupe 2A, salle Équinoxe",
        ]


EDITED = {
    "Improve this question": "/config/statement",
    "Améliore cette question": "/config/statement",
    "Rewrite the explanation": "/explanation",
    "Peux-tu réécrire l'explication ?": "/explanation",
    "Rewrite this question and add two choices": "/config/statement",
}
"""What a newcomer asks of a question in the editor, whatever its type, and the first text that changes."""

OF_SCHOOL = "SELECT id, type, config, explanation FROM question WHERE pool = :pool AND status = 'draft' GROUP BY type"


async def test_it_edits_a_question_of_each_type_or_says_why_not(database_url: str) -> None:
    async with running_house(database_url, ruled=MANY) as house:
        rows = house.school.rows(OF_SCHOOL, pool=POOL)
        assert len(rows) == len(QUESTION_TYPES)
        for row in rows:
            draft = {"question_id": row["id"], "type": row["type"], "base": "v1", "explanation": row["explanation"]}
            editor = {**draft, "config": json.loads(row["config"])}
            on = at("/questions/:id", question=row["id"])
            for question, path in EDITED.items():
                reply = await asked(house, question, on, editor=editor)
                assert reply["kind"] == "proposal", (row["type"], question, reply)
                (action,) = reply["actions"]
                changes = action["changes"]
                assert changes[0]["path"] == path, (row["type"], question)
                assert is_valid_config(row["type"], action["config"])
                adds = row["type"] == "mcq" and question.endswith("choices")
                assert len(changes) == (3 if adds else 1), (row["type"], question)
            assert ("No choice is added" in reply["answer"]) == (row["type"] != "mcq")
            for question in ("Add two choices", "Ajoute deux choix"):
                reply = await asked(house, question, on, editor=editor)
                assert reply["kind"] == ("proposal" if row["type"] == "mcq" else "question"), (row["type"], question)
