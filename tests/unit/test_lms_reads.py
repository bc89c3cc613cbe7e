"""What is asked of an LMS: a closed list of reads, ids as UUIDs, everything else encoded (J1, J2)."""

import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import parse_qsl
from uuid import UUID

import jwt
import pytest

from assist_service.adapters.lms import school_reads
from assist_service.adapters.lms.reading import Read
from assist_service.adapters.lms.school_reads import RestReads
from assist_service.domain.school import Course, EvaluationState, Page
from assist_service.domain.writes import WriteTool
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads
from tests.fakes.scripted_lms import json_reply
from tests.fakes.scripted_wire import RawReply
from tests.unit.lms_desk import SESSION, Desk, fault_of, open_desk

ID = UUID("8a8d5a52-0c0e-4c6e-9b1e-3f1d1c9b7a11")
REF = {"id": str(ID), "title": "A title"}
PERSON = {"id": str(ID), "name": "A Name"}
POOL = {**REF, "question_count": 3}
EVALUATION = {**REF, "state": "released", "classroom": REF}
CLASSROOM = {**REF, "course": REF, "student_count": 20}
ROW = {**REF, "type": "mcq", "status": "draft"}

Asked = Callable[[SchoolReads], Awaitable[object]]

READS: dict[str, tuple[Asked, str, object]] = {
    "courses": (lambda reads: reads.courses(cursor="c"), "GET /api/courses?cursor=c", [REF]),
    "course": (lambda reads: reads.course(ID), f"GET /api/courses/{ID}", REF),
    "course_staff": (lambda reads: reads.course_staff(ID), f"GET /api/courses/{ID}/staff", [{**PERSON, "role": "t"}]),
    "pools": (lambda reads: reads.pools(search="s"), "GET /api/pools?search=s", [POOL]),
    "pool": (lambda reads: reads.pool(ID), f"GET /api/pools/{ID}", POOL),
    "pool_stats": (
        lambda reads: reads.pool_stats(ID),
        f"GET /api/pools/{ID}/stats",
        {"questions": 3, "published": 2, "drafts": 1},
    ),
    "questions": (
        lambda reads: reads.questions(ID, search="s", status="draft", cursor="c"),
        f"GET /api/pools/{ID}/questions?search=s&status=draft&cursor=c",
        [ROW],
    ),
    "similar_questions": (
        lambda reads: reads.similar_questions("text", pool=ID, limit=5),
        "POST /api/questions/similar",
        [{**ROW, "pool": REF, "likeness": 0.5}],
    ),
    "question": (
        lambda reads: reads.question(ID),
        f"GET /api/questions/{ID}",
        {**ROW, "pool": REF, "statement": "2 + 2"},
    ),
    "question_types": (
        lambda reads: reads.question_types(),
        "GET /api/question-types",
        [{"type": "mcq", "title": "Multiple choice"}],
    ),
    "evaluations": (
        lambda reads: reads.evaluations(classroom=ID, state=EvaluationState.RELEASED, cursor="c"),
        f"GET /api/evaluations?classroom={ID}&state=released&cursor=c",
        [EVALUATION],
    ),
    "evaluation": (lambda reads: reads.evaluation(ID), f"GET /api/evaluations/{ID}", EVALUATION),
    "templates": (lambda reads: reads.templates(), "GET /api/templates", [POOL]),
    "template": (lambda reads: reads.template(ID), f"GET /api/templates/{ID}", POOL),
    "classrooms": (lambda reads: reads.classrooms(), "GET /api/classrooms", [CLASSROOM]),
    "classroom": (lambda reads: reads.classroom(ID), f"GET /api/classrooms/{ID}", CLASSROOM),
    "students": (
        lambda reads: reads.students(ID, cursor="c"),
        f"GET /api/classrooms/{ID}/students?cursor=c",
        [PERSON],
    ),
    "gradebook": (
        lambda reads: reads.gradebook(ID),
        f"GET /api/classrooms/{ID}/gradebook",
        {"columns": [], "rows": []},
    ),
    "leaderboard": (lambda reads: reads.leaderboard(ID), f"GET /api/classrooms/{ID}/leaderboard", {"rows": []}),
}


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with open_desk() as opened:
        yield opened


@pytest.mark.parametrize("name", READS)
async def test_each_read_is_one_request_and_one_shape(desk: Desk, name: str) -> None:
    ask, target, answer = READS[name]
    body = {"items": answer, "next": "more"} if isinstance(answer, list) else answer
    desk.lms.replies[target.partition(" ")[2].partition("?")[0]] = json_reply(body)
    async with desk.rest.reading(SESSION) as reads:
        found = await ask(reads.for_tool("a_tool"))
    seen = desk.lms.requests[1]
    assert f"{seen.method} {seen.target}" == target
    assert seen.header("x-assist-tool") == "a_tool"
    assert seen.header("authorization") == f"DPoP {desk.lms.issued[0]}"
    assert seen.header("accept") == "application/json"
    assert seen.header("accept-encoding") == "identity"
    assert isinstance(found, Page) is isinstance(answer, list)


async def test_these_are_all_the_reads_there_are(desk: Desk) -> None:
    methods = {name for name, _ in inspect.getmembers(RestReads, inspect.isfunction) if not name.startswith("_")}
    assert desk.rest.offers - set(WriteTool) == set(READS) == methods - {"for_tool"}
    table = {value.method + value.path for value in vars(school_reads).values() if isinstance(value, Read)}
    assert table == {
        target.partition("?")[0].replace(str(ID), "{id}").replace(" ", "") for _, target, _ in READS.values()
    }


