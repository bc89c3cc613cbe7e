"""What stands around the question editor: its page's commands, who only looks, and no fault that axe finds."""

import itertools
from typing import Literal

import pytest
from playwright.async_api import Browser, expect

from examples.reference_lms.sessions import SessionKind
from tests.browser.axe import judged
from tests.browser.chromium import SIZES
from tests.browser.test_editor import at_desk, hosted, says
from tests.web.test_lms_editor import DRAFT, question

pytestmark = pytest.mark.slow

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


async def test_the_pages_commands_show_try_and_publish_it(browser: Browser) -> None:
    async with at_desk(browser) as desk:
        page = await desk.open(DRAFT)
        listed = await hosted(page, "host.screen().commands")
        assert {(each["id"], each["effect"], each["gesture"], each["danger"]) for each in listed} == {
            ("preview", "none", False, False),
            ("try-it", "none", True, False),
            ("publish", "write", False, False),
        }
        await page.get_by_label("Statement").fill("Not stored yet")
        await hosted(page, "host.runCommand('preview')")
        sheet = page.get_by_role("dialog", name="Preview")
        await expect(sheet.get_by_text("Not stored yet")).to_be_visible()
        await expect(sheet.get_by_role("radio", checked=True)).to_have_count(0)
        await sheet.get_by_role("button", name="Close").click()
        async with page.expect_popup() as opening:
            await page.get_by_role("button", name="Try it").click()
        window = await opening.value
        await expect(window.get_by_text("Not stored yet")).to_be_visible()
        right = next(each["text"] for each in (await desk.stored(DRAFT))["config"]["choices"] if each["correct"])
        await window.get_by_role("button", name="Check the answer").click()
        await expect(window.get_by_text("That is not right.")).to_be_visible()
        await window.get_by_label(right).check()
        await window.get_by_role("button", name="Check the answer").click()
        await expect(window.get_by_text("That is right.")).to_be_visible()
        await page.get_by_label("Explanation", exact=True).fill("Stored with it.")
        await hosted(page, "host.runCommand('publish')")
        stored = await desk.stored(DRAFT)
        assert (stored["status"], stored["explanation"]) == ("published", "Stored with it.")
        await expect(page.get_by_role("button", name="Publish")).to_have_count(0)
        await expect(page.get_by_text("Published")).to_be_visible()
        assert "publish" not in {each["id"] for each in await hosted(page, "host.screen().commands")}
        assert await hosted(page, "host.runCommand('publish').then(() => 'ran', () => 'failed')") == "failed"


async def test_what_somebody_else_has_written_since_is_not_published(browser: Browser) -> None:
    async with at_desk(browser) as desk:
        mine, theirs = await desk.open(DRAFT), await desk.open(DRAFT)
        await theirs.get_by_label("Explanation", exact=True).fill("Theirs.")
        await hosted(theirs, "host.editor().flush()")
        await mine.get_by_role("button", name="Publish").click()
        await expect(mine.get_by_text("Somebody else has changed it since.")).to_be_visible()
        await mine.get_by_label("Explanation", exact=True).fill("")
        await mine.get_by_label("Statement").fill("")
        outcome = "host.runCommand('publish').then(() => 'ran', (fault) => fault.message)"
        assert await hosted(mine, outcome) == "Not done: the question has to be saved first."
        assert (await desk.stored(DRAFT))["status"] == "draft"


async def test_who_only_looks_can_show_it_and_nothing_else(browser: Browser) -> None:
    async with at_desk(browser, kind=SessionKind.STUDENT_VIEW) as desk:
        page = await desk.open(DRAFT)
        await says(page, "Nothing can be changed in this view.")
        await expect(page.get_by_label("Statement")).to_be_disabled()
        assert await hosted(page, "host.editor()") is None
        assert [each["id"] for each in await hosted(page, "host.screen().commands")] == ["preview", "try-it"]
        await page.get_by_role("button", name="Preview").click()
        await expect(page.get_by_role("dialog", name="Preview")).to_be_visible()


async def test_axe_finds_no_fault_at_any_size_in_either_theme(browser: Browser) -> None:
    async with at_desk(browser) as desk:
        page = await desk.open(question("categorize", "published"))
        await page.get_by_label("Statement").fill("")
        await says(page, "Not saved yet: a field needs another look")
        for scheme, (width, height) in itertools.product(SCHEMES, SIZES.values()):
            await page.emulate_media(color_scheme=scheme)
            await page.set_viewport_size({"width": width, "height": height})
            assert (await judged(page, "main")).faults == []
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
