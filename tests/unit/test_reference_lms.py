"""The reference LMS signs what the contract fixes, logs what it is asked, fails on request; all over HTTP."""

import asyncio
import hashlib
import json
import signal
import time
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

import httpx2
import jwt
import pytest
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from examples.reference_lms.app import create_app
from examples.reference_lms.request_log import KEPT_ENTRIES, LogEntry, RequestLog
from examples.reference_lms.school import ADMIN, FILIPINO_TEACHER, FRENCH_TEACHER, SCHOOL, STUDENTS, TRAINER_ADMIN
from tests.fakes.serving import connect, serve

ISSUER = "https://lms.example.test"
AUDIENCE = "urn:assist-service"
JWKS = "/.well-known/jwks.json"
NOW = datetime(2026, 11, 30, 9, 0, 0, 250_000, tzinfo=UTC)
KINDS = ("portal", "student_view", "impersonation", "api_token", "oauth", "seb", "kiosk")
PEOPLE = (FRENCH_TEACHER, FILIPINO_TEACHER, *STUDENTS, TRAINER_ADMIN, ADMIN)


@pytest.fixture
async def lms() -> AsyncIterator[httpx2.AsyncClient]:
    app = create_app(url=ISSUER, audience=AUDIENCE, now=lambda: NOW)
    async with serve(app) as base, connect(base) as client:
        yield client


async def order_session(lms: httpx2.AsyncClient, order: dict[str, object]) -> httpx2.Response:
    # Escaped by json.dumps: the client's own encoder refuses lone surrogates.
    headers = {"content-type": "application/json"}
    return await lms.post("/demo/session", content=json.dumps(order).encode(), headers=headers)


async def mint(lms: httpx2.AsyncClient, **order: object) -> str:
    answer = await order_session(lms, {"person": FRENCH_TEACHER.sub, **order})
    assert answer.status_code == 200, answer.text
    assert answer.json().keys() == {"token"}
    return str(answer.json()["token"])


async def verify(lms: httpx2.AsyncClient, token: str) -> dict[str, Any]:
    """The claims, if the published keys vouch for them; KeyError when the token's key is not among them."""
    published = {key.key_id: key for key in jwt.PyJWKSet.from_dict((await lms.get(JWKS)).json()).keys}
    key = published[jwt.get_unverified_header(token)["kid"]]
    return jwt.decode(
        token,
        key.key,
        ["ES256"],
        audience=AUDIENCE,
        issuer=ISSUER,
        options={"verify_exp": False, "verify_iat": False},  # this LMS's clock stands still
    )


async def break_lms(lms: httpx2.AsyncClient, fault: str) -> None:
    assert (await lms.post("/demo/faults", json={"fault": fault})).status_code == 204


async def entries(lms: httpx2.AsyncClient, log: str = "requests") -> list[dict[str, Any]]:
    body = (await lms.get(f"/demo/{log}")).json()
    assert body.keys() == {"entries"}
    found: list[dict[str, Any]] = body["entries"]
    return found


# Sessions


async def test_a_session_is_exactly_what_the_contract_fixes(lms: httpx2.AsyncClient) -> None:
    token = await mint(lms)
    kid = (await lms.get(JWKS)).json()["keys"][0]["kid"]
    assert jwt.get_unverified_header(token) == {"typ": "assist-session+jwt", "alg": "ES256", "kid": kid}
    claims = await verify(lms, token)
    assert UUID(claims.pop("sid")) != UUID(claims.pop("jti"))
    assert claims == {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": FRENCH_TEACHER.sub,
        "iat": int(NOW.timestamp()),
        "exp": int(NOW.timestamp()) + 300,
        "role": "teacher",
        "kind": "portal",
        "elevated": False,
    }


@pytest.mark.parametrize("kind", KINDS)
async def test_every_kind_of_session_can_be_minted_elevated_or_not(lms: httpx2.AsyncClient, kind: str) -> None:
    for elevated in (False, True):
        claims = await verify(lms, await mint(lms, person=ADMIN.sub, kind=kind, elevated=elevated))
        assert (claims["sub"], claims["role"]) == (ADMIN.sub, "admin")
        assert (claims["kind"], claims["elevated"]) == (kind, elevated)


