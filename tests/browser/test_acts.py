"""What an answer asks of the page is done one by one, by the rule as it holds now, and told as it came."""

from typing import Any

import pytest
from playwright.async_api import Browser, Route, expect

from tests.browser.acting import Acting, ActingPanel, has_outcome, outcomes, said_by_the_service
from tests.browser.acts_shown import Tick
from tests.browser.chromium import SIZES
from tests.fakes.models import calls, says
from tests.web.test_interface_actions import LENT, command, opens
from tests.web.writing import POOL

pytestmark = pytest.mark.slow

ANOTHER = "00000000-0000-4000-8000-000000000001"
PATH = f"/pools/{POOL}?tab=stats&search=a%26b"
OPENS = calls(opens("pool", POOL, tab="stats", search="a&b"))
HERE = says("Here it is.")

COMMANDS = [{"gesture": False, "danger": False, **each} for each in LENT if each["id"] != "question.delete"]


def lent(**changes: dict[str, Any]) -> list[dict[str, Any]]:
    """The commands of the screen, some of them otherwise; None: not there."""
    return [{**each, **changes.get(each["id"], {})} for each in COMMANDS]


def without(gone: str) -> list[dict[str, Any]]:
    return [each for each in COMMANDS if each["id"] != gone]


@pytest.mark.parametrize("size", sorted(SIZES))
async def test_screens_and_commands_are_followed_and_told_as_they_came(
    browser: Browser, acting: Acting, size: str, tick: Tick
) -> None:
    async with acting.panel(browser, size=size) as panel:
        await panel.on_screen(commands=COMMANDS)
        for answer, said in {
            "moved": "Opened: Pool",
            "stayed": "Stayed on this screen",
            "unknown": "Could not open this screen",
        }.items():
            await panel.answers(answer)
            exchange = await panel.ask(OPENS, HERE)
            await has_outcome(exchange, said)
            assert await outcomes(exchange) == [said]
            text = await exchange.inner_text()
            assert "Opens: Pool" not in text, "whether it opened is told by the last line"
            assert text.count("The service says: Asked to open: Pool. Nothing was changed on the platform.") == 1
        assert await panel.page_has("moves") == [PATH] * 3

        exchange = await panel.ask(calls(command("sort")), HERE)
        await has_outcome(exchange, "Done: Sort")
        assert await said_by_the_service(exchange) == "The service says: Asked to run: Sort."
        tick("command")
        exchange = await panel.ask(calls(command("preview")), HERE)
        await exchange.get_by_role("button", name="Preview").click()
        await has_outcome(exchange, "Done: Preview")
        tick("gesture")
        exchange = await panel.ask(calls(command("publish")), HERE)
        assert await panel.page_has("ran") == ["sort", "preview"]
        await exchange.get_by_role("button", name="Cancel").click()
        await has_outcome(exchange, "Cancelled, not run: Publish")
        assert await said_by_the_service(exchange) == "The service says: Prepared: Publish."
        exchange = await panel.ask(calls(command("publish")), HERE)
        await expect(exchange.get_by_role("heading", name="Run “Publish”?")).to_be_visible()
        await exchange.get_by_role("button", name="Confirm").click()
        await has_outcome(exchange, "Done: Publish")
        assert await panel.page_has("ran") == ["sort", "preview", "publish"]
        tick("write command")
        assert await exchange.locator(".outcome").evaluate("line => line.getRootNode().activeElement === line")


async def test_the_rule_of_now_is_what_counts_whatever_the_service_sends(browser: Browser, acting: Acting) -> None:
    async with acting.panel(browser) as panel:
        await _only_what_the_rule_allows(panel)
        await _nothing_the_page_takes_back(panel)
        await _nothing_on_another_screen(panel)
        await _nothing_once_the_screen_was_left(panel)
        await _within_the_click(panel)
        await _a_failure_is_told(panel)
        await _a_command_may_take_itself_away(panel)


async def _only_what_the_rule_allows(panel: ActingPanel) -> None:
    opened: dict[str, Any] = {"type": "open_screen", "screen": "pool", "ids": {"id": POOL}, "params": {}}
    right = {**opened, "path": f"/pools/{POOL}", "title": "A title of the answer's"}
    forged = [
        {**right, "path": "/admin"},
        {**right, "path": f"/pools/{POOL}?tab=stats"},
        {**right, "screen": "admin", "ids": {}, "path": "/admin"},
        {**right, "path": "https://elsewhere.example/"},
        {"type": "run_command", "id": "publish", "label": "Publish"},
        {"type": "run_command", "id": "preview", "label": "Preview"},
        {"type": "run_command", "id": "wipe", "label": "Wipe"},
        {"type": "run_command", "id": "sort", "label": "Sort"},
        {"type": "run_command", "id": "sort", "label": "Sort"},
        right,
        right,
        {"type": "run_command", "id": "question.new", "label": "New question"},
    ]
    await panel.on_screen(commands=COMMANDS)
    await panel.altered(lambda reply: reply.update(actions=forged))
    exchange = await panel.ask(HERE)
    await has_outcome(exchange, "New question")
    assert await outcomes(exchange) == [
        *["Could not open this screen"] * 4,
        "Not on this screen any more: Publish",
        "Not on this screen any more: Preview",
        "Not on this screen any more: Wipe",
        "Done: Sort",
        "Not on this screen any more: Sort",
        "Opened: Pool",
        "Could not open this screen",
        "Not on this screen any more: New question",
    ]
    assert (await panel.page_has("moves"), await panel.page_has("ran")) == ([f"/pools/{POOL}"], ["sort"])
    await panel.honest()


