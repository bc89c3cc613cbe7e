"""A citation opens its section beside the answer, over it where there is no room; no third origin is asked."""

import pytest
from playwright.async_api import Browser, Locator, Route, expect

from tests.browser.acts_shown import Tick
from tests.browser.chromium import SIZES
from tests.browser.panel_house import Panel
from tests.browser.steering import SAID, SECTION, has_focus, one_panel, refuse, says_words

pytestmark = pytest.mark.slow

TITLE = ".section .beside-title"


@pytest.mark.parametrize("size", sorted(SIZES))
async def test_a_citation_opens_its_section(browser: Browser, database_url: str, size: str, tick: Tick) -> None:
    async with one_panel(browser, database_url, size=size) as panel:
        await panel.open()
        await panel.ask("How do I create a pool?")
        await panel.answered(SAID)
        tick("ask")
        mark = panel.last.get_by_role("button", name="Source 1: ")
        title = (await mark.get_attribute("title")) or ""
        for opener, leave in ((".mark", "Back"), (".cited", "Escape")):
            await _opens_and_closes(panel, opener, title, leave=leave, size=size)
        tick("cite")
        assert {"/".join(each.split("/")[:3]) for each in panel.requests} == {
            panel.page.url.rstrip("/"),
            str(panel.house.service.base_url).rstrip("/"),
        }
        await _of_an_older_manual(panel)
        await _gone(panel)


async def width_of(element: Locator) -> float:
    box = await element.bounding_box()
    assert box is not None
    return box["width"]


async def _opens_and_closes(panel: Panel, opener: str, title: str, *, leave: str, size: str) -> None:
    # Beside the answer wherever there is room: the sheet of a phone that lies has it, and is no wider than it was.
    is_beside, widens = size != "upright", size == "desk"
    dialog, log = panel.element.locator("dialog"), panel.element.locator(".log")
    narrow = await width_of(dialog)
    await panel.last.locator(opener).press("Enter")
    await has_focus(panel, TITLE)
    assert await panel.element.locator(TITLE).inner_text() == title
    assert await panel.element.locator(".section .page").inner_text() == "Page of the manual: Pool"
    assert await panel.element.locator(".section .prose").inner_text() != ""
    assert await panel.element.locator(".older").count() == 0
    assert await log.is_visible() is is_beside
    assert (await width_of(dialog) > narrow) is widens
    assert await panel.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if leave == "Escape":
        await panel.page.keyboard.press("Escape")
    else:
        await panel.element.get_by_role("button", name="Back to the conversation").click()
    await has_focus(panel, opener)
    assert await log.is_visible()
    assert await panel.element.locator(".section").count() == 0


async def _of_an_older_manual(panel: Panel) -> None:
    async def older(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json={**(await answer.json()), "active": False})

    await panel.page.route(SECTION, older)
    await panel.last.locator(".mark").click()
    await says_words(panel, "This is an earlier version of the manual, the one the answer was written from.")
    await panel.page.keyboard.press("Escape")
    await panel.page.unroute(SECTION)


async def _gone(panel: Panel) -> None:
    await panel.page.route(SECTION, lambda route: refuse(route, "section_not_found", 404))
    await panel.last.locator(".mark").click()
    await says_words(panel, "This section can no longer be opened.")
    await panel.page.unroute(SECTION)
    await panel.page.keyboard.press("Escape")
    # What comes back after a while can be tried again where it was to stand.
    await panel.page.route(SECTION, lambda route: route.abort())
    await panel.last.locator(".mark").click()
    await says_words(panel, "The assistant does not answer. Check your connection and try again.")
    await panel.page.unroute(SECTION)
    await panel.element.get_by_role("button", name="Try again").click()
    await expect(panel.element.locator(TITLE)).to_have_count(1)
