"""One reference LMS served for a test, and what is asked of it over HTTP."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import httpx2
import jwt

from examples.reference_lms.app import create_app
from examples.reference_lms.school import FRENCH_TEACHER
from tests.fakes.serving import connect, serve

ISSUER = "https://lms.example.test"
AUDIENCE = "urn:assist-service"
JWKS = "/.well-known/jwks.json"
NOW = datetime(2026, 11, 30, 9, 0, 0, 250_000, tzinfo=UTC)


@asynccontextmanager
async def one_lms() -> AsyncIterator[httpx2.AsyncClient]:
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
