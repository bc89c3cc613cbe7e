"""Whatever keeps a question from being answered is said in words; the question stays, and nothing is asked twice."""

import asyncio
import re

import asyncpg
import pytest
from playwright.async_api import Browser, Route, expect

from examples.reference_lms.school import SCHOOL
from examples.reference_lms.sessions import SessionKind
from tests.browser.acts_shown import Tick
from tests.browser.chromium import SIZES
from tests.browser.panel_house import SID, Panel
from tests.browser.steering import (
    ASK,
    AVAILABILITY,
    CORS,
    SAID,
    TOKEN,
    answering,
    asked_for,
    begin_anew,
    has_focus,
    one_panel,
    refuse,
    says_words,
    settled_at,
    typed,
)
from tests.fakes.house import STUDENT, TEACHER, House
from tests.fakes.models import ScriptedModel

pytestmark = pytest.mark.slow

QUESTION = "How do I create a pool?"

RULED = {"limits": {"questions_per_minute": 2, "questions_per_day": None}}

SIGNS_IN = "() => { document.querySelector('assist-panel').host.signIn = () => { window.page.signs = 1; }; }"

GENEROUS = {"limits": {"questions_per_minute": 1000, "questions_per_day": None}}


@pytest.mark.parametrize("size", sorted(SIZES))
async def test_what_keeps_a_question_from_being_answered(
    browser: Browser, database_url: str, pool: asyncpg.Pool, size: str, tick: Tick
) -> None:
    """Stopped, lost on the way, after the session ended, over the limit: one house and one window."""
    model = answering()
    async with one_panel(browser, database_url, provider=model, ruled=RULED, size=size) as panel:
        await panel.open()
        await _stopped(panel, model, pool)
        tick("stop")
        await begin_anew(panel)
        await _lost_on_the_way(panel, pool)
        tick("service down")
        await begin_anew(panel)
        await _after_the_session_ended(panel)
        tick("session expired")
        await begin_anew(panel)
        await _moved_on_the_page(panel, model, pool)
        await begin_anew(panel)
        await _over_the_limit(panel)
        tick("rate limit")


async def _stopped(panel: Panel, model: ScriptedModel, pool: asyncpg.Pool) -> None:
    model.hold()
    await panel.ask(QUESTION)
    await model.asked(1)
    assert await typed(panel) == "", "the next one may be written"
    await panel.element.get_by_role("button", name="Stop").click()
    await says_words(panel, "Stopped.")
    await settled_at(pool, 0)
    assert await typed(panel) == QUESTION
    await has_focus(panel, "textarea")
    await panel.element.get_by_role("button", name="Send again").click()
    await panel.element.locator("textarea").fill("The next one")
    await panel.element.get_by_role("button", name="Close").click()
    model.let_go()
    await panel.element.get_by_role("button", name="Open the assistant: an answer has come").click()
    await panel.answered(SAID)
    await panel.element.locator("[aria-label='Put the assistant away']").wait_for(state="attached")
    assert await typed(panel) == "The next one"
    await panel.element.locator("textarea").fill("")
    assert await panel.element.locator(".exchange").count() == 1
    await settled_at(pool, 1)


async def _lost_on_the_way(panel: Panel, pool: asyncpg.Pool) -> None:
    """Four times under one key: never sent, answered but the answer lost, cut in the middle, and got."""
    keys: list[str | None] = []

    cut = b'event: progress\ndata: {"step": "checking"}\n\nevent: reply\ndata: {"conv'

    async def lose(route: Route) -> None:
        keys.append(route.request.headers.get("idempotency-key"))
        if len(keys) == 2:
            await route.fetch()
        if len(keys) < 3:
            await route.abort()
        elif len(keys) > 3:
            await route.continue_()
        else:
            await route.fulfill(status=200, headers=CORS, content_type="text/event-stream", body=cut)

    await panel.page.route(ASK, lose)
    await panel.ask(QUESTION)
    for _ in range(3):
        box = await panel.last.locator(".problem").element_handle()
        await panel.last.get_by_text("The assistant does not answer.").wait_for()
        assert await typed(panel) == QUESTION
        assert await panel.element.locator(".exchange").count() == 1
        await panel.element.get_by_role("button", name="Send again").click()
        assert box is not None
        await box.wait_for_element_state("hidden")
    await panel.answered(SAID)
    assert len(keys) == 4
    assert len(set(keys)) == 1
    assert keys[0] is not None
    await settled_at(pool, 2)
    await panel.page.unroute(ASK)


