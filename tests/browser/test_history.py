"""Earlier conversations are read again, gone on with and deleted; a tab goes on with its own, for its own person."""

import re

import asyncpg
import pytest
from playwright.async_api import Browser, Route, expect

from tests.browser.panel_house import Panel
from tests.browser.steering import (
    ASK,
    CONVERSATIONS,
    SAID,
    TOKEN,
    asked_for,
    begin_anew,
    has_focus,
    left_the_page,
    one_panel,
    says_words,
    settled_at,
    until,
)
from tests.browser.talking import RULED, ask_each, other_persons, titles_listed

pytestmark = pytest.mark.slow

ONE_CONVERSATION = re.compile(r"/assist/conversations/[0-9a-f-]+(\?.*)?$")


TWICE = "button => { button.click(); button.click(); }"


async def _by_ones(route: Route) -> None:
    """A page of a list has one line."""
    url = route.request.url
    await route.continue_(url=f"{url}{'&' if '?' in url else '?'}limit=1")


async def test_conversations_are_listed_read_gone_on_with_and_deleted(
    browser: Browser, database_url: str, pool: asyncpg.Pool
) -> None:
    async with one_panel(browser, database_url, ruled=RULED) as panel:
        await panel.open()
        assert await titles_listed(panel) == []
        await says_words(panel, "No earlier conversations.")
        await panel.element.get_by_role("button", name="Back to the conversation").click()
        await has_focus(panel, "[aria-label='Earlier conversations']")

        await ask_each(panel, "First of old", "Second of old")
        panel.house.clock.move(40 * 60)
        await begin_anew(panel)
        await ask_each(panel, "First of new", "Second of new")
        await begin_anew(panel)

        await _is_listed_by_pages(panel)
        await _goes_on(panel, pool)
        await _is_over(panel, pool)
        await _comes_too_late(panel)
        await _is_deleted(panel, pool)


async def _is_listed_by_pages(panel: Panel) -> None:
    await panel.page.route(CONVERSATIONS, _by_ones)
    assert await titles_listed(panel) == ["First of new"]
    more = panel.element.get_by_role("button", name="More")
    asked = asked_for(panel, CONVERSATIONS)
    await more.evaluate(TWICE)
    lines = panel.element.locator(".conversation")
    await expect(lines).to_have_count(2)
    await expect(more).to_have_count(0)
    assert asked_for(panel, CONVERSATIONS) == asked + 1
    assert await lines.all_inner_texts() == [
        "First of new\nNov 2, 2026, 10:11 AM · you can go on with it",
        "First of old\nNov 2, 2026, 9:30 AM · ended",
    ]
    await panel.page.unroute(CONVERSATIONS)


async def _goes_on(panel: Panel, pool: asyncpg.Pool) -> None:
    """A transcript comes in pages too; it does nothing again, and takes the next question."""
    asked = len(panel.requests)
    await panel.page.route(ONE_CONVERSATION, _by_ones)
    await panel.element.get_by_role("button", name="First of new").first.click()
    kept = panel.element.locator(".exchange.kept")
    await expect(kept).to_have_count(2)
    await panel.page.unroute(ONE_CONVERSATION)
    assert {re.sub(r".*/assist/(conversations/|panel/words/).*", "read", each) for each in panel.requests[asked:]} <= {
        "read",
        f"{panel.page.url}token",
    }
    assert await kept.locator(".question p").all_inner_texts() == ["First of new", "Second of new"]
    assert await kept.locator(".mark").count() == 2
    await says_words(panel, "As it was said then. What waited for your word is over; ask again.")
    assert await kept.locator(".when").all_inner_texts() == ["Nov 2, 2026, 10:11 AM"] * 2
    assert await kept.locator(".receipt, .card, .chips").count() == 0
    await has_focus(panel, "textarea")
    await ask_each(panel, "Third of new")
    assert await pool.fetchval("SELECT count(*) FROM conversations") == 2


async def _is_over(panel: Panel, pool: asyncpg.Pool) -> None:
    await titles_listed(panel)
    await panel.element.get_by_role("button", name="First of old").first.click()
    await says_words(panel, "This conversation takes no more questions.")
    assert await panel.element.locator(".exchange").count() == 2
    asked = asked_for(panel, ASK)
    await ask_each(panel, "A new one")
    assert asked_for(panel, ASK) == asked + 1, "in a new one at once"
    assert await pool.fetchval("SELECT count(*) FROM conversations") == 3


