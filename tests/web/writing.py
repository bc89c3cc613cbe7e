"""Questions that prepare changes, over HTTP: a model that prepares, and a person who confirms or does not."""

from typing import Any
from uuid import UUID

import httpx2

from assist_service.domain.messages import ModelReply, ModelRequest
from examples.reference_lms.school import SCHOOL
from tests.fakes.house import TEACHER, House
from tests.fakes.models import calls, says
from tests.web.live_questions import ActingModel, Step, owned, records, results, screen

WAITS = says("It waits for you.")

POOL, COURSE, QUESTION = owned("pool", TEACHER), owned("course", TEACHER), owned("question", TEACHER)


def preparing(*wanted: tuple[str, dict[str, Any]], before: tuple[ModelReply | Step, ...] = ()) -> ActingModel:
    """Prepares these, after what it does before, and says that they wait."""
    return ActingModel(*before, calls(*wanted), WAITS)


def new_category(title: str = "Loops", pool: str = POOL) -> tuple[str, dict[str, Any]]:
    return "create_category", {"pool": pool, "title": title}


async def ask(house: House, *, person: str = TEACHER, **changes: Any) -> httpx2.Response:
    context = screen(pool=POOL, course=COURSE, question=QUESTION, **changes.pop("entities", {}))
    return await house.ask("Prepare it, please.", person=person, context=context, **changes)


async def prepared(house: House, *, person: str = TEACHER, **changes: Any) -> dict[str, Any]:
    """The reply to a question that prepares something."""
    answer = await ask(house, person=person, **changes)
    assert answer.status_code == 200, answer.text
    reply: dict[str, Any] = answer.json()
    return reply


def card_of(reply: dict[str, Any]) -> dict[str, Any]:
    """The one write of a reply."""
    (write,) = reply["writes"]
    return dict(write)


async def decide(
    house: House,
    word: str,
    reply: dict[str, Any],
    *,
    write: str | None = None,
    person: str = TEACHER,
    conversation: str | None = None,
) -> httpx2.Response:
    """Confirms or cancels."""
    return await house.service.post(
        f"/assist/writes/{write or card_of(reply)['id']}/{word}",
        json={"conversation_id": conversation or reply["conversation_id"]},
        headers=await house.bearer(person),
    )


async def confirm(house: House, reply: dict[str, Any], **about: Any) -> httpx2.Response:
    return await decide(house, "confirm", reply, **about)


async def written(house: House) -> list[dict[str, Any]]:
    """Every write the LMS has made or refused, by its own audit log."""
    entries: list[dict[str, Any]] = (await house.lms.get("/demo/audit")).json()["entries"]
    return entries


STATEMENT = "Que vaut une variable qui n'est pas encore initialisée ?"
CONFIG = {
    "statement": STATEMENT,
    "multiple": False,
    "choices": [{"text": "Rien de sûr", "correct": True}, {"text": "Zéro", "correct": False}],
}

SEARCHED = calls(("find_similar_questions", {"text": STATEMENT}))

PUBLISHED = calls(("list_questions", {"pool": POOL, "status": "published"}), ("list_templates", {}))
DRAFTS = calls(("list_questions", {"pool": POOL, "status": "draft"}), ("list_templates", {}))


def of_first(tool: str, **fixed: Any) -> Any:
    """Calls a tool with the first question of what was listed, and its template if it takes one."""

    def step(request: ModelRequest) -> ModelReply:
        questions, templates = (records(result) for result in results(request))
        arguments = {**fixed, "questions": [questions[0]["id"]]}
        if tool == "add_questions_to_template":
            arguments["template"] = templates[0]["id"]
        return calls((tool, arguments))

    return step


QUESTION_CALL = ("create_question", {"pool": POOL, "type": "mcq", "config": CONFIG, "explanation": "Voir le cours."})


async def unlink(house: House) -> None:
    """So that there is a course to link the pool to."""
    house.school.run("UPDATE pool SET owner = :me WHERE id = :pool", me=TEACHER, pool=POOL)
    house.school.run("DELETE FROM course_pool WHERE pool = :pool AND course = :course", pool=POOL, course=COURSE)


def titled(kind: str, identifier: str) -> str:
    """What the school calls something of the cast's."""
    return next(each.title for each in SCHOOL.entities if each.kind.value == kind and UUID(each.id) == UUID(identifier))
