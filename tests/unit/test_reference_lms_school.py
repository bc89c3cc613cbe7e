"""The reference LMS's school is large, always the same, and open by seats alone."""

import json
import unicodedata
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from pydantic import BaseModel

from assist_service.domain import school
from assist_service.domain.question_types import QuestionType
from examples.reference_lms.api.endpoints import ENDPOINTS, READS, Endpoint
from examples.reference_lms.caller import Caller, call_in_process
from examples.reference_lms.making.plan import THIRD_TEACHER
from examples.reference_lms.school import ADMIN, FILIPINO_TEACHER, FRENCH_TEACHER, SCHOOL
from examples.reference_lms.store import Store, open_store
from tests.fakes.clocks import HandClock

TEACHERS = (FRENCH_TEACHER, FILIPINO_TEACHER, THIRD_TEACHER)
TEACHER = FRENCH_TEACHER.sub

DOMAIN: dict[str, type[BaseModel]] = {
    "list_courses": school.Page[school.Course],
    "read_course": school.CourseDetail,
    "list_staff": school.Page[school.StaffMember],
    "list_pools": school.Page[school.Pool],
    "read_pool": school.PoolDetail,
    "read_pool_stats": school.PoolStats,
    "list_questions": school.Page[school.QuestionRow],
    "read_question": school.Question,
    "find_similar": school.Page[school.SimilarQuestion],
    "list_question_types": school.Page[QuestionType],
    "list_evaluations": school.Page[school.Evaluation],
    "read_evaluation": school.EvaluationDetail,
    "list_templates": school.Page[school.Template],
    "read_template": school.TemplateDetail,
    "list_classrooms": school.Page[school.Classroom],
    "read_classroom": school.Classroom,
    "list_students": school.Page[school.Named],
    "read_gradebook": school.Gradebook,
    "read_leaderboard": school.Leaderboard,
}


@pytest.fixture
async def lms() -> AsyncIterator[Caller]:
    caller = call_in_process(url="https://lms.example.test", now=HandClock().now)
    async with caller.http:
        yield caller


@pytest.fixture
def store() -> Store:
    return open_store()


def ids_of(owner: str) -> dict[str, list[str]]:
    """Ids by kind, read from the database itself."""
    store = open_store()
    store.ask_as(owner, everything=False)
    kinds = ("course", "classroom", "pool", "question", "evaluation", "template")
    return {kind: [row["id"] for row in store.rows(f"SELECT id FROM my_{kind}")] for kind in kinds}  # noqa: S608 - fixed


async def read(lms: Caller, endpoint: Endpoint, token: str, id_: str = "") -> Any:
    body = {"text": "What does the pointeur nul do?", "limit": 50} if endpoint.body else None
    return await lms.call(endpoint.method, endpoint.path.replace("{id}", id_), token, json=body)


