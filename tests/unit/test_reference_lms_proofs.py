"""The reference LMS takes a DPoP proof for the request it was made for, once, with a nonce of now."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from jwt.algorithms import ECAlgorithm

from examples.reference_lms.app import create_app
from examples.reference_lms.caller import Caller, call_in_process
from examples.reference_lms.campus import Options
from examples.reference_lms.keys import SigningKey
from examples.reference_lms.school import FRENCH_TEACHER
from tests.fakes.clocks import HandClock

URL = "https://lms.example.test"
TEACHER = FRENCH_TEACHER.sub


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def lms(clock: HandClock) -> AsyncIterator[Caller]:
    caller = call_in_process(url=URL, now=clock.now)
    async with caller.http:
        yield caller


def refusal(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("error", "")


OTHER_KEY = SigningKey.generate()

WRONG_PROOFS: list[dict[str, Any]] = [
    {"typ": "JWT"},
    {"htm": "PUT"},
    {"htu": "http://lms.inside:8081/api/pools"},
    {"htu": "https://elsewhere.example/api/courses"},
    {"htu": None},
    {"iat": 1},
    {"iat": None},
    {"jti": None},
    {"jwk": OTHER_KEY.public_jwk},
    {"jwk": {"kty": "oct", "k": "AA"}},
    {"jwk": None},
]


@pytest.mark.parametrize("change", [*WRONG_PROOFS, {"ath": None}, {"ath": "AA"}], ids="".join)
async def test_a_proof_that_is_wrong_in_one_thing_opens_nothing(lms: Caller, change: dict[str, Any]) -> None:
    token = await lms.token(TEACHER)
    answer = await lms.get("/api/courses", token, proof=change)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'DPoP error="invalid_dpop_proof", algs="ES256"'


@pytest.mark.parametrize("change", WRONG_PROOFS, ids="".join)
async def test_a_wrong_proof_brings_no_token(lms: Caller, change: dict[str, Any]) -> None:
    assert refusal(await lms.exchange(await lms.session(TEACHER), proof=change)) == (400, "invalid_dpop_proof")


async def test_a_proof_that_shows_its_private_key_is_refused(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    shown = ECAlgorithm.to_jwk(lms.proof_key.private, as_dict=True)
    assert shown["d"]
    assert (await lms.get("/api/courses", token, proof={"jwk": shown})).status_code == 401


async def test_a_nonce_is_asked_for_and_taken_until_it_is_old(lms: Caller, clock: HandClock) -> None:
    token = await lms.token(TEACHER)
    lms.nonce = None
    path = "/api/courses"
    headers = {"Authorization": f"DPoP {token}", "DPoP": lms.proof("GET", path, token=token)}
    asked = await lms.http.get(path, headers=headers)
    assert asked.status_code == 401
    assert asked.headers["www-authenticate"] == 'DPoP error="use_dpop_nonce", algs="ES256"'
    nonce = asked.headers["dpop-nonce"]
    assert (await lms.get(path, token, proof={"nonce": nonce})).status_code == 200
    clock.move(241)
    assert (await lms.get(path, token, proof={"nonce": nonce})).status_code == 401
    fresh = (await lms.get(path, token)).headers["dpop-nonce"]
    assert fresh != nonce
    await lms.inject("renew_nonces")
    assert (await lms.get(path, token, proof={"nonce": fresh})).status_code == 401
    assert (await lms.get(path, token)).status_code == 200


async def test_the_token_endpoint_asks_for_a_nonce_without_spending_the_assertion(lms: Caller) -> None:
    session = await lms.session(TEACHER)
    asked = await lms.exchange(session, assertion={"jti": "one"}, proof={"nonce": "stale"})
    assert refusal(asked) == (400, "use_dpop_nonce")
    assert (await lms.exchange(session, assertion={"jti": "one"})).status_code == 200


async def test_a_proof_is_good_once(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    once = {"jti": "one"}
    assert (await lms.get("/api/courses", token, proof=once)).status_code == 200
    assert (await lms.get("/api/courses", token, proof=once)).status_code == 401
    await lms.inject("accept_replayed_proof")
    assert (await lms.get("/api/courses", token, proof=once)).status_code == 200


@pytest.mark.parametrize(
    "change", [{"htm": "PUT"}, {"htu": "https://elsewhere.example/"}, {"iat": 1}, {"ath": None}, {"ath": "AA"}], ids=str
)
async def test_a_proof_for_something_else_is_taken_where_the_switch_is_on(lms: Caller, change: dict[str, Any]) -> None:
    token = await lms.token(TEACHER)
    assert (await lms.get("/api/courses", token, proof=change)).status_code == 401
    await lms.inject("accept_foreign_proof")
    assert (await lms.get("/api/courses", token, proof=change)).status_code == 200
    lms.proof_key = SigningKey.generate()
    assert (await lms.get("/api/courses", token, proof=change)).status_code == 401


async def test_a_token_is_worth_nothing_with_another_key_or_without_a_proof(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    for headers in (
        {"Authorization": f"Bearer {token}"},
        {"Authorization": f"DPoP {token}"},
        {"Authorization": f"Bearer {token}", "DPoP": lms.proof("GET", "/api/courses", token=token)},
    ):
        assert (await lms.http.get("/api/courses", headers=headers)).status_code == 401
    mine, lms.proof_key = lms.proof_key, SigningKey.generate()
    assert (await lms.get("/api/courses", token)).status_code == 401
    lms.proof_key = mine
    assert (await lms.get("/api/courses", token)).status_code == 200
    assert refusal(await lms.exchange(await lms.session(TEACHER), proof=None)) == (400, "invalid_dpop_proof")


async def test_a_proof_is_not_asked_for_where_the_switch_is_on(lms: Caller) -> None:
    token = await lms.token(TEACHER)
    await lms.inject("accept_without_proof")
    assert (await lms.http.get("/api/courses", headers={"Authorization": f"DPoP {token}"})).status_code == 200
    answer = await lms.exchange(await lms.session(TEACHER), proof=None)
    assert answer.json()["token_type"] == "Bearer"


async def test_an_lms_may_lack_dpop_and_revocation(clock: HandClock) -> None:
    lms = call_in_process(url=URL, now=clock.now, options=Options(dpop=False, revocation=False))
    answer = await lms.exchange(await lms.session(TEACHER), proof=None)
    assert answer.json()["token_type"] == "Bearer"
    assert "dpop-nonce" not in answer.headers
    token = answer.json()["access_token"]
    courses = await lms.http.get("/api/courses", headers={"Authorization": f"Bearer {token}"})
    assert courses.status_code == 200
    assert "dpop-nonce" not in courses.headers
    refused = await lms.http.get("/api/courses", headers={"Authorization": "Bearer nothing"})
    assert refused.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert (await lms.revoke(token)).status_code == 404


async def test_the_environment_says_what_the_lms_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFERENCE_LMS_DPOP", "off")
    monkeypatch.setenv("REFERENCE_LMS_REVOCATION", "off")
    monkeypatch.setenv("REFERENCE_LMS_CLIENT_ID", "someone")
    campus = create_app().state.campus
    assert campus.options == Options(dpop=False, revocation=False)
    assert campus.client_auth.client == "someone"
