"""The question editor in a real browser: what is typed is saved, undone, guarded, and open to a proposal."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Dialog, Page, expect

from examples.reference_lms.app import create_app
from examples.reference_lms.school import FILIPINO_TEACHER
from examples.reference_lms.sessions import SessionKind
from tests.fakes.clocks import HandClock
from tests.fakes.serving import address_of, listening, serve
from tests.web.test_lms_editor import MCQ, POOL, question

pytestmark = pytest.mark.slow

HOST = "const {host} = await import('/static/host.js');"


@dataclass
class Desk:
    """A browser in which the teacher is signed in at an LMS of the test's own."""

    lms: str
    context: BrowserContext

    async def open(self, id_: str) -> Page:
        page = await self.context.new_page()
        await page.goto(f"{self.lms}/questions/{id_}")
        await page.locator("[data-path='/config/statement']").wait_for()
        # The page's script has shown the draft.
        await expect(page.get_by_label("Statement")).not_to_have_value("")
        return page

    async def stored(self, id_: str) -> dict[str, Any]:
        return dict(await (await self.context.request.get(f"{self.lms}/questions/{id_}/draft")).json())


@asynccontextmanager
async def at_desk(browser: Browser, *, kind: SessionKind = SessionKind.PORTAL) -> AsyncIterator[Desk]:
    listener = listening()
    address = address_of(listener)
    async with serve(create_app(url=address, now=HandClock().now), listener):
        context = await browser.new_context()
        signed_in = await context.request.post(
            f"{address}/sign-in",
            # Written out: a dict's type is that of what it may hold, here more than texts.
            form=dict[str, str | float | bool](person=FILIPINO_TEACHER.sub, kind=kind.value),
            headers={"Origin": address},
        )
        assert signed_in.ok
        yield Desk(address, context)
        await context.close()


async def says(page: Page, text: str) -> None:
    await expect(page.locator("[data-status]")).to_have_text(text)


async def hosted(page: Page, expression: str, given: Any = None) -> Any:
    """What the panel would get from its host."""
    return await page.evaluate(f"async (given) => {{ {HOST} return await ({expression}); }}", given)


async def type_into_every_field(page: Page, type_: str) -> None:
    async def fill(label: str, text: str) -> None:
        await page.get_by_label(label, exact=True).fill(text)

    async def click(name: str) -> None:
        await page.get_by_role("button", name=name, exact=True).click()

    await fill("Statement", "S [[1]] ⚘")
    match type_:
        case "mcq":
            await page.get_by_label("Several choices may be right").check()
            await click("Add a choice")
            await fill("Choice 5", "fifth")
            await page.get_by_label("Choice 5 is right").check()
            await click("Remove choice 1")
        case "cloze":
            await fill("Text with gaps", "[[1]].")
            await click("Add a gap")
            await fill("Right answers of gap 2, one a line", "one\ntwo")
            await click("Remove gap 1")
        case "categorize":
            await click("Add a column")
            await fill("Column 3", "third")
            await click("Add a card")
            await fill("Card 3", "card")
            await page.get_by_label("Column of card 3").select_option("third")
            await click("Remove column 1")
        case "numeric":
            await fill("Right number", "")
            # Half of it is no number yet, and the end of it is none of the value: it stays as it is typed.
            await page.get_by_label("Right number").press_sequentially("-2.50")
            await fill("Tolerance", "0.1")
            await fill("Unit", "m")
            await expect(page.get_by_label("Right number")).to_have_value("-2.50")
        case "open":
            await fill("Guidance for marking", "G")
            await fill("Most words", "12")
    await fill("Explanation", "E")


def as_typed(type_: str, before: dict[str, Any]) -> dict[str, Any]:
    match type_:
        case "mcq":
            return {"multiple": True, "choices": [*before["choices"][1:], {"text": "fifth", "correct": True}]}
        case "cloze":
            return {"text": "[[1]]. [[2]]", "gaps": [{"id": 2, "answers": ["one", "two"]}]}
        case "categorize":
            items = [{**item, "category": 0} for item in before["items"]]
            return {
                "categories": [before["categories"][1], "third"],
                "items": [*items, {"text": "card", "category": 1}],
            }
        case "numeric":
            return {"answer": -2.5, "tolerance": 0.1, "unit": "m"}
        case _:
            return {"guidance": "G", "max_words": 12}


