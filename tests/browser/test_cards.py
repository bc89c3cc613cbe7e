"""A card shows every line of what was prepared, is confirmed once or cancelled, and says truly what came of it."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, expect

from assist_service.domain.writes import PENDING
from tests.browser.acting import Acting, ActingPanel, has_outcome, outcomes, said_by_the_service
from tests.browser.acts_shown import Tick
from tests.browser.chromium import SIZES
from tests.browser.steering import left_the_page, refuse
from tests.fakes.models import calls
from tests.web.live_questions import inject
from tests.web.writing import POOL, QUESTION_CALL, SEARCHED, STATEMENT, WAITS, new_category, titled, written

pytestmark = pytest.mark.slow

CATEGORIES = f"/api/pools/{POOL}/categories"
WITHIN = PENDING.total_seconds()

ASKED_FOR = 40
"""Seconds that a Confirm takes: not so long that its answer counts as one that does not come."""


async def card(panel: ActingPanel, title: str = "Loops") -> Locator:
    """The exchange that shows a card for a new category of this title."""
    exchange = await panel.ask(calls(new_category(title)), WAITS)
    await expect(exchange.locator(".card")).to_be_visible()
    return exchange


def confirm(exchange: Locator) -> Locator:
    return exchange.get_by_role("button", name="Confirm")


async def lines(exchange: Locator) -> list[tuple[str, str]]:
    names, values = exchange.locator(".lines dt"), exchange.locator(".lines dd")
    return list(zip(await names.all_text_contents(), await values.all_text_contents(), strict=True))


@pytest.mark.parametrize("size", sorted(SIZES))
async def test_a_card_is_read_confirmed_and_its_result_opened(
    browser: Browser, acting: Acting, size: str, tick: Tick
) -> None:
    async with acting.panel(browser, size=size) as panel:
        title, before = f"Loops, {size}", len(await written(acting.house))
        exchange = await card(panel, title)
        await expect(exchange.get_by_role("heading", name="Create a category")).to_be_visible()
        assert await lines(exchange) == [("Pool", titled("pool", POOL)), ("Title", title)]
        if size == "landscape":  # too low for both: the answer's beginning is seen, and that there is more
            await expect(panel.shown.element.locator(".log.has-more")).to_have_count(1)
        else:
            await expect(confirm(exchange)).to_be_in_viewport(ratio=1)
        assert len(await written(acting.house)) == before
        said = await exchange.inner_text()
        assert said.count("Prepared, and waiting for you: create a category. Nothing has changed yet.") == 1
        await confirm(exchange).click()
        await has_outcome(exchange, f"Done: {title}")
        assert await said_by_the_service(exchange) == "The service says: Prepared: create a category."
        assert await exchange.locator(".outcome").evaluate("line => line.getRootNode().activeElement === line")
        assert len(await written(acting.house)) == before + 1
        assert await exchange.get_by_role("button", name="Confirm").count() == 0
        await exchange.get_by_role("link", name=title).click()
        await has_outcome(exchange, f"Opened: {title}")
        rows = acting.house.school.rows("SELECT id FROM category WHERE title = :title", title=title)
        assert await panel.page_has("moves") == [f"/pools/{POOL}?category={row['id']}" for row in rows]
        tick("category card")

        exchange = await card(panel, "Too late")
        await expect(exchange.get_by_text("Can be confirmed until")).to_be_visible()
        await panel.shown.page.clock.fast_forward(int(WITHIN) * 1000)
        await has_outcome(exchange, "This card's time is over")
        assert "waiting" not in await said_by_the_service(exchange)
        assert await confirm(exchange).count() == 0
        assert len(await written(acting.house)) == before + 1
        tick("expired card")
        await _as_it_was_said_then(panel)


async def _as_it_was_said_then(panel: ActingPanel) -> None:
    """Read again, what the service said is still its own, and no model's."""
    await panel.shown.page.reload()
    await panel.shown.open()
    first = panel.shown.element.locator(".exchange.kept").first
    await first.wait_for()
    said = "The service says: Prepared, and waiting for you: create a category. Nothing has changed yet."
    assert await said_by_the_service(first) == said
    assert "Prepared" not in await first.locator(".prose").inner_text()
    assert await first.get_by_role("button", name="Confirm").count() == 0
    await expect(panel.shown.element.get_by_text("As it was said then.")).to_have_count(1)


