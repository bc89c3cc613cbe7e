"""Each data tool over HTTP for a teacher: compact results of what is theirs, nothing of anybody else's (row A10)."""

import json
import time
import uuid
from typing import Any

import pytest

from assist_service.domain.messages import AssistantTurn, ModelReply, ModelRequest
from assist_service.domain.records import CUT
from assist_service.tools.looking_up import NO_SEAT
from assist_service.tools.paging import PAGES
from tests.fakes.house import OTHER_TEACHER, TEACHER, House, running_house
from tests.fakes.models import calls, says
from tests.unit.test_tools_allowlist import READS
from tests.web.live_questions import (
    ActingModel,
    asked_of_lms,
    inject,
    live_tokens,
    owned,
    reads_of_lms,
    records,
    results,
    screen,
    spoken,
)

pytestmark = pytest.mark.slow

KINDS = ("course", "classroom", "pool", "question", "evaluation")
MINE = {kind: owned(kind, TEACHER) for kind in KINDS}
THEIRS = {kind: owned(kind, OTHER_TEACHER) for kind in KINDS}

LISTS = ("list_courses", "list_pools", "describe_question_types", "list_evaluations", "list_templates")
OF_ONE = {
    "get_course": "course",
    "get_pool": "pool",
    "get_pool_question_stats": "pool",
    "list_questions": "pool",
    "get_question": "question",
    "get_evaluation": "evaluation",
    "get_classroom_results": "classroom",
}
KEYS = {
    "list_courses": {"id", "title", "language"},
    "list_pools": {"id", "title", "language", "questions", "courses"},
    "describe_question_types": {"type", "title", "description", "texts", "append", "config_schema"},
    "list_evaluations": {"id", "title", "state", "classroom", "opens_at", "closes_at"},
    "list_templates": {"id", "title", "language", "questions"},
    "get_course": {"id", "title", "language", "description", "classrooms", "pools"},
    "get_pool": {"id", "title", "language", "questions", "courses", "description", "categories"},
    "get_pool_question_stats": {"questions", "published", "drafts", "by_type", "by_difficulty"},
    "list_questions": {"id", "title", "type", "status", "difficulty", "category"},
    "get_question": {"id", "title", "type", "status", "difficulty", "category", "pool", "statement", "explanation"},
    "get_evaluation": {"id", "title", "state", "classroom", "opens_at", "closes_at", "minutes", "shuffled",
                                 "attempts_allowed", "items"},
    "get_classroom_results": {"column", "evaluation", "title", "best_mark", "mean", "student", "marks"},
    "find_similar_questions": {"id", "title", "type", "status", "difficulty", "category", "pool", "likeness"},
}  # fmt: skip
"""All that a record of each tool may hold."""


def every_tool() -> ActingModel:
    """Calls each data tool once, with the ids on screen."""
    of_one = [(name, {kind: MINE[kind]}) for name, kind in OF_ONE.items()]
    return ActingModel(
        calls(*[(name, {}) for name in LISTS]),
        calls(*of_one, ("find_similar_questions", {"text": "Que vaut un pointeur nul ?", "pool": MINE["pool"]})),
        says("That is what you have."),
    )


async def ask_every_tool(house: House, model: ActingModel) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """The reply, and the records of each tool."""
    answer = await house.ask("What do I have?", context=screen(**MINE))
    assert answer.status_code == 200
    found = {}
    for request in model.requests[1:]:
        turn = request.messages[-2]
        assert isinstance(turn, AssistantTurn)
        for call, result in zip(turn.calls, results(request), strict=True):
            found[call.name] = records(result)
    return answer.json(), found