async def test_every_field_of_every_type_is_saved_as_it_was_typed(browser: Browser) -> None:
    async with at_desk(browser) as desk:
        for type_ in ("mcq", "cloze", "categorize", "numeric", "open"):
            id_ = question(type_, "published")
            before = await desk.stored(id_)
            page = await desk.open(id_)
            await says(page, "Saved")
            await type_into_every_field(page, type_)
            await says(page, "Not saved yet")
            if type_ != "mcq":
                await hosted(page, "host.editor().flush()")
            await says(page, "Saved")
            after = await desk.stored(id_)
            assert after["config"] == {"statement": "S [[1]] ⚘", **as_typed(type_, before["config"])}
            assert (after["explanation"], after["status"]) == ("E", "published")
            await page.reload()
            await expect(page.get_by_label("Explanation", exact=True)).to_have_value("E")
            assert {**await hosted(page, "host.editor().draft()"), "status": "published"} == after
            await page.close()


async def test_undo_takes_back_one_edit_and_ctrl_z_in_a_field_is_the_fields_own(browser: Browser) -> None:
    async with at_desk(browser) as desk:
        page = await desk.open(MCQ)
        undo = page.get_by_role("button", name="Undo")
        explanation = page.get_by_label("Explanation", exact=True)
        before = await explanation.input_value()
        await expect(undo).to_be_disabled()
        await explanation.press_sequentially("XY")
        await page.get_by_label("Choice 2 is right").check()
        await page.keyboard.press("Control+z")
        await expect(page.get_by_label("Choice 2 is right")).not_to_be_checked()
        assert "XY" in await explanation.input_value()
        await explanation.focus()
        await page.keyboard.press("Control+z")
        # Had it been the page's, there would be nothing left to undo.
        await expect(undo).to_be_enabled()
        await expect(page.get_by_label("Choice 2 is right")).not_to_be_checked()
        await page.locator("h1").click()
        for _ in range(3):
            if await undo.is_enabled():
                await undo.click()
        await expect(explanation).to_have_value(before)
        await expect(undo).to_be_disabled()
        await says(page, "Saved")


async def test_a_proposal_is_one_edit_for_the_draft_it_was_made_for(browser: Browser) -> None:
    async with at_desk(browser) as desk:
        page, other = await desk.open(MCQ), await desk.open(MCQ)
        await page.get_by_label("Explanation", exact=True).fill("Mine.")
        await hosted(page, "host.editor().flush()")
        await says(page, "Saved")
        draft = await hosted(page, "host.editor().draft()")
        assert {**draft, "status": "published"} == await desk.stored(MCQ)
        choices = [*draft["config"]["choices"], {"text": "new", "correct": False}]
        proposal = {
            "base": draft["base"],
            "config": {**draft["config"], "statement": "Proposed", "choices": choices},
            "explanation": "Proposed too.",
        }
        assert await hosted(page, "host.editor().apply(given)", proposal) == "applied"
        await expect(page.get_by_label("Choice 5", exact=True)).to_have_value("new")
        assert (await desk.stored(MCQ))["config"] == proposal["config"]
        # Another base, a key that is not saved, somebody else's save: none of them takes it.
        assert await hosted(page, "host.editor().apply(given)", proposal) == "changed"
        assert await hosted(other, "host.editor().apply(given)", {**proposal, "base": "x"}) == "changed"
        stale = {**proposal, "base": (await hosted(other, "host.editor().draft()"))["base"], "explanation": "Late."}
        assert await hosted(other, "host.editor().apply(given)", stale) == "changed"
        await says(other, "Changed elsewhere")
        await expect(other.get_by_label("Explanation", exact=True)).not_to_have_value("Late.")
        await page.get_by_role("button", name="Undo").click()
        await expect(page.get_by_label("Choice 5", exact=True)).to_have_count(0)
        await expect(page.get_by_label("Explanation", exact=True)).to_have_value("Mine.")
        await says(page, "Saved")
        assert {**draft, "status": "published"} == await desk.stored(MCQ)


