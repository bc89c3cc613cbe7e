"""axe finds no fault in the panel, in each of its states, or in the pages around it; at each size, in both themes."""

import pytest
from playwright.async_api import Browser, Route

from tests.browser.axe import judged
from tests.browser.chromium import SIZES
from tests.browser.panel_house import Panel, campus, signed_in
from tests.browser.shared_house import TOUCH, SharedHouse
from tests.browser.steering import ASK, refuse, until
from tests.browser.whole_reply import answers_with
from tests.case_counts import CountCases
from tests.web.writing import POOL, QUESTION

pytestmark = pytest.mark.slow


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


async def answering(panel: Panel) -> None:
    """A question of which nothing has come yet."""
    await panel.page.unroute_all()
    held: list[Route] = []
    await panel.page.route(ASK, lambda route: held.append(route))
    await panel.ask("Is it long?")
    await until(lambda: held != [])
    await panel.last.locator(".step").wait_for()


async def refused(panel: Panel) -> None:
    """More questions than may be asked: the composer waits."""
    await panel.element.get_by_role("button", name="Stop").click()
    await panel.page.unroute_all()
    await panel.page.route(ASK, lambda route: refuse(route, "rate_limited", 429, **{"Retry-After": "50"}))
    await panel.ask("And now?")
    await panel.element.locator(".wait").wait_for()


STATES = (closed, empty, section, history, whole, over, answering, refused)
"""In this order, each from where the one before has left the panel."""

SHOWN_IN = [*((size, "light") for size in sorted(SIZES)), ("desk", "dark")]
"""Of the dark theme only the colours differ, which are the same at each size."""


@pytest.mark.parametrize(("size", "theme"), SHOWN_IN)
async def test_axe_finds_no_fault(shared: SharedHouse, size: str, theme: str, count_cases: CountCases) -> None:
    options = {"color_scheme": theme, "reduced_motion": "reduce", "bypass_csp": True}
    width, height = SIZES[size]
    async with shared.panel(size, **options, **({} if size == "desk" else TOUCH)) as panel:
        found: dict[str, list[str]] = {}
        unsure: set[str] = set()
        for state in STATES:
            await state(panel)
            told = await judged(panel.page)
            found[state.__name__] = told.faults
            unsure |= {line.partition(":")[0] for line in told.unsure}
            count_cases("axe", 1, f"{width}x{height} {theme}")
            count_cases("axe, rules", told.rules, state.__name__)
        assert found == {state.__name__: [] for state in STATES}
        # Of text that is half under the edge of what scrolls axe cannot tell the contrast; of nothing else.
        assert unsure <= {"color-contrast"}


PAGES = ("/pools", f"/pools/{POOL}?tab=stats", f"/questions/{QUESTION}")


@pytest.mark.parametrize(("size", "theme"), [("upright", "light"), ("desk", "dark")])
async def test_axe_finds_no_fault_in_the_pages_around_it(
    browser: Browser, database_url: str, size: str, theme: str, count_cases: CountCases
) -> None:
    width, height = SIZES[size]
    async with (
        campus(database_url) as (house, address),
        signed_in(browser, house, address, size=size, color_scheme=theme, bypass_csp=True) as panel,
    ):
        found: dict[str, list[str]] = {}
        for path in PAGES:
            await panel.page.goto(f"{address}{path}")
            await panel.stands()
            told = await judged(panel.page)
            found[path] = told.faults
            count_cases("axe", 1, f"{width}x{height} {theme}")
            count_cases("axe, rules", told.rules, path)
        assert found == {path: [] for path in PAGES}
