"""A page that throws, lies or never answers holds up nobody, and the panel says that it did not work."""

from playwright.async_api import expect

from tests.browser.acting import ActingPanel, has_outcome, outcomes
from tests.fakes.models import calls, says
from tests.web.test_interface_actions import LENT, command, opens
from tests.web.writing import POOL

HERE = says("Here it is.")

SORT = [{"gesture": False, "danger": False, **each} for each in LENT if each["id"] == "sort"]


def hosts(method: str, body: str) -> str:
    """From now on the page does this when the panel calls it."""
    return f"() => {{ document.querySelector('assist-panel').host.{method} = {body}; }}"


async def a_page_that_does_not_answer_holds_up_nobody(panel: ActingPanel) -> None:
    page = panel.shown.page
    await panel.on_screen(commands=SORT)
    await page.evaluate(hosts("runCommand", "(id) => { window.page.ran.push(id); return new Promise(() => {}); }"))
    exchange = await panel.ask(calls(command("sort")), HERE)
    await exchange.locator(".acts").wait_for(state="attached")
    await page.clock.fast_forward(30_000)
    await has_outcome(exchange, "The page has not said what came of it: Sort")
    await panel.ask(calls(command("sort")), HERE)
    await panel.shown.element.get_by_role("button", name="New conversation").click()
    await page.evaluate(hosts("runCommand", "async () => {}"))
    await has_outcome(await panel.ask(calls(command("sort")), HERE), "Done: Sort")


async def a_page_that_fails_is_told(panel: ActingPanel) -> None:
    page = panel.shown.page
    await page.evaluate("() => { window.page.lends = document.querySelector('assist-panel').host.screen; }")
    await page.evaluate(hosts("screen", "() => { throw new Error('no'); }"))
    await panel.shown.ask("Where am I?")
    await expect(panel.last.get_by_text("this page could not say what is on screen")).to_be_visible()
    await page.evaluate(hosts("screen", "window.page.lends"))
    for body in ("() => { throw new Error('no'); }", "() => 'elsewhere'", "async () => { throw new Error('no'); }"):
        await page.evaluate(hosts("navigate", body))
        exchange = await panel.ask(calls(opens("pool", POOL)), HERE)
        await has_outcome(exchange, "Could not open this screen")


async def a_link_says_what_came_of_it(panel: ActingPanel) -> None:
    """Also where the page fails; and where it has no router, the browser follows the link as any other."""
    page = panel.shown.page
    links = '<p><a href="/elsewhere?x=1">Published</a> <a href="/pools?search=a">All was deleted</a></p>'
    await panel.altered(lambda reply: reply.update(html=links))
    exchange = await panel.ask(HERE)
    link = exchange.get_by_role("link", name="Published")
    for body, said in {
        "async () => { throw new Error('no'); }": "Could not open this screen",
        "async () => 'moved'": "Opened: /elsewhere",
        "async () => 'unknown'": "Could not open this screen",
    }.items():
        await page.evaluate(hosts("navigate", body))
        await link.click()
        await has_outcome(exchange, said)
        assert await outcomes(exchange) == [said]
    # What opened is named by the platform, not by whoever wrote the link.
    await page.evaluate(hosts("navigate", "async () => 'moved'"))
    await exchange.get_by_role("link", name="All was deleted").click()
    await has_outcome(exchange, "Opened: Pools")
    await page.evaluate("() => { delete document.querySelector('assist-panel').host.navigate; }")
    await link.click()
    await page.wait_for_url("**/elsewhere?x=1")