async def test_what_somebody_else_saved_is_not_written_over_unasked(browser: Browser) -> None:
    async with at_desk(browser) as desk:
        for button, other, kept in (
            ("Load what is stored now", "Theirs.", "Theirs."),
            ("Keep what is here", "Theirs again.", "Mine."),
        ):
            mine, theirs = await desk.open(MCQ), await desk.open(MCQ)
            await theirs.get_by_label("Explanation", exact=True).fill(other)
            await hosted(theirs, "host.editor().flush()")
            await mine.get_by_label("Explanation", exact=True).fill("Mine.")
            await says(mine, "Changed elsewhere")
            assert (await desk.stored(MCQ))["explanation"] == other
            await mine.get_by_role("button", name=button).click()
            await says(mine, "Saved")
            await expect(mine.get_by_label("Explanation", exact=True)).to_have_value(kept)
            assert (await desk.stored(MCQ))["explanation"] == kept
            await expect(mine.get_by_role("button", name=button)).to_be_hidden()
            await mine.close()
            await theirs.close()


async def test_what_cannot_be_stored_is_said_beside_its_field(browser: Browser) -> None:
    async with at_desk(browser) as desk:
        page = await desk.open(MCQ)
        before = await desk.stored(MCQ)
        statement = page.get_by_label("Statement")
        await statement.fill("")
        await says(page, "Not saved yet: a field needs another look")
        await expect(statement).to_have_attribute("aria-invalid", "true")
        await expect(statement).to_have_accessible_description("This must not be empty.")
        assert await desk.stored(MCQ) == before
        assert await hosted(page, "host.editor().flush().then(() => 'saved', () => 'rejected')") == "rejected"
        await statement.fill("Filled")
        await says(page, "Saved")
        await expect(statement).to_have_attribute("aria-invalid", "false")


async def answered(page: Page, act: Awaitable[Any], button: str) -> Any:
    """What came of it once the page's question was answered."""
    doing = asyncio.ensure_future(act)
    await page.get_by_role("alertdialog").get_by_role("button", name=button).click()
    return await doing


def noting(asked: list[str]) -> Callable[[Dialog], Awaitable[None]]:
    async def note(dialog: Dialog) -> None:
        asked.append(dialog.type)
        await dialog.dismiss()

    return note


async def test_unsaved_work_is_not_left_unasked_and_saved_work_is(browser: Browser) -> None:
    async with at_desk(browser) as desk:
        page = await desk.open(MCQ)
        asked: list[str] = []
        page.on("dialog", noting(asked))
        # Nothing is saved meanwhile, however long the person takes to answer.
        await page.route("**/draft", lambda route: route.abort())
        explanation = page.get_by_label("Explanation", exact=True)
        await explanation.fill("Unsaved.")
        goes = f"host.navigate('/pools/{POOL}')"
        assert await answered(page, hosted(page, goes), "Stay") == "stayed"
        await page.close(run_before_unload=True)
        await expect(explanation).to_have_value("Unsaved.")
        assert asked == ["beforeunload"]
        assert await answered(page, hosted(page, goes), "Leave") == "moved"
        await expect(page).to_have_url(re.compile(f"/pools/{POOL}$"))
        assert await hosted(page, "host.editor()") is None
        # What the person takes a while to answer is asked about a draft that stays as it was: no save lands meanwhile.
        page = await desk.open(MCQ)
        await page.get_by_label("Explanation", exact=True).fill("Slowly.")
        going = asyncio.ensure_future(hosted(page, goes))
        await page.get_by_role("alertdialog").wait_for()
        await page.wait_for_timeout(1_500)
        assert await page.locator("[data-status]").text_content() == "Not saved yet"
        await page.get_by_role("alertdialog").get_by_role("button", name="Stay").click()
        assert await going == "stayed"
        await says(page, "Saved")
        # Of the question that was left nothing asks any more, and what is saved asks nothing.
        page = await desk.open(MCQ)
        page.on("dialog", noting(asked))
        await page.get_by_label("Explanation", exact=True).fill("Saved.")
        await hosted(page, "host.editor().flush()")
        assert await hosted(page, goes) == "moved"
        async with page.expect_event("close"):
            await page.close(run_before_unload=True)
        assert asked == ["beforeunload"]
