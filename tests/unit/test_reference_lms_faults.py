"""The reference LMS's answers go wrong as ordered, where ordered, as often as ordered, and stop when told."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from examples.reference_lms.app import create_app
from examples.reference_lms.caller import Caller
from examples.reference_lms.keys import KeyRing
from examples.reference_lms.school import FRENCH_TEACHER
from tests.fakes.clocks import HandClock
from tests.fakes.serving import connect, serve

TEACHER = FRENCH_TEACHER.sub
POOL = "e0f315cd-3452-4f41-8691-993f41f5b231"


@pytest.fixture
async def lms() -> AsyncIterator[Caller]:
    """Over a real socket, which alone can be reset."""
    clock, keys = HandClock(), KeyRing()
    app = create_app(url="https://lms.example.test", now=clock.now, client_jwks=keys.jwks())
    async with serve(app) as base, connect(base) as http:
        yield Caller(http, clock.now, client_key=keys.current)


@pytest.fixture
async def token(lms: Caller) -> str:
    return await lms.token(TEACHER)


async def test_a_status(lms: Caller, token: str) -> None:
    await lms.inject("status", status=503)
    assert (await lms.get("/api/courses", token)).status_code == 503
    assert (await lms.standing(TEACHER)).status_code == 200  # only by name
    await lms.inject("none")
    assert (await lms.get("/api/courses", token)).status_code == 200


async def test_a_delay(lms: Caller, token: str) -> None:
    for after in (False, True):
        await lms.inject("delay", seconds=0.2, after=after)
        began = time.monotonic()
        assert (await lms.get("/api/courses", token)).status_code == 200
        assert time.monotonic() - began > 0.2


async def test_a_reset(lms: Caller, token: str) -> None:
    await lms.inject("reset", times=1)
    with pytest.raises((httpx2.ReadError, httpx2.RemoteProtocolError)):
        await lms.get("/api/courses", token)
    assert (await lms.get("/api/courses", token)).status_code == 200


async def test_bodies_that_are_no_answer(lms: Caller, token: str) -> None:
    seen: dict[str, httpx2.Response] = {}
    for fault in ("not_json", "other_schema", "html", "redirect"):
        await lms.inject(fault)
        seen[fault] = await lms.get("/api/courses", token)
    assert [answer.status_code for answer in seen.values()] == [200, 200, 200, 302]
    with pytest.raises(json.JSONDecodeError):
        seen["not_json"].json()
    assert not isinstance(seen["other_schema"].json()["items"], list)
    assert seen["html"].headers["content-type"].startswith("text/html")
    assert seen["redirect"].headers["location"].startswith("https://elsewhere.example")


async def test_a_huge_answer_is_sound_json(lms: Caller, token: str) -> None:
    await lms.inject("huge")
    answer = await lms.get("/api/courses", token)
    assert len(answer.content) > 10_000_000
    assert answer.json()["items"] == []


async def test_a_trickle_goes_on_until_nobody_listens(lms: Caller, token: str) -> None:
    await lms.inject("trickle", seconds=0.01)
    headers = {"Authorization": f"DPoP {token}"}
    async with lms.http.stream("GET", "/api/courses", headers=headers) as answer:
        parts = []
        async for part in answer.aiter_raw():
            parts.append(part)
            if len(parts) == 5:
                break
    assert b"".join(parts).strip() == b""
    await lms.inject("none")
    assert (await lms.get("/api/courses", token)).status_code == 200


async def test_a_fault_has_its_place_and_the_nearest_counts(lms: Caller, token: str) -> None:
    await lms.inject("status", status=500, path="/api/")
    await lms.inject("status", status=418, path="/api/pools")
    await lms.inject("status", status=502, path="/oauth/token")
    assert (await lms.get("/api/courses", token)).status_code == 500
    assert (await lms.get(f"/api/pools/{POOL}", token)).status_code == 418
    assert (await lms.standing(TEACHER)).status_code == 500
    assert (await lms.exchange(await lms.session(TEACHER))).status_code == 502
    assert (await lms.revoke(token)).status_code == 200
    assert (await lms.http.get("/.well-known/jwks.json")).status_code == 200


@pytest.mark.parametrize("fault", ["reset", "status", "html"])
async def test_a_write_is_done_though_its_answer_is_lost(lms: Caller, fault: str) -> None:
    token = await lms.token(TEACHER, scope="assist:write:create_category")
    path, body = f"/api/pools/{POOL}/categories", {"title": "Bonus"}
    parameters: dict[str, Any] = {"status": 500} if fault == "status" else {}
    await lms.inject(fault, path=path, after=True, times=1, **parameters)
    lost = await asyncio.gather(lms.post(path, token, body, key="k1"), return_exceptions=True)
    assert isinstance(lost[0], httpx2.TransportError) or lost[0].status_code in {200, 500}  # type: ignore[union-attr]
    answer = await lms.post(path, token, body, key="k1")
    assert answer.status_code == 201
    categories = (await lms.get(f"/api/pools/{POOL}", token)).json()["categories"]
    assert [each["title"] for each in categories].count("Bonus") == 1
    audit = (await lms.http.get("/demo/audit")).json()["entries"]
    assert [entry["status"] for entry in audit] == [201]  # what was done, not what was told
