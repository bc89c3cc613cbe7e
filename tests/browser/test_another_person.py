"""Nothing of one person is left to the next, in one tab or another; what is said of it is so."""

import asyncpg
import pytest
from playwright.async_api import Browser, expect

from examples.reference_lms.sessions import SessionKind
from tests.browser.steering import (
    ASK,
    AVAILABILITY,
    TOKEN,
    answering,
    begin_anew,
    one_panel,
    refuse,
    says_words,
    settled_at,
    typed,
)
from tests.browser.talking import RULED, ask_each, other_persons, titles_listed

pytestmark = pytest.mark.slow

SESSION_CHANGE = "document.querySelector('assist-panel').dispatchEvent(new Event('sessionchange'))"

SEEN_AGAIN = """() => {
    for (const hidden of [true, false]) {
        Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }
}"""


async def test_nothing_of_a_person_is_left_to_the_next_one_in_another_tab(
    browser: Browser, database_url: str, pool: asyncpg.Pool
) -> None:
    """Whose tab is seen again finds who is signed in; a question that runs is stopped, and nobody asks it instead."""
    model = answering()
    async with one_panel(browser, database_url, ruled=RULED, provider=model) as panel:
        await panel.page.clock.install(time=panel.house.clock.now())  # tokens are kept, by the time they are made at
        await panel.open()
        await ask_each(panel, "One")
        model.hold()
        await panel.ask("Two")
        await model.asked(len(model.requests) + 1)
        assert await titles_listed(panel) == ["One"]
        await panel.page.route(TOKEN, lambda route: route.fulfill(json={"token": other_persons(panel.house)}))
        await panel.page.evaluate(SEEN_AGAIN)
        await says_words(panel, "Somebody has signed in anew.")
        model.let_go()
        await settled_at(pool, 1)
        assert await panel.element.locator(".exchange, .history, .problem").count() == 0
        assert await typed(panel) == ""
        assert await panel.page.evaluate("JSON.stringify(sessionStorage)") == "{}"
        await ask_each(panel, "Three")
        assert await titles_listed(panel) == ["Three"]
        assert await pool.fetchval("SELECT count(DISTINCT owner) FROM exchanges") == 2

        # Another kind of session of the same person: what they are writing is theirs still.
        await panel.page.keyboard.press("Escape")
        await panel.element.locator("textarea").fill("Being written")
        other = other_persons(panel.house, SessionKind.IMPERSONATION)
        await panel.page.route(TOKEN, lambda route: route.fulfill(json={"token": other}))
        await panel.page.evaluate(SEEN_AGAIN)
        await expect(panel.element.locator(".exchange")).to_have_count(0)
        assert await typed(panel) == "Being written"

        # The page may tell it too: then it is not even waited for a token.
        await panel.page.route(TOKEN, lambda route: route.fulfill(status=401, json={}))
        await panel.page.evaluate(SESSION_CHANGE)
        await says_words(panel, "Your session has ended.")
        assert await panel.element.locator(".exchange, .history").count() == 0


async def test_what_one_person_may_not_do_is_not_said_to_the_next_one(browser: Browser, database_url: str) -> None:
    async with one_panel(browser, database_url, ruled=RULED) as panel:
        await panel.open()
        send = panel.element.get_by_role("button", name="Send", exact=True)
        await panel.page.route(ASK, lambda route: refuse(route, "rate_limited", 429, **{"Retry-After": "3000"}))
        await panel.ask("Too many")
        await says_words(panel, "Try again in 50 min.")
        await panel.page.evaluate(SESSION_CHANGE)
        await says_words(panel, "Somebody has signed in anew.")
        await panel.page.unroute(ASK)
        await panel.element.locator("textarea").fill("Mine is the first")
        await expect(send).to_have_attribute("aria-disabled", "false")

        await panel.page.route(ASK, lambda route: refuse(route, "exam_in_progress", 403))
        await send.click()
        await says_words(panel, "Your question is kept:")
        await panel.page.route(AVAILABILITY, lambda route: route.abort())
        await panel.page.evaluate(SESSION_CHANGE)
        await says_words(panel, "The assistant does not answer.")
        await expect(panel.element.get_by_text("Mine is the first")).to_have_count(0)
        await expect(panel.element.get_by_text("during an exam")).to_have_count(0)


async def test_of_a_session_before_is_spoken_only_where_something_of_it_stood(
    browser: Browser, database_url: str
) -> None:
    async with one_panel(browser, database_url, ruled=RULED) as panel:
        another = panel.element.get_by_text("Somebody has signed in anew.")
        notice = panel.element.locator(".notice", has_text="Your questions")
        await panel.open()
        for written, times in (("", 0), ("Mine", 1), ("", 1)):  # once said it stays, as a page may tell it twice
            await notice.wait_for()
            await panel.element.locator("textarea").fill(written)
            await panel.page.evaluate(SESSION_CHANGE)
            await expect(another).to_have_count(times)
        await begin_anew(panel)
        await expect(another).to_have_count(0)
        await panel.page.route(AVAILABILITY, lambda route: route.abort())
        for _ in range(2):  # what is wrong just now is nobody's
            await panel.page.wait_for_timeout(1100)  # it is asked anew once a second at the most
            await panel.page.evaluate(SESSION_CHANGE)
            await says_words(panel, "The assistant does not answer.")
            await expect(another).to_have_count(0)
        await panel.page.unroute(AVAILABILITY)
        await ask_each(panel, "One")
        await panel.page.evaluate(SESSION_CHANGE)
        await expect(another).to_have_count(1)
