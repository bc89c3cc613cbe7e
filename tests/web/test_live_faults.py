"""An LMS that fails in mid-question: the model is told plainly, the person gets an answer or a documented refusal."""

import re
import uuid
from typing import Any

import asyncpg
import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.domain.loop import MAX_CALLS_PER_STEP
from assist_service.domain.messages import ModelReply, ModelRequest
from assist_service.domain.screens import Language
from assist_service.ports import LmsFaultKind
from assist_service.tools.looking_up import FAULTS, NO_SEAT
from tests.fakes.house import OTHER_TEACHER, TEACHER, running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import (
    ActingModel,
    inject,
    live_tokens,
    owned,
    reads_of_lms,
    records,
    results,
    screen,
    settled,
)

pytestmark = pytest.mark.slow

K = LmsFaultKind

WRONG: list[tuple[dict[str, Any], LmsFaultKind]] = [
    ({"fault": "not_json"}, K.MALFORMED),
    ({"fault": "other_schema"}, K.MALFORMED),
    ({"fault": "html"}, K.MALFORMED),
    ({"fault": "redirect"}, K.MALFORMED),
    ({"fault": "huge"}, K.TOO_LARGE),
    ({"fault": "reset"}, K.UNAVAILABLE),
    ({"fault": "status", "status": 500}, K.UNAVAILABLE),
    ({"fault": "status", "status": 429}, K.UNAVAILABLE),
    ({"fault": "status", "status": 400}, K.REFUSED),
    ({"fault": "status", "status": 403}, K.NOT_FOUND),
]

SORRY = "That could not be looked up just now."

TEXTS = load_policy("default").texts
ABSENT, SILENT = TEXTS.not_found_there[Language.ENGLISH], TEXTS.lms_silent[Language.ENGLISH]
REFUSED, UNDONE = TEXTS.lms_refused[Language.ENGLISH], TEXTS.not_looked_up[Language.ENGLISH]
CUT = TEXTS.cut_short[Language.ENGLISH]
WHY = {
    K.NOT_FOUND: ABSENT,
    K.UNAVAILABLE: SILENT,
    K.MALFORMED: SILENT,
    K.REFUSED: REFUSED,
    K.TOO_LARGE: REFUSED,
}
"""What the person is told by the service, whatever the model says."""

CLASSROOM = owned("classroom", TEACHER)


def trying() -> ActingModel:
    wanted = calls(("list_courses", {}), ("get_classroom_results", {"classroom": CLASSROOM}))
    return ActingModel(wanted, says(SORRY))


@pytest.mark.parametrize(("order", "kind"), WRONG, ids=str)
async def test_what_failed_is_told_plainly_and_nothing_is_invented(
    database_url: str, pool: asyncpg.Pool, order: dict[str, Any], kind: LmsFaultKind
) -> None:
    model = trying()
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        await inject(house, **order)
        answer = await house.ask("Who is best?", context=screen(classroom=CLASSROOM))
        assert (answer.status_code, answer.json()["answer"]) == (200, f"{SORRY}\n\n{WHY[kind]}")
        assert [(each.content, each.is_error) for each in results(model.requests[1])] == [(FAULTS[kind], True)] * 2
        assert answer.json()["receipt"]["sent"] == []
        assert answer.json()["kind"] == "manual"
        assert len(await reads_of_lms(house)) == 2, "a read that failed is not sent again"
        assert await live_tokens(house) == []
        assert await settled(pool)


async def test_one_that_fails_leaves_the_others_of_its_step_alone(database_url: str) -> None:
    model = trying()
    async with running_house(database_url, provider=model) as house:
        await inject(house, "status", status=500, path="/api/courses")
        answer = await house.ask("Who is best?", context=screen(classroom=CLASSROOM))
        failed, found = results(model.requests[1])
        assert (failed.content, failed.is_error) == (FAULTS[K.UNAVAILABLE], True)
        assert len(records(found)) == 21
        assert (answer.json()["kind"], answer.json()["answer"]) == ("live", f"{SORRY}\n\n{SILENT}")
        assert [sent["tool"] for sent in answer.json()["receipt"]["sent"]] == ["get_classroom_results"]


