"""The composer and the conversation's place: what is meant to be sent is, and a reader is left where they are."""

import pytest
from playwright.async_api import Locator, expect

from tests.browser.panel_house import Panel
from tests.browser.shared_house import TOUCH, SharedHouse
from tests.browser.steering import frames

pytestmark = pytest.mark.slow

COMPOSED_ENTER = """(field, how) => field.dispatchEvent(
  new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true, ...how}))"""
"""Enter that takes a composed character: told by `isComposing`, and of one browser by the old code 229."""

SPOKEN = """() => {
  window.spoken = [];
  const region = document.querySelector("assist-panel").shadowRoot.querySelector(".announcer");
  new MutationObserver((changes) => changes.flatMap(({addedNodes}) => [...addedNodes])
    .forEach((each) => window.spoken.push(each.textContent))).observe(region, {childList: true});
}"""

SCROLLED = """(log) => {
  window.scrolled = new Promise((done) => log.addEventListener("scroll", () => done(), {once: true}));
}"""
"""`window.scrolled` comes once it has moved."""

LIVE = """() => [...document.querySelector("assist-panel").shadowRoot.querySelector(".log").querySelectorAll("*")]
  .filter((each) => each.getAttribute("aria-live") ?? ["status", "alert", "log"].includes(each.getAttribute("role")))
  .map((each) => each.className)"""


def field_of(panel: Panel) -> Locator:
    return panel.element.get_by_label("Your question")


def log_of(panel: Panel) -> Locator:
    return panel.element.locator(".log")


async def height(locator: Locator) -> float:
    found = await locator.bounding_box()
    assert found is not None
    return found["height"]


