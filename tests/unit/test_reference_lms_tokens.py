"""How tokens of the reference LMS end, what they never open, and who may ask how a person stands."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from examples.reference_lms.caller import INSIDE, Caller, call_in_process
from examples.reference_lms.school import ADMIN, FILIPINO_TEACHER, FRENCH_TEACHER, STUDENTS
from tests.fakes.clocks import HandClock

URL = "https://lms.example.test"
TEACHER = FRENCH_TEACHER.sub
COURSE = "15836ecc-3473-4a44-96ca-e5bf72eccaa6"
OTHER_COURSE = "d5b0799e-4686-4941-b6dd-835e132950e5"


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def lms(clock: HandClock) -> AsyncIterator[Caller]:
    caller = call_in_process(url=URL, now=clock.now)
    async with caller.http:
        yield caller


async def live(lms: Caller) -> list[dict[str, Any]]:
    tokens: list[dict[str, Any]] = (await lms.http.get("/demo/tokens")).json()["tokens"]
    return tokens


def refusal(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("error", "")


# The end of a token


async def test_a_revoked_token_is_over(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    await lms.inject("ignore_revocation")
    assert (await lms.revoke(token)).status_code == 200
    assert (await lms.get("/api/courses", token)).status_code == 200
    await lms.inject("none")
    for revoked in (token, token, "never was one"):
        assert (await lms.revoke(revoked)).status_code == 200
    assert await live(lms) == []
    answer = await lms.get("/api/courses", token)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'DPoP error="invalid_token", algs="ES256"'


async def test_only_the_client_revokes(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    assert refusal(await lms.revoke(token, assertion={"iss": "other"})) == (401, "invalid_client")
    assert len(await live(lms)) == 1


async def test_a_token_expires(lms: Caller, clock: HandClock) -> None:
    token = await lms.token(TEACHER)
    await lms.inject("long_lived_tokens")
    answer = await lms.exchange(await lms.session(TEACHER))
    assert answer.json()["expires_in"] == 86_400
    clock.move(599)
    assert (await lms.get("/api/courses", token)).status_code == 200
    clock.move(1)
    assert len(await live(lms)) == 1
    assert (await lms.get("/api/courses", token)).status_code == 401


async def test_what_happens_to_a_person_happens_to_their_tokens(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    session = await lms.session(TEACHER)
    await lms.inject("revoke_seat", person=TEACHER, course=COURSE)
    assert refusal(await lms.get(f"/api/courses/{COURSE}", token)) == (404, "not_found")
    await lms.inject("none")
    assert (await lms.get(f"/api/courses/{COURSE}", token)).status_code == 200
    await lms.inject("change_role", person=TEACHER, role="student")
    assert (await lms.get("/api/courses", token)).json()["items"] == []
    await lms.inject("change_role", person=TEACHER, role="teacher")
    await lms.inject("end_account", person=TEACHER)
    assert (await lms.get("/api/courses", token)).status_code == 401
    assert refusal(await lms.exchange(session)) == (400, "invalid_grant")
    await lms.inject("none")
    assert (await lms.get("/api/courses", token)).status_code == 200
    await lms.inject("end_session", person=TEACHER)
    assert (await lms.get("/api/courses", token)).status_code == 401
    assert refusal(await lms.exchange(session)) == (400, "invalid_grant")
    assert (await lms.get("/api/courses", await lms.token(TEACHER))).status_code == 200


async def test_a_session_of_before_a_promotion_opens_nothing(lms: Caller) -> None:
    await lms.inject("change_role", person=TEACHER, role="student")
    token = await lms.token(TEACHER)
    await lms.inject("none")
    assert (await lms.get("/api/courses", token)).json()["items"] == []


# Elevated


async def test_elevated_opens_nothing(lms: Caller) -> None:
    token = await lms.token(ADMIN.sub, elevated=True)
    assert [course["id"] for course in (await lms.get("/api/courses", token)).json()["items"]] == [OTHER_COURSE]
    assert refusal(await lms.get(f"/api/courses/{COURSE}", token)) == (404, "not_found")
    await lms.inject("honour_elevated")
    assert (await lms.get(f"/api/courses/{COURSE}", token)).status_code == 200
    plain = await lms.token(ADMIN.sub)
    assert refusal(await lms.get(f"/api/courses/{COURSE}", plain)) == (404, "not_found")


# Standing


async def test_standing_is_what_a_person_is_now(lms: Caller) -> None:
    student = STUDENTS[0].sub
    assert (await lms.standing(student)).json() == {"role": "student", "active": True, "exam_in_progress": False}
    await lms.inject("start_exam", person=student)
    assert (await lms.standing(student)).json()["exam_in_progress"] is True
    await lms.inject("end_exam", person=student)
    assert (await lms.standing(student)).json()["exam_in_progress"] is False
    await lms.inject("change_role", person=student, role="teacher")
    await lms.inject("end_account", person=student)
    assert (await lms.standing(student)).json() == {"role": "teacher", "active": False, "exam_in_progress": False}
    await lms.inject("none")
    assert (await lms.standing(student)).json() == {"role": "student", "active": True, "exam_in_progress": False}


async def test_standing_of_nobody_is_404(lms: Caller) -> None:
    assert refusal(await lms.standing(str(uuid4()))) == (404, "not_found")


@pytest.mark.parametrize(
    "change", [{"aud": f"{INSIDE}/oauth/token"}, {"typ": "JWT"}, {"exp": 1}, {"iss": "x"}], ids=str
)
async def test_standing_is_for_the_service_alone(lms: Caller, change: dict[str, Any]) -> None:
    assert refusal(await lms.standing(TEACHER, assertion=change)) == (401, "unauthenticated")
    token = await lms.token(TEACHER)
    path = f"/api/assist/standing/{TEACHER}"
    assert (await lms.get(path, token)).status_code == 401
    assert (await lms.http.get(path)).status_code == 401


# The controls


@pytest.mark.parametrize(
    ("order", "status"),
    [
        ({"fault": "revoke_seat", "person": TEACHER, "course": OTHER_COURSE}, 404),
        ({"fault": "revoke_seat", "person": TEACHER}, 422),
        ({"fault": "end_account", "person": "nobody"}, 404),
        ({"fault": "end_account"}, 422),
        ({"fault": "change_role", "person": TEACHER, "role": "king"}, 422),
        ({"fault": "honour_elevated", "person": TEACHER}, 422),
        ({"fault": "break_everything"}, 422),
        ({"fault": "status"}, 422),
        ({"fault": "status", "status": 200}, 422),
        ({"fault": "delay", "seconds": -1}, 422),
        ({"fault": "html", "path": "/demo/"}, 422),
    ],
    ids=str,
)
async def test_a_fault_that_means_nothing_is_refused(lms: Caller, order: dict[str, Any], status: int) -> None:
    assert (await lms.http.post("/demo/faults", json=order)).status_code == status


async def test_the_log_says_who_acted_for_whom(lms: Caller) -> None:
    token = await lms.token(FILIPINO_TEACHER.sub)
    await lms.get("/api/courses?limit=1", token, headers={"X-Assist-Tool": "list_courses"})
    entry = (await lms.http.get("/demo/requests")).json()["entries"][-1]
    entry.pop("at")
    assert entry == {
        "actor": "assistant",
        "acting_for": FILIPINO_TEACHER.sub,
        "tool": "list_courses",
        "method": "GET",
        "path": "/api/courses",
        "status": 200,
    }
    assert (await lms.http.get("/demo/audit")).json()["entries"] == []