async def test_an_exchange_that_fails_is_told_and_not_tried_again(database_url: str) -> None:
    model = trying()
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        await inject(house, "status", status=500, path="/oauth/token")
        answer = await house.ask("Who is best?", context=screen(classroom=CLASSROOM))
        assert (answer.status_code, answer.json()["answer"]) == (200, f"{SORRY}\n\n{SILENT}")
        assert {each.content for each in results(model.requests[1])} == {FAULTS[K.UNAVAILABLE]}
        assert await reads_of_lms(house) == []


async def test_a_model_that_invents_records_says_nothing_under_citations(database_url: str) -> None:
    model = ActingModel(calls(("list_courses", {})), says("You have Alchemy and Astrology."))
    async with running_house(database_url, provider=model) as house:
        await inject(house, "html")
        reply = (await house.ask("Which courses?", context=screen())).json()
        assert reply["kind"] == "refusal"
        assert reply["answer"] == SILENT


async def test_a_question_back_that_invents_records_stands_beside_the_truth(database_url: str) -> None:
    claim = "You have two courses, Alchemy and Astrology. Which one do you mean?"
    model = ActingModel(calls(("list_courses", {})), calls(("ask_back", {"text": claim})))
    async with running_house(database_url, provider=model) as house:
        await inject(house, "status", status=500, path="/api/courses")
        reply = (await house.ask("Which courses?", context=screen())).json()
        assert (reply["kind"], reply["answer"]) == ("question", f"{claim}\n\n{SILENT}")


async def test_look_ups_beyond_what_one_step_runs_are_said_not_to_have_been_made(database_url: str) -> None:
    wanted = [("list_pools", {"search": f"{number}"}) for number in range(MAX_CALLS_PER_STEP)]
    too_many = calls(*wanted, ("list_courses", {}))
    async with running_house(database_url, provider=ActingModel(too_many, says("You have no courses."))) as house:
        reply = (await house.ask("Which courses?", context=screen())).json()
        assert (reply["kind"], reply["answer"]) == ("live", f"You have no courses.\n\n{UNDONE}")
    later = ActingModel(too_many, calls(("list_courses", {})), says("One course."))
    async with running_house(database_url, provider=later) as house:
        assert (await house.ask("Which courses?", context=screen())).json()["answer"] == "One course."


async def test_a_list_that_was_cut_is_said_to_be(database_url: str) -> None:
    async with running_house(
        database_url, provider=ActingModel(calls(("list_pools", {})), says("Exactly these and no more."))
    ) as house:
        for number in range(250):
            house.school.run(
                "INSERT INTO pool (id, title, owner) VALUES (:id, :title, :owner)",
                id=f"00000000-0000-4000-8000-{number:012}",
                title=f"Z{number:03}",
                owner=TEACHER,
            )
        reply = (await house.ask("Which pools?", context=screen())).json()
        assert (reply["kind"], reply["answer"]) == ("live", f"Exactly these and no more.\n\n{CUT}")


async def test_a_made_up_id_reads_to_the_person_as_what_is_not_there(database_url: str) -> None:
    told: list[dict[str, Any]] = []
    for pool in (owned("pool", OTHER_TEACHER), str(uuid.UUID(int=7))):
        model = ActingModel(calls(("get_pool", {"pool": pool})), says("It is called Alchemy."))
        async with running_house(database_url, provider=model) as house:
            on_screen = {"pool": pool} if not told else {}
            told.append((await house.ask("Which pool?", context=screen(**on_screen))).json())
            assert len(await reads_of_lms(house)) == len(on_screen), "what nobody gave is not asked for"
    assert [(reply["kind"], reply["answer"]) for reply in told] == [("refusal", ABSENT)] * 2


