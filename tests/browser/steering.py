"""What tests of the panel have in common: a house with one window, an answer, and a wire to bend."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
from playwright.async_api import Browser, Page, Route, expect

from tests.browser.panel_house import ANSWER_MILLISECONDS, Panel, panel_at, plain_house
from tests.fakes.models import ScriptedModel, says

SAID = "Press New, then Create"

ASK = re.compile("/assist/ask$")
AVAILABILITY = re.compile("/assist/availability$")
CONVERSATIONS = re.compile(r"/assist/conversations(\?.*)?$")
SECTION = re.compile("/assist/manual/")
TOKEN = re.compile("/token$")

CORS = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After"}
"""What a made-up answer of the service needs to be read by a page of another origin."""


def answering(**how: Any) -> ScriptedModel:
    """A model that answers each question from the help of the screen, which it was given."""
    return ScriptedModel(says(f"{SAID} [s1]."), **how)


@asynccontextmanager
async def one_panel(browser: Browser, database_url: str, *, size: str = "desk", **changes: Any) -> AsyncIterator[Panel]:
    """The panel in one window of a house of its own, not yet opened."""
    async with (
        plain_house(database_url, **{"provider": answering(), **changes}) as (house, address),
        panel_at(browser, house, address, size=size, timezone_id="UTC") as panel,
    ):
        yield panel


async def says_words(panel: Panel, text: str) -> None:
    """Returns once this stands somewhere in the panel, in view."""
    await panel.element.get_by_text(text).filter(visible=True).first.wait_for(timeout=ANSWER_MILLISECONDS)


async def typed(panel: Panel) -> str:
    """What stands in the composer."""
    return await panel.element.locator("textarea").input_value()


async def begin_anew(panel: Panel) -> None:
    """A new conversation, and nothing in the composer; a minute later, so that the limits are those of a new one."""
    panel.house.clock.move(61)
    await panel.element.get_by_role("button", name="New conversation").click()
    await panel.element.locator("textarea").fill("")


def asked_for(panel: Panel, address: re.Pattern[str]) -> int:
    """How often the browser asked for such an address."""
    return sum(address.search(each) is not None for each in panel.requests)


async def settled_at(pool: asyncpg.Pool, exchanges: int) -> None:
    """Returns once so many exchanges are kept and no conversation and no key is held; fails if that never comes."""
    query = """SELECT (SELECT count(*) FROM exchanges),
        (SELECT count(*) FROM conversations WHERE lease IS NOT NULL)
        + (SELECT count(*) FROM idempotent_replies WHERE sealed_reply IS NULL)"""
    async with asyncio.timeout(10):
        while tuple(await pool.fetchrow(query) or ()) != (exchanges, 0):  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.02)


async def until(holds: Callable[[], bool]) -> None:
    """Returns once this holds, which nothing tells of; fails if that never comes."""
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.02)


FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


async def frames(page: Page) -> None:
    """Returns once what stood ready was drawn, so that what was to move has."""
    await page.evaluate(FRAMES)


ROUND_TRIP = """async (service) => {
  await fetch(`${service}/assist/availability`, {headers: {Authorization: "none"}}).then(() => {}, () => {});
}"""


async def left_the_page(panel: Panel) -> None:
    """Returns once all that the page asked for before has been seen: a request of the same kind has come back."""
    await panel.page.evaluate(ROUND_TRIP, str(panel.house.service.base_url).rstrip("/"))
    await frames(panel.page)


async def refuse(route: Route, code: str, status: int = 422, *, errors: Any = None, **headers: str) -> None:
    """Answers a request with a problem of this code."""
    body = {
        "type": f"urn:assist-service:problem:{code}",
        "title": "-",
        "status": status,
        "code": code,
        "errors": errors,
    }
    await route.fulfill(status=status, json=body, headers={**CORS, **headers}, content_type="application/problem+json")


async def has_focus(panel: Panel, selector: str) -> None:
    """Fails unless an element of the panel like this has the focus soon."""
    await expect(panel.element.locator(f"{selector}:focus")).to_have_count(1)
