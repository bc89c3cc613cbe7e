"""The REST adapter writes to the reference LMS: once, as the person, audited, and nothing but what was confirmed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from assist_service.adapters.lms.rest import RestOptions
from assist_service.adapters.lms.writing import RestWriter
from assist_service.domain.errors import WriteFailure
from assist_service.domain.writes import WriteRequest, WriteTool
from assist_service.ports import LmsFaultKind, SchoolReads, WriteRefused, WriteUnknown, Written
from examples.reference_lms.store import open_store
from tests.unit.lms_desk import fault_of
from tests.web.lms_school import OTHER, TEACHER, School, open_school

T, F, K = WriteTool, WriteFailure, LmsFaultKind
COURSE = UUID("15836ecc-3473-4a44-96ca-e5bf72eccaa6")
POOL = UUID("e0f315cd-3452-4f41-8691-993f41f5b231")
"""Linked to the course already."""
TEMPLATE = UUID("2f1fc48c-8df8-4547-91aa-91877c2a488a")
NOWHERE = UUID(int=7)


def found(sql: str, **values: str) -> UUID:
    return UUID(next(row["id"] for row in open_store().rows(sql, **values)))


OWN_POOL = found("SELECT id FROM pool WHERE title = 'Structures et fichiers'")
THEIR_POOL = found("SELECT id FROM pool WHERE title = 'Sampling and surveys'")
_QUESTION = "SELECT id FROM question WHERE status = :status AND pool = :pool"
DRAFT = found(_QUESTION, status="draft", pool=str(POOL))
PUBLISHED = found(_QUESTION, status="published", pool=str(OWN_POOL))

QUESTION: dict[str, Any] = {
    "pool": str(POOL),
    "type": "open",
    "config": {"statement": "Qu’est-ce qu’un pointeur ?", "guidance": "", "max_words": 90},
}
CATEGORY = WriteRequest.of(T.CREATE_CATEGORY, POOL, {"title": "Bonus"})

REQUESTS: dict[WriteTool, tuple[WriteRequest, str]] = {
    T.CREATE_QUESTION: (WriteRequest.of(T.CREATE_QUESTION, None, QUESTION), "Qu’est-ce qu’un pointeur ?"),
    T.CREATE_CATEGORY: (CATEGORY, "Bonus"),
    T.CREATE_TEMPLATE: (
        WriteRequest.of(T.CREATE_TEMPLATE, None, {"title": "Nouveau", "questions": [str(PUBLISHED)]}),
        "Nouveau",
    ),
    T.ADD_QUESTIONS_TO_TEMPLATE: (
        WriteRequest.of(T.ADD_QUESTIONS_TO_TEMPLATE, TEMPLATE, {"questions": [str(PUBLISHED)]}),
        "Modèle de contrôle court",
    ),
    T.LINK_POOL_TO_COURSE: (
        WriteRequest.of(T.LINK_POOL_TO_COURSE, COURSE, {"pool": str(OWN_POOL)}),
        "Programmation en C, première année",
    ),
}

PATHS = {
    T.CREATE_QUESTION: "/api/questions",
    T.CREATE_CATEGORY: f"/api/pools/{POOL}/categories",
    T.CREATE_TEMPLATE: "/api/templates",
    T.ADD_QUESTIONS_TO_TEMPLATE: f"/api/templates/{TEMPLATE}/questions",
    T.LINK_POOL_TO_COURSE: f"/api/courses/{COURSE}/pools",
}


@pytest.fixture
async def school() -> AsyncIterator[School]:
    async with open_school() as opened:
        yield opened


async def confirm(school: School, request: WriteRequest, *, key: UUID) -> Written:
    """One confirm: a session and a token of its own; something is read first, as a card is."""
    async with school.rest.writing(await school.session(), request.tool) as writer:
        await writer.reads.courses()
        return await writer.write(request, key=key)


async def audit(school: School) -> list[dict[str, Any]]:
    return list((await school.http.get("/demo/audit")).json()["entries"])


async def refusal(work: Awaitable[object]) -> WriteFailure | None:
    try:
        await work
    except WriteRefused as refused:
        return refused.failure
    return None


async def is_made(reads: SchoolReads, tool: WriteTool, written: Written) -> bool:
    """As the person reads it afterwards."""
    match tool:
        case T.CREATE_QUESTION:
            question = await reads.question(written.id)
            return (question.status, question.statement) == ("draft", QUESTION["config"]["statement"])
        case T.CREATE_CATEGORY:
            return written.id in {each.id for each in (await reads.pool(POOL)).categories}
        case T.CREATE_TEMPLATE | T.ADD_QUESTIONS_TO_TEMPLATE:
            return PUBLISHED in {each.id for each in (await reads.template(written.id)).questions}
        case T.LINK_POOL_TO_COURSE:
            return OWN_POOL in {each.id for each in (await reads.course(written.id)).pools}


@pytest.mark.parametrize("tool", WriteTool)
async def test_each_write_is_made_once_and_audited_once(school: School, tool: WriteTool) -> None:
    request, title = REQUESTS[tool]
    key = uuid4()
    async with school.rest.writing(await school.session(), tool) as writer:
        written = await writer.write(request, key=key)  # without a read before: the nonce is asked for first
        assert [token["scope"] for token in await school.live()] == [f"assist:write:{tool}"]
    assert await school.live() == []
    assert written.title == title
    assert await confirm(school, request, key=key) == written
    async with school.rest.reading(await school.session()) as reads:
        assert await is_made(reads, tool, written)
    assert await school.live() == []
    assert [{**entry, "at": None} for entry in await audit(school)] == [
        {
            "at": None,
            "actor": "assistant",
            "acting_for": TEACHER,
            "tool": tool,
            "method": "POST",
            "path": PATHS[tool],
            "status": 201,
        }
    ]


REFUSED: dict[str, tuple[WriteRequest, WriteFailure]] = {
    "linked already": (WriteRequest.of(T.LINK_POOL_TO_COURSE, COURSE, {"pool": str(POOL)}), F.REFUSED),
    "another's pool linked": (
        WriteRequest.of(T.LINK_POOL_TO_COURSE, COURSE, {"pool": str(THEIR_POOL)}),
        F.NOT_FOUND,
    ),
    "no such course": (WriteRequest.of(T.LINK_POOL_TO_COURSE, NOWHERE, {"pool": str(OWN_POOL)}), F.NOT_FOUND),
    "a draft added": (
        WriteRequest.of(T.ADD_QUESTIONS_TO_TEMPLATE, TEMPLATE, {"questions": [str(DRAFT)]}),
        F.REFUSED,
    ),
    "a template of a draft": (
        WriteRequest.of(T.CREATE_TEMPLATE, None, {"title": "x", "questions": [str(DRAFT)]}),
        F.REFUSED,
    ),
    "no questions": (WriteRequest.of(T.ADD_QUESTIONS_TO_TEMPLATE, TEMPLATE, {"questions": []}), F.INVALID),
    "no such pool": (WriteRequest.of(T.CREATE_QUESTION, None, {**QUESTION, "pool": str(NOWHERE)}), F.NOT_FOUND),
    "another's pool": (WriteRequest.of(T.CREATE_CATEGORY, THEIR_POOL, {"title": "x"}), F.NOT_FOUND),
    "a config that is none": (WriteRequest.of(T.CREATE_QUESTION, None, {**QUESTION, "config": {}}), F.INVALID),
    "another pool's category": (
        WriteRequest.of(T.CREATE_QUESTION, None, {**QUESTION, "category": str(NOWHERE)}),
        F.INVALID,
    ),
    "no JSON": (replace(CATEGORY, body=b"{"), F.INVALID),
    "too much": (replace(CATEGORY, body=b'{"title":"' + b"x" * 1_100_000 + b'"}'), F.INVALID),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_each_refusal_has_its_reason_and_writes_nothing(school: School, name: str) -> None:
    request, failure = REFUSED[name]
    assert await refusal(confirm(school, request, key=uuid4())) is failure
    assert await school.live() == []
    assert all(entry["status"] >= 400 for entry in await audit(school))


async def test_a_key_is_of_one_request(school: School) -> None:
    key = uuid4()
    await confirm(school, CATEGORY, key=key)
    other = WriteRequest.of(T.CREATE_CATEGORY, POOL, {"title": "Another"})
    assert await refusal(confirm(school, other, key=key)) is F.INVALID


@pytest.mark.parametrize("tool", sorted(set(WriteTool) - {T.CREATE_CATEGORY}))
async def test_the_lms_takes_no_other_token_for_a_write(school: School, tool: WriteTool) -> None:
    session, rest = await school.session(), school.rest
    async with rest.writing(session, T.CREATE_CATEGORY) as writer, rest.writing(session, tool) as other:
        assert isinstance(writer, RestWriter)
        assert isinstance(other, RestWriter)
        assert await refusal(replace(writer, token=other.token).write(CATEGORY, key=uuid4())) is F.REFUSED
    assert await school.live() == []


LOST: list[dict[str, Any]] = [
    {"fault": "status", "status": 500},
    {"fault": "status", "status": 503},
    {"fault": "reset"},
    {"fault": "not_json"},
    {"fault": "other_schema"},
    {"fault": "html"},
    {"fault": "redirect"},
    {"fault": "huge"},
    {"fault": "trickle", "seconds": 0.05},
    {"fault": "delay", "seconds": 3.0},
]
SLOW = RestOptions(seconds=2.0)


@pytest.mark.slow
@pytest.mark.parametrize("after", [True, False], ids=["done", "not done"])
@pytest.mark.parametrize("order", LOST, ids=str)
async def test_a_lost_answer_is_unknown_and_the_same_key_writes_once(order: dict[str, Any], after: bool) -> None:
    async with open_school(SLOW if "seconds" in order else None) as school:
        key = uuid4()
        await school.inject(**order, path="/api/pools/", after=after, times=1)
        with pytest.raises(WriteUnknown) as unknown:
            await confirm(school, CATEGORY, key=key)
        assert unknown.value.__context__ is None
        assert await school.live() == []
        done = 1 if after else 0
        assert [entry["status"] for entry in await audit(school)].count(201) == done or order["fault"] == "delay"
        written = await confirm(school, CATEGORY, key=key)
        if order["fault"] == "delay":
            await asyncio.sleep(1.5)  # the first one is carried out at last, where it was not
        async with school.rest.reading(await school.session()) as reads:
            categories = (await reads.pool(POOL)).categories
        assert [each.id for each in categories if each.title == "Bonus"] == [written.id]
        assert [entry["status"] for entry in await audit(school)].count(201) == 1


@pytest.mark.slow
@pytest.mark.parametrize("status", [401, 403, 404, 409, 413, 422, 429])
async def test_a_4xx_of_something_before_the_lms_writes_nothing_and_leaves_the_key_free(
    school: School, status: int
) -> None:
    key = uuid4()
    await school.inject("status", status=status, path="/api/pools/", times=1)
    with pytest.raises(Exception) as raised:
        await confirm(school, CATEGORY, key=key)
    assert not isinstance(raised.value, WriteUnknown)
    assert (await confirm(school, CATEGORY, key=key)).title == "Bonus"
    assert [entry["status"] for entry in await audit(school)].count(201) == 1


@pytest.mark.parametrize("event", ["end_account", "end_session"])
async def test_access_that_ends_before_the_write_ends_it(school: School, event: str) -> None:
    async with school.rest.writing(await school.session(), T.CREATE_CATEGORY) as writer:
        await writer.reads.pool(POOL)
        await school.inject(event, person=TEACHER)
        assert await fault_of(writer.write(CATEGORY, key=uuid4())) is K.SESSION_ENDED
    assert await school.live() == []
    assert 201 not in {entry["status"] for entry in await audit(school)}


async def test_a_session_that_ended_before_gets_no_token(school: School) -> None:
    session = await school.session()
    await school.inject("end_session", person=TEACHER)
    async with school.rest.writing(session, T.CREATE_CATEGORY) as writer:
        assert await fault_of(writer.write(CATEGORY, key=uuid4())) is K.SESSION_ENDED
    assert await audit(school) == []


async def test_a_seat_that_is_taken_before_the_write_hides_what_it_opened(school: School) -> None:
    async with school.rest.writing(await school.session(), T.LINK_POOL_TO_COURSE) as writer:
        await writer.reads.course(COURSE)
        await school.inject("revoke_seat", person=TEACHER, course=str(COURSE))
        assert await fault_of(writer.reads.course(COURSE)) is K.NOT_FOUND
        assert await refusal(writer.write(REQUESTS[T.LINK_POOL_TO_COURSE][0], key=uuid4())) is F.NOT_FOUND


async def test_what_changes_between_two_reads_is_seen(school: School) -> None:
    async with school.rest.writing(await school.session(), T.CREATE_CATEGORY) as writer:
        before = (await writer.reads.pool(POOL)).title
        await school.inject("rename", kind="pool", id=str(POOL), title="Renamed")
        assert (before, (await writer.reads.pool(POOL)).title) == ("Pointeurs et tableaux", "Renamed")


async def test_another_teachers_key_is_another_key(school: School) -> None:
    key, title = uuid4(), {"title": "Bonus"}
    mine = await confirm(school, CATEGORY, key=key)
    theirs = WriteRequest.of(T.CREATE_CATEGORY, await school.owned("pool", OTHER), title)
    async with school.rest.writing(await school.session(OTHER), T.CREATE_CATEGORY) as writer:
        assert (await writer.write(theirs, key=key)).id != mine.id
