"""A house for all that looks at how the panel stands and reads: what they do there is seen by nobody else."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Browser

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
        """A panel in a window of its own, not yet opened."""
        return panel_at(self.browser, self.house, self.address, size=size, **options)


@asynccontextmanager
async def shared_house(browser: Browser) -> AsyncIterator[SharedHouse]:
    """Every question in it is answered with every kind of block."""
    text = MARKDOWN.replace("[1]", "[s1]").replace("[2]", "[s2]")
    model = ScriptedModel(says(text))
    limits = {"limits": {"questions_per_minute": 1_000, "questions_per_day": 10_000}}
    async with cloned(PUBLISHED) as url, plain_house(url, provider=model, ruled=limits) as (house, address):
        yield SharedHouse(browser, house, address, model)
