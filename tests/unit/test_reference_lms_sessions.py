"""The reference LMS signs what the contract fixes, with keys that rotate and fail on request; all over HTTP."""

import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx2
import jwt
import pytest

from examples.reference_lms.app import create_app
from examples.reference_lms.school import ADMIN, FILIPINO_TEACHER, FRENCH_TEACHER, STUDENTS, TRAINER_ADMIN
from tests.fakes.serving import connect, serve
from tests.unit.one_lms import AUDIENCE, ISSUER, JWKS, NOW, break_lms, mint, one_lms, order_session, verify

KINDS = ("portal", "student_view", "impersonation", "api_token", "oauth", "seb", "kiosk")
PEOPLE = (FRENCH_TEACHER, FILIPINO_TEACHER, *STUDENTS, TRAINER_ADMIN, ADMIN)


@pytest.fixture
async def lms() -> AsyncIterator[httpx2.AsyncClient]:
    async with one_lms() as client:
        yield client


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
