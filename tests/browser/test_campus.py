"""The panel on the reference LMS's own pages: it stays across them, and says truly what opened, changed or stayed."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Route, expect

from tests.browser.acts_shown import Tick
from tests.browser.chromium import SIZES
from tests.browser.panel_house import Panel, campus, signed_in
from tests.browser.steering import ASK, until
from tests.conftest import PUBLISHED, cloned
from tests.fakes.house import House

pytestmark = pytest.mark.slow

RULED = {"limits": {"questions_per_minute": 1_000, "questions_per_day": None}}

QUESTION = "Que peut-on dire de : l'arithmétique des pointeurs ?"
STATEMENT = "Choisis la seule affirmation juste sur : l'arithmétique des pointeurs."
REWRITTEN = "Que fait l'arithmétique des pointeurs ?"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def lms() -> AsyncIterator[tuple[House, str]]:
    async with cloned(PUBLISHED) as url, campus(url, ruled=RULED) as running:
        yield running


@pytest.mark.parametrize("size", sorted(SIZES))
async def test_what_an_answer_does_on_the_pages_of_an_lms(
    browser: Browser, lms: tuple[House, str], size: str, tick: Tick
) -> None:
    house, address = lms
    async with signed_in(browser, house, address, size=size) as panel:
        await panel.open()
        await _opens_and_stays(panel, address)
        tick("open")
        await _searches(panel)
        tick("search")
        await asks(panel, "Show the figures of this pool", "Opened: Pool")
        await expect(panel.page).to_have_url(re.compile(r"/pools/[0-9a-f-]{36}\?tab=stats$"))
        tick("tab")
        await _is_rewritten_and_undone(panel)
        tick("rewrite and undo")
        await _is_kept_by_the_leave_guard(panel)
        tick("leave guard")


async def asks(panel: Panel, question: str, said: str) -> None:
    """Returns once the answer to this says so."""
    before = await panel.element.locator(".exchange").count()
    await panel.ask(question)
    await expect(panel.element.locator(".exchange")).to_have_count(before + 1)
    await panel.answered(said)


def main(panel: Panel) -> Locator:
    return panel.page.locator("main#main")


async def _opens_and_stays(panel: Panel, address: str) -> None:
    await asks(panel, "Show me the pool Pointeurs et tableaux", "Opened: Pool")
    assert panel.page.url.startswith(f"{address}/pools/")
    await expect(main(panel).locator("h1")).to_contain_text("Pointeurs et tableaux")
    await expect(panel.element.get_by_label("Your question")).to_be_visible()
    origins = {"/".join(each.split("/")[:3]) for each in panel.requests if not each.startswith("data:")}
    assert origins == {address, str(panel.house.service.base_url).rstrip("/")}


async def _searches(panel: Panel) -> None:
    await asks(panel, "Show me the pool Pointeurs et tableaux, only the malloc ones", "Opened: Pool")
    await expect(panel.page).to_have_url(re.compile(r"\?tab=questions&search=malloc$"))
    # By what it is, not by its role: behind a sheet the page has none.
    await expect(main(panel).locator("input[type=search]")).to_have_value("malloc")
    await expect(main(panel).locator("tr", has_text="malloc")).to_have_count(5)


async def _is_rewritten_and_undone(panel: Panel) -> None:
    await asks(panel, f"Open the question “{QUESTION}”", "Opened: ")
    statement = main(panel).get_by_label("Statement")
    await expect(statement).to_have_value(STATEMENT)
    await asks(panel, f"Rewrite the statement as “{REWRITTEN}” and add two choices", "Proposed for this question")
    await panel.last.get_by_role("button", name="Apply").click()
    await panel.answered("Applied to your draft.")
    await expect(statement).to_have_value(REWRITTEN)
    added = main(panel).get_by_label("Choice 5", exact=True)
    await expect(added).to_have_count(1)
    await _close(panel)
    await main(panel).get_by_role("button", name="Undo").click()
    await expect(statement).to_have_value(STATEMENT)
    await expect(added).to_have_count(0)
    await expect(main(panel).get_by_text("Saved", exact=True)).to_be_visible()


async def _is_kept_by_the_leave_guard(panel: Panel) -> None:
    """What is typed while an answer is on its way, and cannot be saved, is not left unasked."""
    held: list[Route] = []
    await panel.page.route(ASK, lambda route: held.append(route))
    await panel.open()
    await panel.ask("Show me the pool Boucles et conditions")
    await until(lambda: held != [])
    await panel.page.route("**/draft", lambda route: route.abort())
    await _close(panel)
    explanation = main(panel).get_by_label("Explanation", exact=True)
    await explanation.fill("Typed meanwhile.")
    await panel.open()
    at = panel.page.url
    await held.pop().continue_()
    await panel.page.get_by_role("alertdialog").get_by_role("button", name="Stay").click()
    await panel.answered("Stayed on this screen")
    assert panel.page.url == at
    await expect(explanation).to_have_value("Typed meanwhile.")


async def _close(panel: Panel) -> None:
    """So that the page can be used where the panel is a sheet over it."""
    await panel.element.get_by_role("button", name="Close").click()
    await expect(panel.element.locator("dialog")).to_be_hidden()


async def test_in_full_screen_there_is_no_panel_and_afterwards_it_is_there_again(
    browser: Browser, lms: tuple[House, str]
) -> None:
    """What is shown to a room is nobody's conversation."""
    async with signed_in(browser, *lms) as panel:
        await panel.open()
        await panel.page.evaluate("() => document.documentElement.requestFullscreen()")
        await expect(panel.element.locator(".toggle")).to_be_hidden()
        await expect(panel.element.locator("dialog")).to_be_hidden()
        await panel.page.evaluate("() => document.exitFullscreen()")
        await panel.open()
        await expect(panel.element.get_by_label("Your question")).to_be_visible()
