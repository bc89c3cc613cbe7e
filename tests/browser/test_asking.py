"""A question asked in the panel is answered there, at each size, and nothing is asked for but of the two origins."""

import pytest
from playwright.async_api import Browser

from tests.browser.chromium import SIZES
from tests.browser.panel_house import panel_at, plain_house

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("size", sorted(SIZES))
async def test_a_question_is_answered_with_its_citations(browser: Browser, database_url: str, size: str) -> None:
    async with plain_house(database_url) as (house, address), panel_at(browser, house, address, size=size) as panel:
        await panel.open()
        await panel.ask("How do I create a pool?")
        await panel.answered("I am a stub")
        assert await panel.last.get_by_role("button", name="1").count() >= 1
        assert {"/".join(each.split("/")[:3]) for each in panel.requests} == {
            address,
            str(house.service.base_url).rstrip("/"),
        }
