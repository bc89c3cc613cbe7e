"""A page that throws, lies or never answers holds up nobody, and the panel says that it did not work."""

from playwright.async_api import Route, expect

from tests.browser.acting import ActingPanel, has_outcome, outcomes
from tests.fakes.models import calls, says
from tests.web.test_interface_actions import LENT, command, opens
from tests.web.writing import POOL

HERE = says("Here it is.")

LENT_HERE = [{"gesture": False, "danger": False, **each} for each in LENT]

SORT = [each for each in LENT_HERE if each["id"] == "sort"]
PUBLISH = [each for each in LENT_HERE if each["id"] == "publish"]


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


LOST = (
    "() => { const { host } = document.querySelector('assist-panel'); host.screen = () => { throw new Error('no'); }; }"
)

FOUND = "() => { document.querySelector('assist-panel').host.screen = window.page.lends; }"


async def a_page_that_cannot_say_where_it_is_is_left_as_it_is(panel: ActingPanel) -> None:
    """From the question on it cannot: no command runs, no screen is opened unasked, and a button does nothing."""
    page = panel.shown.page
    ran, moves = await panel.page_has("ran"), await panel.page_has("moves")

    async def lose(route: Route) -> None:
        answer = await route.fetch()
        await page.evaluate(LOST)
        await route.fulfill(response=answer)

    await page.route("**/assist/ask", lose)
    exchange = await panel.ask(calls(command("sort"), opens("pool", POOL)), HERE)
    waits = "The screen is another one by now, so this waits for your click: Pool"
    await has_outcome(exchange, waits)
    assert await outcomes(exchange) == ["Not on this screen any more: Sort", waits]
    await page.unroute("**/assist/ask")
    await page.evaluate(FOUND)
    await panel.on_screen(commands=PUBLISH)
    exchange = await panel.ask(calls(command("publish")), HERE)
    await exchange.get_by_role("button", name="Confirm").wait_for()
    await page.evaluate(LOST)
    await exchange.get_by_role("button", name="Confirm").click()
    await has_outcome(exchange, "Not on this screen any more: Publish")
    await page.evaluate(FOUND)
    assert (await panel.page_has("ran"), await panel.page_has("moves")) == (ran, moves)


async def a_card_that_was_left_is_told_nothing(panel: ActingPanel) -> None:
    await panel.on_screen(commands=[{**PUBLISH[0], "label": "Publish it"}])
    exchange = await panel.ask(calls(command("publish")), HERE)
    await exchange.get_by_role("button", name="Confirm").wait_for()
    await panel.shown.element.get_by_role("button", name="New conversation").click()
    await panel.on_screen(commands=[])
    await panel.screen_changed()
    announced = await panel.shown.element.locator(".announcer").all_text_contents()
    assert "Not on this screen any more: Publish it" not in announced


async def a_panel_that_was_taken_out_does_nothing_more(panel: ActingPanel) -> None:
    page = panel.shown.page
    await panel.on_screen(commands=SORT)
    await page.evaluate(hosts("runCommand", "() => new Promise((done) => { window.page.lets = done; })"))
    await page.evaluate(hosts("navigate", "async (path) => { window.page.moves.push(path); return 'moved'; }"))
    moves = await panel.page_has("moves")
    await panel.ask(calls(command("sort"), opens("pool", POOL)), HERE)
    gone = """async () => {
        const panel = document.querySelector('assist-panel');
        while (window.page.lets === undefined) await new Promise(requestAnimationFrame);
        panel.remove();
        window.page.lets();
        await new Promise(requestAnimationFrame);
        document.body.append(panel);
    }"""
    await page.evaluate(gone)
    assert await panel.page_has("moves") == moves
    await panel.shown.open()


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
