"""The REST adapter against the reference LMS: every read, what belongs to whom, and standings."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.rest import RestLms
from assist_service.domain.people import Role
from assist_service.domain.school import EvaluationState, Gradebook, Page, QuestionRow
from assist_service.domain.writes import WriteTool
from assist_service.ports import LmsFaultKind, SchoolReads
from examples.reference_lms.school import ADMIN, STUDENTS, TRAINER_ADMIN
from tests.unit.lms_desk import fault_of
from tests.web.lms_school import OTHER, TEACHER, School, open_school

K = LmsFaultKind


@pytest.fixture
async def school() -> AsyncIterator[School]:
    async with open_school() as opened:
        yield opened


Asked = Callable[[SchoolReads, UUID], Awaitable[Any]]

OF_AN_ENTITY: dict[str, tuple[str, Asked]] = {
    "course": ("course", lambda reads, of: reads.course(of)),
    "course_staff": ("course", lambda reads, of: reads.course_staff(of)),
    "pool": ("pool", lambda reads, of: reads.pool(of)),
    "pool_stats": ("pool", lambda reads, of: reads.pool_stats(of)),
    "questions": ("pool", lambda reads, of: reads.questions(of, search="e", status="published")),
    "question": ("question", lambda reads, of: reads.question(of)),
    "evaluation": ("evaluation", lambda reads, of: reads.evaluation(of)),
    "template": ("template", lambda reads, of: reads.template(of)),
    "classroom": ("classroom", lambda reads, of: reads.classroom(of)),
    "students": ("classroom", lambda reads, of: reads.students(of)),
    "gradebook": ("classroom", lambda reads, of: reads.gradebook(of)),
    "leaderboard": ("classroom", lambda reads, of: reads.leaderboard(of)),
}

LISTS: dict[str, Callable[[SchoolReads], Awaitable[Page[Any]]]] = {
    "courses": lambda reads: reads.courses(),
    "pools": lambda reads: reads.pools(),
    "question_types": lambda reads: reads.question_types(),
    "evaluations": lambda reads: reads.evaluations(),
    "templates": lambda reads: reads.templates(),
    "classrooms": lambda reads: reads.classrooms(),
    "similar_questions": lambda reads: reads.similar_questions("Que vaut un pointeur nul ?", pool=None, limit=5),
}


def test_every_read_is_tried_here(school: School) -> None:
    assert school.rest.offers - set(WriteTool) == set(OF_AN_ENTITY) | set(LISTS)


@pytest.mark.parametrize("name", OF_AN_ENTITY)
async def test_what_is_ones_own_is_read_and_what_is_anothers_is_not_found(school: School, name: str) -> None:
    kind, ask = OF_AN_ENTITY[name]
    async with school.rest.reading(await school.session()) as reads:
        assert await fault_of(ask(reads.for_tool(f"read_{name}"), await school.owned(kind))) is None
        assert await fault_of(ask(reads, await school.owned(kind, OTHER))) is K.NOT_FOUND
        assert await fault_of(ask(reads, UUID(int=7))) is K.NOT_FOUND
        await school.inject("tell_no_seat")  # an LMS that says 403 tells nobody more
        assert await fault_of(ask(reads, await school.owned(kind, OTHER))) is K.NOT_FOUND
    assert await school.live() == []
    # A read whose proof lacks a nonce is nobody's yet.
    api = [entry for entry in await school.requests() if entry["path"].startswith("/api/")]
    entries = [entry for entry in api if entry["status"] != 401]
    assert len(entries) >= len(api) - 1
    assert {entry["acting_for"] for entry in entries} == {TEACHER}
    assert {entry["method"] for entry in entries} == {"GET"}
    assert f"read_{name}" in {entry["tool"] for entry in entries}
    assert (await school.http.get("/demo/audit")).json()["entries"] == []


@pytest.mark.parametrize("name", LISTS)
async def test_lists_hold_what_is_ones_own(school: School, name: str) -> None:
    shared = {"question_types"}
    found = {}
    for person in (TEACHER, OTHER, STUDENTS[0].sub):
        async with school.rest.reading(await school.session(person)) as reads:
            page = await LISTS[name](reads)
            found[person] = {getattr(item, "id", None) or item.type for item in page.items}
    assert found[TEACHER]
    assert found[OTHER] or name == "similar_questions"
    if name not in shared:
        assert not found[TEACHER] & found[OTHER]
        assert not found[STUDENTS[0].sub]
    assert await school.live() == []


async def test_a_list_is_read_page_by_page_to_its_end(school: School) -> None:
    async with school.rest.reading(await school.session()) as reads:
        pool = max((await reads.pools()).items, key=lambda each: each.question_count)
        rows: list[QuestionRow] = []
        cursor: str | None = None
        for _ in range(20):
            page = await reads.questions(pool.id, cursor=cursor)
            rows += page.items
            cursor = page.next
            if cursor is None:
                break
        assert len({row.id for row in rows}) == pool.question_count
        assert await fault_of(reads.questions(pool.id, cursor="../no cursor")) is K.REFUSED


async def test_filters_reach_the_lms(school: School) -> None:
    async with school.rest.reading(await school.session()) as reads:
        classroom = (await reads.classrooms()).items[0].id
        released = await reads.evaluations(classroom=classroom, state=EvaluationState.RELEASED)
        assert {item.state for item in released.items} <= {EvaluationState.RELEASED}
        assert {item.classroom.id for item in released.items} <= {classroom}


async def test_a_gradebook_has_people_and_marks_and_nothing_of_their_lives(school: School) -> None:
    async with school.rest.reading(await school.session()) as reads:
        book: Gradebook = await reads.gradebook(await school.owned("classroom"))
    assert book.rows
    assert book.columns
    assert set(book.rows[0].student.model_dump()) == {"id", "name"}


async def test_a_standing_is_what_the_lms_says_now(school: School) -> None:
    for person, role in ((TEACHER, Role.TEACHER), (STUDENTS[0].sub, Role.STUDENT), (ADMIN.sub, Role.ADMIN)):
        assert (await school.rest.standing(person)).role is role
    assert (await school.rest.standing(TRAINER_ADMIN.sub)).active
    await school.inject("start_exam", person=STUDENTS[0].sub)
    await school.inject("change_role", person=TEACHER, role="student")
    await school.inject("end_account", person=OTHER)
    assert (await school.rest.standing(STUDENTS[0].sub)).exam_in_progress
    assert (await school.rest.standing(TEACHER)).role is Role.STUDENT
    assert not (await school.rest.standing(OTHER)).active
    for nobody in ("nobody", "a/b", "..", "../courses", "%2e%2e%2fcourses", "a?b#c"):
        assert await fault_of(school.rest.standing(nobody)) is K.NOT_FOUND


async def test_who_is_no_client_learns_nothing(school: School) -> None:
    stranger = RestLms(
        str(school.http.base_url),
        client_id="assist-service",
        key=ClientKey(ec.generate_private_key(ec.SECP256R1())),
        clock=school.clock,
    )
    async with stranger.reading(await school.session()) as reads:
        assert await fault_of(reads.courses()) is K.UNAVAILABLE
    assert await fault_of(stranger.standing(TEACHER)) is K.UNAVAILABLE
    await stranger.aclose()