async def _after_the_session_ended(panel: Panel) -> None:
    """By a token that is over, and where the page gets none any more."""
    known = next(each for each in SCHOOL.people if each.sub == TEACHER)
    token = panel.house.sessions.mint(known, kind=SessionKind.PORTAL, elevated=False, age_seconds=400, sid=SID)
    over = {"token": token}
    answers = (lambda route: route.fulfill(json=over), lambda route: route.fulfill(status=401, json={}))
    for answer in answers:
        await panel.page.route(TOKEN, answer)
        await begin_anew(panel)
        await panel.ask(QUESTION)
        await panel.last.get_by_text("Your session has ended. Sign in again.").wait_for()
        assert await typed(panel) == QUESTION
        await panel.page.unroute(TOKEN)
        assert await panel.last.get_by_role("button", name="Sign in").count() == (answer is answers[1])
        await panel.page.evaluate(SIGNS_IN)
    await panel.element.get_by_role("button", name="Sign in").click()
    assert await panel.page.evaluate("window.page.signs") == 1
    await panel.element.get_by_role("button", name="Try again").click()
    await panel.answered(SAID)


async def _moved_on_the_page(panel: Panel, model: ScriptedModel, pool: asyncpg.Pool) -> None:
    """To another place of it, as a page's own layout may: that is no leaving."""
    modal = "() => document.querySelector('assist-panel').shadowRoot.querySelector('dialog').matches(':modal')"
    before = await panel.page.evaluate(modal)
    model.hold()
    wanted = len(model.requests) + 1
    await panel.ask(QUESTION)
    await model.asked(wanted)
    await panel.page.evaluate("() => document.body.prepend(document.querySelector('assist-panel'))")
    await panel.page.wait_for_timeout(50)
    model.let_go()
    await panel.answered(SAID)
    assert await panel.page.evaluate(modal) == before
    await settled_at(pool, 4)


async def _over_the_limit(panel: Panel) -> None:
    for question in ("One", "Two"):
        await panel.ask(question)
        await panel.answered(SAID)
    await panel.page.clock.install()
    field, send = panel.element.locator("textarea"), panel.element.locator(".send")
    await field.fill("Three")
    await field.press("Enter")
    await says_words(panel, "That is more questions than are allowed for now.")
    waits = panel.element.locator(".wait")
    before = int(re.sub(r"\D", "", await waits.inner_text()))
    assert 1 < before <= 60
    await panel.page.clock.fast_forward(2_000)
    await expect(waits).to_have_text(re.compile(rf"^Try again in ({before - 2}|{before - 3}) s\.$"))
    asked = asked_for(panel, ASK)
    await field.press("Enter")
    assert asked_for(panel, ASK) == asked
    assert await send.get_attribute("aria-disabled") == "true"
    panel.house.clock.move(61)
    await panel.page.clock.fast_forward(60_000)
    await expect(waits).to_have_text("You can ask again now.")
    assert await send.get_attribute("aria-disabled") == "false"
    await has_focus(panel, "textarea")
    assert await typed(panel) == "Three"
    await field.press("Enter")
    await panel.answered(SAID)
    # Where what says how long to wait was left, the next question is sent, and it is said again.
    await panel.ask("Four")
    await panel.answered(SAID)
    for question in ("Five", "Six"):
        await panel.ask(question)
        await says_words(panel, "That is more questions than are allowed for now.")
        await panel.element.get_by_role("button", name="New conversation").click()
        await expect(send).to_have_attribute("aria-disabled", "false")


