"""Earlier conversations are read again, gone on with and deleted; a tab goes on with its own, for its own person."""

import re

import asyncpg
import pytest
from playwright.async_api import Browser, Route, expect

from examples.reference_lms.school import SCHOOL
from examples.reference_lms.sessions import SessionKind
from tests.browser.panel_house import SID, Panel
from tests.browser.steering import (
    ASK,
    AVAILABILITY,
    CONVERSATIONS,
    SAID,
    TOKEN,
    answering,
    asked_for,
    begin_anew,
    has_focus,
    left_the_page,
    one_panel,
    refuse,
    says_words,
    settled_at,
    typed,
    until,
)
from tests.fakes.house import OTHER_TEACHER, House

pytestmark = pytest.mark.slow

RULED = {
    "limits": {"questions_per_minute": 1000, "questions_per_day": None},
    "conversation": {"idle_minutes": 30, "total_hours": None, "one_active": False},
}

ONE_CONVERSATION = re.compile(r"/assist/conversations/[0-9a-f-]+(\?.*)?$")


TWICE = "button => { button.click(); button.click(); }"


async def _asked(panel: Panel, *questions: str) -> None:
    for question in questions:
        panel.house.clock.move(1)  # exchanges are in the order of their time
        await panel.ask(question)
        await panel.answered(SAID)


async def _listed(panel: Panel) -> list[str]:
    """The titles of the list, which is opened."""
    await panel.element.get_by_role("button", name="Earlier conversations").click()
    await panel.element.locator(".history").wait_for()
    return await panel.element.locator(".conversation-title").all_inner_texts()


async def _by_ones(route: Route) -> None:
    """A page of a list has one line."""
    url = route.request.url
    await route.continue_(url=f"{url}{'&' if '?' in url else '?'}limit=1")


async def test_conversations_are_listed_read_gone_on_with_and_deleted(
    browser: Browser, database_url: str, pool: asyncpg.Pool
) -> None:
    async with one_panel(browser, database_url, ruled=RULED) as panel:
        await panel.open()
        assert await _listed(panel) == []
        await says_words(panel, "No earlier conversations.")
        await panel.element.get_by_role("button", name="Back to the conversation").click()
        await has_focus(panel, "[aria-label='Earlier conversations']")

        await _asked(panel, "First of old", "Second of old")
        panel.house.clock.move(40 * 60)
        await begin_anew(panel)
        await _asked(panel, "First of new", "Second of new")
        await begin_anew(panel)

        await _is_listed_by_pages(panel)
        await _goes_on(panel, pool)
        await _is_over(panel, pool)
        await _comes_too_late(panel)
        await _is_deleted(panel, pool)


async def _is_listed_by_pages(panel: Panel) -> None:
    await panel.page.route(CONVERSATIONS, _by_ones)
    assert await _listed(panel) == ["First of new"]
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
    await _asked(panel, "Third of new")
    assert await pool.fetchval("SELECT count(*) FROM conversations") == 2


async def _is_over(panel: Panel, pool: asyncpg.Pool) -> None:
    await _listed(panel)
    await panel.element.get_by_role("button", name="First of old").first.click()
    await says_words(panel, "This conversation takes no more questions.")
    assert await panel.element.locator(".exchange").count() == 2
    asked = asked_for(panel, ASK)
    await _asked(panel, "A new one")
    assert asked_for(panel, ASK) == asked + 1, "in a new one at once"
    assert await pool.fetchval("SELECT count(*) FROM conversations") == 3


async def _comes_too_late(panel: Panel) -> None:
    """A transcript, once another conversation was begun."""
    await _listed(panel)
    held: list[Route] = []
    await panel.page.route(ONE_CONVERSATION, lambda route: held.append(route))
    await panel.element.get_by_role("button", name="First of old").first.click()
    await until(lambda: held != [])
    await begin_anew(panel)
    await held.pop().continue_()
    await panel.page.unroute(ONE_CONVERSATION)
    await left_the_page(panel)
    assert await panel.element.locator(".exchange").count() == 0
    await _listed(panel)
    await panel.element.get_by_role("button", name="A new one").first.click()
    await panel.element.locator(".exchange.kept").wait_for()


async def _is_deleted(panel: Panel, pool: asyncpg.Pool) -> None:
    """Only after a second word; of the one that stands in the panel a new one begins."""
    assert await _listed(panel) == ["A new one", "First of new", "First of old"]
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
    await _asked(panel, "Another")
    assert await pool.fetchval("SELECT count(*) FROM exchanges") == 1


def _other_persons(house: House, kind: SessionKind = SessionKind.PORTAL) -> str:
    known = next(each for each in SCHOOL.people if each.sub == OTHER_TEACHER)
    return house.sessions.mint(known, kind=kind, elevated=False, sid=SID)


async def test_a_tab_goes_on_after_its_page_was_loaded_anew_and_for_nobody_else(
    browser: Browser, database_url: str, pool: asyncpg.Pool
) -> None:
    async with one_panel(browser, database_url, ruled=RULED) as panel:
        await panel.open()
        await _asked(panel, "One")
        await settled_at(pool, 1)
        kept = await panel.page.evaluate("JSON.stringify(sessionStorage)")
        conversation = str(await pool.fetchval("SELECT id FROM conversations"))
        assert kept == f'{{"assist-panel.conversation":"{conversation}"}}'
        assert await panel.page.evaluate("localStorage.length") == 0

        await panel.page.reload()
        await panel.open()
        await panel.element.get_by_text("One", exact=True).wait_for()
        await says_words(panel, SAID)
        await _asked(panel, "Two")
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

        await panel.page.route(TOKEN, lambda route: route.fulfill(json={"token": _other_persons(panel.house)}))
        await panel.page.reload()
        await panel.open()
        await panel.ask("Four")
        await panel.answered(SAID)
        assert await said.all_inner_texts() == ["Four"]
        assert await panel.element.locator(".problem, .anew").count() == 0
        assert await pool.fetchval("SELECT count(DISTINCT owner) FROM conversations") == 2


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
        await _asked(panel, "One")
        model.hold()
        await panel.ask("Two")
        await model.asked(len(model.requests) + 1)
        assert await _listed(panel) == ["One"]
        await panel.page.route(TOKEN, lambda route: route.fulfill(json={"token": _other_persons(panel.house)}))
        await panel.page.evaluate(SEEN_AGAIN)
        await says_words(panel, "Somebody has signed in anew.")
        model.let_go()
        await settled_at(pool, 1)
        assert await panel.element.locator(".exchange, .history, .problem").count() == 0
        assert await typed(panel) == ""
        assert await panel.page.evaluate("JSON.stringify(sessionStorage)") == "{}"
        await _asked(panel, "Three")
        assert await _listed(panel) == ["Three"]
        assert await pool.fetchval("SELECT count(DISTINCT owner) FROM exchanges") == 2

        # Another kind of session of the same person: what they are writing is theirs still.
        await panel.page.keyboard.press("Escape")
        await panel.element.locator("textarea").fill("Being written")
        other = _other_persons(panel.house, SessionKind.IMPERSONATION)
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
        await _asked(panel, "One")
        await panel.page.evaluate(SESSION_CHANGE)
        await expect(another).to_have_count(1)