async def test_a_mistake_that_the_model_made_good_and_a_look_up_that_worked_the_second_time_leave_no_trace(
    database_url: str,
) -> None:
    async def once_more(_: ModelRequest) -> ModelReply:
        await inject(house, "none")
        return calls(("list_courses", {}), ("list_pools", {"search": "a"}))

    model = ActingModel(calls(("list_courses", {}), ("list_pools", {"search": 7})), once_more, says("All of it."))
    async with running_house(database_url, provider=model) as house:
        await inject(house, "status", status=500, path="/api/courses")
        reply = (await house.ask("What do I have?", context=screen())).json()
        assert [each.is_error for request in model.requests[1:] for each in results(request)] == [
            True,
            True,
            False,
            False,
        ]
        assert (reply["kind"], reply["answer"]) == ("live", "All of it.")


async def test_an_empty_list_is_an_answer_and_no_failure(database_url: str) -> None:
    model = ActingModel(calls(("list_pools", {"search": "nothing is called so"})), says("You have no such pool."))
    async with running_house(database_url, provider=model) as house:
        reply = (await house.ask("Which pools?", context=screen())).json()
        assert (reply["kind"], reply["answer"]) == ("live", "You have no such pool.")


async def test_a_seat_that_is_taken_in_mid_question_reads_as_what_is_not_there(database_url: str) -> None:
    course = owned("course", TEACHER)

    async def after_the_seat(_: ModelRequest) -> ModelReply:
        await inject(house, "revoke_seat", person=TEACHER, course=course)
        return calls(("get_course", {"course": course}))

    model = ActingModel(calls(("get_course", {"course": course})), after_the_seat, says("No more."))
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        assert (await house.ask("My course?", context=screen(course=course))).status_code == 200
        assert records(results(model.requests[1])[0])[0]["id"] == course
        assert [each.content for each in results(model.requests[2])] == [NO_SEAT]


@pytest.mark.parametrize("event", ["end_session", "end_account"])
@pytest.mark.parametrize("is_midway", [False, True], ids=["before the exchange", "after it"])
async def test_a_session_that_ends_ends_the_question_and_leaves_nothing(
    database_url: str, pool: asyncpg.Pool, event: str, is_midway: bool
) -> None:
    async def after_the_end(_: ModelRequest) -> ModelReply:
        await inject(house, event, person=TEACHER)
        return calls(("list_pools", {}), ("read_guide", {"page": "teacher/pools"}))

    begun = [calls(("list_courses", {}))] if is_midway else []
    model = ActingModel(*begun, after_the_end, says("Never said."))
    async with running_house(database_url, provider=model) as house:
        answer = await house.ask("Which pools?", context=screen(), headers={"Idempotency-Key": "k"})
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert len(model.requests) == len(begun) + 1
        for table in ("conversations", "exchanges", "idempotent_replies"):
            assert await pool.fetchval(f"SELECT count(*) FROM {table}") == 0, table  # noqa: S608 names of ours
        assert await live_tokens(house) == []
        assert await settled(pool)


@pytest.mark.parametrize("fault", ["status", "reset", "html"])
async def test_a_revocation_that_fails_leaves_the_answer_and_no_more_than_a_lifetime(
    database_url: str, fault: str
) -> None:
    async with running_house(database_url, provider=trying()) as house:
        more = {"status": 500} if fault == "status" else {}
        await inject(house, fault, path="/oauth/revoke", **more)
        assert (await house.ask("Who is best?", context=screen(classroom=CLASSROOM))).status_code == 200
        left = await live_tokens(house)
        assert all(each["scope"] == "assist:read" for each in left)
        assert len(left) <= 1
        house.clock.move(901)
        assert await live_tokens(house) == []


def test_what_is_told_names_nothing_of_the_lms() -> None:
    assert not any(re.search(r"https?:|/api|\d{3}", words) for words in FAULTS.values())