async def _nothing_the_page_takes_back(panel: ActingPanel) -> None:
    """A button or a card goes with its command: at the page's word, and at the click where the page said nothing."""
    changed = [
        without("publish"),
        lent(publish={"effect": "none"}),
        lent(publish={"effect": "none", "danger": True}),
        lent(publish={"danger": True}),
        lent(publish={"label": "Publish all"}),
    ]
    before = await panel.page_has("ran")
    for commands in changed:
        for says_so in (True, False):
            await panel.on_screen(commands=COMMANDS)
            exchange = await panel.ask(calls(command("publish")), HERE)
            await panel.screen_changed()
            await expect(exchange.locator(".card")).to_be_visible()
            await panel.on_screen(commands=commands)
            if says_so:
                await panel.screen_changed()
            else:
                await exchange.get_by_role("button", name="Confirm").click()
            await has_outcome(exchange, "Not on this screen any more: Publish")
            assert await exchange.locator(".card").count() == 0
    await panel.on_screen(commands=COMMANDS)
    exchange = await panel.ask(calls(command("preview")), HERE)
    await panel.on_screen(commands=lent(preview={"effect": "write"}))
    await exchange.get_by_role("button", name="Preview").click()
    await has_outcome(exchange, "Not on this screen any more: Preview")
    assert await panel.page_has("ran") == before


LEFT = "Not done: you have left the screen that this was for"


async def _nothing_on_another_screen(panel: ActingPanel) -> None:
    """The same command of the next pool is another one: at the page's word, and at the click where it said nothing."""
    before = await panel.page_has("ran")
    for identifier, name in {"publish": "Confirm", "preview": "Preview"}.items():
        for says_so in (True, False):
            await panel.on_screen(commands=COMMANDS, entities={"pool": POOL})
            exchange = await panel.ask(calls(command(identifier)), HERE)
            button = exchange.get_by_role("button", name=name)
            await expect(button).to_be_visible()
            await panel.on_screen(entities={"pool": ANOTHER})
            await (panel.screen_changed() if says_so else button.click())
            await has_outcome(exchange, LEFT)
            assert await button.count() == 0
    assert await panel.page_has("ran") == before
    await panel.on_screen(entities={"pool": POOL})


async def _nothing_once_the_screen_was_left(panel: ActingPanel) -> None:
    """The person goes on while the answer is made: no command runs there, and no screen is taken from under them."""
    ran, moves = await panel.page_has("ran"), await panel.page_has("moves")

    async def leave(route: Route) -> None:
        answer = await route.fetch()
        await panel.on_screen(route="/courses/:id")
        await route.fulfill(response=answer)

    await panel.on_screen(commands=COMMANDS, route="/pools/:id")
    await panel.shown.page.route("**/assist/ask", leave)
    exchange = await panel.ask(calls(command("sort"), command("publish"), opens("pool", POOL)), HERE)
    waits = "The screen is another one by now, so this waits for your click: Pool"
    await has_outcome(exchange, waits)
    assert await outcomes(exchange) == [f"{LEFT} (Sort)", f"{LEFT} (Publish)", waits]
    assert (await panel.page_has("ran"), await panel.page_has("moves")) == (ran, moves)
    assert "Asked to open: Pool." in await said_by_the_service(exchange)
    await exchange.locator(".outcome a").click()
    await has_outcome(exchange, "Opened: Pool")
    assert await panel.page_has("moves") == [*moves, f"/pools/{POOL}"]
    await panel.honest()
    await panel.on_screen(route="/pools/:id")


async def _within_the_click(panel: ActingPanel) -> None:
    """A window that a command opens is the click's own: nothing is awaited before it. Two clicks are one."""
    await panel.on_screen(commands=COMMANDS)
    before = await panel.page_has("ran")
    for identifier, name in {"preview": "Preview", "publish": "Confirm"}.items():
        exchange = await panel.ask(calls(command(identifier)), HERE)
        button = exchange.get_by_role("button", name=name)
        clicks = "button => { button.click(); button.click(); return window.page.ran.at(-1); }"
        assert await button.evaluate(clicks) == identifier
        await has_outcome(exchange, "Done: ")
    assert await panel.page_has("ran") == [*before, "preview", "publish"]


async def _a_failure_is_told(panel: ActingPanel) -> None:
    await panel.shown.page.evaluate(
        "() => { document.querySelector('assist-panel').host.runCommand = async () => { throw new Error('no'); }; }"
    )
    exchange = await panel.ask(calls(command("sort"), command("publish")), HERE)
    await exchange.get_by_role("button", name="Confirm").click()
    await has_outcome(exchange, "Did not work: Publish")
    await exchange.get_by_role("button", name="Confirm").click()
    await expect(exchange.get_by_role("button", name="Confirm")).to_be_enabled()
    assert await outcomes(exchange) == ["Did not work: Sort", "Did not work: Publish"]
    await expect(exchange.get_by_role("button", name="Confirm")).to_be_enabled()
    await panel.shown.page.evaluate(
        "() => { document.querySelector('assist-panel').host.runCommand = async () => 'declined'; }"
    )
    await exchange.get_by_role("button", name="Confirm").click()
    await has_outcome(exchange, "Not done: Publish")
    assert await outcomes(exchange) == ["Did not work: Sort", "Not done: Publish"]


async def _a_command_may_take_itself_away(panel: ActingPanel) -> None:
    await panel.shown.page.evaluate("""() => {
        const panel = document.querySelector('assist-panel');
        panel.host.runCommand = async (id) => {
            window.page.screen.commands = [];
            panel.dispatchEvent(new Event('screenchange'));
            await Promise.resolve();
        };
    }""")
    exchange = await panel.ask(calls(command("publish")), HERE)
    await exchange.get_by_role("button", name="Confirm").click()
    await has_outcome(exchange, "Done: Publish")
    assert await outcomes(exchange) == ["Done: Publish"]
