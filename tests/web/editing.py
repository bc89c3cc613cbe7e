"""Questions asked in the question editor: a draft of words that stand nowhere else, and what is made of it."""

from typing import Any

import httpx2

from assist_service.domain.messages import JsonObject
from tests.fakes.house import TEACHER, House
from tests.fakes.models import calls, says
from tests.web.live_questions import ActingModel, owned, screen

EDITOR = "/questions/:id"

QUESTION = owned("question", TEACHER)
"""Published, of several choices."""

CANARY = "zqxkestrel"
"""In every text and setting of the draft: where it is found, the draft is."""

CONFIG: JsonObject = {
    "statement": f"What is {CANARY}-statement, by [[1]] and asset:figure-7?",
    "multiple": False,
    "choices": [
        {"text": f"{CANARY}-one", "correct": False},
        {"text": f"{CANARY}-two", "correct": True},
        {"text": "", "correct": False},
    ],
    "setting": f"{CANARY}-setting",
}

EXPLANATION = f"Because of {CANARY}-explanation."

REWRITES = [
    {"path": "/config/statement", "text": "Which is it, by [[1]] and asset:figure-7?"},
    {"path": "/explanation", "text": "It follows."},
]

PROPOSES = calls(("propose_question_edit", {"rewrites": REWRITES, "additions": ["A third", "A fourth"]}))

WAITS = says("It waits for you.")


def draft(**changes: Any) -> JsonObject:
    """The draft on screen."""
    return {
        "question_id": QUESTION,
        "type": "mcq",
        "base": f"{CANARY}-base",
        "config": CONFIG,
        "explanation": EXPLANATION,
        **changes,
    }


def editor_screen(question: str = QUESTION, route: str = EDITOR) -> dict[str, Any]:
    return {**screen(question=question), "route": route}


async def ask_in_editor(
    house: House,
    *,
    person: str = TEACHER,
    editor: JsonObject | None = None,
    context: dict[str, Any] | None = None,
    **changes: Any,
) -> httpx2.Response:
    editor = draft() if editor is None else editor
    context = editor_screen(editor["question_id"]) if context is None else context
    return await house.ask("Write it otherwise, please.", person=person, editor=editor, context=context, **changes)


def trying() -> ActingModel:
    """Proposes whether it may or not, and claims that it was done."""
    return ActingModel(PROPOSES, says("I have changed the question. [s1]"))


def told(model: ActingModel) -> str:
    """All that a provider was sent."""
    return "\n".join(map(str, model.requests))


def tools_of(model: ActingModel) -> set[str]:
    return {tool.name for tool in model.requests[0].tools}
