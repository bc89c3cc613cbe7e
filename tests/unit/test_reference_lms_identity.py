"""Who may act as whom at the reference LMS: each rule is seen to refuse, and to give way where its switch is on."""

import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import jwt
import pytest

from examples.reference_lms.app import create_app
from examples.reference_lms.caller import INSIDE, Caller, call_in_process
from examples.reference_lms.keys import KeyRing, SigningKey
from examples.reference_lms.school import ADMIN, FRENCH_TEACHER, STUDENTS, TRAINER_ADMIN
from examples.reference_lms.sessions import SessionKind
from tests.fakes.clocks import HandClock
from tests.fakes.serving import connect, serve

URL = "https://lms.example.test"
TEACHER = FRENCH_TEACHER.sub
COURSE = "15836ecc-3473-4a44-96ca-e5bf72eccaa6"


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


# The exchange


async def test_a_session_is_exchanged_for_a_bound_token(lms: Caller) -> None:
    answer = await lms.exchange(await lms.session(TEACHER))
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    body = answer.json()
    token = body.pop("access_token")
    assert token.count(".") == 0
    assert body == {
        "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
        "token_type": "DPoP",
        "expires_in": 600,
        "scope": "assist:read",
    }
    (entry,) = await live(lms)
    assert entry.keys() == {"person", "scope", "expires_at"}
    assert (entry["person"], entry["scope"]) == (TEACHER, "assist:read")
    assert (await lms.get("/api/courses", token)).status_code == 200


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({"grant_type": "authorization_code"}, "unsupported_grant_type"),
        ({"grant_type": None}, "invalid_request"),
        ({"subject_token": None}, "invalid_request"),
        ({"subject_token": "x.y.z"}, "invalid_grant"),
        ({"subject_token": "é"}, "invalid_grant"),
        ({"subject_token_type": "urn:ietf:params:oauth:token-type:access_token"}, "invalid_request"),
        ({"requested_token_type": "urn:ietf:params:oauth:token-type:jwt"}, "invalid_request"),
        ({"audience": "urn:lms:other"}, "invalid_target"),
        ({"audience": None}, "invalid_request"),
        ({"scope": "assist:read assist:write:create_question"}, "invalid_scope"),
        ({"scope": "assist:write:delete_course"}, "invalid_scope"),
        ({"scope": None}, "invalid_scope"),
    ],
    ids=str,
)
async def test_a_wrong_order_is_refused_and_leaves_no_token(lms: Caller, form: dict[str, Any], error: str) -> None:
    session = await lms.session(TEACHER)
    assert refusal(await lms.exchange(session, **form)) == (400, error)
    assert await live(lms) == []


async def test_a_parameter_that_comes_twice_is_refused(lms: Caller) -> None:
    content = b"grant_type=a&grant_type=a"
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert refusal(await lms.http.post("/oauth/token", content=content, headers=headers)) == (400, "invalid_request")
    assert refusal(await lms.http.post("/oauth/token", json={"grant_type": "a"})) == (400, "invalid_request")


@pytest.mark.parametrize(
    ("order", "switch"),
    [({"audience": "urn:other-client"}, "accept_foreign_subject"), ({"age_seconds": 301}, "accept_expired")],
)
async def test_a_session_of_another_client_or_another_time_is_refused(
    lms: Caller, order: dict[str, Any], switch: str
) -> None:
    session = await lms.session(TEACHER, **order)
    assert refusal(await lms.exchange(session)) == (400, "invalid_grant")
    await lms.inject(switch)
    assert (await lms.exchange(session)).status_code == 200
    await lms.inject("none")
    assert refusal(await lms.exchange(session)) == (400, "invalid_grant")


async def test_the_audience_that_is_asked_for_may_be_any_only_where_the_switch_is_on(lms: Caller) -> None:
    await lms.inject("accept_wrong_audience")
    assert (await lms.exchange(await lms.session(TEACHER), audience="urn:other")).status_code == 200
    answer = await lms.exchange(await lms.session(TEACHER), assertion={"aud": "https://elsewhere.example/token"})
    assert answer.status_code == 200


