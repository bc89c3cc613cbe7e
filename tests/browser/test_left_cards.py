"""What the person has set going is told where they are by then, though its conversation was left."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.browser.acting import Acting, ActingPanel, has_outcome
from tests.browser.steering import left_the_page, until
from tests.browser.test_acts import COMMANDS, HERE
from tests.browser.test_cards import card, confirm, lines
from tests.browser.test_edit import apply, proposed, put
from tests.fakes.models import calls
from tests.web.test_interface_actions import command
from tests.web.writing import POOL, WAITS, new_category, titled

pytestmark = pytest.mark.slow

SESSION_CHANGE = "document.querySelector('assist-panel').dispatchEvent(new Event('sessionchange'))"

SLOW = "() => new Promise((done) => { window.page.letGo = done; })"
"""What the page is asked for comes to its end once a test lets it."""


@asynccontextmanager
async def held_confirms(panel: ActingPanel) -> AsyncIterator[asyncio.Event]:
    """No Confirm comes to the service before this is set."""
    free = asyncio.Event()

    async def hold(route: Any) -> None:
        await free.wait()
        await route.continue_()

    await panel.shown.page.route("**/confirm", hold)
    yield free
    await panel.shown.page.unroute("**/confirm")


async def anew(panel: ActingPanel) -> None:
    await panel.shown.element.get_by_role("button", name="New conversation").click()
    await expect(panel.shown.element.locator(".exchange")).to_have_count(0)


async def earlier(panel: ActingPanel) -> None:
    await panel.shown.element.get_by_role("button", name="Earlier conversations").click()
    await panel.shown.element.locator(".conversation").first.click()
    await panel.shown.element.locator(".exchange.kept").first.wait_for()


def log_of(panel: ActingPanel) -> Locator:
    return panel.shown.element.locator(".log")


async def test_what_came_of_a_card_is_seen_in_the_conversation_that_is_shown_by_then(
    browser: Browser, acting: Acting
) -> None:
    async with acting.panel(browser) as panel:
        for title, leave in (("Left for a new one", anew), ("Left for an earlier one", earlier)):
            async with held_confirms(panel) as free:
                await confirm(await card(panel, title)).click()
                await leave(panel)
                left = log_of(panel)
                await expect(left.get_by_role("heading", name="Create a category")).to_be_in_viewport()
                assert await lines(left) == [("Pool", titled("pool", POOL)), ("Title", title)]
                free.set()
                await has_outcome(left, f"Done: {title}")
                await expect(left.locator(".outcome")).to_be_in_viewport()
                await left.get_by_role("link", name=title).click()
                await has_outcome(left, f"Opened: {title}")
        await anew(panel)
        await expect(log_of(panel).locator(".card, .outcome")).to_have_count(0)
        await _nothing_of_it_is_left_to_the_next_person(panel)


async def _nothing_of_it_is_left_to_the_next_person(panel: ActingPanel) -> None:
    async with held_confirms(panel) as free:
        await confirm(await card(panel, "Left to nobody")).click()
        await panel.shown.page.evaluate(SESSION_CHANGE)
        await expect(log_of(panel).locator(".card")).to_have_count(0)
        free.set()
        made = "SELECT id FROM category WHERE title = 'Left to nobody'"
        await until(lambda: len(panel.acting.house.school.rows(made)) == 1)
        await left_the_page(panel.shown)
        await expect(panel.shown.element.get_by_text("Left to nobody")).to_have_count(0)


async def test_what_the_page_was_asked_for_is_seen_there_too(browser: Browser, acting: Acting) -> None:
    async with acting.panel(browser) as panel:
        await apply_left(panel)
        await panel.on_screen(route="/pools/:id", entities={"pool": POOL}, commands=COMMANDS)
        await put(panel, f"window.page.editor = null; document.querySelector('assist-panel').host.runCommand = {SLOW}")
        for name, button in (("publish", "Confirm"), ("preview", "Preview"), ("sort", None)):
            exchange = await panel.ask(calls(command(name)), HERE)
            if button is not None:
                await exchange.get_by_role("button", name=button).click()
            await expect(log_of(panel).locator(".under-way")).to_have_count(1)
            await anew(panel)
            await put(panel, "window.page.letGo()")
            await has_outcome(log_of(panel), f"Done: {name.capitalize()}")
            await expect(log_of(panel).locator(".under-way")).to_have_count(0)


async def apply_left(panel: ActingPanel) -> None:
    exchange = await proposed(panel)
    await put(panel, f"window.page.editor.apply = {SLOW}")
    await apply(exchange)
    await anew(panel)
    await expect(log_of(panel).get_by_role("heading", name="Proposed for this question")).to_be_visible()
    await put(panel, "window.page.letGo('applied')")
    await has_outcome(log_of(panel), "Applied to your draft.")


async def test_a_card_waits_for_the_one_before_it_and_for_no_line_that_hangs(browser: Browser, acting: Acting) -> None:
    async with acting.panel(browser) as panel:
        exchange = await panel.ask(calls(new_category("Hangs"), new_category("Waits")), WAITS)
        first, second = exchange.locator(".card").nth(0), exchange.locator(".card").nth(1)
        async with held_confirms(panel) as free:
            for each in (first, second):
                await confirm(each).click()
            await expect(first.locator(".note")).to_have_text("Asking the platform …")
            await expect(second.locator(".note")).to_have_text("Waits for the change before it …")
            await panel.shown.page.clock.fast_forward(46_000)
            await expect(first.locator(".note")).to_contain_text("No answer came. Confirm again finds out")
            await expect(second.locator(".note")).to_have_text("Asking the platform …")
            free.set()
            await has_outcome(second, "Done: Waits")
            await confirm(first).click()
            await has_outcome(first, "Done: Hangs")
        await panel.shown.page.clock.fast_forward(46_000)
        assert len(panel.acting.house.school.rows("SELECT id FROM category WHERE title IN ('Hangs', 'Waits')")) == 2
