"""The button and the panel beside a page: where they stand, what the keyboard does, and that the page stays usable."""

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from examples.reference_lms.school import SCHOOL
from examples.reference_lms.sessions import SessionKind
from tests.browser.chromium import SIZES
from tests.browser.panel_house import SID, Panel
from tests.browser.shared_house import TOUCH, SharedHouse
from tests.browser.steering import AVAILABILITY, TOKEN
from tests.browser.whole_reply import answers_with
from tests.fakes.house import STUDENT, TEACHER, TRAINER

pytestmark = pytest.mark.slow

ADD_LINK = """() => {
  const link = document.createElement("button");
  link.id = "of-the-page";
  link.addEventListener("click", () => { window.clicked = true; });
  link.textContent = "Of the page";
  document.querySelector("main").append(link);
}"""

FOCUSED = """() => {
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element.id || element.className || element.localName;
}"""


def toggle(panel: Panel) -> Locator:
    return panel.element.locator(".toggle")


def dialog(panel: Panel) -> Locator:
    return panel.element.locator("dialog")


async def box(locator: Locator) -> dict[str, float]:
    found = await locator.bounding_box()
    assert found is not None
    x, y, width, height = found["x"], found["y"], found["width"], found["height"]
    return {"x": x, "y": y, "width": width, "height": height, "right": x + width, "bottom": y + height}


