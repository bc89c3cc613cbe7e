"""The cached prefix is the same bytes for everyone of a role, whatever they ask and wherever they are."""

import uuid

import pytest

from examples.reference_lms.school import Person, Role
from examples.reference_lms.sessions import SessionKind
from tests.fakes.house import ADMINISTRATOR, STUDENT, question_body, running_house
from tests.fakes.models import ScriptedModel, calls

pytestmark = pytest.mark.slow

ROUTES = ("/", "/pools/:id", "/questions/:id", "/evaluations/:id", "/courses", "/admin")


async def test_a_hundred_questions_and_people_share_one_prefix(database_url: str) -> None:
    model = ScriptedModel(calls(("ask_back", {"text": "Which one?"})))
    ruled = {"limits": {"questions_per_minute": 1000}}
    async with running_house(database_url, provider=model, ruled=ruled) as house:
        for number in range(100):
            entity, label = str(uuid.uuid4()), f"Canary command {number}"
            body = question_body(
                f"Canary question {number}?",
                context={
                    "route": ROUTES[number % len(ROUTES)],
                    "topic": ["pool", None, "unknown-topic"][number % 3],
                    "language": ["en", "fr", "fil"][number % 3],
                    "entities": {"pool": entity},
                    "commands": [{"id": f"c{number}", "label": label, "effect": "none"}],
                },
            )
            teacher = Person(sub=f"canary-teacher-{number}", name="Canary", role=Role.TEACHER)
            house.school.run("INSERT INTO person (id, name, role) VALUES (:id, 'Canary', 'teacher')", id=teacher.sub)
            token = house.sessions.mint(teacher, kind=SessionKind.PORTAL, elevated=False)
            headers = {"Authorization": f"Bearer {token}"}
            answer = await house.service.post("/assist/ask", json=body, headers=headers)
            assert answer.status_code == 200
            assert entity in model.requests[-1].screen
            assert label in model.requests[-1].screen
        prefixes = {request.prefix for request in model.requests}
        assert len(model.requests) == 100
        assert len(prefixes) == 1
        assert len({repr(request.tools) for request in model.requests}) == 1
        [prefix] = prefixes
        assert "canary" not in prefix.casefold()
        assert "teacher/pools" in prefix
        assert "administrator/people" not in prefix

        for person, other in ((STUDENT, "student/your-results"), (ADMINISTRATOR, "administrator/people")):
            await house.ask(person=person)
            assert model.requests[-1].prefix != prefix
            assert other in model.requests[-1].prefix
