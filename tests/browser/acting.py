"""A panel asked with what a model is to do, and the page behind it: what is on screen, where it went, what it ran."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Browser, Locator, Route, expect

from assist_service.domain.messages import ModelReply
from tests.browser.panel_house import ANSWER_MILLISECONDS, Panel, panel_at, plain_house
from tests.fakes.house import House
from tests.web.live_questions import ActingModel, Step
from tests.web.writing import COURSE, POOL, QUESTION

RULED = {"citations": "shown", "limits": {"questions_per_minute": 1000, "questions_per_day": 10_000}}
"""A model may answer in words of its own, and many checks share one house."""


@dataclass
class Acting:
    """A house whose model does what each question is asked with."""

    house: House
    address: str
    model: ActingModel

    @asynccontextmanager
    async def panel(self, browser: Browser, *, size: str = "desk", **options: Any) -> AsyncIterator["ActingPanel"]:
        """The panel, open, in a browser whose clock is the service's and in which nothing is revealed slowly."""
        calm = {"reduced_motion": "reduce", **options}
        async with panel_at(browser, self.house, self.address, size=size, **calm) as shown:
            await shown.page.clock.install(time=self.house.clock.now())
            await shown.page.reload()
            panel = ActingPanel(shown, self)
            await panel.on_screen(entities={"pool": POOL, "course": COURSE, "question": QUESTION})
            await shown.open()
            await expect(shown.element.locator(".notice")).not_to_be_empty(timeout=ANSWER_MILLISECONDS)
            yield panel


@dataclass
class ActingPanel:
    """What a person sees of it, and what a test reads of the page."""

    shown: Panel
    acting: Acting

    @property
    def last(self) -> Locator:
        return self.shown.last

    async def on_screen(self, **changes: Any) -> None:
        """Changes what is on screen; the page says nothing of it."""
        await self.shown.page.evaluate("changes => Object.assign(window.page.screen, changes)", changes)

    async def screen_changed(self) -> None:
        """The page says so."""
        await self.shown.page.evaluate(
            "document.querySelector('assist-panel').dispatchEvent(new Event('screenchange'))"
        )

    async def page_has(self, name: str) -> Any:
        """`moves`, `ran` or whatever a test put there."""
        return await self.shown.page.evaluate("name => window.page[name]", name)

    async def answers(self, how: str) -> None:
        """What the page's router says from now on."""
        await self.shown.page.evaluate("how => { window.page.answer = how; }", how)

    async def ask(self, *steps: ModelReply | Step, question: str = "Do it, please.") -> Locator:
        """The exchange of a question for which the model takes these steps, once all of it is under it."""
        self.acting.model.steps[:] = steps
        await self.shown.ask(question)
        return await self.answered()

    async def answered(self) -> Locator:
        """The last exchange, once what the service says of it stands there."""
        await self.last.locator(".statement").wait_for(timeout=ANSWER_MILLISECONDS)
        all_of_them = self.shown.element.locator(".exchange")
        return all_of_them.nth(await all_of_them.count() - 1)

    async def altered(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Every reply reaches the panel as this makes it: what no honest service would send."""

        async def alter(route: Route) -> None:
            answer = await route.fetch()
            head, told = (await answer.text()).rsplit("data: ", 1)
            reply = json.loads(told)
            change(reply)
            await route.fulfill(response=answer, body=f"{head}data: {json.dumps(reply)}\n\n")

        await self.shown.page.route("**/assist/ask", alter)

    async def honest(self) -> None:
        """No longer."""
        await self.shown.page.unroute("**/assist/ask")


@asynccontextmanager
async def acting_house(database_url: str, **changes: Any) -> AsyncIterator[Acting]:
    model = ActingModel()
    async with plain_house(database_url, provider=model, **{"ruled": RULED, **changes}) as (house, address):
        yield Acting(house, address, model)


async def outcomes(exchange: Locator) -> list[str]:
    """The lines under an answer that say what came of it."""
    return [" ".join(each.split()) for each in await exchange.locator(".outcome").all_inner_texts()]


async def said_by_the_service(exchange: Locator) -> str:
    return await exchange.locator(".statement").inner_text()


async def has_outcome(exchange: Locator, said: str) -> None:
    """Returns once a line says this."""
    await exchange.locator(".outcome", has_text=said).wait_for(timeout=ANSWER_MILLISECONDS)