@pytest.mark.parametrize(("policy", "results_form"), [("teacher-assistant", "open"), ("default", "masked")])
async def test_each_tool_finds_what_is_the_persons_and_no_more_of_it_than_an_answer_needs(
    database_url: str, policy: str, results_form: str
) -> None:
    model = every_tool()
    async with running_house(database_url, provider=model, policy=policy) as house:
        reply, found = await ask_every_tool(house, model)
        assert set(found) == set(READS)
        for name, brought in found.items():
            assert brought, name
            assert set().union(*brought) <= KEYS[name], name
        assert reply["kind"] == "live"
        forms = {sent["tool"]: sent["disclosure"] for sent in reply["receipt"]["sent"]}
        assert forms == dict.fromkeys(READS, "open") | {"get_classroom_results": results_form}
        reads = await reads_of_lms(house)
        assert {each["tool"] for each in reads} == set(READS)
        assert {(each["status"], each["actor"], each["acting_for"]) for each in reads} == {(200, "assistant", TEACHER)}
        assert await live_tokens(house) == []


async def test_nothing_private_and_no_mark_that_is_not_released_is_read(database_url: str) -> None:
    model = every_tool()
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        _, found = await ask_every_tool(house, model)
        read = spoken(model.requests[-1])
        people = house.school.rows("SELECT * FROM person")
        for row in people:
            for private in ("email", "birth_date", "address", "id_number", "remarks"):
                assert row[private] not in read
        for row in house.school.rows("SELECT DISTINCT remark FROM grade WHERE remark IS NOT NULL"):
            assert row["remark"] not in read
        for row in house.school.rows("SELECT statement FROM question"):
            assert row["statement"] not in read or row["statement"] == found["get_question"][0]["statement"]
        assert read.count(json.dumps(found["get_question"][0]["statement"], ensure_ascii=False)[1:40]) == 1

        released = house.school.rows(
            "SELECT id FROM evaluation WHERE classroom = :id AND state = 'released'", id=MINE["classroom"]
        )
        columns = [each for each in found["get_classroom_results"] if "column" in each]
        assert [each["evaluation"] for each in columns] == [row["id"] for row in released]
        final = house.school.rows(
            "SELECT name, mark, absent FROM grade JOIN person ON person = person.id"
            " WHERE evaluation = :id AND (final OR absent) ORDER BY grade.rowid",
            id=released[0]["id"],
        )
        told = [each for each in found["get_classroom_results"] if "student" in each]
        assert [(each["student"], each["marks"]["e1"]) for each in told if each.get("marks")] == [
            (row["name"], "absent" if row["absent"] else row["mark"]) for row in final
        ]
        assert all(set(each.get("marks", {})) <= {"e1"} for each in told)


async def test_anothers_data_and_what_is_not_there_are_refused_in_the_same_words(database_url: str) -> None:
    made_up = str(uuid.uuid4())
    on_screen = [(name, {kind: THEIRS[kind]}) for name, kind in OF_ONE.items()]
    model = ActingModel(
        calls(*on_screen),
        calls(*[(name, {kind: made_up}) for name, kind in OF_ONE.items()]),
        calls(*[(name, {kind: MINE[kind]}) for name, kind in OF_ONE.items()]),
        calls(
            ("list_evaluations", {"classroom": MINE["classroom"]}),
            ("list_evaluations", {"classroom": THEIRS["classroom"]}),
            ("find_similar_questions", {"text": "pointers", "pool": MINE["pool"]}),
            ("find_similar_questions", {"text": "pointers", "pool": THEIRS["pool"]}),
        ),
        says("None of it is yours."),
    )
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        answer = await house.ask("What do they have?", context=screen(**THEIRS))
        assert (answer.status_code, answer.json()["kind"]) == (200, "manual")
        told = [result for request in model.requests[1:] for result in results(request)]
        assert len(told) == 3 * len(OF_ONE) + 4
        assert {(each.content, each.is_error) for each in told} == {(NO_SEAT, True)}
        # What was on screen was asked for, for the browser had it; what only the model named was not.
        reads = await reads_of_lms(house)
        assert len(reads) == len(OF_ONE) + 2
        assert {each["status"] for each in reads} == {404}
        assert answer.json()["receipt"]["sent"] == []