async def test_a_session_nobody_signed_or_of_another_kind_is_refused(lms: Caller) -> None:
    client_token = (await lms.http.get("/demo/client-token")).json()["token"]
    head, _, signature = (await lms.session(TEACHER)).split(".")
    _, other, _ = (await lms.session(ADMIN.sub)).split(".")
    for token in (client_token, f"{head}.{other}.{signature}"):
        assert refusal(await lms.exchange(token)) == (400, "invalid_grant")
    session = await lms.session(TEACHER)
    await lms.inject("rotate_keys")
    assert refusal(await lms.exchange(session)) == (400, "invalid_grant")


@pytest.mark.parametrize("algorithm", ["ES256", "none"])
async def test_a_session_that_someone_else_or_nobody_signed_is_refused(lms: Caller, algorithm: str) -> None:
    session = await lms.session(TEACHER)
    header = {name: jwt.get_unverified_header(session)[name] for name in ("typ", "kid")}
    claims = jwt.decode(session, options={"verify_signature": False})
    forged = jwt.encode(claims, OTHER_KEY.private if algorithm == "ES256" else "", algorithm, headers=header)
    assert refusal(await lms.exchange(forged)) == (400, "invalid_grant")
    await lms.inject("accept_forged_session")
    assert (await lms.exchange(forged)).status_code == 200
    expired = await lms.session(TEACHER, age_seconds=301)
    assert refusal(await lms.exchange(expired)) == (400, "invalid_grant")


async def test_a_session_of_another_issuer_under_the_same_keys_is_refused(clock: HandClock) -> None:
    keys = KeyRing()
    app = create_app(url=URL, now=clock.now, client_jwks=keys.jwks())
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=INSIDE) as http:
        lms = Caller(http, clock.now, client_key=keys.current)
        other = dataclasses.replace(app.state.sessions, url="https://elsewhere.example")
        session = other.mint(FRENCH_TEACHER, kind=SessionKind.PORTAL, elevated=False)
        assert refusal(await lms.exchange(session)) == (400, "invalid_grant")


@pytest.mark.parametrize("person", [STUDENTS[0].sub, TRAINER_ADMIN.sub])
async def test_students_and_trainers_exchange_and_see_nothing(lms: Caller, person: str) -> None:
    token = await lms.token(person)
    for path in ("/api/courses", "/api/pools", "/api/evaluations", "/api/templates", "/api/classrooms"):
        assert (await lms.get(path, token)).json() == {"items": [], "next": None}
    assert refusal(await lms.get(f"/api/courses/{COURSE}", token)) == (404, "not_found")


# The client


OTHER_KEY = SigningKey.generate()


@pytest.mark.parametrize(
    "change",
    [
        {"typ": "JWT"},
        {"typ": None},
        {"kid": "unknown"},
        {"kid": None},
        {"iss": "other"},
        {"sub": "other"},
        {"iss": "other", "sub": "other"},
        {"aud": "urn:lms:standing"},
        {"aud": [f"{INSIDE}/oauth/token", "urn:other"]},
        {"aud": [f"{INSIDE}/oauth/token"]},
        {"aud": None},
        {"jti": None},
        {"jti": ""},
        {"exp": None},
        {"exp": True},
        {"exp": 10},
        {"exp": 10**11},
    ],
    ids=str,
)
async def test_a_client_assertion_that_is_wrong_in_one_thing_is_refused(lms: Caller, change: dict[str, Any]) -> None:
    answer = await lms.exchange(await lms.session(TEACHER), assertion=change)
    assert refusal(answer) == (401, "invalid_client")


async def test_a_client_assertion_lives_five_minutes_and_is_good_once(lms: Caller, clock: HandClock) -> None:
    now = int(clock.now().timestamp())
    assert (await lms.exchange(await lms.session(TEACHER))).status_code == 200  # the nonce is known from here on
    session = await lms.session(TEACHER)
    assert refusal(await lms.exchange(session, assertion={"exp": now + 306}))[0] == 401
    assert (await lms.exchange(session, assertion={"jti": "one"})).status_code == 200
    assert refusal(await lms.exchange(session, assertion={"jti": "one"})) == (401, "invalid_client")


