"""What the LMS says of a person now counts for every question, and where it does not say there is no answer."""

from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from tests.fakes.house import ADMINISTRATOR, STUDENT, TEACHER, TRAINER, running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import STANDING, ActingModel, asked_of_lms, inject, owned, results, screen

pytestmark = pytest.mark.slow

PAGES = {
    "of students": "student/your-results",
    "of teachers": "teacher/pools",
    "of administrators": "administrator/people",
}


def reading_all() -> ActingModel:
    return ActingModel(calls(*[("read_guide", {"page": page}) for page in PAGES.values()]), says("So it is [s1]."))


OF_EVERYONE = {"read_guide", "search_guide", "decline", "ask_back", "open_screen", "run_screen_command"}


@pytest.mark.parametrize(
    ("person", "role", "reads"),
    [
        (TEACHER, "student", {"of students"}),
        (STUDENT, "teacher", {"of students"}),
        (ADMINISTRATOR, "student", {"of students"}),
        (STUDENT, "admin", {"of students"}),
        (TEACHER, "admin", {"of students", "of teachers"}),
        (ADMINISTRATOR, "teacher", {"of students", "of teachers"}),
        (ADMINISTRATOR, "trainer_admin", set()),
        (TEACHER, "teacher", {"of students", "of teachers"}),
    ],
)
async def test_a_role_that_changed_has_no_more_than_both_have(
    database_url: str, person: str, role: str, reads: set[str]
) -> None:
    model = reading_all()
    async with running_house(database_url, provider=model) as house:
        signed = await house.bearer(person)
        await inject(house, "change_role", person=person, role=role)
        assert (await house.ask(headers=signed, context=screen())).status_code == 200
        told = dict(zip(PAGES, results(model.requests[1]), strict=True))
        assert {name for name, result in told.items() if not result.is_error} == reads
        offered = {spec.name for spec in model.requests[0].tools}
        both_have_data = person in (TEACHER, ADMINISTRATOR) and role in ("teacher", "admin")
        assert (offered > OF_EVERYONE) == both_have_data
        assert offered >= OF_EVERYONE
        assert ("of teachers" in reads) == ("| /pools/:id |" in model.requests[0].prefix)


async def test_a_tool_of_the_signed_role_alone_does_not_run(database_url: str) -> None:
    model = ActingModel(calls(("get_classroom_results", {"classroom": owned("classroom", TEACHER)})), says("No [s1]."))
    async with running_house(database_url, provider=model) as house:
        signed = await house.bearer()
        await inject(house, "change_role", person=TEACHER, role="student")
        await house.ask("Who is best?", headers=signed, context=screen(classroom=owned("classroom", TEACHER)))
        assert results(model.requests[1])[0].content.startswith("There is no such tool.")
        assert {each["path"] for each in await asked_of_lms(house)} == {STANDING + TEACHER}


NOBODY: list[dict[str, Any]] = [{"fault": "status", "status": 404, "path": STANDING}]

REFUSED: dict[str, tuple[list[dict[str, Any]], int, str]] = {
    "an account that ended": ([{"fault": "end_account", "person": TEACHER}], 401, "unauthenticated"),
    "an exam": ([{"fault": "start_exam", "person": TEACHER}], 403, "exam_in_progress"),
    "an LMS that is down": ([{"fault": "status", "status": 503, "path": STANDING}], 503, "lms_unavailable"),
    "an LMS that hangs up": ([{"fault": "reset", "path": STANDING}], 503, "lms_unavailable"),
    "an LMS that says nonsense": ([{"fault": "other_schema", "path": STANDING}], 503, "lms_unavailable"),
    "a login page": ([{"fault": "html", "path": STANDING}], 503, "lms_unavailable"),
    "a redirect": ([{"fault": "redirect", "path": STANDING}], 503, "lms_unavailable"),
    "a client that is refused": ([{"fault": "status", "status": 401, "path": STANDING}], 503, "lms_unavailable"),
    "a person nobody knows": (NOBODY, 401, "unauthenticated"),
}

UNKNOWN = {"event": "standing_unknown_person", "log_level": "warning"}


@pytest.mark.parametrize(("orders", "status", "code"), REFUSED.values(), ids=REFUSED)
async def test_who_does_not_stand_well_gets_no_answer_and_costs_nothing(
    database_url: str, pool: asyncpg.Pool, orders: list[dict[str, Any]], status: int, code: str
) -> None:
    model = ActingModel(says("Never said."))
    async with running_house(database_url, provider=model) as house:
        for order in orders:
            await inject(house, **order)
        with capture_logs() as logs:
            answer = await house.ask()
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert (UNKNOWN in logs) is (orders == NOBODY)
        assert model.requests == []
        for table in ("llm_calls", "exchanges", "conversations"):
            assert await pool.fetchval(f"SELECT count(*) FROM {table}") == 0, table  # noqa: S608 names of ours


async def test_an_lms_without_this_endpoint_is_said_in_the_log_with_each_question_and_without_the_person(
    database_url: str,
) -> None:
    async with running_house(database_url, provider=reading_all()) as house:
        await inject(house, "status", status=404, path=STANDING)
        with capture_logs() as logs:
            for person in (TEACHER, STUDENT):
                assert (await house.ask(person=person)).status_code == 401
        assert logs.count(UNKNOWN) == 2
        assert not any(person in str(logs) for person in (TEACHER, STUDENT))


async def test_a_role_that_the_policy_offers_nothing_is_refused_whatever_was_signed(database_url: str) -> None:
    ruled = {"standing": True}
    async with running_house(database_url, provider=reading_all(), policy="teacher-assistant", ruled=ruled) as house:
        signed = await house.bearer()
        await inject(house, "change_role", person=TEACHER, role="trainer_admin")
        answer = await house.ask(headers=signed)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_offered")


async def test_each_question_asks_anew_as_this_service_and_for_this_person(database_url: str) -> None:
    model = ActingModel(*(says("So [s1].") for _ in range(3)))
    async with running_house(database_url, provider=model) as house:
        for person in (TEACHER, TEACHER, TRAINER):
            await house.ask(person=person)
        asked = await asked_of_lms(house)
        assert [each["path"].removeprefix(STANDING) for each in asked] == [TEACHER, TEACHER, TRAINER]
        assert {(each["method"], each["status"], each["actor"]) for each in asked} == {("GET", 200, "assistant")}


async def test_a_policy_without_standing_asks_nothing(database_url: str) -> None:
    async with running_house(database_url, provider=reading_all(), policy="teacher-assistant") as house:
        await inject(house, "start_exam", person=TEACHER)
        assert (await house.ask(context=screen())).status_code == 200
        assert await asked_of_lms(house) == []


async def test_a_kept_reply_is_not_for_another_role(database_url: str) -> None:
    classroom = owned("classroom", TEACHER)
    model = ActingModel(calls(("get_classroom_results", {"classroom": classroom})), says("So it is."))
    async with running_house(database_url, provider=model) as house:
        at, key = screen(classroom=classroom), {"Idempotency-Key": "one"}
        first = await house.ask("Who passed?", headers=key, context=at)
        assert (first.status_code, first.json()["kind"]) == (200, "live")
        await inject(house, "change_role", person=TEACHER, role="student")
        again = await house.ask("Who passed?", headers=key, context=at)
        assert (again.status_code, again.json()["code"]) == (422, "idempotency_mismatch")
