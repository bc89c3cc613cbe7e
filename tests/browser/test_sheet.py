"""The sheet on a narrow or low screen: the page behind it waits, and crossing the limit loses nothing.

A keyboard on the screen cannot be had without a phone. What a page sees of one is: a smaller window where it resizes
the content, a visual viewport that is smaller than the window where it does not; both are made here.
"""

import pytest
from playwright.async_api import Page, expect

from tests.browser.chromium import SIZES
from tests.browser.panel_house import Panel
from tests.browser.shared_house import TOUCH, SharedHouse
from tests.browser.steering import frames
from tests.browser.test_frame import ADD_LINK, FOCUSED, box, dialog, toggle

pytestmark = pytest.mark.slow

PHONES = ("landscape", "upright")

LONG_PAGE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("main { height: 4000px }");
  document.adoptedStyleSheets.push(sheet);
  scrollTo(0, 500);
}"""

KEYBOARD = """() => {
  class Viewport extends EventTarget {
    constructor() { super(); this.height = innerHeight; this.offsetTop = 0; this.scale = 1; }
    become(changes) { Object.assign(this, changes); this.dispatchEvent(new Event("resize")); }
  }
  Object.defineProperty(window, "visualViewport", {value: new Viewport(), configurable: true});
}"""
"""A visual viewport that a test makes smaller, as a keyboard over the content does."""

WHEELED = """() => {
  window.wheeled = new Promise((done) => addEventListener("wheel", () => done(), {once: true, capture: true}));
}"""
"""`window.wheeled` comes once the page has been told of the next turn of a wheel."""

WHERE = "() => ({top: Math.round(scrollY), width: document.querySelector('main').clientWidth})"

READ = """() => {
  const log = document.querySelector("assist-panel").shadowRoot.querySelector(".log");
  const top = log.getBoundingClientRect().top;
  const blocks = [...log.querySelectorAll(".question, .prose > *")];
  return blocks.find((each) => each.getBoundingClientRect().bottom > top + 1).textContent.slice(0, 40);
}"""
"""The first block that is seen of the conversation."""


async def becomes(panel: Panel, *, modal: bool) -> None:
    """Returns once the open panel is a sheet, or is none."""
    await expect(panel.element.locator(f"dialog[open]{':modal' if modal else ':not(:modal)'}")).to_have_count(1)


async def can_scroll(page: Page) -> bool:
    """Whether a wheel over the page moves it."""
    before = await page.evaluate("scrollY")
    await page.mouse.move(20, 12)  # over the head of a sheet, which does not scroll itself
    await page.evaluate(WHEELED)
    await page.mouse.wheel(0, 300)
    await page.evaluate("window.wheeled")
    await frames(page)
    return bool(await page.evaluate("scrollY") != before)


@pytest.mark.parametrize("size", PHONES)
async def test_the_focus_stays_in_the_sheet_and_the_page_where_it_was(shared: SharedHouse, size: str) -> None:
    async with shared.panel(size) as panel:
        await panel.page.evaluate(ADD_LINK)
        await panel.page.evaluate(LONG_PAGE)
        before = await panel.page.evaluate(WHERE)
        assert before["top"] == 500
        assert before["width"] < SIZES[size][0] - 16 - 10  # a scroll bar takes its room, which it might give back
        await panel.open()
        await becomes(panel, modal=True)
        assert await panel.page.evaluate(WHERE) == before
        assert not await can_scroll(panel.page)
        for _ in range(12):
            await panel.page.keyboard.press("Tab")
            assert await panel.page.evaluate(FOCUSED) not in {"of-the-page", "toggle"}
        await panel.page.keyboard.press("Escape")
        assert await panel.page.evaluate(FOCUSED) == "toggle"
        await expect(toggle(panel)).to_have_attribute("aria-expanded", "false")
        assert await panel.page.evaluate(WHERE) == before
        assert await can_scroll(panel.page)


@pytest.mark.parametrize("how", ["element.remove()", "element.hidden = true", "element.close()"])
async def test_however_a_sheet_goes_the_page_is_free_again(shared: SharedHouse, how: str) -> None:
    async with shared.panel("upright") as panel:
        await panel.page.evaluate(ADD_LINK)
        await panel.page.evaluate(LONG_PAGE)
        await panel.open()
        await panel.element.evaluate(f"(element) => {{ {how} }}")
        assert await can_scroll(panel.page)
        await panel.page.evaluate("scrollTo(0, 0)")
        await panel.page.locator("#of-the-page").click(timeout=2_000)


@pytest.mark.parametrize("size", PHONES)
async def test_the_composer_stays_above_a_keyboard_over_the_page(shared: SharedHouse, size: str) -> None:
    async with shared.panel(size, **TOUCH) as panel:
        await panel.page.evaluate(KEYBOARD)
        await panel.element.evaluate("(old) => { const panel = document.createElement('assist-panel'); "
                                     "panel.host = old.host; old.replaceWith(panel); }")  # fmt: skip
        await panel.open()
        height = SIZES[size][1]
        assert (await box(dialog(panel)))["bottom"] == height
        keyboard = 200 if size == "landscape" else 336
        await panel.page.evaluate(f"visualViewport.become({{height: {height - keyboard}, offsetTop: 30}})")
        composer = await box(panel.element.locator(".composer"))
        assert composer["bottom"] <= height - keyboard + 30
        assert composer["y"] > 30
        log = await box(panel.element.locator(".log"))
        assert log["height"] > 20
        await panel.page.evaluate("visualViewport.become({height: 100, scale: 3})")  # zoomed in with two fingers
        assert (await box(panel.element.locator(".composer"))) == composer
        await panel.page.evaluate(f"visualViewport.become({{height: {height}, offsetTop: 0, scale: 1}})")
        assert (await box(dialog(panel)))["bottom"] == height


@pytest.mark.parametrize("size", PHONES)
async def test_a_keyboard_that_resizes_the_content_leaves_the_composer_in_sight(shared: SharedHouse, size: str) -> None:
    async with shared.panel(size, **TOUCH) as panel:
        await panel.open()
        await panel.element.get_by_label("Your question").tap()
        width, height = SIZES[size]
        await panel.page.set_viewport_size({"width": width, "height": height - 200})
        await becomes(panel, modal=True)
        assert (await box(panel.element.locator(".composer")))["bottom"] <= height - 200
        assert await panel.page.evaluate(FOCUSED) == "field"


async def test_the_sheet_leaves_out_what_a_phones_edge_covers(shared: SharedHouse) -> None:
    async with shared.panel("upright", **TOUCH) as panel:
        session = await panel.page.context.new_cdp_session(panel.page)
        insets = {"top": 47, "bottom": 34, "left": 0, "right": 0}
        await session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
        assert (await box(toggle(panel)))["bottom"] == 844 - 34 - 24
        await panel.open()
        assert (await box(panel.element.locator(".head")))["y"] >= 47
        assert (await box(panel.element.locator(".composer")))["bottom"] <= 844 - 34


@pytest.mark.parametrize("size", PHONES)
async def test_crossing_the_limit_keeps_question_answer_place_and_focus(shared: SharedHouse, size: str) -> None:
    async with shared.panel(reduced_motion="reduce") as panel:
        await panel.page.evaluate(LONG_PAGE)
        await panel.open()
        await panel.ask("What is a pool?")
        await panel.answered("A pool holds")
        field = panel.element.get_by_label("Your question")
        await field.fill("And what of categories?")
        await field.evaluate("(each) => each.setSelectionRange(4, 8)")
        await panel.element.locator(".prose h4").first.evaluate("(each) => each.scrollIntoView()")
        read = await panel.page.evaluate(READ)
        for there, modal in ((SIZES[size], True), (SIZES["desk"], False)):
            await panel.page.set_viewport_size({"width": there[0], "height": there[1]})
            await becomes(panel, modal=modal)
            assert await panel.page.evaluate(READ) == read
            assert await panel.page.evaluate(FOCUSED) == "field"
            assert await field.input_value() == "And what of categories?"
            assert await field.evaluate("(each) => [each.selectionStart, each.selectionEnd]") == [4, 8]
            await expect(toggle(panel)).to_have_attribute("aria-expanded", "true")
            assert await can_scroll(panel.page) is not modal


async def test_crossing_takes_no_focus_from_the_page(shared: SharedHouse) -> None:
    async with shared.panel("upright") as panel:
        await panel.page.evaluate(ADD_LINK)
        await panel.page.set_viewport_size({"width": 900, "height": 700})
        await panel.open()
        await panel.page.locator("#of-the-page").focus()
        await panel.page.set_viewport_size({"width": 900, "height": 400})
        await becomes(panel, modal=True)
        await panel.page.set_viewport_size({"width": 1100, "height": 400})
        await becomes(panel, modal=False)
        await panel.page.locator("#of-the-page").focus()
        await panel.page.keyboard.press("Escape")
        assert await dialog(panel).is_visible()


LIMITS: dict[tuple[int, int], bool] = {
    (639, 900): True,
    (640, 900): False,
    (1023, 480): True,
    (1023, 481): False,
    (1024, 480): False,
    (640, 481): False,
}
"""Windows, and whether the panel is a sheet there."""


async def test_the_sheet_begins_at_the_limits(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        for (width, height), modal in LIMITS.items():
            await panel.page.set_viewport_size({"width": width, "height": height})
            await panel.element.evaluate("(element) => element.open()")
            await becomes(panel, modal=modal)
            await panel.element.evaluate("(element) => element.close()")
