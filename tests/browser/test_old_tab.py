"""An old tab in a real browser, once somebody has signed in on another: what is typed stays, and none is written."""

import pytest
from playwright.async_api import Browser, expect

from examples.reference_lms.school import FILIPINO_TEACHER
from tests.browser.test_editor import at_desk, hosted
from tests.web.test_lms_editor import MCQ

pytestmark = pytest.mark.slow


async def test_an_old_tab_keeps_what_is_typed_and_stores_none_of_it(browser: Browser) -> None:
    """Somebody else has signed in on another tab: their cookie goes with what this one sends."""
    async with at_desk(browser) as desk:
        page = await desk.open(MCQ)
        pools = await desk.context.new_page()
        await pools.goto(f"{desk.lms}/pools")
        before = await desk.stored(MCQ)
        await desk.context.request.post(
            f"{desk.lms}/sign-in", form={"person": FILIPINO_TEACHER.sub}, headers={"Origin": desk.lms}
        )
        await page.get_by_label("Statement").fill("Of the old tab.")
        await expect(page.locator("[data-status]")).to_contain_text(
            "signed in as somebody else, or anew, in another tab"
        )
        assert await page.get_by_label("Statement").input_value() == "Of the old tab."
        assert await hosted(page, "host.editor().flush().then(() => 'saved', (why) => why.why)") == "other_session"
        assert await desk.stored(MCQ) == before
        await pools.get_by_role("button", name="New pool").click()
        await pools.get_by_label("Title").fill("Mine")
        await pools.get_by_role("button", name="Create").click()
        await expect(pools.get_by_role("alert")).to_contain_text("signed in as somebody else")
        assert await pools.get_by_label("Title").input_value() == "Mine"
        await pools.reload()
        assert await pools.get_by_role("link", name="Mine").count() == 0
