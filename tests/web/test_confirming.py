"""A card is confirmed or cancelled by its person alone, once, and only while what it shows is so (rows A17, B4)."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from assist_service.domain.writes import PENDING
from tests.fakes.house import OTHER_TEACHER, STUDENT, TEACHER, House, running_house
from tests.fakes.models import calls
from tests.web.live_questions import ActingModel, inject, live_tokens
from tests.web.writing import (
    COURSE,
    POOL,
    PUBLISHED,
    WAITS,
    card_of,
    confirm,
    decide,
    new_category,
    of_first,
    prepared,
    preparing,
    titled,
    unlink,
    written,
)


@pytest.fixture
async def shown(database_url: str) -> AsyncIterator[tuple[House, dict[str, Any]]]:
    """A card that waits."""
    async with running_house(database_url, provider=preparing(new_category())) as house:
        yield house, await prepared(house)


Shown = tuple[House, dict[str, Any]]


async def test_one_answer_for_what_is_not_theirs_spent_cancelled_expired_or_never_was(database_url: str) -> None:
    steps = [step for title in "abc" for step in (calls(new_category(title)), WAITS)]
    async with running_house(database_url, provider=ActingModel(*steps)) as house:
        done, cancelled, late = [await prepared(house) for _ in range(3)]
        assert (await confirm(house, done)).status_code == 200
        assert (await decide(house, "cancel", cancelled)).status_code == 204
        answers = [
            await confirm(house, late, person=OTHER_TEACHER),
            await confirm(house, late, conversation=done["conversation_id"]),
            await confirm(house, late, conversation=str(uuid4())),
            await confirm(house, done),
            await confirm(house, cancelled),
            await decide(house, "cancel", cancelled),
            await decide(house, "cancel", done),
            await decide(house, "cancel", late, person=OTHER_TEACHER),
            await confirm(house, late, write=str(uuid4())),
            await confirm(house, late, write="no-id-at-all"),
        ]
        house.clock.move(PENDING.total_seconds())
        answers += [await confirm(house, late), await decide(house, "cancel", late)]
        assert {answer.status_code for answer in answers} == {404}
        assert len({answer.content for answer in answers}) == 1
        assert answers[0].json()["code"] == "write_not_found"
        assert len(await written(house)) == 1


async def test_a_card_that_would_read_otherwise_now_is_refused_and_asked_again(shown: Shown) -> None:
    house, reply = shown
    await inject(house, "rename", kind="pool", id=POOL, title="Something else")
    answer = await confirm(house, reply)
    assert (answer.status_code, answer.json()["code"], answer.json()["reason"]) == (422, "write_failed", "changed")
    assert await written(house) == []
    await inject(house, "rename", kind="pool", id=POOL, title=titled("pool", POOL))
    assert (await confirm(house, reply)).status_code == 404
    assert await live_tokens(house) == []


@pytest.mark.slow
async def test_somebody_who_joined_the_staff_meanwhile_is_a_change(database_url: str) -> None:
    link = ("link_pool_to_course", {"pool": POOL, "course": COURSE})
    async with running_house(database_url, provider=preparing(link)) as house:
        await unlink(house)
        reply = await prepared(house)
        house.school.run(
            "INSERT OR REPLACE INTO seat VALUES (:course, :person, 'assistant')", course=COURSE, person=OTHER_TEACHER
        )
        answer = await confirm(house, reply)
        assert (answer.status_code, answer.json()["reason"]) == (422, "changed")
        assert await written(house) == []


@pytest.mark.slow
async def test_a_question_that_was_unpublished_meanwhile_is_a_change(database_url: str) -> None:
    model = ActingModel(PUBLISHED, of_first("create_template", title="Contrôle"), WAITS)
    async with running_house(database_url, provider=model) as house:
        reply = await prepared(house)
        house.school.run("UPDATE question SET status = 'draft'")
        answer = await confirm(house, reply)
        assert (answer.status_code, answer.json()["reason"]) == (422, "changed")
        assert await written(house) == []


async def test_a_seat_that_was_revoked_meanwhile_is_refused(shown: Shown) -> None:
    house, reply = shown
    for row in house.school.rows("SELECT course FROM seat WHERE person = :person", person=TEACHER):
        await inject(house, "revoke_seat", person=TEACHER, course=row["course"])
    house.school.run("UPDATE pool SET owner = NULL WHERE id = :pool", pool=POOL)
    answer = await confirm(house, reply)
    assert (answer.status_code, answer.json()["reason"]) == (422, "not_found")
    assert await written(house) == []
    assert (await confirm(house, reply)).status_code == 404


NO_LONGER = {
    "an account that is over": ("end_account", {}, 401, "unauthenticated"),
    "an exam": ("start_exam", {}, 403, "exam_in_progress"),
    "another role": ("change_role", {"role": "student"}, 422, "write_failed"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "about", "status", "code"), NO_LONGER.values(), ids=NO_LONGER)
async def test_standing_is_asked_again(shown: Shown, fault: str, about: dict[str, Any], status: int, code: str) -> None:
    house, reply = shown
    await inject(house, fault, person=TEACHER, **about)
    answer = await confirm(house, reply)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert await written(house) == []


async def test_who_may_not_ask_may_not_confirm(shown: Shown) -> None:
    house, reply = shown
    body = {"conversation_id": reply["conversation_id"]}
    path = f"/assist/writes/{card_of(reply)['id']}"
    for word in ("confirm", "cancel"):  # the door comes before the address
        assert (await house.service.post(f"/assist/writes/none/{word}", json=body)).status_code == 401
    assert (await house.service.get("/assist/conversations/none")).status_code == 401
    assert (await house.service.delete("/assist/conversations/none")).status_code == 401
    for kind, status in (("impersonation", 403), ("student_view", 403), ("api_token", 403), ("seb", 401)):
        for word in ("confirm", "cancel"):
            headers = await house.bearer(TEACHER, kind=kind)
            assert (await house.service.post(f"{path}/{word}", json=body, headers=headers)).status_code == status
    assert (await house.service.post(f"{path}/confirm", json=body)).status_code == 401
    assert (await confirm(house, reply, person=STUDENT)).status_code == 404
    assert await written(house) == []
    assert (await confirm(house, reply)).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("body", [{}, {"conversation_id": "x"}, {"conversation_id": None}, {"extra": 1}, []])
async def test_a_malformed_word_is_no_word(shown: Shown, body: Any) -> None:
    house, reply = shown
    for word in ("confirm", "cancel"):
        answer = await house.service.post(
            f"/assist/writes/{card_of(reply)['id']}/{word}", json=body, headers=await house.bearer()
        )
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert (await confirm(house, reply)).status_code == 200


async def test_where_the_lms_does_not_answer_before_anything_was_sent_the_card_waits_on(shown: Shown) -> None:
    house, reply = shown
    await inject(house, "status", status=503, path="/api/pools")
    answer = await confirm(house, reply)
    assert (answer.status_code, answer.json()["code"]) == (503, "lms_unavailable")
    await inject(house, "none")
    assert (await confirm(house, reply)).status_code == 200
    assert len(await written(house)) == 1


@pytest.mark.parametrize("is_made", [True, False], ids=["made, its answer lost", "never made"])
async def test_a_lost_answer_is_told_as_such_and_the_same_confirm_never_writes_twice(
    shown: Shown, is_made: bool
) -> None:
    house, reply = shown
    lost: dict[str, Any] = {"fault": "reset", "after": True} if is_made else {"fault": "status", "status": 500}
    await inject(house, path=f"/api/pools/{POOL}/categories", **lost)
    answer = await confirm(house, reply)
    assert (answer.status_code, answer.json()["code"]) == (504, "write_unknown")
    await inject(house, "none")
    await inject(house, "rename", kind="pool", id=POOL, title="Its own success may have changed it")
    assert (await decide(house, "cancel", reply)).status_code == 404
    house.clock.move(PENDING.total_seconds())
    again = await confirm(house, reply)
    assert again.status_code == 200
    rows = house.school.rows("SELECT id FROM category WHERE title = 'Loops'")
    assert [again.json()["path"]] == [f"/pools/{POOL}?category={row['id']}" for row in rows]


REASONS = {404: "not_found", 403: "refused", 409: "refused", 422: "invalid", 400: "invalid", 418: "failed"}


@pytest.mark.slow
@pytest.mark.parametrize(("status", "reason"), REASONS.items())
async def test_what_the_lms_refuses_has_a_reason_of_the_closed_list_and_is_over(
    shown: Shown, status: int, reason: str
) -> None:
    house, reply = shown
    await inject(house, "status", status=status, path=f"/api/pools/{POOL}/categories")
    answer = await confirm(house, reply)
    assert (answer.status_code, answer.json()["code"]) == (422, "write_failed")
    assert answer.json()["reason"] == reason
    await inject(house, "none")
    assert (await confirm(house, reply)).status_code == 404
    assert house.school.rows("SELECT id FROM category WHERE title = 'Loops'") == []


async def test_both_sides_note_who_did_it(shown: Shown, pool: asyncpg.Pool) -> None:
    house, reply = shown
    assert (await confirm(house, reply)).status_code == 200
    rows = await pool.fetch("SELECT actor, action, subject, tool, outcome FROM audit ORDER BY action")
    assert [tuple(row) for row in rows] == [
        ("assistant", "assist.confirm", TEACHER, "create_category", None),
        ("assistant", "assist.write", TEACHER, "create_category", "done"),
    ]


async def test_a_conversation_that_was_deleted_takes_its_card_along(shown: Shown) -> None:
    house, reply = shown
    headers = await house.bearer()
    path = f"/assist/conversations/{reply['conversation_id']}"
    assert (await house.service.delete(path, headers=headers)).status_code == 204
    assert (await confirm(house, reply)).status_code == 404