@pytest.mark.parametrize("person", PEOPLE, ids=lambda person: person.name)
async def test_everyone_can_sign_in_under_their_own_role(lms: httpx2.AsyncClient, person: Any) -> None:
    claims = await verify(lms, await mint(lms, person=person.sub))
    assert (claims["sub"], claims["role"]) == (person.sub, person.role.value)


async def test_a_session_may_be_another_clients_or_over_already(lms: httpx2.AsyncClient) -> None:
    token = await mint(lms, audience="urn:other", age_seconds=301)
    claims = jwt.decode(token, options={"verify_signature": False})
    assert (claims["aud"], claims["exp"]) == ("urn:other", int(NOW.timestamp()) - 1)


async def test_no_two_sessions_share_an_id(lms: httpx2.AsyncClient) -> None:
    sessions = [await verify(lms, await mint(lms)) for _ in range(3)]
    assert len({ids for claims in sessions for ids in (claims["sid"], claims["jti"])}) == 6


# Client tokens


@pytest.mark.parametrize("audience", [None, "urn:assist-service:privacy"])
async def test_a_client_token_is_for_one_audience_and_signed_with_other_keys_than_sessions(
    lms: httpx2.AsyncClient, audience: str | None
) -> None:
    asked = {"audience": audience} if audience is not None else {}
    token = (await lms.get("/demo/client-token", params=asked)).json()["token"]
    [key] = (await lms.get("/.well-known/client-jwks.json")).json()["keys"]
    assert "d" not in key
    assert key["kid"] != (await lms.get(JWKS)).json()["keys"][0]["kid"]
    assert jwt.get_unverified_header(token) == {"typ": "client-authentication+jwt", "alg": "ES256", "kid": key["kid"]}
    wanted = audience or "urn:assist-service:llm"
    claims = jwt.decode(
        token, jwt.PyJWK(key).key, ["ES256"], audience=wanted, options={"verify_exp": False, "verify_iat": False}
    )
    assert UUID(claims.pop("jti"))
    now = int(NOW.timestamp())
    assert claims == {"iss": ISSUER, "sub": "reference-lms", "aud": wanted, "iat": now, "exp": now + 300}


async def test_faults_of_the_keys_are_those_of_both_sets(lms: httpx2.AsyncClient) -> None:
    sets = (JWKS, "/.well-known/client-jwks.json")
    before = [(await lms.get(path)).json() for path in sets]
    await break_lms(lms, "jwks_down")
    assert [(await lms.get(path)).status_code for path in sets] == [503, 503]
    await break_lms(lms, "none")
    await break_lms(lms, "rotate_keys")
    after = [(await lms.get(path)).json() for path in sets]
    assert all(old != new for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize("audience", ["", "x" * 201])
async def test_a_client_token_for_nobody_is_none(lms: httpx2.AsyncClient, audience: str) -> None:
    assert (await lms.get("/demo/client-token", params={"audience": audience})).status_code == 422


STRANGERS = ("nobody", "", "\x00", "\ud800", "00000000-0000-4000-8000-000000000000")


@pytest.mark.parametrize("person", STRANGERS, ids=ascii)
async def test_an_unknown_person_cannot_sign_in(lms: httpx2.AsyncClient, person: str) -> None:
    assert (await order_session(lms, {"person": person})).status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "superuser"},
        {"kind": None},
        {"elevated": "yes"},
        {"elevated": 1},
        {"role": "admin"},
        {"person": 7},
        {"\ud800": 1},
        {"kind": "\ud800"},
    ],
    ids=ascii,
)
async def test_a_malformed_order_is_refused(lms: httpx2.AsyncClient, change: dict[str, object]) -> None:
    assert (await order_session(lms, {"person": FRENCH_TEACHER.sub, **change})).status_code == 422


# Keys