async def _comes_too_late(panel: Panel) -> None:
    """A transcript, once another conversation was begun."""
    await titles_listed(panel)
    held: list[Route] = []
    await panel.page.route(ONE_CONVERSATION, lambda route: held.append(route))
    await panel.element.get_by_role("button", name="First of old").first.click()
    await until(lambda: held != [])
    await begin_anew(panel)
    await held.pop().continue_()
    await panel.page.unroute(ONE_CONVERSATION)
    await left_the_page(panel)
    assert await panel.element.locator(".exchange").count() == 0
    await titles_listed(panel)
    await panel.element.get_by_role("button", name="A new one").first.click()
    await panel.element.locator(".exchange.kept").wait_for()


async def _is_deleted(panel: Panel, pool: asyncpg.Pool) -> None:
    """Only after a second word; of the one that stands in the panel a new one begins."""
    assert await titles_listed(panel) == ["A new one", "First of new", "First of old"]
    await panel.element.get_by_role("button", name="Delete “First of old”").click()
    await has_focus(panel, ".keep")
    await panel.element.get_by_role("button", name="Keep").click()
    await has_focus(panel, "[aria-label='Delete “First of old”']")
    assert await pool.fetchval("SELECT count(*) FROM conversations") == 3
    for title, left, standing in (("First of old", 2, 1), ("A new one", 1, 0)):
        await panel.element.get_by_role("button", name=f"Delete “{title}”").click()
        asked = asked_for(panel, ONE_CONVERSATION)
        await panel.element.get_by_role("button", name="Delete", exact=True).evaluate(TWICE)
        await expect(panel.element.locator(".conversation")).to_have_count(left)
        assert asked_for(panel, ONE_CONVERSATION) == asked + 1
        assert await pool.fetchval("SELECT count(*) FROM conversations") == left
        assert await panel.element.locator(".exchange").count() == standing
        await has_focus(panel, ".beside-title")
    # One that was deleted elsewhere is gone as well, and nothing is wrong.
    await pool.execute("DELETE FROM conversations")
    await panel.element.get_by_role("button", name="Delete “First of new”").click()
    await panel.element.get_by_role("button", name="Delete", exact=True).click()
    await says_words(panel, "No earlier conversations.")
    assert await panel.element.get_by_role("alert").count() == 0
    await panel.page.keyboard.press("Escape")
    await ask_each(panel, "Another")
    assert await pool.fetchval("SELECT count(*) FROM exchanges") == 1


async def test_a_tab_goes_on_after_its_page_was_loaded_anew_and_for_nobody_else(
    browser: Browser, database_url: str, pool: asyncpg.Pool
) -> None:
    async with one_panel(browser, database_url, ruled=RULED) as panel:
        await panel.open()
        await ask_each(panel, "One")
        await settled_at(pool, 1)
        kept = await panel.page.evaluate("JSON.stringify(sessionStorage)")
        conversation = str(await pool.fetchval("SELECT id FROM conversations"))
        assert kept == f'{{"assist-panel.conversation":"{conversation}"}}'
        assert await panel.page.evaluate("localStorage.length") == 0

        await panel.page.reload()
        await panel.open()
        await panel.element.get_by_text("One", exact=True).wait_for()
        await says_words(panel, SAID)
        await ask_each(panel, "Two")
        assert await pool.fetchval("SELECT count(*) FROM conversations") == 1

        # A question that is faster than the transcript goes on with it too, and stands below it.
        await panel.page.reload()
        await panel.open()
        panel.house.clock.move(1)
        await panel.ask("Three")
        await panel.answered(SAID)
        said = panel.element.locator(".question p")
        assert await said.all_inner_texts() == ["One", "Two", "Three"]
        assert await pool.fetchval("SELECT count(*) FROM conversations") == 1

        await panel.page.route(TOKEN, lambda route: route.fulfill(json={"token": other_persons(panel.house)}))
        await panel.page.reload()
        await panel.open()
        await panel.ask("Four")
        await panel.answered(SAID)
        assert await said.all_inner_texts() == ["Four"]
        assert await panel.element.locator(".problem, .anew").count() == 0
        assert await pool.fetchval("SELECT count(DISTINCT owner) FROM conversations") == 2
