"""Lists of the reference LMS come in parts, and find what they are asked for."""

from collections.abc import AsyncIterator

import pytest

from examples.reference_lms.caller import Caller, call_in_process
from examples.reference_lms.school import FRENCH_TEACHER
from examples.reference_lms.store import open_store
from tests.fakes.clocks import HandClock

TEACHER = FRENCH_TEACHER.sub


def my_pools() -> list[str]:
    store = open_store()
    store.ask_as(TEACHER, everything=False)
    return [row["id"] for row in store.rows("SELECT id FROM my_pool")]


@pytest.fixture
async def lms() -> AsyncIterator[Caller]:
    caller = call_in_process(url="https://lms.example.test", now=HandClock().now)
    async with caller.http:
        yield caller


async def test_lists_are_read_in_parts(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    path = f"/api/pools/{my_pools()[0]}/questions"
    whole = (await lms.get(path, token)).json()
    assert (len(whole["items"]), whole["next"]) == (50, None)
    ids: list[str] = []
    cursor = None
    sizes = []
    while True:
        part = (await lms.get(path, token, params={"limit": 15} | ({"cursor": cursor} if cursor else {}))).json()
        ids += [item["id"] for item in part["items"]]
        sizes.append(len(part["items"]))
        cursor = part["next"]
        if cursor is None:
            break
    assert sizes == [15, 15, 15, 5]
    assert ids == [item["id"] for item in whole["items"]]


async def test_a_cursor_is_good_for_its_own_list(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    pool, other = my_pools()[:2]
    cursor = (await lms.get(f"/api/pools/{pool}/questions?limit=5", token)).json()["next"]
    for path in (f"/api/pools/{other}/questions", f"/api/pools/{pool}/questions?status=draft"):
        answer = await lms.get(
            path, token, params={**dict([p.split("=") for p in path.split("?")[1:]]), "cursor": cursor}
        )
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_cursor")
    for made_up in ("x", "", "AAAA", cursor[:-4], "%FF"):
        assert (await lms.get("/api/courses", token, params={"cursor": made_up})).status_code == 400


async def test_questions_are_found_by_status_and_words_whatever_their_case(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    path = f"/api/pools/{my_pools()[0]}/questions"
    drafts = (await lms.get(path, token, params={"status": "draft"})).json()["items"]
    assert len(drafts) == 12
    assert {item["status"] for item in drafts} == {"draft"}
    found = (await lms.get(path, token, params={"search": "CHAÎNE DE CARACTÈRES"})).json()["items"]
    assert found
    assert (await lms.get("/api/pools", token, params={"search": "%"})).json()["items"] == []
    assert len((await lms.get("/api/pools", token, params={"search": "BOUCLES"})).json()["items"]) == 1


async def test_similar_questions_come_likest_first(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    text = "Que vaut un pointeur nul ?"
    items = (await lms.post("/api/questions/similar", token, {"text": text, "limit": 5})).json()["items"]
    assert len(items) == 5
    likenesses = [item["likeness"] for item in items]
    assert likenesses == sorted(likenesses, reverse=True)
    assert "pointeur nul" in items[0]["title"]


@pytest.mark.parametrize(
    "query", ["status=deleted", "limit=0", "limit=201", "limit=x", "order=title", "status=draft&status=draft"]
)
async def test_a_wrong_query_is_refused(lms: Caller, query: str) -> None:
    token = await lms.token(TEACHER)
    path = f"/api/pools/{my_pools()[0]}/questions?{query}"
    answer = await lms.get(path, token)
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid")
