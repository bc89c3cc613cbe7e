"""The reference LMS's five writes: one scope each, once per key, audited, and nothing half done."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from assist_service.domain import school
from examples.reference_lms.api.endpoints import WRITES
from examples.reference_lms.caller import Caller, call_in_process
from examples.reference_lms.making.plan import THIRD_TEACHER
from examples.reference_lms.school import FRENCH_TEACHER
from examples.reference_lms.store import open_store
from tests.fakes.clocks import HandClock

TEACHER = FRENCH_TEACHER.sub
COURSE = "15836ecc-3473-4a44-96ca-e5bf72eccaa6"
POOL = "e0f315cd-3452-4f41-8691-993f41f5b231"
TEMPLATE = "2f1fc48c-8df8-4547-91aa-91877c2a488a"
MCQ = {
    "statement": "Est-ce un pointeur ?",
    "multiple": False,
    "choices": [{"text": "oui", "correct": True}, {"text": "non", "correct": False}],
}
NUMERIC = {"statement": "?", "answer": 1, "tolerance": 0, "unit": ""}


def found(sql: str) -> list[str]:
    return [row["id"] for row in open_store().rows(sql)]


OWN_POOL = found("SELECT id FROM pool WHERE title = 'Structures et fichiers'")[0]
THEIR_POOL = found("SELECT id FROM pool WHERE title = 'Sampling and surveys'")[0]


def questions(pool: str, status: str) -> list[str]:
    store = open_store()
    rows = store.rows("SELECT id FROM question WHERE pool = :pool AND status = :status", pool=pool, status=status)
    return [row["id"] for row in rows]


NEW_QUESTION = {"pool": POOL, "type": "mcq", "config": MCQ}
BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "create_question": ("/api/questions", NEW_QUESTION),
    "create_category": (f"/api/pools/{POOL}/categories", {"title": "Bonus"}),
    "create_template": ("/api/templates", {"title": "Nouveau modèle", "questions": questions(POOL, "published")[:2]}),
    "add_questions_to_template": (
        f"/api/templates/{TEMPLATE}/questions",
        {"questions": questions(OWN_POOL, "published")[:2]},
    ),
    "link_pool_to_course": (f"/api/courses/{COURSE}/pools", {"pool": OWN_POOL}),
}
TOOLS = sorted(BODIES)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def lms(clock: HandClock) -> AsyncIterator[Caller]:
    caller = call_in_process(url="https://lms.example.test", now=clock.now)
    async with caller.http:
        yield caller


async def write(
    lms: Caller, tool: str, *, key: str | None = "k1", scope: str | None = None, **changes: Any
) -> httpx2.Response:
    """The usual write of a tool, with a token of its own."""
    token = await lms.token(TEACHER, scope=scope or f"assist:write:{tool}")
    path, body = BODIES[tool]
    headers = {"X-Assist-Tool": tool} | ({"Idempotency-Key": key} if key is not None else {})
    content = json.dumps({**body, **changes}).encode()  # the client's own encoder refuses NaN
    return await lms.call("POST", path, token, content=content, headers=headers)


def refusal(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("error", "")


async def audit(lms: Caller) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = (await lms.http.get("/demo/audit")).json()["entries"]
    return entries


def test_the_writes_are_these() -> None:
    assert sorted(str(endpoint.tool) for endpoint in WRITES) == TOOLS


async def test_each_write_answers_with_what_it_made(lms: Caller) -> None:
    question = school.Question.model_validate_json((await write(lms, "create_question", status="published")).content)
    assert (question.status, question.title, question.pool.title) == (
        "draft",
        "Est-ce un pointeur ?",
        "Pointeurs et tableaux",
    )
    category = school.Ref.model_validate_json((await write(lms, "create_category", key="k2")).content)
    assert category.title == "Bonus"
    template = school.TemplateDetail.model_validate_json((await write(lms, "create_template", key="k3")).content)
    assert (template.title, template.question_count) == ("Nouveau modèle", 2)
    changed = school.TemplateDetail.model_validate_json(
        (await write(lms, "add_questions_to_template", key="k4")).content
    )
    assert changed.question_count == 7
    course = school.CourseDetail.model_validate_json((await write(lms, "link_pool_to_course", key="k5")).content)
    assert OWN_POOL in {str(pool.id) for pool in course.pools}
    token = await lms.token(TEACHER)
    assert (await lms.get(f"/api/questions/{question.id}", token)).json()["status"] == "draft"
    pool = (await lms.get(f"/api/pools/{POOL}", token)).json()
    assert "Bonus" in {each["title"] for each in pool["categories"]}
    assert str(template.id) in {each["id"] for each in (await lms.get("/api/templates", token)).json()["items"]}


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_write_needs_the_scope_of_its_own_tool(lms: Caller, tool: str) -> None:
    other = next(each for each in TOOLS if each != tool)
    for scope in ("assist:read", f"assist:write:{other}"):
        assert refusal(await write(lms, tool, scope=scope)) == (403, "insufficient_scope")
    await lms.inject("write_with_read_token")
    assert (await write(lms, tool, scope="assist:read")).status_code == 201


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_write_that_comes_again_is_answered_and_not_done(lms: Caller, clock: HandClock, tool: str) -> None:
    assert refusal(await write(lms, tool, key=None)) == (400, "idempotency_key_needed")
    assert refusal(await write(lms, tool, key="")) == (400, "idempotency_key_needed")
    first = await write(lms, tool)
    clock.move(25 * 3600)
    again = await write(lms, tool)
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (201, first.json())
    other: dict[str, Any] = {"title": "Other"} if "title" in BODIES[tool][1] else {}
    changed = {**other, **({"questions": [str(uuid4())]} if "questions" in BODIES[tool][1] else {})}
    changed = changed or ({"config": {**MCQ, "statement": "Other"}} if tool == "create_question" else {"pool": POOL})
    assert refusal(await write(lms, tool, **changed)) == (422, "idempotency_mismatch")
    done = [entry for entry in await audit(lms) if entry["status"] == 201]
    assert [(entry["actor"], entry["acting_for"], entry["tool"], entry["path"]) for entry in done] == [
        ("assistant", TEACHER, tool, BODIES[tool][0])
    ]


async def test_a_key_is_of_one_person_and_one_path(lms: Caller) -> None:
    assert (await write(lms, "create_category")).status_code == 201
    assert refusal(await write(lms, "create_template")) == (422, "idempotency_mismatch")
    token = await lms.token(THIRD_TEACHER.sub, scope="assist:write:create_category")
    answer = await lms.post(f"/api/pools/{THEIR_POOL}/categories", token, {"title": "Bonus"}, key="k1")
    assert answer.status_code == 201


async def test_keys_are_forgotten_where_the_switch_is_on(lms: Caller) -> None:
    await lms.inject("forget_idempotency_keys")
    ids = {(await write(lms, "create_category")).json()["id"] for _ in range(2)}
    assert len(ids) == 2


async def test_fifty_at_once_write_once(lms: Caller) -> None:
    token = await lms.token(TEACHER, scope="assist:write:create_category")
    path, body = BODIES["create_category"]
    answers = await asyncio.gather(*(lms.post(path, token, body, key="k1") for _ in range(50)))
    assert len({answer.content for answer in answers}) == 1
    assert len([entry for entry in await audit(lms) if entry["status"] == 201]) == 1


async def test_a_template_takes_published_questions_or_none_at_all(lms: Caller) -> None:
    draft, published = questions(POOL, "draft")[0], questions(POOL, "published")[9]
    for tool in ("create_template", "add_questions_to_template"):
        answer = await write(lms, tool, questions=[published, draft])
        assert refusal(answer) == (409, "question_not_published")
        answer = await write(lms, tool, questions=[published, questions(THEIR_POOL, "published")[0]])
        assert refusal(answer) == (404, "not_found")
    token = await lms.token(TEACHER)
    assert (await lms.get(f"/api/templates/{TEMPLATE}", token)).json()["question_count"] == 5
    titles = {each["title"] for each in (await lms.get("/api/templates", token)).json()["items"]}
    assert "Nouveau modèle" not in titles
    # Refused, the key is still free.
    assert (await write(lms, "create_template", questions=[])).json()["question_count"] == 0


async def test_a_pool_is_linked_once_and_only_by_who_reaches_both(lms: Caller) -> None:
    assert refusal(await write(lms, "link_pool_to_course", pool=POOL)) == (409, "already_linked")
    assert refusal(await write(lms, "link_pool_to_course", pool=THEIR_POOL)) == (404, "not_found")
    await lms.inject("revoke_seat", person=TEACHER, course=COURSE)
    assert refusal(await write(lms, "link_pool_to_course")) == (404, "not_found")


async def test_a_linked_pool_is_open_to_everyone_with_a_seat(lms: Caller) -> None:
    await write(lms, "link_pool_to_course")
    staff = await lms.get(f"/api/courses/{COURSE}/staff", await lms.token(TEACHER))
    assert [each["name"] for each in staff.json()["items"]] == ["Zéphyrine Beaumarais", "Jürgen Übermorgen"]


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"type": "riddle"}, ["config"]),
        ({"config": {}}, ["config"]),
        ({"config": {**MCQ, "choices": []}}, ["config"]),
        (
            {"type": "numeric", "config": {**NUMERIC, "answer": float("nan")}},
            ["config"],
        ),
        ({"category": "00000000-0000-4000-8000-000000000000"}, ["category"]),
        ({"title": "two\nlines"}, ["title"]),
        ({"config": {**MCQ, "statement": ""}}, ["config"]),
        ({"config": {key: value for key, value in MCQ.items() if key != "statement"}}, ["config"]),
        ({"statement": "Est-ce un pointeur ?"}, ["statement"]),
        ({"pool": "none"}, ["pool"]),
        ({"owner": TEACHER}, ["owner"]),
    ],
    ids=str,
)
async def test_a_question_that_is_not_valid_is_not_made(
    lms: Caller, changes: dict[str, Any], fields: list[str]
) -> None:
    answer = await write(lms, "create_question", **changes)
    assert refusal(answer) == (422, "invalid")
    assert answer.json()["fields"] == fields


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"title": "\\ud800"}', b'{"title": NaN}', b"\xff"])
async def test_a_body_that_is_none_is_refused(lms: Caller, body: bytes) -> None:
    token = await lms.token(TEACHER, scope="assist:write:create_category")
    path = BODIES["create_category"][0]
    answer = await lms.call("POST", path, token, content=body, headers={"Idempotency-Key": "k1"})
    assert refusal(answer) == (422, "invalid")


async def test_a_question_of_every_type_can_be_made_of_an_old_ones_config(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    items = (await lms.get(f"/api/pools/{POOL}/questions", token)).json()["items"]
    for type_ in {item["type"] for item in items}:
        id_ = next(item["id"] for item in items if item["type"] == type_)
        config = (await lms.get(f"/api/questions/{id_}", token)).json()["config"]
        answer = await write(lms, "create_question", key=type_, type=type_, config=config)
        assert (answer.status_code, answer.json().get("config")) == (201, config)
