"""axe finds no fault in the panel: closed, open, answering, refused, beside a section, in both themes, at each size."""

from typing import Any

import pytest
from playwright.async_api import Page

from assist_service.settings import ROOT
from tests.browser.chromium import SIZES
from tests.browser.panel_house import Panel, faults_of
from tests.browser.shared_house import TOUCH, SharedHouse
from tests.browser.whole_reply import answers_with

pytestmark = pytest.mark.slow

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"

RUN = """async () => {
  const told = await axe.run(document, {resultTypes: ["violations", "incomplete"]});
  return {violations: told.violations, passes: told.passes.length};
}"""

FEWEST_RULES = 10
"""axe that looked at nothing would find nothing either: so many of its rules had something to judge."""


def axe() -> str:
    return AXE.read_text(encoding="utf-8")


async def faults_on(page: Page) -> list[str]:
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(axe())
    told: dict[str, Any] = await page.evaluate(RUN)
    assert told["passes"] >= FEWEST_RULES
    return faults_of(told)


async def closed(panel: Panel) -> None:
    await panel.element.get_by_role("button", name="Open the assistant").wait_for()


async def empty(panel: Panel) -> None:
    await panel.open()
    await panel.element.locator(".notice", has_text="Your questions").wait_for()


async def section(panel: Panel) -> None:
    await panel.ask("What is a pool?")
    await panel.answered("A pool holds")
    await panel.element.locator(".unrevealed").first.wait_for(state="detached")
    await panel.last.locator(".mark").first.click()
    await panel.element.locator(".section .prose").wait_for()


async def history(panel: Panel) -> None:
    await panel.element.locator(".back").click()
    await panel.element.get_by_role("button", name="Earlier conversations").click()
    await panel.element.locator(".conversations").wait_for()


async def whole(panel: Panel) -> None:
    """A card, chips, choices, an edit and a command, beside everything that an answer may hold."""
    await panel.element.locator(".back").click()
    await answers_with(panel.page)
    await panel.ask("Everything?")
    await panel.answered("A pool holds")
    await panel.last.get_by_role("button", name="Apply").wait_for()


async def over(panel: Panel) -> None:
    """A question that is too long, and a service that is not there."""
    await panel.page.unroute_all()
    await panel.page.route("**/assist/ask", lambda route: route.abort())
    await panel.ask("Is anybody there?")
    await panel.last.locator(".problem").wait_for()
    await panel.element.get_by_label("Your question").fill("x" * 2_050)


STATES = (closed, empty, section, history, whole, over)
"""In this order, each from where the one before has left the panel."""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", sorted(SIZES))
async def test_axe_finds_no_fault(shared: SharedHouse, size: str, theme: str) -> None:
    options = {"color_scheme": theme, "reduced_motion": "reduce", "bypass_csp": True}
    async with shared.panel(size, **options, **({} if size == "desk" else TOUCH)) as panel:
        found: dict[str, list[str]] = {}
        for state in STATES:
            await state(panel)
            found[state.__name__] = await faults_on(panel.page)
        assert found == {state.__name__: [] for state in STATES}