async def test_the_key_set_holds_one_public_key_named_by_its_thumbprint(lms: httpx2.AsyncClient) -> None:
    answer = await lms.get(JWKS)
    assert answer.headers["content-type"] == "application/json"
    (key,) = answer.json()["keys"]
    assert key.keys() == {"kty", "crv", "x", "y", "kid", "use", "alg"}  # no `d`: nothing private
    assert (key["kty"], key["crv"], key["use"], key["alg"]) == ("EC", "P-256", "sig", "ES256")
    canonical = f'{{"crv":"P-256","kty":"EC","x":"{key["x"]}","y":"{key["y"]}"}}'.encode()
    thumbprint = urlsafe_b64encode(hashlib.sha256(canonical).digest()).rstrip(b"=").decode()
    assert key["kid"] == thumbprint


async def test_each_start_makes_keys_of_its_own() -> None:
    kids = set()
    for _ in range(2):
        async with serve(create_app(url=ISSUER)) as base, connect(base) as client:
            kids.add((await client.get(JWKS)).json()["keys"][0]["kid"])
    assert len(kids) == 2


# Faults


async def test_the_key_set_goes_down_and_comes_back(lms: httpx2.AsyncClient) -> None:
    token = await mint(lms)
    await break_lms(lms, "jwks_down")
    assert (await lms.get(JWKS)).status_code == 503
    await break_lms(lms, "none")
    assert (await verify(lms, token))["sub"] == FRENCH_TEACHER.sub


async def test_the_key_set_turns_to_garbage_and_back(lms: httpx2.AsyncClient) -> None:
    await break_lms(lms, "jwks_garbage")
    answer = await lms.get(JWKS)
    assert answer.status_code == 200
    with pytest.raises(json.JSONDecodeError):
        answer.json()
    await break_lms(lms, "none")
    await verify(lms, await mint(lms))


async def test_rotation_retires_the_old_key_for_good(lms: httpx2.AsyncClient) -> None:
    before = await mint(lms)
    await break_lms(lms, "rotate_keys")
    await break_lms(lms, "none")
    await verify(lms, await mint(lms))
    with pytest.raises(KeyError):
        await verify(lms, before)


async def test_keys_may_rotate_behind_an_outage(lms: httpx2.AsyncClient) -> None:
    before = await mint(lms)
    await break_lms(lms, "jwks_down")
    await break_lms(lms, "rotate_keys")
    assert (await lms.get(JWKS)).status_code == 503
    await break_lms(lms, "none")
    with pytest.raises(KeyError):
        await verify(lms, before)


@pytest.mark.parametrize("body", [{"fault": "fire"}, {}, {"fault": "none", "for": 3}, {"fault": None}])
async def test_an_unknown_fault_is_refused(lms: httpx2.AsyncClient, body: dict[str, object]) -> None:
    assert (await lms.post("/demo/faults", json=body)).status_code == 422


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


# The server under it


async def test_serving_runs_the_lifespan_and_leaves_signals_alone() -> None:
    events = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        events.append("start")
        yield
        events.append("stop")

    handlers = (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM))
    async with serve(FastAPI(lifespan=lifespan)) as base:
        assert base.startswith("http://127.0.0.1:")
        assert events == ["start"]
        assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
    assert events == ["start", "stop"]
    async with connect(base) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get("/")


async def test_serving_stops_within_a_second_whatever_still_runs() -> None:
    running, ended = asyncio.Event(), asyncio.Event()

    async def hang(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        running.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with connect() as client:
        async with serve(hang) as base:
            question = asyncio.create_task(client.get(base))
            await running.wait()
            began = time.monotonic()
        assert time.monotonic() - began < 1
        assert ended.is_set()
        await asyncio.gather(question, return_exceptions=True)


async def test_serving_lets_a_short_request_finish() -> None:
    app, running = FastAPI(), asyncio.Event()

    @app.get("/")
    async def dawdle() -> str:
        running.set()
        await asyncio.sleep(0.2)
        return "done"

    async with connect() as client:
        async with serve(app) as base:
            question = asyncio.create_task(client.get(base))
            await running.wait()
        assert (await question).json() == "done"


async def test_serving_says_so_when_the_app_does_not_start() -> None:
    async def fail() -> None:
        raise LookupError("no school today")

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await fail()
        yield

    with pytest.raises(RuntimeError, match="lifespan failed to start"):
        async with serve(FastAPI(lifespan=lifespan)):
            pass