async def test_what_came_of_a_card_is_told_as_it_is(browser: Browser, acting: Acting) -> None:
    async with acting.panel(browser) as panel:
        await _every_line_stands_there_as_it_is(panel)
        await _cancelled(panel)
        await _refused(panel)
        await _silent_before_anything_was_sent(panel)
        await _not_said_whether_it_was_made(panel)
        await _what_may_have_been_made_is_never_said_not_to_be(panel)
        await _its_time_passes_while_it_is_asked(panel)
        await _no_answer(panel)
        await _a_result_elsewhere_is_no_link(panel)
        await _one_at_a_time(panel)
        await _over_by_the_services_clock(panel)


async def _every_line_stands_there_as_it_is(panel: ActingPanel) -> None:
    hostile = "<b onclick=x>  two  rooms </b>\nhttps://elsewhere.example"
    tool, arguments = QUESTION_CALL
    exchange = await panel.ask(SEARCHED, calls((tool, {**arguments, "explanation": hostile})), WAITS)
    await expect(exchange.get_by_role("heading", name="Create a question, as a draft")).to_be_visible()
    shown = await lines(exchange)
    assert ("Explanation", hostile) in shown
    assert ("Statement", STATEMENT) in shown
    assert ("Setting", "/choices/0/correct: true") in shown
    assert await exchange.locator(".card").locator("b, a").count() == 0
    assert (
        await exchange.locator(".lines dd").first.evaluate("value => getComputedStyle(value).whiteSpace") == "pre-wrap"
    )

    def unknown(reply: dict[str, Any]) -> None:
        reply["writes"][0] |= {"tool": "later_tool", "lines": [{"label": "later_label", "value": "7"}]}

    await panel.altered(unknown)
    exchange = await card(panel)
    await expect(exchange.get_by_role("heading", name="Make a change")).to_be_visible()
    assert await lines(exchange) == [("later_label", "7")]
    await panel.honest()


async def _cancelled(panel: ActingPanel) -> None:
    exchange = await card(panel)
    await exchange.get_by_role("button", name="Cancel").click()
    await has_outcome(exchange, "Cancelled. Nothing was changed.")
    assert await exchange.get_by_role("button", name="Confirm").count() == 0


async def _refused(panel: ActingPanel) -> None:
    house = panel.acting.house
    told = {
        404: "Not made: something it needs is gone",
        403: "Not made: the platform refused it.",
        422: "Not made: the platform does not take it like this.",
        418: "Not made: the platform could not do it.",
    }
    for status, said in told.items():
        exchange = await card(panel)
        await inject(house, "status", status=status, path=CATEGORIES)
        await confirm(exchange).click()
        await has_outcome(exchange, said)
        await inject(house, "none")
    exchange = await card(panel)
    await inject(house, "rename", kind="pool", id=POOL, title="Something else")
    await confirm(exchange).click()
    await has_outcome(exchange, "Not made: what the card showed is not so any more. Ask again.")
    await inject(house, "rename", kind="pool", id=POOL, title=titled("pool", POOL))


async def _silent_before_anything_was_sent(panel: ActingPanel) -> None:
    exchange = await card(panel, "Silent")
    await inject(panel.acting.house, "status", status=503, path="/api/pools")
    await confirm(exchange).click()
    await expect(exchange.get_by_text("was asked for nothing yet")).to_be_visible()
    await inject(panel.acting.house, "none")
    await confirm(exchange).click()
    await has_outcome(exchange, "Done: Silent")


async def _not_said_whether_it_was_made(panel: ActingPanel) -> None:
    exchange = await card(panel, "Lost")
    await inject(panel.acting.house, "reset", after=True, path=CATEGORIES)
    await confirm(exchange).click()
    await expect(exchange.get_by_text("The platform did not say whether it was made.")).to_be_visible()
    assert await exchange.get_by_role("button", name="Cancel").count() == 0, "what was sent cannot be called back"
    await inject(panel.acting.house, "none")
    await panel.shown.page.clock.fast_forward(int(WITHIN) * 1000)
    assert await outcomes(exchange) == [], "its time does not end it: only Confirm finds out"
    await confirm(exchange).click()
    await has_outcome(exchange, "Done: Lost")
    assert len(panel.acting.house.school.rows("SELECT id FROM category WHERE title = 'Lost'")) == 1


async def _what_may_have_been_made_is_never_said_not_to_be(panel: ActingPanel) -> None:
    """Nor because its time is over, nor because another Confirm was refused before the platform was asked."""
    page = panel.shown.page
    refusals = [("write_unknown", 504), ("lms_unavailable", 503), ("write_not_found", 404)]
    await page.route("**/confirm", lambda route: refuse(route, *refusals.pop(0)))
    exchange = await card(panel, "Unsure")
    await confirm(exchange).click()
    await expect(exchange.get_by_text("The platform did not say whether it was made.")).to_be_visible()
    await page.clock.fast_forward(int(WITHIN) * 1000)
    await confirm(exchange).click()
    await expect(exchange.get_by_text("was asked for nothing yet")).to_be_visible()
    assert await outcomes(exchange) == []
    await confirm(exchange).click()
    await has_outcome(exchange, "the change may have been made")
    await page.unroute("**/confirm")


