"""The page, the policy and the client's example of docs/adding-the-panel.md work as they stand there."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from playwright.async_api import Browser

from assist_service.domain.messages import ModelReply
from examples.reference_lms.school import SCHOOL
from examples.reference_lms.sessions import SessionKind
from tests.browser.documented import documented_host
from tests.browser.panel_house import SID, Panel, panel_at
from tests.fakes.house import TEACHER, running_house
from tests.fakes.models import ScriptedModel, calls, says
from tests.fakes.serving import address_of, listening, serve
from tests.web.writing import POOL

pytestmark = pytest.mark.slow

OPENS = ("open_screen", {"screen": "pools", "ids": {}, "params": {}})
RUNS = ("run_screen_command", {"id": "question.new"})
SAYS = says("There it is.")


@asynccontextmanager
async def documented(browser: Browser, database_url: str, *steps: ModelReply) -> AsyncIterator[Panel]:
    """The documented page in a window, at an address of its own."""
    service, page = listening(), listening()
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(
            running_house(
                database_url, provider=ScriptedModel(*steps), listener=service, origin_of=lambda _: address_of(page)
            )
        )
        teacher = next(each for each in SCHOOL.people if each.sub == TEACHER)
        host = documented_host(
            address_of(service), lambda: house.sessions.mint(teacher, kind=SessionKind.PORTAL, elevated=False, sid=SID)
        )
        address = await stack.enter_async_context(serve(host, page))
        panel = await stack.enter_async_context(panel_at(browser, house, f"{address}/pools/{POOL}"))
        complaints: list[str] = []
        panel.page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        panel.page.on("pageerror", lambda error: complaints.append(str(error)))
        yield panel
        assert complaints == []


async def test_what_is_documented_runs_moves_and_asks(browser: Browser, database_url: str) -> None:
    steps = (calls(RUNS), SAYS, calls(OPENS), SAYS, calls(OPENS), SAYS)
    async with documented(browser, database_url, *steps) as panel:
        await panel.open()
        await panel.ask("Give me a new question")
        await panel.answered("Done: New question")
        await panel.page.get_by_label("Title").fill("Loops")

        panel.page.once("dialog", lambda guard: guard.dismiss())
        await panel.ask("Show me the pools")
        await panel.answered("Stayed on this screen")
        assert await panel.page.locator("main h1").inner_text() == "Pool"

        panel.page.once("dialog", lambda guard: guard.accept())
        await panel.ask("Show me the pools all the same")
        await panel.answered("Opened: Pools")
        assert await panel.page.locator("main h1").inner_text() == "Pools"
        assert await panel.page.evaluate("location.pathname") == "/pools"

        asking = "async () => (await (await import('/client.js')).ask('Where?', null, {})).kind"
        assert await panel.page.evaluate(asking) == "refusal", "the client alone, without the panel"
