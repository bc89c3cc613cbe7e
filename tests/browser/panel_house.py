"""The service, the plain page that embeds its panel, and a browser's page open on it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, Locator, Page, Request

from examples.reference_lms.school import SCHOOL
from examples.reference_lms.sessions import SessionKind
from tests.browser.chromium import SIZES
from tests.browser.plain_host import plain_host
from tests.fakes.house import TEACHER, House, running_house
from tests.fakes.serving import address_of, listening, serve

ANSWER_MILLISECONDS = 20_000
"""How long an answer may take: a machine may be busy, and this is no measure of speed."""

SID = "3c1e2f7a-0d5b-4c86-9a41-6f2d8e7b5a90"
"""The session in which the plain page's person is signed in: the same for each token of theirs."""


@dataclass
class Panel:
    """The panel on a page, as a person uses it."""

    page: Page
    house: House
    requests: list[str] = field(default_factory=list)
    """Every address the browser asked for, in order."""

    @property
    def element(self) -> Locator:
        return self.page.locator("assist-panel")

    async def stands(self) -> None:
        """Returns once its button is there; `wait_for_function` would ask the page's policy for `eval`."""
        await self.element.locator(".toggle").wait_for()

    async def open(self) -> None:
        await self.element.get_by_role("button", name="Open the assistant").click()

    async def ask(self, question: str) -> None:
        await self.element.get_by_label("Your question").fill(question)
        await self.element.get_by_role("button", name="Send", exact=True).click()

    async def answered(self, text: str) -> None:
        """Returns once the last exchange says this."""
        await self.last.get_by_text(text).first.wait_for(timeout=ANSWER_MILLISECONDS)

    @property
    def last(self) -> Locator:
        return self.element.locator(".exchange").last


@asynccontextmanager
async def plain_house(database_url: str, *, person: str = TEACHER, **changes: Any) -> AsyncIterator[tuple[House, str]]:
    """The house, and the address of a plain page of another origin that embeds its panel for this person."""
    service, page = listening(), listening()
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(
            running_house(database_url, listener=service, origin_of=lambda _: address_of(page), **changes)
        )
        known = next(each for each in SCHOOL.people if each.sub == person)
        host = plain_host(
            address_of(service), lambda: house.sessions.mint(known, kind=SessionKind.PORTAL, elevated=False, sid=SID)
        )
        yield house, await stack.enter_async_context(serve(host, page))


@asynccontextmanager
async def panel_at(
    browser: Browser, house: House, address: str, *, size: str = "desk", needs_panel: bool = True, **options: Any
) -> AsyncIterator[Panel]:
    """The panel in a window of this size, not yet opened; options are those of a browser's context.

    Fails at its end where a script on the page has thrown what nothing caught."""
    width, height = SIZES[size]
    context = await browser.new_context(viewport={"width": width, "height": height}, **options)
    page = await context.new_page()
    panel = Panel(page, house)
    faults: list[str] = []
    page.on("request", lambda request: panel.requests.append(_asked(request)))
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        await page.goto(address)
        if needs_panel:
            await panel.stands()
        yield panel
    finally:
        await context.close()
    assert faults == [], "an error that no script on the page caught"


@asynccontextmanager
async def campus(database_url: str, **changes: Any) -> AsyncIterator[tuple[House, str]]:
    """The house, and the address of the reference LMS, whose own pages embed its panel."""
    async with running_house(database_url, listener=listening(), origin_of=lambda lms_url: lms_url, **changes) as house:
        yield house, str(house.lms.base_url).rstrip("/")


@asynccontextmanager
async def signed_in(
    browser: Browser,
    house: House,
    address: str,
    *,
    person: str = TEACHER,
    path: str = "/courses",
    size: str = "desk",
    **options: Any,
) -> AsyncIterator[Panel]:
    """The panel on a page of the reference LMS, for one who has signed in there by its form."""
    async with panel_at(browser, house, f"{address}/sign-in", size=size, needs_panel=False, **options) as panel:
        form: dict[str, str | float | bool] = {"person": person, "kind": SessionKind.PORTAL.value}
        await panel.page.request.post(f"{address}/sign-in", form=form, headers={"Origin": address})
        await panel.page.goto(f"{address}{path}")
        await panel.stands()
        yield panel


def _asked(request: Request) -> str:
    return str(request.url)
