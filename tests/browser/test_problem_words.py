"""Each problem is words that say what to do, and the question stays where it was written."""

import asyncio

import asyncpg
import pytest
from playwright.async_api import Browser, Route, expect

from assist_service.domain.errors import Code
from tests.browser.panel_house import Panel
from tests.browser.steering import (
    ASK,
    SAID,
    TOKEN,
    answering,
    one_panel,
    refuse,
    says_words,
    settled_at,
    typed,
)
from tests.browser.test_problems import GENEROUS
from tests.fakes.house import TEACHER
from tests.fakes.models import ScriptedModel

pytestmark = pytest.mark.slow


async def test_each_problem_is_words_and_the_question_stays(
    browser: Browser, database_url: str, pool: asyncpg.Pool
) -> None:
    """Over, busy, without an assistant, and then each code there is, in one window."""
    model = answering()
    async with one_panel(browser, database_url, provider=model, ruled=GENEROUS) as panel:
        await panel.open()
        await _over(panel, pool)
        await _busy(panel, model, pool)
        await _stopped_too_late(panel, pool)
        said = {code: await _said_of(panel, code) for code in Code}
        await _of_the_page(panel)
        await _not_offered(panel)
    assert len(set(said.values())) == len(Code)
    assert not [text for text in said.values() if "_" in text or len(text) < 20]


async def _over(panel: Panel, pool: asyncpg.Pool) -> None:
    await panel.ask("One")
    await panel.answered(SAID)
    await pool.execute("DELETE FROM conversations")
    for question in ("Two", "Three"):  # the second goes on with the new one
        await panel.ask(question)
        await panel.answered(SAID)
    begins = panel.element.get_by_text("A new conversation begins here: the one before has ended.")
    assert await begins.count() == 1
    assert await panel.element.locator(".exchange").count() == 3
    kept = "SELECT count(DISTINCT conversation_id), count(*) FROM exchanges"
    assert tuple(await pool.fetchrow(kept) or ()) == (1, 2)


async def _busy(panel: Panel, model: ScriptedModel, pool: asyncpg.Pool) -> None:
    conversation = str(await pool.fetchval("SELECT id FROM conversations"))
    model.hold()
    elsewhere = asyncio.create_task(panel.house.ask("Elsewhere", conversation_id=conversation))
    await model.asked(len(model.requests) + 1)
    await panel.ask("Four")
    await says_words(panel, "Your last question is still being answered.")
    model.let_go()
    assert (await elsewhere).status_code == 200
    await panel.element.get_by_role("button", name="Try again").click()
    await panel.answered(SAID)


async def _stopped_too_late(panel: Panel, pool: asyncpg.Pool) -> None:
    """The answer was kept, and only on its way: what is said is true of it too."""
    kept = await pool.fetchval("SELECT count(*) FROM exchanges")
    answered, stopped = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        await route.fetch()
        answered.set()
        await stopped.wait()
        await route.abort()

    await panel.page.route(ASK, hold)
    await panel.element.get_by_role("button", name="New conversation").click()
    await panel.ask("Five")
    await answered.wait()
    await panel.element.get_by_role("button", name="Stop").click()
    await says_words(panel, "an answer that was ready is among the earlier conversations.")
    stopped.set()
    await settled_at(pool, kept + 1)
    await panel.page.unroute(ASK)
    await panel.element.get_by_role("button", name="Earlier conversations").click()
    await panel.element.get_by_role("button", name="Five").first.wait_for()
    await panel.element.get_by_role("button", name="Back to the conversation").click()


async def _not_offered(panel: Panel) -> None:
    other = {"token": await panel.house.token(TEACHER, kind="impersonation")}
    await panel.page.route(TOKEN, lambda route: route.fulfill(json=other))
    await panel.page.reload()
    await panel.open()
    await says_words(panel, "The assistant is not available here.")
    await expect(panel.element.locator("form")).to_be_hidden()


async def _of_the_page(panel: Panel) -> None:
    """What the page lent wrongly is no fault of the question, and its developer reads which it was."""
    told: list[str] = []
    panel.page.on("console", lambda message: told.append(message.text))
    faults = [{"field": "context.route", "message": "is not valid"}]
    await panel.page.route(ASK, lambda route: refuse(route, "invalid_request", errors=faults))
    await panel.ask("Why?")
    await says_words(panel, "This page is not set up for the assistant as it should be")
    assert any("context.route: is not valid" in each for each in told)
    await panel.page.unroute(ASK)


async def _said_of(panel: Panel, code: Code) -> str:
    """What the panel says where a question meets this problem; the question is there afterwards, even unseen."""
    await panel.page.route(ASK, lambda route: refuse(route, code))
    field = panel.element.locator("textarea")
    await field.fill(f"Why {code}?")
    await field.press("Enter")
    alert = panel.element.get_by_role("alert").last
    text = await alert.inner_text()
    assert await typed(panel) == f"Why {code}?"
    await panel.page.unroute(ASK)
    if not await field.is_visible():  # not offered: that is asked again when the panel opens
        await panel.element.get_by_role("button", name="Close").click()
        await panel.open()
        await expect(field).to_be_visible()
    await panel.element.get_by_role("button", name="New conversation").click()
    return text
