"""Answers take turns with the page; of one that was left, hidden or taken out nothing more is done."""

import pytest
from playwright.async_api import Browser, expect

from tests.browser.acting import Acting, ActingPanel, has_outcome
from tests.browser.faulty_pages import (
    a_card_that_was_left_is_told_nothing,
    a_link_says_what_came_of_it,
    a_page_that_cannot_say_where_it_is_is_left_as_it_is,
    a_page_that_does_not_answer_holds_up_nobody,
    a_page_that_fails_is_told,
    a_panel_that_was_taken_out_does_nothing_more,
)
from tests.browser.test_acts import HERE
from tests.fakes.models import calls
from tests.web.test_interface_actions import opens
from tests.web.writing import POOL

pytestmark = pytest.mark.slow

HELD = """() => {
    const panel = document.querySelector('assist-panel');
    window.page.held = [];
    panel.host.navigate = (path) => {
        window.page.moves.push(path);
        return new Promise((resolve) => window.page.held.push(() => resolve('moved')));
    };
}"""

MOVED = "async (count) => { while (window.page.moves.length < count) await new Promise(requestAnimationFrame); }"


async def test_answers_take_turns_and_one_that_was_left_does_nothing_more(browser: Browser, acting: Acting) -> None:
    async with acting.panel(browser) as panel:
        await panel.shown.page.evaluate(HELD)
        first = await panel.ask(calls(opens("pool", POOL)), HERE)
        second = await panel.ask(calls(opens("pools")), HERE)
        await second.locator(".acts").wait_for(state="attached")
        assert await panel.page_has("moves") == [f"/pools/{POOL}"], "the first still waits"
        await panel.shown.page.evaluate("window.page.held[0]()")
        await has_outcome(first, "Opened: Pool")
        await panel.shown.page.evaluate(MOVED, 2)
        third = await panel.ask(calls(opens("courses")), HERE)
        await third.locator(".acts").wait_for(state="attached")
        await panel.shown.element.get_by_role("button", name="New conversation").click()
        await panel.shown.page.evaluate("window.page.held[1]()")
        await panel.ask(HERE)
        assert await panel.page_has("moves") == [f"/pools/{POOL}", "/pools"]
        await _nothing_where_the_page_hides_it(panel)
        await panel.shown.open()
        await a_page_that_does_not_answer_holds_up_nobody(panel)
        await a_page_that_fails_is_told(panel)
        await a_page_that_cannot_say_where_it_is_is_left_as_it_is(panel)
        await a_card_that_was_left_is_told_nothing(panel)
        await a_panel_that_was_taken_out_does_nothing_more(panel)
        await a_link_says_what_came_of_it(panel)


async def _nothing_where_the_page_hides_it(panel: ActingPanel) -> None:
    before = await panel.page_has("moves")
    hide = "hidden => { document.querySelector('assist-panel').hidden = hidden; }"
    panel.acting.model.steps[:] = [calls(opens("pool", POOL)), HERE]
    await panel.shown.element.get_by_label("Your question").fill("Open it.")
    await panel.shown.page.evaluate(hide, False)
    await panel.shown.element.get_by_label("Your question").press("Enter")
    await panel.shown.page.evaluate(hide, True)
    await panel.last.locator(".acts").wait_for(state="attached")
    await panel.shown.page.evaluate(hide, False)
    assert await panel.page_has("moves") == before
    await expect(panel.last.locator(".statement")).to_contain_text("Asked to open: Pool.")
