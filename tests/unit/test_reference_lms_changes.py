"""Things of the reference LMS change behind the back of who has just read them; and what its audit log holds."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from examples.reference_lms.caller import Caller, call_in_process
from examples.reference_lms.school import FRENCH_TEACHER
from examples.reference_lms.store import open_store
from tests.fakes.clocks import HandClock

TEACHER = FRENCH_TEACHER.sub
POOL = "e0f315cd-3452-4f41-8691-993f41f5b231"
QUESTION = "7ae367d2-ee69-4d77-afbb-5be26ee7f121"
CATEGORY = str(open_store().rows("SELECT id FROM category WHERE pool = :pool", pool=POOL)[0]["id"])

READ_AT = {
    "course": "/api/courses/15836ecc-3473-4a44-96ca-e5bf72eccaa6",
    "classroom": "/api/classrooms/7061f74d-4306-450b-939a-358c5243912d",
    "pool": f"/api/pools/{POOL}",
    "question": f"/api/questions/{QUESTION}",
    "evaluation": "/api/evaluations/e609e92b-6d38-49e4-bf48-d0c28925841c",
    "template": "/api/templates/2f1fc48c-8df8-4547-91aa-91877c2a488a",
}


@pytest.fixture
async def lms() -> AsyncIterator[Caller]:
    caller = call_in_process(url="https://lms.example.test", now=HandClock().now)
    async with caller.http:
        yield caller


@pytest.mark.parametrize("kind", READ_AT)
async def test_a_thing_is_renamed_for_good(lms: Caller, kind: str) -> None:
    token = await lms.token(TEACHER)
    before = (await lms.get(READ_AT[kind], token)).json()
    await lms.inject("rename", kind=kind, id=before["id"], title="Renamed <b>&</b>")
    await lms.inject("none")
    assert (await lms.get(READ_AT[kind], token)).json() == {**before, "title": "Renamed <b>&</b>"}


async def test_a_category_is_renamed_too(lms: Caller) -> None:
    await lms.inject("rename", kind="category", id=CATEGORY, title="Renamed")
    categories = (await lms.get(READ_AT["pool"], await lms.token(TEACHER))).json()["categories"]
    assert [each["title"] for each in categories if each["id"] == CATEGORY] == ["Renamed"]


async def test_a_question_is_published_and_a_draft_again(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    for fault, status in (("unpublish", "draft"), ("publish", "published"), ("publish", "published")):
        await lms.inject(fault, id=QUESTION)
        assert (await lms.get(READ_AT["question"], token)).json()["status"] == status


@pytest.mark.parametrize(
    ("order", "status"),
    [
        ({"fault": "rename", "kind": "pool", "id": QUESTION, "title": "x"}, 404),
        ({"fault": "publish", "id": POOL}, 404),
        ({"fault": "unpublish", "id": "00000000-0000-4000-8000-000000000000"}, 404),
        ({"fault": "rename", "kind": "person", "id": TEACHER, "title": "x"}, 422),
        ({"fault": "rename", "kind": "pool; --", "id": POOL, "title": "x"}, 422),
        ({"fault": "rename", "kind": "pool", "id": "none", "title": "x"}, 422),
        ({"fault": "rename", "kind": "pool", "id": POOL}, 422),
        ({"fault": "rename", "kind": "pool", "id": POOL, "title": ""}, 422),
        ({"fault": "rename", "kind": "pool", "id": POOL, "title": "x", "after": True}, 422),
    ],
    ids=str,
)
async def test_an_order_that_names_nothing_changes_nothing(lms: Caller, order: dict[str, Any], status: int) -> None:
    assert (await lms.http.post("/demo/faults", json=order)).status_code == status
    assert (await lms.get(READ_AT["pool"], await lms.token(TEACHER))).json()["title"] == "Pointeurs et tableaux"


async def test_a_write_that_was_only_asked_for_a_nonce_is_not_audited(lms: Caller) -> None:
    token = await lms.token(TEACHER, scope="assist:write:create_category")
    lms.nonce = None
    answer = await lms.post(f"/api/pools/{POOL}/categories", token, {"title": "Bonus"}, key="k1")
    assert answer.status_code == 201
    asked = (await lms.http.get("/demo/requests")).json()["entries"]
    assert [entry["status"] for entry in asked if entry["path"].endswith("/categories")] == [401, 201]
    assert [entry["status"] for entry in (await lms.http.get("/demo/audit")).json()["entries"]] == [201]
    await lms.post(f"/api/pools/{POOL}/categories", "none", {"title": "Bonus"}, key="k2")
    assert [entry["status"] for entry in (await lms.http.get("/demo/audit")).json()["entries"]] == [201, 401]