async def test_an_id_of_an_earlier_question_is_refused_unasked(database_url: str) -> None:
    async def pool_of(request: ModelRequest) -> ModelReply:
        return calls(("get_pool", {"pool": records(results(request)[0])[0]["id"]}))

    model = ActingModel(
        calls(("list_pools", {})), pool_of, says("So."), calls(("get_pool", {"pool": MINE["pool"]})), says("No more.")
    )
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        first = await house.ask("Which pools?", context=screen())
        assert records(results(model.requests[2])[0])[0]["id"] == MINE["pool"]
        before = len(await reads_of_lms(house))
        body = {"conversation_id": first.json()["conversation_id"], "context": screen()}
        assert (await house.ask("And the first?", **body)).status_code == 200
        assert [(each.content, each.is_error) for each in results(model.requests[4])] == [(NO_SEAT, True)]
        assert len(await reads_of_lms(house)) == before


def add_questions(house: House, count: int) -> None:
    for number in range(count):
        house.school.run(
            "INSERT INTO question VALUES (:id, :pool, NULL, 'open', 'published', NULL, :title, 'S', '{}', '')",
            id=str(uuid.UUID(int=number + 1)),
            pool=MINE["pool"],
            title=f"Question {number} " + "of many " * 10,
        )


async def test_a_long_list_is_read_within_bounds_and_cut_on_a_whole_record(database_url: str) -> None:
    async def past_the_cut(request: ModelRequest) -> ModelReply:
        shown = {each["id"] for each in records(results(request)[0])}
        beyond = next(uuid.UUID(int=n + 1) for n in range(190) if str(uuid.UUID(int=n + 1)) not in shown)
        return calls(("get_question", {"question": str(beyond)}), ("get_question", {"question": sorted(shown)[0]}))

    model = ActingModel(calls(("list_questions", {"pool": MINE["pool"]})), past_the_cut, says("Many."))
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        add_questions(house, 400)
        assert (await house.ask("Which questions?", context=screen(pool=MINE["pool"]))).status_code == 200
        [listed] = results(model.requests[1])
        assert listed.content.splitlines()[-1] == CUT
        assert 23_000 < len(listed.content) <= 24_000
        assert len(records(listed)) == len(listed.content.splitlines()) - 1
        beyond, shown = results(model.requests[2])
        assert (beyond.content, beyond.is_error) == (NO_SEAT, True)
        assert not shown.is_error
        paths = [each["path"] for each in await reads_of_lms(house)]
        assert paths.count(f"/api/pools/{MINE['pool']}/questions") == PAGES


async def test_the_calls_of_a_step_run_at_once_with_one_token(database_url: str) -> None:
    took: list[float] = []

    async def begin(_: ModelRequest) -> ModelReply:
        took.append(time.perf_counter())
        return calls(*[(name, {}) for name in LISTS], ("get_pool", {"pool": MINE["pool"]}))

    async def end(_: ModelRequest) -> ModelReply:
        took.append(time.perf_counter())
        return says("All of it.")

    async with running_house(database_url, provider=ActingModel(begin, end), policy="teacher-assistant") as house:
        await inject(house, "delay", seconds=0.5, path="/api/")
        assert (await house.ask("All?", context=screen(pool=MINE["pool"]))).json()["kind"] == "live"
        assert 0.5 <= took[1] - took[0] < 6 * 0.5 * 0.7
        exchanges = [each for each in await asked_of_lms(house, "/oauth/token") if each["status"] == 200]
        assert len(exchanges) == 1


async def test_without_a_data_call_no_token_is_asked_for(database_url: str) -> None:
    model = ActingModel(calls(("read_guide", {"page": "teacher/pools"})), says("Press New pool [s1]."))
    async with running_house(database_url, provider=model) as house:
        assert (await house.ask(context=screen(**MINE))).json()["kind"] == "manual"
        assert {each["path"] for each in await asked_of_lms(house)} == {f"/api/assist/standing/{TEACHER}"}


async def test_a_call_that_is_refused_here_asks_for_no_token_either(database_url: str) -> None:
    model = ActingModel(calls(("get_pool", {"pool": MINE["pool"]}), ("list_pools", {"search": 7})), says("No."))
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        assert (await house.ask(context=screen())).status_code == 200
        assert await asked_of_lms(house) == []
