"""Who may use the assistant: every role × kind of session at every route, and the door before the body."""

import itertools

import pytest

from assist_service.domain.people import Role
from tests.fakes.house import PERSON_OF_ROLE, STUDENT, TEACHER, House, question_body, running_house
from tests.fakes.models import ScriptedModel, reads, says

KINDS = ("portal", "student_view", "impersonation", "api_token", "oauth", "seb", "kiosk")

REFUSED = {
    "student_view": (403, "not_offered"),
    "impersonation": (403, "not_offered"),
    "api_token": (403, "not_offered"),
    "oauth": (403, "not_offered"),
    "seb": (401, "unauthenticated"),
    "kiosk": (401, "unauthenticated"),
}

ROUTES = (
    ("POST", "/assist/ask"),
    ("GET", "/assist/conversations"),
    ("GET", "/assist/conversations/00000000-0000-4000-8000-000000000000"),
    ("DELETE", "/assist/conversations/00000000-0000-4000-8000-000000000000"),
    ("GET", "/assist/people/someone/conversations"),
    ("GET", "/assist/manual/0123456789abcdef/0123456789abcdef0123"),
)


async def _refusals(house: House, *, person: str, kind: str) -> set[tuple[int, str]]:
    headers = await house.bearer(person, kind=kind)
    answers = [
        await house.service.request(method, path, headers=headers, json=question_body() if method == "POST" else None)
        for method, path in ROUTES
    ]
    return {(answer.status_code, answer.json().get("code", "")) for answer in answers}


async def test_every_kind_but_the_portal_is_refused_at_every_route(database_url: str) -> None:
    model = ScriptedModel(says("never"))
    async with running_house(database_url, provider=model) as house:
        for (role, person), kind in itertools.product(PERSON_OF_ROLE.items(), KINDS[1:]):
            assert await _refusals(house, person=person, kind=kind) == {REFUSED[kind]}, (role, kind)
        assert model.requests == []


@pytest.mark.parametrize("role", ["student", "trainer_admin"])
async def test_the_teacher_assistant_is_not_for_students_and_trainers(database_url: str, role: str) -> None:
    model = ScriptedModel(says("never"))
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        assert await _refusals(house, person=PERSON_OF_ROLE[role], kind="portal") == {(403, "not_offered")}
        assert model.requests == []


@pytest.mark.parametrize("role", ["student", "teacher", "trainer_admin", "admin"])
async def test_the_default_policy_answers_all_four_roles(database_url: str, role: str) -> None:
    model = ScriptedModel(reads("shared/signing-in"), says("So it is [s1]."))
    async with running_house(database_url, provider=model) as house:
        answer = await house.ask(person=PERSON_OF_ROLE[role])
        assert answer.json()["kind"] == "manual"


async def test_no_session_no_answer_whatever_the_body(database_url: str) -> None:
    async with running_house(database_url) as house:
        for headers in (
            {},
            {"Authorization": "Bearer"},
            {"Authorization": "Bearer x.y.z"},
            {"Authorization": "Basic eDp5"},
            {"Authorization": "DPoP " + await house.token()},
        ):
            for method, path in (*ROUTES, ("GET", "/assist/availability")):
                answer = await house.service.request(method, path, headers=headers, content=b"{not json")
                assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
                assert answer.headers["www-authenticate"] == "Bearer"
                assert answer.headers["content-type"] == "application/problem+json"


async def test_a_session_expires_while_the_page_is_open(database_url: str) -> None:
    async with running_house(database_url) as house:
        headers = await house.bearer()
        house.clock.move(299)
        assert (await house.service.get("/assist/conversations", headers=headers)).status_code == 200
        house.clock.move(1)
        assert (await house.service.get("/assist/conversations", headers=headers)).status_code == 401


async def test_nothing_the_browser_sends_widens_a_role(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."))
    async with running_house(database_url, provider=model) as house:
        for extra in ({"role": "teacher"}, {"audience": "teacher"}, {"sub": TEACHER}):
            answer = await house.service.post(
                "/assist/ask", json={**question_body(), **extra}, headers=await house.bearer(STUDENT)
            )
            assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, next(iter(extra)))
        assert model.requests == []


async def test_availability_answers_every_session_that_is_one(database_url: str) -> None:
    async with running_house(database_url, policy="teacher-assistant") as house:

        async def available(person: str, kind: str = "portal") -> dict[str, object]:
            answer = await house.service.get(
                "/assist/availability",
                headers={**await house.bearer(person, kind=kind), "Accept-Language": "fr-CH, en;q=0.5"},
            )
            assert answer.status_code == 200
            body: dict[str, object] = answer.json()
            return body

        offered = await available(TEACHER)
        assert (offered["offered"], offered["reason"], offered["manual"], offered["live"]) == (True, None, True, True)
        assert "stub" in str(offered["notice"])
        assert "Tes questions" in str(offered["notice"])
        assert offered["limits"] == {
            "question_characters": 2000,
            "questions_per_minute": 6,
            "questions_per_day": None,
            "deadline_seconds": 90,
        }
        screens = [screen["screen"] for screen in offered["screens"]]  # type: ignore[attr-defined]
        assert screens == list(house.configuration.catalogue.of_roles(Role.TEACHER)), (
            "the order decides which one opens"
        )
        assert "admin" not in screens
        for person, kind in ((STUDENT, "portal"), (TEACHER, "impersonation")):
            withheld = await available(person, kind)
            assert (withheld["offered"], withheld["reason"], withheld["manual"]) == (False, "not_offered", False)
            assert (withheld["notice"], withheld["screens"]) == ("", [])
        kiosk = await house.service.get("/assist/availability", headers=await house.bearer(kind="seb"))
        assert kiosk.status_code == 401
