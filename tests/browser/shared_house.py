"""One house and one browser for all that looks at how the panel stands: what they do there is seen by nobody else."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Browser

from tests.browser.conftest import chromium
from tests.browser.panel_house import Panel, panel_at, plain_house
from tests.browser.whole_reply import MARKDOWN
from tests.conftest import PUBLISHED, cloned
from tests.fakes.house import House
from tests.fakes.models import ScriptedModel, says

TOUCH = {"has_touch": True, "is_mobile": True}
"""Of a browser's context: a phone."""


@dataclass
class SharedHouse:
    browser: Browser
    house: House
    address: str
    model: ScriptedModel

    def panel(self, size: str = "desk", **options: Any) -> AbstractAsyncContextManager[Panel]:
        """A panel of a visitor of its own, not yet opened."""
        return panel_at(self.browser, self.house, self.address, size=size, **options)


@asynccontextmanager
async def shared_house(*, without: Sequence[str] = ()) -> AsyncIterator[SharedHouse]:
    """Every question in it is answered with every kind of block; `without`: flags of Chromium's that are left out."""
    text = MARKDOWN.replace("[1]", "[s1]").replace("[2]", "[s2]")
    model = ScriptedModel(says(text))
    limits = {"limits": {"questions_per_minute": 1_000, "questions_per_day": 10_000}}
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(cloned(PUBLISHED))
        browser = await stack.enter_async_context(chromium(without=without))
        house, address = await stack.enter_async_context(plain_house(url, provider=model, ruled=limits))
        yield SharedHouse(browser, house, address, model)
