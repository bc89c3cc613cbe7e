"""The panel on the reference LMS's own pages: it stays across them, and says truly what opened."""

import pytest
from playwright.async_api import Browser, expect

from tests.browser.chromium import SIZES
from tests.browser.panel_house import campus, signed_in

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("size", sorted(SIZES))
async def test_a_screen_opens_and_the_panel_stays(browser: Browser, database_url: str, size: str) -> None:
    async with campus(database_url) as (house, address), signed_in(browser, house, address, size=size) as panel:
        await panel.open()
        await panel.ask("Show me the pool Pointeurs et tableaux")
        await panel.answered("Opened: Pool")
        assert panel.page.url.startswith(f"{address}/pools/")
        await expect(panel.page.locator("main h1")).to_contain_text("Pointeurs et tableaux")
        await expect(panel.element.get_by_label("Your question")).to_be_visible()
        origins = {"/".join(each.split("/")[:3]) for each in panel.requests if not each.startswith("data:")}
        assert origins == {address, str(house.service.base_url).rstrip("/")}
