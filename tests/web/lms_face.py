"""The reference LMS as a browser meets it: signed in by a cookie, every request with its origin."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx2

from examples.reference_lms.app import create_app
from examples.reference_lms.caller import Caller
from examples.reference_lms.keys import KeyRing
from examples.reference_lms.school import FRENCH_TEACHER
from tests.fakes.clocks import HandClock
from tests.fakes.serving import connect, serve

ASSIST_URL = "http://assist.test"
COOKIE = "lms_session"

POOL = "e0f315cd-3452-4f41-8691-993f41f5b231"
POOL_ASKED_NOWHERE = "71107eb4-139d-5695-bb70-3ceef70df605"
FOREIGN_POOL = "7d76feb5-bbe5-406d-947f-35a4d17066ad"
QUESTION = "7ae367d2-ee69-4d77-afbb-5be26ee7f121"
RUNNING = "837f6f4f-1b76-53ba-b151-388a9d44c4bc"
DRAFT = "82acae9f-df23-5396-80d0-d19303c2eb25"


@dataclass
class Browser:
    """One browser at the LMS."""

    http: httpx2.AsyncClient
    base: str
    service: Caller
    """What the service does with a token that the browser brought it."""
    page_of: dict[str, str] = field(default_factory=dict)
    """The field by which the forms on screen say of which session they are."""

    async def sign_in(self, person: str = FRENCH_TEACHER.sub, **fields: str) -> httpx2.Response:
        answer = await self.post("/sign-in", person=person, **fields)
        self.page_of = {"session": marker_of(await self.get("/account"))}
        return answer

    async def get(self, path: str, **more: Any) -> httpx2.Response:
        return await self.http.get(path, **more)

    async def post(self, path: str, **fields: str) -> httpx2.Response:
        return await self.http.post(path, data={**self.page_of, **fields}, headers={"Origin": self.base})

    async def log(self, name: str = "audit") -> list[dict[str, Any]]:
        return list((await self.http.get(f"/demo/{name}")).json()["entries"])

    async def inject(self, fault: str, **parameters: Any) -> None:
        (await self.http.post("/demo/faults", json={"fault": fault, **parameters})).raise_for_status()


@asynccontextmanager
async def open_lms(assist_url: str | None = ASSIST_URL) -> AsyncIterator[Browser]:
    clock, key = HandClock(), KeyRing().current
    jwks = {"keys": [key.public_jwk]}
    app = create_app(url="http://lms.test", now=clock.now, client_jwks=jwks, assist_url=assist_url)
    async with serve(app) as base, connect(base) as http:
        yield Browser(http, base, Caller(http, clock.now, client_key=key))


def marker_of(page: httpx2.Response) -> str:
    """Of which session a page is; empty for one of nobody's."""
    found = re.search(r'data-session="([^"]+)"', page.text)
    return found[1] if found else ""


def main_of(page: httpx2.Response) -> dict[str, str]:
    """What the page's <main> says of itself."""
    found = re.search(r"<main ([^>]*)>", page.text)
    return {name: unescape(text) for name, text in re.findall(r'data-([\w-]+)="([^"]*)"', found[1])} if found else {}


def links_of(page: httpx2.Response) -> list[str]:
    return [unescape(path) for path in re.findall(r'(?:href|data-opens)="(/[^"]*)"', page.text)]


def commands_of(page: httpx2.Response) -> set[str]:
    return set(re.findall(r'data-command="([^"]+)"', page.text))