async def test_the_search_says_what_is_sought_in_its_body(desk: Desk) -> None:
    async with desk.rest.reading(SESSION) as reads:
        await reads.similar_questions('a "text" é', pool=None, limit=5)
    seen = desk.lms.requests[1]
    assert json.loads(seen.body) == {"text": 'a "text" é', "pool": None, "limit": 5}
    assert seen.header("content-type") == "application/json"


@pytest.mark.parametrize("text", ["a b&limit=9", "../x", "a#b?c", "é/\x00\r\n", "%2e%2e", "+", "x" * 2000])
async def test_what_is_sought_is_encoded(desk: Desk, text: str) -> None:
    async with desk.rest.reading(SESSION) as reads:
        await reads.pools(search=text, cursor=text)
    seen = desk.lms.requests[1]
    assert seen.path == "/api/pools"
    assert parse_qsl(seen.target.partition("?")[2]) == [("search", text), ("cursor", text)]


@pytest.mark.parametrize("text", ["\ud800", "x" * 100_000])
async def test_what_no_address_can_hold_is_refused_unsent(desk: Desk, text: str) -> None:
    async with desk.rest.reading(SESSION) as reads:
        with pytest.raises(LmsFault) as refused:
            await reads.pools(search=text)
    assert refused.value.kind is LmsFaultKind.REFUSED
    assert refused.value.__context__ is None
    assert not any("/api/" in path for path in desk.lms.paths())


@pytest.mark.parametrize("entity", ["../pools", f"{ID}/staff", f"{ID}?x=1", "..", "", str(ID).replace("8a8d", "%2e.")])
async def test_only_a_uuid_stands_in_a_path(desk: Desk, entity: str) -> None:
    async with desk.rest.reading(SESSION) as reads:
        with pytest.raises(ValueError) as refused:
            await reads.course(entity)  # type: ignore[arg-type]
    assert entity == "" or entity not in str(refused.value)
    assert desk.lms.requests == []


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get"])
async def test_nothing_but_reads_is_sent_with_a_persons_token(desk: Desk, method: str) -> None:
    async with desk.rest.reading(SESSION) as reads:
        assert isinstance(reads, RestReads)
        for path in ("/api/courses", "/api/questions", "/api/questions/similar/"):
            with pytest.raises(RuntimeError):
                await reads._reading.fetch(Read(path, Page[Course], method=method), body={})
    assert not any("/api/" in seen for seen in desk.lms.paths())


@pytest.mark.parametrize("tool", ["", "a tool", "a\r\nX: y", "Tool", "é", "x" * 65])
async def test_a_tool_is_named_by_a_word(desk: Desk, tool: str) -> None:
    async with desk.rest.reading(SESSION) as reads:
        with pytest.raises(ValueError):
            reads.for_tool(tool)


async def test_no_cookie_of_one_person_goes_with_another(desk: Desk) -> None:
    desk.lms.replies["/api/courses"] = json_reply(
        {"items": [], "next": None}, headers={"Set-Cookie": "sessionid=of-one; Path=/"}
    )
    for _ in range(2):
        async with desk.rest.reading(SESSION) as reads:
            await reads.courses()
    assert not any(seen.header("cookie") for seen in desk.lms.requests)


STANDING = {"role": "teacher", "active": True, "exam_in_progress": False}


@pytest.mark.parametrize(
    ("sub", "segment"),
    [
        ("person-1", "person-1"),
        ("a/b?c#d", "a%2Fb%3Fc%23d"),
        ("%2e%2e", "%252e%252e"),
        ("a..b", "a..b"),
        ("...", "..."),
    ],
)
async def test_a_standing_is_asked_for_as_this_service(desk: Desk, sub: str, segment: str) -> None:
    desk.lms.replies[f"/api/assist/standing/{segment}"] = json_reply(STANDING)
    standing = await desk.rest.standing(sub)
    assert (standing.role.value, standing.active, standing.exam_in_progress) == ("teacher", True, False)
    (seen,) = desk.lms.requests
    assert (seen.method, seen.target) == ("GET", f"/api/assist/standing/{segment}")
    scheme, _, token = (seen.header("authorization") or "").partition(" ")
    claims = jwt.decode(token, options={"verify_signature": False})
    assert (scheme, claims["aud"]) == ("Bearer", "urn:lms:standing")
    assert seen.header("dpop") is None


@pytest.mark.parametrize("sub", ["", ".", "..", "a b", "é", "\ud800", "x" * 256, "a\n"])
async def test_nobody_stands_under_what_is_no_name(desk: Desk, sub: str) -> None:
    assert await fault_of(desk.rest.standing(sub)) is LmsFaultKind.NOT_FOUND
    assert desk.lms.requests == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (json_reply({}, 404), LmsFaultKind.NOT_FOUND),
        (json_reply({}, 401), LmsFaultKind.UNAVAILABLE),
        (json_reply({}, 403), LmsFaultKind.UNAVAILABLE),
        (json_reply({}, 503), LmsFaultKind.UNAVAILABLE),
        (json_reply({**STANDING, "role": "king"}), LmsFaultKind.MALFORMED),
        (json_reply({**STANDING, "active": "yes"}), LmsFaultKind.MALFORMED),
        (json_reply({"role": "teacher", "active": True}), LmsFaultKind.MALFORMED),
        (RawReply(b"<html>", 200, {"content-type": "text/html"}), LmsFaultKind.MALFORMED),
    ],
)
async def test_a_standing_that_is_none_is_a_fault(desk: Desk, reply: RawReply, kind: LmsFaultKind) -> None:
    desk.lms.replies["/api/assist/standing/somebody"] = reply
    assert await fault_of(desk.rest.standing("somebody")) is kind


async def test_no_proxy_of_the_environment_gets_to_see_a_token(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    other = desk.another()
    async with other.reading(SESSION) as reads:
        await reads.courses()
    await other.aclose()