async def all_items(lms: Caller, path: str, token: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        answer = await lms.get(path, token, params={} if cursor is None else {"cursor": cursor})
        body = answer.raise_for_status().json()
        found += body["items"]
        cursor = body["next"]
        if cursor is None:
            return found


# What there is


def test_the_school_is_large_enough_to_be_real(store: Store) -> None:
    def count(table: str) -> int:
        return int(store.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"])  # noqa: S608 - fixed names

    counts = {table: count(table) for table in ("course", "classroom", "pool", "question", "evaluation")}
    assert counts == {"course": 3, "classroom": 6, "pool": 8, "question": 400, "evaluation": 20}
    types = store.rows("SELECT type, count(*) AS n FROM question GROUP BY type")
    assert {row["type"]: row["n"] for row in types} == dict.fromkeys(
        ("mcq", "cloze", "categorize", "numeric", "open"), 80
    )
    states = store.rows("SELECT DISTINCT state FROM evaluation")
    assert {row["state"] for row in states} == {"draft", "scheduled", "running", "closed", "released"}
    assert {row["status"] for row in store.rows("SELECT DISTINCT status FROM question")} == {"draft", "published"}


def test_the_names_are_as_awkward_as_real_ones(store: Store) -> None:
    names = [row["name"] for row in store.rows("SELECT name FROM person WHERE role = 'student'")]
    assert len(names) == 120
    in_class = store.rows(
        "SELECT name, count(*) AS n FROM enrolment JOIN person ON person = person.id GROUP BY classroom, name"
    )
    assert {row["name"] for row in in_class if row["n"] == 2} == {"Mei Chen"}
    assert {"Ana Li", "Ana Lima", "Rose", "Sukarno", "Jean-Baptiste N'Diaye"} <= set(names)
    assert any("’" in name for name in names)
    assert any(unicodedata.normalize("NFD", name) != name for name in names)
    assert any(" " not in name for name in names)


def test_some_texts_mean_harm(store: Store) -> None:
    titles = "\n".join(
        row["title"] for row in store.rows("SELECT title FROM question UNION SELECT title FROM evaluation")
    )
    for mark in ("Ignore all previous", "[[student:1]]", "](https://elsewhere.example", "⟦person-1⟧", "\U000e0072"):
        assert mark in titles


def test_two_starts_make_the_same_school() -> None:
    def dump(store: Store) -> str:
        tables = ("person", "question", "evaluation", "grade", "template_question", "enrolment")
        return json.dumps([store.rows(f"SELECT * FROM {table} ORDER BY rowid") for table in tables])  # noqa: S608 - fixed

    assert dump(open_store()) == dump(open_store())


def test_a_file_keeps_what_was_written(tmp_path: Any) -> None:
    path = str(tmp_path / "school.sqlite")
    open_store(path).run("UPDATE course SET title = 'Renamed'")
    assert {row["title"] for row in open_store(path).rows("SELECT title FROM course")} == {"Renamed"}


# Shapes


@pytest.mark.parametrize("endpoint", READS, ids=lambda endpoint: endpoint.name)
async def test_every_answer_is_what_the_service_reads(lms: Caller, endpoint: Endpoint) -> None:
    seen = 0
    for teacher in TEACHERS:
        token = await lms.token(teacher.sub)
        for id_ in ids_of(teacher.sub)[endpoint.kind][:12] if endpoint.kind else [""]:
            answer = await read(lms, endpoint, token, id_)
            assert answer.status_code == 200, answer.text
            known = DOMAIN[endpoint.name].model_validate_json(answer.content)
            seen += len(getattr(known, "items", ())) or 1
    assert seen >= 3


async def test_answers_hold_more_than_the_service_may_know(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    classroom = ids_of(TEACHER)["classroom"][0]
    student = (await lms.get(f"/api/classrooms/{classroom}/students", token)).json()["items"][0]
    assert student.keys() == {"id", "name", "email", "birth_date", "address", "id_number", "remarks"}
    book = (await lms.get(f"/api/classrooms/{classroom}/gradebook", token)).json()
    states = {column["id"]: column["state"] for column in book["columns"]}
    assert set(states.values()) == {"released", "running", "closed"}
    grades = [(states[grade["column"]], grade) for row in book["rows"] for grade in row["grades"]]
    assert any(state == "running" and grade["mark"] is not None and not grade["final"] for state, grade in grades)
    assert any(state == "released" and grade["mark"] is not None and not grade["final"] for state, grade in grades)
    assert any(state == "released" and grade["absent"] and grade["mark"] is None for state, grade in grades)
    assert any(grade["remark"] for _, grade in grades)
    kept = school.results_of(school.Gradebook.model_validate_json(json.dumps(book)))
    assert [column.state for column in kept.columns] == ["released"]
    assert "remark" not in kept.model_dump_json()


async def test_ranks_are_by_final_marks_of_released_evaluations(lms: Caller) -> None:
    token = await lms.token(THIRD_TEACHER.sub)
    classroom = ids_of(THIRD_TEACHER.sub)["classroom"][0]
    book = school.Gradebook.model_validate_json(
        (await lms.get(f"/api/classrooms/{classroom}/gradebook", token)).content
    )
    points = {row.student.id: sum(mark.mark or 0 for mark in row.marks) for row in school.results_of(book).rows}
    board = school.Leaderboard.model_validate_json(
        (await lms.get(f"/api/classrooms/{classroom}/leaderboard", token)).content
    )
    assert {rank.student.id: rank.points for rank in board.rows} == points
    assert [rank.points for rank in board.rows] == sorted(points.values(), reverse=True)
    assert board.rows[0].rank == 1
    ties = Counter(rank.points for rank in board.rows)
    assert all(
        later.rank == earlier.rank + (later.points != earlier.points) * ties[earlier.points]
        for earlier, later in zip(board.rows, board.rows[1:], strict=False)
    )


# Seats


@pytest.mark.parametrize("teacher", TEACHERS, ids=lambda teacher: teacher.name)
async def test_lists_hold_what_is_the_teachers_own(lms: Caller, teacher: Any) -> None:
    token = await lms.token(teacher.sub)
    mine = ids_of(teacher.sub)
    for kind in ("course", "classroom", "pool", "evaluation", "template"):
        items = await all_items(lms, f"/api/{kind}s", token)
        assert [item["id"] for item in items] == mine[kind]
    everyone = [ids_of(each.sub) for each in TEACHERS]
    for kind in mine:
        assert sum(len(ids[kind]) for ids in everyone) == len({id_ for ids in everyone for id_ in ids[kind]})


@pytest.mark.parametrize("endpoint", [each for each in ENDPOINTS if each.kind], ids=lambda endpoint: endpoint.name)
async def test_what_is_anothers_reads_like_what_is_not(lms: Caller, endpoint: Endpoint) -> None:
    scope = f"assist:write:{endpoint.tool}" if endpoint.tool else "assist:read"
    token = await lms.token(TEACHER, scope=scope)
    assert endpoint.kind
    theirs = ids_of(THIRD_TEACHER.sub)[endpoint.kind][0]
    bodies = {"create_category": {"title": "x"}, "link_pool_to_course": {"pool": str(uuid4())}}
    body = bodies.get(endpoint.tool or "", {"questions": [str(uuid4())]}) if endpoint.tool else None

    async def ask(id_: str) -> Any:
        headers = {"Idempotency-Key": str(uuid4())}
        answer = await lms.call(endpoint.method, endpoint.path.replace("{id}", id_), token, json=body, headers=headers)
        return answer.status_code, answer.content, answer.headers

    unknown = (str(uuid4()), "not-an-id", "%2e%2e", "a%3Fb", theirs.replace("-", ""))
    answers = [await ask(id_) for id_ in (theirs, *unknown)]
    assert answers[0][0] == 404
    assert all(answer == answers[0] for answer in answers)
    assert (await ask("a%2Fb"))[:2] == answers[0][:2]  # no such path, which no router tells from an id
    await lms.inject("tell_no_seat")
    assert (await ask(theirs))[0] == 403
    assert (await ask(str(uuid4())))[0] == 404
    await lms.inject("none")
    await lms.inject("leak_other_people")
    leaked = await ask(theirs)
    assert leaked[0] in {200, 201} or endpoint.tool in {"add_questions_to_template", "link_pool_to_course"}


async def test_what_a_filter_names_must_be_the_persons_own(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    theirs = ids_of(THIRD_TEACHER.sub)
    for unknown in (theirs["classroom"][0], str(uuid4())):
        answer = await lms.get("/api/evaluations", token, params={"classroom": unknown})
        assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
    for unknown in (theirs["pool"][0], str(uuid4())):
        answer = await lms.post("/api/questions/similar", token, {"text": "sample", "pool": unknown})
        assert answer.status_code == 404
    found = (await lms.post("/api/questions/similar", token, {"text": "the population sample", "limit": 50})).json()
    assert all(item["pool"]["id"] in ids_of(TEACHER)["pool"] for item in found["items"])


async def test_an_administrator_has_the_seats_they_have(lms: Caller) -> None:
    token = await lms.token(ADMIN.sub)
    (course,) = (await lms.get("/api/courses", token)).json()["items"]
    assert course["title"] == "Biology for beginners"
    titles = [pool["title"] for pool in (await lms.get("/api/pools", token)).json()["items"]]
    assert titles == ["Cells and tissues", "Plants and photosynthesis"]  # not the one that is its teacher's own


def test_the_cast_is_the_school_of_old() -> None:
    store = open_store()
    for thing in SCHOOL.entities:
        row = store.row(f"SELECT title FROM {thing.kind.value} WHERE id = :id", id=thing.id)  # noqa: S608 - fixed
        assert row == {"title": thing.title}
