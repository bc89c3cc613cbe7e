"""The reference LMS has a school, logs what it is asked, says where to look; all over HTTP."""

from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from itertools import pairwise
from uuid import UUID

import httpx2
import jwt
import pytest

from examples.reference_lms.app import create_app
from examples.reference_lms.request_log import KEPT_ENTRIES, LogEntry, RequestLog
from examples.reference_lms.school import FILIPINO_TEACHER, FRENCH_TEACHER, SCHOOL
from tests.fakes.serving import connect, serve
from tests.unit.one_lms import ISSUER, JWKS, NOW, break_lms, entries, mint, one_lms


@pytest.fixture
async def lms() -> AsyncIterator[httpx2.AsyncClient]:
    async with one_lms() as client:
        yield client


# School


async def test_the_school_has_teachers_who_share_nothing(lms: httpx2.AsyncClient) -> None:
    school = (await lms.get("/demo/school")).json()
    assert school.keys() == {"people", "entities"}
    roles = Counter(person["role"] for person in school["people"])
    assert roles == {"teacher": 3, "student": 120, "trainer_admin": 1, "admin": 1}
    teachers = [person["sub"] for person in school["people"] if person["role"] == "teacher"]
    assert teachers[:2] == [FRENCH_TEACHER.sub, FILIPINO_TEACHER.sub]
    kinds = {"course", "classroom", "pool", "question", "evaluation", "template"}
    for teacher in teachers:
        assert {thing["kind"] for thing in school["entities"] if thing["owner"] == teacher} == kinds
    assert {thing["owner"] for thing in school["entities"]} == set(teachers)


async def test_everyone_and_everything_of_the_cast_is_in_the_school(lms: httpx2.AsyncClient) -> None:
    school = (await lms.get("/demo/school")).json()
    cast = SCHOOL.model_dump(mode="json")
    assert [person for person in cast["people"] if person not in school["people"]] == []
    assert [thing for thing in cast["entities"] if thing not in school["entities"]] == []


async def test_ids_are_unique_and_uuids(lms: httpx2.AsyncClient) -> None:
    school = (await lms.get("/demo/school")).json()
    ids = [person["sub"] for person in school["people"]] + [thing["id"] for thing in school["entities"]]
    assert len(set(ids)) == len(ids)
    assert all(str(UUID(id_)) == id_ for id_ in ids)
    assert all(person.keys() == {"sub", "name", "role"} for person in school["people"])
    assert all(thing.keys() == {"kind", "id", "title", "owner"} for thing in school["entities"])


async def test_ids_are_the_same_after_a_restart(lms: httpx2.AsyncClient) -> None:
    async with serve(create_app()) as base, connect(base) as other:
        assert (await other.get("/demo/school")).json() == (await lms.get("/demo/school")).json()


async def test_a_session_alone_makes_no_access_token(lms: httpx2.AsyncClient) -> None:
    await mint(lms)
    assert (await lms.get("/demo/tokens")).json() == {"tokens": []}


# Log


async def test_a_fetch_of_the_keys_is_on_the_log_and_the_controls_are_not(lms: httpx2.AsyncClient) -> None:
    await mint(lms)
    await lms.get("/healthz")
    await break_lms(lms, "jwks_down")
    await lms.get(JWKS)
    await lms.get("/demo/no-such-control")
    (entry,) = await entries(lms)
    assert datetime.fromisoformat(entry.pop("at")) == NOW
    assert entry == {
        "actor": None,
        "acting_for": None,
        "tool": None,
        "method": "GET",
        "path": JWKS,
        "status": 503,
    }


async def test_the_audit_holds_the_writes_alone(lms: httpx2.AsyncClient) -> None:
    await lms.get("/api/nothing-yet")
    await lms.post("/api/nothing-yet", headers={"X-Assist-Tool": "create_question"})
    await lms.request("PROPPATCH", "/api/nothing-yet")
    logged = await entries(lms)
    assert [entry["method"] for entry in logged] == ["GET", "POST", "PROPPATCH"]
    assert await entries(lms, "audit") == logged[1:]
    assert [entry["tool"] for entry in logged] == [None, "create_question", None]
    assert {entry["status"] for entry in logged} == {404}


@pytest.mark.parametrize("path", ["/api/pools/a%2Fb%3Fc", "/demonstration", "/healthz2", "/api/%2e%2e/x"])
async def test_a_path_is_logged_as_it_was_sent(lms: httpx2.AsyncClient, path: str) -> None:
    await lms.get(f"{path}?q=1")
    assert [entry["path"] for entry in await entries(lms)] == [path]


async def test_a_request_is_on_the_log_before_its_answer_is_read(lms: httpx2.AsyncClient) -> None:
    for count in range(1, 30):
        async with lms.stream("GET", JWKS):  # the body is still unread
            assert len(await entries(lms)) == count


async def test_a_handler_that_raised_is_logged_as_a_500() -> None:
    app = create_app(url=ISSUER, now=lambda: NOW)

    @app.get("/broken")
    async def fail() -> None:
        raise LookupError

    async with serve(app) as base, connect(base) as client:
        assert (await client.get("/broken")).status_code == 500
        assert [entry["status"] for entry in await entries(client)] == [500]


def test_the_log_keeps_the_last_ten_thousand() -> None:
    log = RequestLog()
    for number in range(KEPT_ENTRIES + 5):
        log.add(LogEntry(at=NOW, method="GET", path=str(number), status=200))
    kept = [int(entry.path) for entry in log.requests()]
    assert len(kept) == KEPT_ENTRIES == 10_000
    assert kept[0] == 5
    assert all(later == earlier + 1 for earlier, later in pairwise(kept))


# Starting


async def test_the_home_page_says_where_to_look_and_runs_nothing(lms: httpx2.AsyncClient) -> None:
    answer = await lms.get("/")
    assert answer.headers["content-type"].startswith("text/html")
    assert ISSUER in answer.text
    assert "/demo/school" in answer.text
    assert "<script" not in answer.text
    assert (await lms.get("/healthz")).status_code == 200
    assert (await lms.get("/docs")).status_code == 404


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, ("http://127.0.0.1:8081", "urn:assist-service")),
        (
            {"REFERENCE_LMS_URL": "https://other.test", "REFERENCE_LMS_AUDIENCE": "urn:other"},
            ("https://other.test", "urn:other"),
        ),
    ],
)
async def test_a_bare_factory_reads_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: tuple[str, str]
) -> None:
    for name in ("REFERENCE_LMS_URL", "REFERENCE_LMS_AUDIENCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    async with serve(create_app()) as base, connect(base) as client:
        claims = jwt.decode(await mint(client), options={"verify_signature": False})
    assert (claims["iss"], claims["aud"]) == expected
    assert claims["exp"] == claims["iat"] + 300
    assert abs(claims["iat"] - datetime.now(UTC).timestamp()) < 60  # noqa: TID251 - the default clock is real