async def test_the_button_is_round_in_the_corner_and_the_page_moves_it_up_or_hides_it(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await toggle(panel).wait_for()
        stands = await box(toggle(panel))
        assert (stands["width"], stands["height"]) == (48, 48)
        assert (stands["right"], stands["bottom"]) == (1440 - 24, 900 - 24)
        assert await style(toggle(panel), "borderRadius") == "50%"
        await set_bottom(panel.page, "64px")
        assert (await box(toggle(panel)))["bottom"] == 900 - 24 - 64
        await panel.element.evaluate("(element) => { element.hidden = true; }")
        assert not await toggle(panel).is_visible()
        await panel.element.evaluate("(element) => element.open()")
        assert not await dialog(panel).evaluate("(each) => each.open")


async def style(locator: Locator, name: str) -> str:
    return str(await locator.evaluate("(element, name) => getComputedStyle(element)[name]", name))


async def set_bottom(page: Page, value: str) -> None:
    """As a page's own style sheet does it."""
    await page.evaluate(
        """(value) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(`assist-panel { --assist-bottom: ${value}; }`);
          document.adoptedStyleSheets.push(sheet);
        }""",
        value,
    )


async def test_the_panel_stands_above_its_button_and_the_page_stays_usable(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await panel.page.evaluate(ADD_LINK)
        await expect(toggle(panel)).to_have_attribute("aria-expanded", "false")
        await panel.open()
        await panel.element.locator(".notice", has_text="Your questions").wait_for()
        await expect(toggle(panel)).to_have_attribute("aria-expanded", "true")
        stands, button = await box(dialog(panel)), await box(toggle(panel))
        assert stands["right"] == button["right"]
        assert stands["bottom"] < button["y"]
        assert stands["width"] <= 420
        assert stands["height"] < 500  # nothing was asked yet: no more than the notice needs
        await panel.page.locator("#of-the-page").click()
        assert await panel.page.evaluate("window.clicked")
        assert not await dialog(panel).evaluate("(each) => each.matches(':modal')")
        await panel.page.set_viewport_size({"width": 1024, "height": 500})
        smaller = await box(dialog(panel))
        assert smaller["y"] >= 0
        assert smaller["right"] == 1024 - 24


async def test_tab_goes_from_the_button_into_the_panel_and_on_to_the_page(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await panel.page.evaluate(ADD_LINK)
        await panel.open()
        await toggle(panel).focus()
        order = []
        for _ in range(6):
            await panel.page.keyboard.press("Tab")
            order.append(await panel.page.evaluate(FOCUSED))
        assert order == ["icon-button", "icon-button", "icon-button", "log", "field", "send"]
        await panel.page.keyboard.press("Tab")
        assert await panel.page.evaluate(FOCUSED) not in order


async def test_escape_closes_from_within_only_and_hands_the_focus_back(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await panel.page.evaluate(ADD_LINK)
        await panel.open()
        assert await panel.page.evaluate(FOCUSED) == "field"
        await panel.page.locator("#of-the-page").focus()
        await panel.page.keyboard.press("Escape")
        assert await dialog(panel).is_visible()
        await panel.element.evaluate("(element) => element.close()")
        assert await panel.page.evaluate(FOCUSED) == "of-the-page"
        await panel.page.evaluate("window.escapes = 0; addEventListener('keydown', () => { window.escapes += 1; })")
        await panel.open()
        await panel.page.keyboard.press("Escape")
        assert await panel.page.evaluate("window.escapes") == 0  # the page has an Escape of its own
        assert not await dialog(panel).is_visible()
        assert await panel.page.evaluate(FOCUSED) == "toggle"
        await expect(toggle(panel)).to_have_attribute("aria-expanded", "false")


async def test_what_has_the_focus_shows_it_and_forced_colours_leave_the_outlines(shared: SharedHouse) -> None:
    async with shared.panel(forced_colors="active") as panel:
        assert await style(toggle(panel), "borderTopColor") != "rgba(0, 0, 0, 0)"
        assert await style(toggle(panel), "borderTopWidth") == "1px"
        await panel.page.keyboard.press("Tab")
        assert await panel.page.evaluate(FOCUSED) == "toggle"
        assert await style(toggle(panel), "outlineStyle") == "solid"
        await panel.page.keyboard.press("Enter")
        for _ in range(2):
            await panel.page.keyboard.press("Shift+Tab")
        assert await style(panel.element.get_by_role("button", name="Close"), "outlineStyle") == "solid"


async def test_nothing_of_it_is_printed(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await panel.open()
        await panel.page.emulate_media(media="print")
        assert not await toggle(panel).is_visible()
        assert not await dialog(panel).is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_theme_is_the_pages_or_the_persons(shared: SharedHouse, theme: str) -> None:
    dark = {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 25, 29)"}
    other = "dark" if theme == "light" else "light"
    async with shared.panel(color_scheme=theme) as panel:
        await panel.open()
        assert await style(dialog(panel), "backgroundColor") == dark[theme]
        await panel.element.evaluate("(element, theme) => element.setAttribute('theme', theme)", other)
        assert await style(dialog(panel), "backgroundColor") == dark[other]


WIDER = """() => {
  const root = document.querySelector("assist-panel").shadowRoot;
  const log = root.querySelector(".log");
  const inside = log.getBoundingClientRect();
  const own = (each) => each.closest("pre, .scrolling") !== null || each.closest(".unseen") !== null;
  const out = [...log.querySelectorAll("*")].filter((each) => !own(each)
    && each.getBoundingClientRect().right > inside.right + 0.5);
  return {scrolls: log.scrollWidth > log.clientWidth, page: document.documentElement.scrollWidth > innerWidth,
    out: out.map((each) => each.outerHTML.slice(0, 80))};
}"""


@pytest.mark.parametrize("size", [*sorted(SIZES), "zoomed"])
async def test_long_words_and_wide_tables_stay_inside(shared: SharedHouse, size: str) -> None:
    options: dict[str, Any] = TOUCH if size in {"upright", "landscape"} else {}
    async with shared.panel("desk" if size == "zoomed" else size, **options) as panel:
        if size == "zoomed":  # 200 % of a window of 1440 by 900
            await panel.page.set_viewport_size({"width": 720, "height": 450})
        await panel.open()
        await answers_with(panel.page)
        await panel.ask("L" + "o" * 300 + "ng?")
        await panel.answered("A pool holds")
        await panel.last.get_by_role("button", name="Apply").wait_for()
        assert await panel.page.evaluate(WIDER) == {"scrolls": False, "page": False, "out": []}


async def test_a_section_stands_beside_the_answer_where_there_is_room_and_else_in_its_place(
    shared: SharedHouse,
) -> None:
    async with shared.panel() as panel:
        await panel.open()
        await panel.ask("What is a pool?")
        await panel.answered("A pool holds")
        mark = panel.last.locator(".mark").first
        await mark.click()
        side, main = panel.element.locator(".side"), panel.element.locator(".main")
        await panel.element.locator(".section .prose").wait_for()
        assert (await box(main))["right"] <= (await box(side))["x"] + 1
        assert await mark.is_visible()
        await panel.page.set_viewport_size({"width": 700, "height": 800})
        assert await box(side) == {**await box(main), "x": (await box(main))["x"]}
        assert not await mark.is_visible()
        await panel.element.locator(".back").click()
        assert await mark.is_visible()
        assert await panel.page.evaluate(FOCUSED) == "mark"


async def test_what_was_clicked_is_still_seen_where_a_section_narrows_the_conversation(
    shared: SharedHouse,
) -> None:
    async with shared.panel("landscape", reduced_motion="reduce") as panel:
        await panel.open()
        await panel.ask("What is a pool?")
        await panel.answered("A pool holds")
        mark = panel.last.locator(".prose .mark").nth(2)
        await mark.evaluate("(each) => each.scrollIntoView({block: 'end'})")
        await mark.click()
        await panel.element.locator(".section .prose").wait_for()
        log, stands = await box(panel.element.locator(".log")), await box(mark)
        assert log["y"] <= stands["y"]
        assert stands["bottom"] <= log["bottom"] + 1


MANUAL = "Ask how the platform works, or where to find something on it."
BOTH = "Ask how the platform works, where to find something on it, or what you have there."


@pytest.mark.parametrize(("sub", "hint"), [(TEACHER, BOTH), (STUDENT, MANUAL), (TRAINER, MANUAL)])
async def test_an_empty_panel_promises_no_more_than_there_is_to_answer_from(
    shared: SharedHouse, sub: str, hint: str
) -> None:
    async with shared.panel() as panel:
        known = next(each for each in SCHOOL.people if each.sub == sub)
        token = shared.house.sessions.mint(known, kind=SessionKind.PORTAL, elevated=False, sid=SID)
        await panel.page.route(TOKEN, lambda route: route.fulfill(json={"token": token}))
        await panel.open()
        await expect(panel.element.locator(".hint")).to_have_text(hint)
        await panel.element.evaluate("(each) => each.setAttribute('language', 'fr')")
        await expect(panel.element.locator(".hint")).to_contain_text("Demande comment fonctionne la plateforme, ")
        # Not known, to whoever comes next.
        await panel.page.route(AVAILABILITY, lambda route: route.abort())
        await panel.element.evaluate("(each) => each.dispatchEvent(new Event('sessionchange'))")
        await expect(panel.element.locator(".hint")).to_be_empty()


async def test_marks_that_break_nowhere_scroll_no_conversation(shared: SharedHouse) -> None:
    async with shared.panel() as panel:
        await panel.open()
        await answers_with(panel.page)
        await panel.ask("\u0e49" * 200)
        await panel.answered("A pool holds")
        await panel.last.get_by_role("button", name="Apply").wait_for()
        await panel.last.locator(".prose p").first.evaluate("(each) => each.append('\u0e49'.repeat(200))")
        found = await panel.page.evaluate(WIDER)
        assert (found["scrolls"], found["page"]) == (False, False)
        for wide in (".prose pre", ".prose .scrolling"):
            assert await panel.last.locator(wide).first.evaluate("(each) => each.scrollWidth > each.clientWidth"), wide