async def _its_time_passes_while_it_is_asked(panel: ActingPanel) -> None:
    page = panel.shown.page

    async def too_late(route: Any) -> None:
        await page.clock.fast_forward(ASKED_FOR * 1000)
        await refuse(route, "lms_unavailable", 503)

    exchange = await card(panel)
    await page.clock.fast_forward((int(WITHIN) - ASKED_FOR // 2) * 1000)
    await page.route("**/confirm", too_late)
    await confirm(exchange).click()
    await has_outcome(exchange, "This card's time is over")
    await page.unroute("**/confirm")


async def _no_answer(panel: ActingPanel) -> None:
    """The answer is lost on the way to the browser: the change was made, and the card must not say otherwise."""
    page = panel.shown.page
    exchange = await card(panel, "Unheard")

    async def lose(route: Any) -> None:
        await route.fetch()
        await route.abort()

    await page.route("**/confirm", lose)
    await confirm(exchange).click()
    await expect(exchange.get_by_text("No answer came.")).to_be_visible()
    await page.unroute("**/confirm")
    await confirm(exchange).click()
    await has_outcome(exchange, "the change may have been made")


async def _a_result_elsewhere_is_no_link(panel: ActingPanel) -> None:
    paths = ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"]
    left = list(paths)

    async def lead_away(route: Any) -> None:
        await route.fulfill(response=await route.fetch(), json={"path": left.pop(0), "title": "Elsewhere"})

    await panel.shown.page.route("**/confirm", lead_away)
    for path in paths:
        exchange = await card(panel, "Elsewhere")
        await confirm(exchange).click()
        await has_outcome(exchange, "Done: Elsewhere")
        assert await exchange.locator(".outcome a").count() == 0, path
    await panel.shown.page.unroute("**/confirm")


async def _one_at_a_time(panel: ActingPanel) -> None:
    page, house = panel.shown.page, panel.acting.house
    exchange = await panel.ask(calls(new_category("One"), new_category("Two")), WAITS)
    await page.clock.fast_forward((int(WITHIN) - ASKED_FOR // 2) * 1000)
    asked: list[str] = []
    free = asyncio.Event()

    async def hold(route: Any) -> None:
        asked.append(route.request.url)
        await free.wait()
        await route.continue_()

    await page.route("**/confirm", hold)
    first, second = exchange.locator(".card").nth(0), exchange.locator(".card").nth(1)
    for each in (first, first, second):
        await confirm(each).evaluate("button => button.click()")
    await expect(confirm(first)).to_be_disabled()
    await expect(first.get_by_role("button", name="Cancel")).to_be_disabled()
    await left_the_page(panel.shown)
    assert len(asked) == 1
    await page.clock.fast_forward(ASKED_FOR * 1000)
    assert await outcomes(exchange) == [], "what is being asked for is not over"
    free.set()
    await has_outcome(first, "Done: One")
    await has_outcome(second, "Done: Two")
    assert len(asked) == len(set(asked)) == len((first, second))
    await page.unroute("**/confirm")
    assert len(house.school.rows("SELECT id FROM category WHERE title IN ('One', 'Two')")) == len((first, second))


async def _over_by_the_services_clock(panel: ActingPanel) -> None:
    exchange = await card(panel)
    panel.acting.house.clock.move(WITHIN)
    await confirm(exchange).click()
    await has_outcome(exchange, "This card is over: it was used, cancelled, or is too old. Ask again.")
    exchange = await card(panel)
    panel.acting.house.clock.move(WITHIN)
    await exchange.get_by_role("button", name="Cancel").click()
    await has_outcome(exchange, "This card is over: it was used, cancelled, or is too old. Ask again.")
    # By now the device's clock is an hour behind the service's, and the other way round: a card lives all the same.
    for seconds in (3600, -7200):
        panel.acting.house.clock.move(3600)
        await panel.shown.page.clock.set_system_time(panel.acting.house.clock.now().timestamp() * 1000 - seconds * 1000)
        exchange = await card(panel, f"Off by {seconds}")
        await confirm(exchange).click()
        await has_outcome(exchange, f"Done: Off by {seconds}")
        exchange = await card(panel)
        await panel.shown.page.clock.fast_forward(int(WITHIN) * 1000)
        await has_outcome(exchange, "This card's time is over")