async def test_nothing_leaves_before_it_may(browser: Browser, database_url: str) -> None:
    """Stopped before a token came, before an editor had saved; not saved; and before it was said what is sent."""
    async with one_panel(browser, database_url, ruled=GENEROUS) as panel:
        await panel.page.route(AVAILABILITY, lambda route: route.abort())
        await panel.open()
        await says_words(panel, "The assistant does not answer. Check your connection and try again.")
        await expect(panel.element.locator(".problem button")).to_have_text("Try again")
        await panel.ask(QUESTION)
        await panel.last.get_by_text("The assistant does not answer. Check your connection and send again.").wait_for()
        await expect(panel.element.locator(".problem button")).to_have_text("Send again")
        await panel.page.unroute(AVAILABILITY)

        await _stops_without_a_token(panel)  # while it is asked what is sent

        await panel.page.evaluate("window.page.editor = {flush: () => new Promise(() => {}), draft: () => ({})}")
        await panel.element.get_by_role("button", name="Send again").click()
        await _stops(panel)
        assert await typed(panel) == QUESTION
        assert asked_for(panel, ASK) == 0
        await panel.page.evaluate("() => { window.page.editor.flush = async () => { throw new Error(); }; }")
        await panel.element.get_by_role("button", name="Send again").click()
        await panel.answered(SAID)  # without the draft, which is none that the service would take
        await says_words(panel, "Asked without the question in your editor: its last changes could not be saved.")
        await panel.page.evaluate("window.page.editor = null")
        asked = asked_for(panel, ASK)
        await panel.page.route(ASK, lambda route: refuse(route, "internal_error", 500))
        await panel.ask(QUESTION)
        await says_words(panel, "Something went wrong.")
        await panel.page.unroute(ASK)
        await _stops_without_a_token(panel)  # while the question is to be sent
        assert asked_for(panel, ASK) == asked + 1
        await panel.element.get_by_role("button", name="Send again").click()
        await panel.answered(SAID)
        assert await panel.element.locator(".problem").count() == 0


async def _stops_without_a_token(panel: Panel) -> None:
    """Tries again, and stops while the page has not given a token yet; then it gives one, too late."""
    held: list[Route] = []
    await panel.page.route(TOKEN, lambda route: held.append(route))
    await panel.element.get_by_role("button", name=re.compile("(Send|Try) again")).click()
    async with asyncio.timeout(10):
        while not held:  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.02)
    await _stops(panel)
    await held.pop().continue_()
    await panel.page.unroute(TOKEN)


async def _stops(panel: Panel) -> None:
    await panel.element.get_by_role("button", name="Stop").click()
    await says_words(panel, "Stopped.")


async def _in_exam(house: House, *, now: bool) -> None:
    order = {"fault": "start_exam" if now else "end_exam", "person": STUDENT}
    assert (await house.lms.post("/demo/faults", json=order)).status_code == 204
    house.clock.move(16)  # what the LMS said is remembered for a while


async def test_in_an_exam_there_is_no_composer_and_afterwards_all_is_there_again(
    browser: Browser, database_url: str
) -> None:
    async with one_panel(browser, database_url, person=STUDENT) as panel:
        await panel.page.evaluate("window.page.screen.topic = null")
        await panel.open()
        await panel.ask("Where are my results?")
        await panel.last.locator(".receipt").wait_for()
        await _in_exam(panel.house, now=True)
        await panel.ask("And now?")
        await says_words(panel, "The assistant is not available during an exam.")
        composer = panel.element.locator("form")
        await expect(composer).to_be_hidden()
        # What was answered before may help: it is out of sight as well.
        assert await panel.element.locator(".exchange").count() == 0
        await has_focus(panel, ".shut")
        await says_words(panel, "And now?")
        await panel.element.get_by_role("button", name="Close").click()
        await _in_exam(panel.house, now=False)
        await panel.open()
        await expect(composer).to_be_visible()
        await panel.element.get_by_text("Where are my results?").wait_for()
        assert await typed(panel) == "And now?"
