"""Questions in the editor of a model that knows students by their placeholders only."""

import re
from typing import Any

import httpx2

from assist_service.domain.messages import ModelRequest
from tests.fakes.house import TEACHER, House
from tests.fakes.models import calls
from tests.web.editing import draft, editor_screen
from tests.web.live_questions import owned, spoken
from tests.web.writing import COURSE, POOL, QUESTION

CLASSROOM = owned("classroom", TEACHER)

LEARNS = calls(("get_classroom_results", {"classroom": CLASSROOM}))

IDS = {
    "classroom": CLASSROOM,
    "pool": POOL,
    "course": COURSE,
    "question": QUESTION,
    "template": owned("template", TEACHER),
    "evaluation": owned("evaluation", TEACHER),
}


def students(house: House) -> list[str]:
    rows = house.school.rows(
        "SELECT name FROM enrolment JOIN person ON person = person.id WHERE classroom = :id", id=CLASSROOM
    )
    return [str(row["name"]) for row in rows]


def tag_of(request: ModelRequest) -> str:
    found = re.search(r"Person-([a-z]{8})-1\b", spoken(request))
    assert found is not None
    return found[1]


async def ask(house: House, **changes: Any) -> httpx2.Response:
    context = {**editor_screen(), "entities": IDS}
    return await house.ask("Prepare it.", **{"context": context, "editor": draft(), **changes})