async def test_the_field_grows_to_eight_lines_and_then_scrolls(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await panel.open()
        heights = []
        for lines in (1, 2, 8, 9, 30):
            await field_of(panel).fill("\n".join("line" for _ in range(lines)))
            heights.append(await height(field_of(panel)))
        one, two, eight, nine, thirty = heights
        line = two - one
        assert line > 15
        assert eight == pytest.approx(one + 7 * line, abs=1)
        assert eight == nine == thirty
        assert await field_of(panel).evaluate("(each) => each.scrollHeight > each.clientHeight")


async def test_enter_sends_and_shift_enter_breaks_and_a_composed_character_does_neither(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await panel.open()
        await field_of(panel).fill("What is")
        await panel.page.keyboard.press("Shift+Enter")
        await panel.page.keyboard.type("a pool?")
        for how in ({"isComposing": True}, {"keyCode": 229}):
            await field_of(panel).evaluate(COMPOSED_ENTER, how)
        assert await panel.element.locator(".exchange").count() == 0
        await panel.page.keyboard.press("Enter")
        await panel.answered("A pool holds")
        assert await panel.last.locator(".question p").inner_text() == "What is\na pool?"
        assert await field_of(panel).input_value() == ""


async def test_on_touch_enter_breaks_the_line_and_the_button_sends(shared: SharedHouse) -> None:
    async with shared.panel("upright", **TOUCH) as panel:
        await panel.open()
        assert await field_of(panel).get_attribute("enterkeyhint") == "enter"
        await field_of(panel).fill("What is")
        await panel.page.keyboard.press("Enter")
        await panel.page.keyboard.type("a pool?")
        assert await field_of(panel).input_value() == "What is\na pool?"
        await panel.element.get_by_role("button", name="Send").tap()
        await panel.answered("A pool holds")
        await field_of(panel).fill("And a category?")
        await panel.page.keyboard.press("Control+Enter")
        await panel.last.get_by_text("And a category?").wait_for()
        assert not await field_of(panel).evaluate("(each) => each.matches(':focus')")  # no keyboard over the answer


async def test_near_the_limit_the_rest_is_counted_and_above_it_nothing_is_sent(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await panel.open()
        left = panel.element.locator(".left")
        await panel.element.locator(".notice", has_text="Your questions").wait_for()
        await field_of(panel).fill("x" * 1_799)
        assert not await left.is_visible()
        await field_of(panel).fill("😀" * 1_990)
        assert await left.inner_text() == "10 characters left"
        await field_of(panel).fill("x" * 2_001)
        assert await left.inner_text() == "1 characters too many"
        assert await panel.element.get_by_role("button", name="Send").get_attribute("aria-disabled") == "true"
        await panel.page.keyboard.press("Enter")
        for nothing in ("", " \n "):
            await field_of(panel).fill(nothing)
            await panel.page.keyboard.press("Enter")
        await field_of(panel).fill("x" * 2_001)
        await panel.element.get_by_role("button", name="Send").click(force=True)
        assert await panel.element.locator(".exchange").count() == 0
        assert len(await field_of(panel).input_value()) == 2_001


async def test_send_is_stop_while_a_question_runs_and_the_question_stays(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await panel.open()
        shared.model.hold()
        try:
            await panel.ask("What is a pool?")
            await field_of(panel).press("Enter")  # nothing more is sent meanwhile
            await panel.element.get_by_role("button", name="Stop").click()
            await panel.element.get_by_role("button", name="Send", exact=True).wait_for()
        finally:
            shared.model.let_go()
        assert await panel.element.locator(".exchange").count() == 1
        assert await field_of(panel).input_value() == "What is a pool?"


async def test_an_answer_is_shown_from_its_beginning_unless_the_reader_is_elsewhere(shared: SharedHouse) -> None:
    async with shared.panel(reduced_motion="reduce") as panel:
        await panel.open()
        for _ in range(2):
            await panel.ask("What is a pool?")
            await panel.answered("A pool holds")
            await panel.element.get_by_role("button", name="Send").wait_for()
            inside, first = await log_of(panel).bounding_box(), await panel.last.locator(".prose").bounding_box()
            assert inside is not None
            assert first is not None
            assert inside["y"] <= first["y"] < inside["y"] + 150
        shared.model.hold()
        try:
            await panel.ask("And a category?")
            await panel.last.locator(".step").wait_for()
            await log_of(panel).hover()
            await log_of(panel).evaluate(SCROLLED)
            await panel.page.mouse.wheel(0, -900)
            await panel.page.evaluate("window.scrolled")
            await frames(panel.page)
            place = await log_of(panel).evaluate("(each) => each.scrollTop")
        finally:
            shared.model.let_go()
        await panel.last.locator(".prose").wait_for()
        await panel.element.get_by_role("button", name="Send").wait_for()
        await frames(panel.page)
        assert await log_of(panel).evaluate("(each) => each.scrollTop") == place


async def test_the_place_is_the_same_when_the_panel_is_opened_again(shared: SharedHouse) -> None:
    async with shared.panel(reduced_motion="reduce") as panel:
        await panel.open()
        await panel.ask("What is a pool?")
        await panel.answered("A pool holds")
        await log_of(panel).evaluate("(each) => { each.scrollTop = 120; }")
        await panel.page.keyboard.press("Escape")
        await panel.open()
        assert await log_of(panel).evaluate("(each) => each.scrollTop") == 120


async def test_an_answer_is_told_once_with_its_blocks_apart(shared: SharedHouse) -> None:
    async with shared.panel(reduced_motion="reduce") as panel:
        await panel.open()
        await panel.page.evaluate(SPOKEN)
        await panel.ask("What is a pool?")
        await panel.answered("A pool holds")
        await panel.element.get_by_role("button", name="Send").wait_for()
        spoken = [each for each in await panel.page.evaluate("window.spoken") if "A pool holds" in each]
        assert len(spoken) == 1
        assert spoken[0].startswith("Answer A pool A pool holds")
        assert "Refraction at a plane surface Single choice Medium 128" in spoken[0]
        assert await log_of(panel).get_attribute("role") == "log"
        assert await log_of(panel).get_attribute("aria-live") == "off"
        assert await panel.page.evaluate(LIVE) == []


async def test_a_question_that_is_not_answered_while_the_next_one_is_written_stays(shared: SharedHouse) -> None:
    """It cannot be given back to the field: it stays where it stands, and is sent again from there."""
    async with shared.panel(reduced_motion="reduce") as panel:
        await panel.open()
        said = panel.element.locator(".question p")
        shared.model.hold()
        asked = len(shared.model.requests)
        await panel.ask("The long one")
        await shared.model.asked(asked + 1)
        await field_of(panel).fill("The next one")
        await panel.element.get_by_role("button", name="Stop").click()
        await panel.element.get_by_text("Stopped.").wait_for()
        shared.model.let_go()
        for button, questions in (
            ("Send", ["The long one", "The next one"]),
            ("Send again", ["The next one", "The long one"]),
        ):
            await panel.element.get_by_role("button", name=button, exact=True).click()
            await panel.last.locator(".receipt").wait_for()
            assert await said.all_inner_texts() == questions
        assert await field_of(panel).input_value() == ""
        assert await panel.element.locator(".problem").count() == 0


async def test_a_question_whose_conversation_was_left_goes_before_the_next_one(shared: SharedHouse) -> None:
    """It was stopped by that, and stands nowhere any more."""
    async with shared.panel(reduced_motion="reduce") as panel:
        await panel.open()
        await panel.ask("The one before")
        await panel.last.locator(".receipt").wait_for()
        for button, found in (("New conversation", ""), ("Earlier conversations", "The one before")):
            shared.model.hold()
            asked = len(shared.model.requests)
            await panel.ask("The long one")
            await shared.model.asked(asked + 1)
            await field_of(panel).fill("The next one\n")
            await panel.element.get_by_role("button", name=button).click()
            if found:
                await panel.element.get_by_role("button", name=found).first.click()
                await panel.last.get_by_text(found).wait_for()
            await panel.element.get_by_role("button", name="Send", exact=True).wait_for()
            shared.model.let_go()
            await expect(field_of(panel)).to_have_value("The long one\n\nThe next one\n")
            await expect(panel.element.get_by_text("The long one")).to_have_count(0)
        await panel.element.get_by_role("button", name="Send", exact=True).click()
        await panel.last.locator(".receipt").wait_for()
        assert await panel.last.locator(".question p").inner_text() == "The long one\n\nThe next one"