async def test_another_key_is_not_the_clients(lms: Caller) -> None:
    session = await lms.session(TEACHER)
    mine = lms.client_key
    lms.client_key = SigningKey(mine.kid, OTHER_KEY.private, mine.public_jwk)
    assert refusal(await lms.exchange(session)) == (401, "invalid_client")
    assert (await lms.standing(TEACHER)).status_code == 401
    await lms.inject("accept_forged_client")
    assert (await lms.exchange(session)).status_code == 200
    assert (await lms.standing(TEACHER)).status_code == 200
    assert refusal(await lms.exchange(session, assertion={"iss": "other"})) == (401, "invalid_client")


@pytest.mark.parametrize("form", [{"client_assertion": None}, {"client_assertion_type": "jwt"}, {"client_id": "other"}])
async def test_no_client_no_token(lms: Caller, form: dict[str, Any]) -> None:
    assert refusal(await lms.exchange(await lms.session(TEACHER), **form)) == (401, "invalid_client")


async def test_a_client_is_not_asked_for_where_the_switch_is_on(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    assert refusal(await lms.http.post("/oauth/revoke", data={"token": token})) == (401, "invalid_client")
    assert len(await live(lms)) == 1
    await lms.inject("accept_without_client")
    assert (await lms.http.post("/oauth/revoke", data={"token": token})).status_code == 200
    assert await live(lms) == []
    assert (await lms.exchange(await lms.session(TEACHER), client_assertion=None)).status_code == 200
    answer = await lms.exchange(await lms.session(TEACHER), assertion={"iss": "other"})
    assert refusal(answer) == (401, "invalid_client")


async def test_without_a_token_nothing_is_told_but_where_the_switch_is_on(lms: Caller) -> None:
    paths = ["/api/courses", f"/api/courses/{COURSE}", f"/api/assist/standing/{TEACHER}"]
    assert {(await lms.http.get(path)).status_code for path in paths} == {401}
    await lms.inject("accept_without_token")
    assert {(await lms.http.get(path)).status_code for path in paths} == {200}
    assert (await lms.http.post("/api/questions", json={})).status_code == 403
    headers = {"Authorization": "Bearer nothing"}
    assert {(await lms.http.get(path, headers=headers)).status_code for path in paths} == {401}


async def test_the_public_token_endpoint_is_an_audience_too_and_a_host_header_makes_none(lms: Caller) -> None:
    session = await lms.session(TEACHER)
    answer = await lms.exchange(session, assertion={"aud": f"{URL}/oauth/token"}, proof={"htu": f"{URL}/oauth/token"})
    assert answer.status_code == 200
    lms.http.headers["host"] = "elsewhere.example"
    answer = await lms.exchange(session, assertion={"aud": "http://elsewhere.example/oauth/token"})
    assert refusal(answer) == (401, "invalid_client")


async def test_keys_are_fetched_once_and_again_for_a_new_key(clock: HandClock) -> None:
    """Over real sockets: the service's key set is a page of another server."""
    fetched = []
    keys = [SigningKey.generate()]

    async def publish(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            fetched.append(scope["path"])
            body = httpx2.Response(200, json={"keys": [key.public_jwk for key in keys] + [{"kty": "oct"}, 7]}).content
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": body})

    async with serve(publish) as service:
        app = create_app(url=URL, now=clock.now, client_jwks_url=f"{service}/jwks.json")
        async with serve(app) as base, connect(base) as http:
            lms = Caller(http, clock.now, client_key=keys[0])
            for _ in range(3):
                await lms.token(TEACHER)
            assert fetched == ["/jwks.json"]
            keys[0] = lms.client_key = SigningKey.generate()
            answer = await lms.exchange(await lms.session(TEACHER))
            assert refusal(answer) == (401, "invalid_client")  # within the cooldown
            clock.move(11)
            await lms.token(TEACHER)
            assert len(fetched) == 2


async def test_without_keys_nobody_is_a_client(clock: HandClock) -> None:
    app = create_app(url=URL, now=clock.now)
    http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=INSIDE)
    lms = Caller(http, clock.now)
    assert refusal(await lms.exchange(await lms.session(TEACHER))) == (401, "invalid_client")
