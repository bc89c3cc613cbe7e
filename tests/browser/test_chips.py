"""Things an answer names ask on, choices go on, and the question carries the token of one and no other."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Route, expect

from tests.browser.acting import Acting, ActingPanel, acting_house
from tests.browser.acts_shown import Tick
from tests.browser.chromium import SIZES
from tests.browser.steering import left_the_page, refuse, until
from tests.conftest import PUBLISHED, cloned
from tests.fakes.models import calls
from tests.web.choosing import UNBOUND, classes_of
from tests.web.school_policy import SCHOOL

pytestmark = pytest.mark.slow

CLASSES = calls(("query_classes", {"operation": "list"}))
STUDENTS = calls(("query_students", {"operation": "list"}))
MARKS = calls(("query_class_performance", {}))
"""Of which class must be chosen."""

DAY = 24 * 60 * 60


class Sent:
    """The bodies of the questions that left the browser, in order."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []

    async def __call__(self, route: Route) -> None:
        self.bodies.append(json.loads(route.request.post_data or "{}"))
        await route.continue_()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def school() -> AsyncIterator[Acting]:
    """Under the policy in which there are lookups."""
    async with (
        cloned(PUBLISHED) as url,
        acting_house(url, policy=SCHOOL, moderation="words", ruled=UNBOUND) as house,
    ):
        yield house


def chip(exchange: Locator) -> Locator:
    return exchange.locator(".chip").first


@pytest.mark.parametrize("size", sorted(SIZES))
async def test_a_chip_asks_on(browser: Browser, school: Acting, size: str, tick: Tick) -> None:
    async with school.panel(browser, size=size) as panel:
        sent = Sent()
        await panel.shown.page.route("**/assist/ask", sent)
        exchange = await panel.ask(CLASSES, question="Which classes do I have?")
        title = next(iter(classes_of().values()))
        await expect(chip(exchange)).to_contain_text(title)
        label = await chip(exchange).inner_text()
        composer = panel.shown.element.locator(".composer")
        await chip(exchange).click()
        await expect(composer.get_by_text(f"about: {label}")).to_be_visible()
        await expect(chip(exchange)).to_have_attribute("aria-pressed", "true")
        await expect(composer.get_by_label("Your question")).to_be_focused()
        for take_away in (chip(exchange), composer.get_by_role("button", name=f"Do not ask about: {label}")):
            await take_away.click()
            await expect(composer.get_by_text("about:")).to_be_hidden()
            await expect(chip(exchange)).to_have_attribute("aria-pressed", "false")
            await chip(exchange).click()
        asked = await panel.ask(STUDENTS, question="Who is in it?")
        await expect(asked.locator(".question")).to_contain_text(f"about: {label}")
        await expect(composer.get_by_text("about:")).to_be_hidden()
        await panel.ask(CLASSES, question="And my classes?")
        assert [each["question"] for each in sent.bodies] == [
            "Which classes do I have?",
            "Who is in it?",
            "And my classes?",
        ]
        assert [each["reference"] is None for each in sent.bodies] == [True, False, True]
        tick("follow-up chip")


async def test_a_chip_that_is_over_is_taken_away_and_one_of_another_conversation_is_not_sent(
    browser: Browser, school: Acting
) -> None:
    async with school.panel(browser) as panel:
        exchange = await panel.ask(CLASSES, question="Which classes do I have?")
        label = await chip(exchange).inner_text()
        composer = panel.shown.element.locator(".composer")
        await chip(exchange).click()
        school.house.clock.move(DAY)
        await panel.shown.ask("Who is in it?")
        await panel.last.locator(".problem").wait_for()
        assert label not in await exchange.locator(".chip").all_inner_texts()
        await expect(composer.get_by_text("about:")).to_be_hidden()
        await expect(composer.get_by_label("Your question")).to_have_value("Who is in it?")

        # Of a conversation that is gone nothing can be asked on about.
        exchange = await panel.ask(CLASSES, question="Which classes do I have?")
        await chip(exchange).click()
        await panel.shown.page.route("**/assist/ask", lambda route: refuse(route, "conversation_not_found", 404))
        await panel.shown.ask("Who is in it?")
        await panel.last.locator(".problem").wait_for()
        await expect(composer.get_by_text("about:")).to_be_hidden()
        await panel.shown.page.unroute("**/assist/ask")

        begin = panel.shown.element.get_by_role("button", name="New conversation")
        await begin.click()
        exchange = await panel.ask(CLASSES, question="Which classes do I have?")
        await chip(exchange).click()
        await begin.click()
        await expect(composer.get_by_text("about:")).to_be_hidden()


async def test_a_choice_goes_on_at_once_and_once(browser: Browser, school: Acting) -> None:
    async with school.panel(browser) as panel:
        sent = Sent()
        await panel.shown.page.route("**/assist/ask", sent)
        asks = await panel.ask(MARKS, question="How are their marks?")
        options = asks.locator(".choice")
        count = await options.count()
        assert count > 1
        label = await options.first.inner_text()
        await panel.shown.element.get_by_label("Your question").fill("What I am writing")

        await panel.shown.page.route("**/assist/ask", lambda route: route.abort())
        await options.first.click()
        await panel.last.locator(".problem").wait_for()
        await expect(options.first).to_be_enabled()
        await panel.shown.page.unroute("**/assist/ask")
        await panel.shown.page.route("**/assist/ask", sent)

        await _not_while_another_question_runs(panel, options.first)
        await panel.shown.page.route("**/assist/ask", sent)
        listed = await panel.ask(CLASSES, question="Which classes do I have?")
        await chip(listed).click()
        await panel.shown.element.get_by_label("Your question").fill("What I am writing")
        sent.bodies.pop()
        await options.first.evaluate("button => { button.click(); button.click(); }")
        found = await panel.answered()
        for at in range(count):
            await expect(options.nth(at)).to_be_disabled()
        await expect(found.locator(".question")).to_have_text(f"You{label}")
        assert (len(sent.bodies), sent.bodies[-1]["question"]) == (2, "")
        assert sent.bodies[-1]["reference"] is not None
        await options.nth(1).evaluate("button => button.click()")
        assert len(sent.bodies) == len(["the question", "the choice"])
        await expect(panel.shown.element.get_by_label("Your question")).to_have_value("What I am writing")
        await expect(chip(listed)).to_have_attribute("aria-pressed", "true")  # what was to be asked about still is
        await chip(listed).click()

        await panel.shown.element.get_by_label("Your question").fill("")
        options = (await panel.ask(MARKS, question="How are their marks?")).locator(".choice")
        assert await options.count() == count
        school.house.clock.move(DAY)
        await options.first.click()
        await panel.last.locator(".problem").wait_for()
        await expect(options).to_have_count(count - 1)


async def _not_while_another_question_runs(panel: ActingPanel, option: Locator) -> None:
    held: list[Route] = []
    await panel.shown.page.route("**/assist/ask", lambda route: held.append(route))
    await panel.shown.ask("How long does this take?")
    await until(lambda: held != [])
    await option.click()
    await expect(option).to_be_enabled()
    await left_the_page(panel.shown)
    assert len(held) == 1
    await panel.shown.element.get_by_role("button", name="Stop").click()
    await panel.last.locator(".problem").wait_for()
    await panel.shown.page.unroute("**/assist/ask")
