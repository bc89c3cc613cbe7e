"""What a page shows before a question, and what a student reads, obey what the LMS said moments ago (row J13)."""

import time
from typing import Any

import pytest

from assist_service.adapters.tokens import LIFETIME_SECONDS
from assist_service.services.standing import LATELY_SECONDS, REMEMBERED_SECONDS
from assist_service.settings import ROOT
from tests.fakes.house import ADMINISTRATOR, STUDENT, TEACHER, TRAINER, House, running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import STANDING, ActingModel, asked_of_lms, inject, screen

pytestmark = pytest.mark.slow

READ = calls(("read_guide", {"page": "student/your-results"}))


async def available(house: House, person: str = STUDENT, *, kind: str = "portal") -> dict[str, Any]:
    headers = await house.bearer(person, kind=kind)
    answer = await house.service.get("/assist/availability", headers=headers)
    assert answer.status_code == 200
    return dict(answer.json())


async def answered(house: House, person: str = STUDENT) -> tuple[str, str]:
    """A conversation of this person, and the address of what it cites."""
    answer = (await house.ask(person=person, context=screen())).json()
    return f"/assist/conversations/{answer['conversation_id']}", answer["citations"][0]["href"]


async def read(house: House, *paths: str, person: str = STUDENT) -> set[tuple[int, str | None]]:
    headers = await house.bearer(person)
    answers = [await house.service.get(path, headers=headers) for path in ("/assist/conversations", *paths)]
    return {(answer.status_code, answer.json().get("code")) for answer in answers}


async def remembered_no_more(house: House) -> None:
    house.clock.move(REMEMBERED_SECONDS)


async def test_a_student_in_an_exam_is_told_so_and_asks_and_reads_nothing_but_may_delete(database_url: str) -> None:
    model = ActingModel(READ, says("There [s1]."), READ, says("There [s1]."))
    async with running_house(database_url, provider=model) as house:
        paths = await answered(house)
        assert (await available(house))["offered"]
        assert await read(house, *paths) == {(200, None)}

        await inject(house, "start_exam", person=STUDENT)
        refused = await house.ask(person=STUDENT, context=screen())
        assert (refused.status_code, refused.json()["code"]) == (403, "exam_in_progress")
        said = await available(house)  # what a question learnt, the page knows at once
        assert (said["offered"], said["reason"]) == (False, "exam_in_progress")
        assert (said["manual"], said["live"], said["notice"], said["screens"]) == (False, False, "", [])
        assert await read(house, *paths) == {(403, "exam_in_progress")}
        assert (await house.service.delete(paths[0], headers=await house.bearer(STUDENT))).status_code == 204

        await inject(house, "end_exam", person=STUDENT)
        assert (await house.ask(person=STUDENT, context=screen())).status_code == 200
        assert (await available(house))["offered"]
        assert await read(house, paths[1]) == {(200, None)}


async def test_an_exam_that_begins_closes_what_is_read_within_moments(database_url: str) -> None:
    model = ActingModel(READ, says("There [s1]."))
    async with running_house(database_url, provider=model) as house:
        paths = await answered(house)
        await inject(house, "start_exam", person=STUDENT)
        house.clock.move(REMEMBERED_SECONDS - 1)
        assert await read(house, *paths) == {(200, None)}
        house.clock.move(1)
        assert await read(house, *paths) == {(403, "exam_in_progress")}


async def test_the_lms_is_asked_once_for_what_a_page_asks_at_once(database_url: str) -> None:
    async with running_house(database_url) as house:
        for _ in range(3):
            await available(house)
            await read(house)
            await available(house, TEACHER)
        assert sorted(each["path"] for each in await asked_of_lms(house, STANDING)) == sorted(
            [STANDING + STUDENT, STANDING + TEACHER]
        )
        await remembered_no_more(house)
        await read(house)
        assert len(await asked_of_lms(house, STANDING)) == 3


@pytest.mark.parametrize(
    "order", [{"fault": "status", "status": 503}, {"fault": "reset"}, {"fault": "other_schema"}], ids=str
)
async def test_where_the_lms_is_silent_the_session_counts_but_a_student_reads_nothing(
    database_url: str, order: dict[str, Any]
) -> None:
    model = ActingModel(READ, says("There [s1]."), READ, says("There [s1]."))
    async with running_house(database_url, provider=model) as house:
        paths, of_teacher = await answered(house), await answered(house, TEACHER)
        await remembered_no_more(house)
        for _ in range(8):
            await inject(house, **order, path=STANDING)
        assert (await available(house))["offered"]
        assert await read(house, *paths) == {(503, "lms_unavailable")}
        assert await read(house, *of_teacher, person=TEACHER) == {(200, None)}


async def test_a_page_waits_for_a_slow_lms_no_longer_than_a_moment(database_url: str) -> None:
    async with running_house(database_url) as house:
        await inject(house, "delay", seconds=LATELY_SECONDS + 3, path=STANDING)
        began = time.monotonic()
        assert (await available(house))["offered"]
        assert time.monotonic() - began < LATELY_SECONDS + 1.5


@pytest.mark.parametrize("fault", ["end_account", "start_exam"])
async def test_who_is_no_student_reads_without_asking_until_the_session_ends_as_the_docs_say(
    database_url: str, fault: str
) -> None:
    async with running_house(database_url, provider=ActingModel(READ, says("So [s1]."))) as house:
        signed = await house.bearer()
        paths = await answered(house, TEACHER)
        await inject(house, fault, person=TEACHER)
        await remembered_no_more(house)
        asked = len(await asked_of_lms(house, STANDING))
        own = ("/assist/conversations", *paths)
        for path in own:
            assert (await house.service.get(path, headers=signed)).status_code == 200, path
        assert len(await asked_of_lms(house, STANDING)) == asked
        house.clock.move(LIFETIME_SECONDS + 1)
        for path in own:
            assert (await house.service.get(path, headers=signed)).status_code == 401, path
    told = " ".join((ROOT / "docs/data.md").read_text().partition("## Who reads it")[2].partition("\n## ")[0].split())
    assert "where a student reads" in told
    assert f"what it said in the last {REMEMBERED_SECONDS:.0f} s" in told
    assert f"until their session ends, at most {LIFETIME_SECONDS} s after it was signed" in told


async def test_availability_says_what_the_roles_have_together_and_not_to_whom_is_over(database_url: str) -> None:
    async with running_house(database_url) as house:
        assert (await available(house, TEACHER))["live"]
        assert not (await available(house))["live"]
        await inject(house, "change_role", person=TEACHER, role="student")
        await inject(house, "end_account", person=ADMINISTRATOR)
        await remembered_no_more(house)
        said = await available(house, TEACHER)
        assert (said["offered"], said["manual"], said["live"]) == (True, True, False)
        assert "admin" not in {each["screen"] for each in said["screens"]}
        over = await available(house, ADMINISTRATOR)
        assert (over["offered"], over["reason"]) == (False, "not_offered")


async def test_who_is_not_offered_anything_is_not_asked_about(database_url: str) -> None:
    async with running_house(database_url) as house:
        assert (await available(house, TRAINER, kind="impersonation"))["reason"] == "not_offered"
        assert await asked_of_lms(house, STANDING) == []


async def test_a_policy_without_standing_asks_nothing(database_url: str) -> None:
    async with running_house(database_url, policy="teacher-assistant") as house:
        await inject(house, "start_exam", person=TEACHER)
        assert (await available(house, TEACHER))["offered"]
        assert await read(house, person=TEACHER) == {(200, None)}
        assert await asked_of_lms(house, STANDING) == []
