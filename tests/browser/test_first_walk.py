"""docs/first-walk.md, done step by step as a newcomer would; a step told and not done, or the reverse, fails."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.walked import PAGE, Walk, brightness, numbers_told, quick_policy, running_demo, steps_told
from tests.conftest import TEMPLATE, cloned

pytestmark = pytest.mark.slow

POOL = r"/pools/[0-9a-f-]{36}"
QUESTION = r"/questions/[0-9a-f-]{36}"
STATEMENT = "Choisis la seule affirmation juste sur : l'arithmétique des pointeurs."
REWRITTEN = "Que fait l'arithmétique des pointeurs ?"
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture
async def database_url() -> AsyncIterator[str]:
    """With nothing in it: the demo publishes its manual itself."""
    async with cloned(TEMPLATE) as url:
        yield url


async def start_the_demo(walk: Walk) -> None:
    assert "Question, from" in walk.demo.said


async def open_the_address(walk: Walk) -> None:
    await walk.page.goto(walk.demo.address)
    await walk.page.get_by_role("link", name="Sign in").click()
    await walk.is_at("/sign-in")


async def sign_in(walk: Walk) -> None:
    await walk.page.locator("form .people button").filter(has_text="Teacher").first.click()
    await walk.page.get_by_role("navigation").get_by_role("link", name="Pools").click()
    await walk.main.get_by_role("link", name="Pointeurs et tableaux").click()
    await walk.is_at(f"{POOL}$")
    await expect(walk.main.get_by_text("Questions: 50")).to_be_visible()


async def open_the_assistant(walk: Walk) -> None:
    await walk.button("Open the assistant").click()
    await expect(walk.panel.get_by_role("textbox")).to_be_focused()
    await walk.main.get_by_role("link", name="Statistics").click(trial=True)  # the page stays in use


async def read_what_is_sent(walk: Walk) -> None:
    await walk.says(walk.panel.get_by_text("Your questions are read by AI models (stub)").first)


async def ask_the_manual(walk: Walk) -> None:
    await walk.ask()
    await walk.says("Open Pools in the menu")


async def open_the_citation(walk: Walk) -> None:
    await walk.last.locator("button.mark").click()
    section = walk.panel.locator(".section")
    await walk.says(section.get_by_role("heading", name="Create a pool"))
    await walk.says("Open Pools in the menu")
    await walk.button("Back to the conversation").click()
    await expect(section).to_be_hidden()


async def be_shown_a_pool(walk: Walk) -> None:
    await walk.ask()
    await walk.says("Opened: Pool")
    await walk.is_at(POOL)
    await expect(walk.main.get_by_role("heading", name="Boucles et conditions")).to_be_visible()
    await walk.page.go_back()
    await expect(walk.main.get_by_role("heading", name="Pointeurs et tableaux")).to_be_visible()


async def have_it_searched(walk: Walk) -> None:
    await walk.ask()
    await walk.says("Opened: Pool")
    await walk.is_at(rf"{POOL}\?tab=questions&search=malloc$")
    await expect(walk.main.get_by_role("searchbox")).to_have_value("malloc")
    await expect(walk.main.get_by_role("row").filter(has_text="malloc")).to_have_count(5)


async def go_to_a_tab(walk: Walk) -> None:
    await walk.ask()
    await walk.says("Opened: Pool")
    await walk.is_at(rf"{POOL}\?tab=stats$")


async def have_a_command_run(walk: Walk) -> None:
    await walk.ask()
    await walk.says("Done: New question")
    sheet = walk.page.get_by_role("dialog", name="New question")
    await expect(sheet).to_be_visible()
    await sheet.get_by_role("button", name="Close").click()
    await expect(sheet).to_be_hidden()


async def be_offered_a_command(walk: Walk) -> None:
    await walk.ask()
    async with walk.page.expect_popup() as opened:
        await walk.last.get_by_role("button", name="Print the pool").click()
    printed = await opened.value
    await expect(printed).to_have_url(re.compile("/print$"))
    await printed.close()
    await walk.says("Done: Print the pool")


async def have_a_category_prepared(walk: Walk) -> None:
    await walk.ask()
    card = walk.last.get_by_role("region", name="Create a category")
    await walk.says(card.get_by_text("Pointeurs et tableaux"))
    await walk.says(card.get_by_text("Homework"))


async def confirm_the_card(walk: Walk) -> None:
    await walk.last.get_by_role("button", name="Confirm").click()
    await walk.says("Done:")


async def open_what_was_made(walk: Walk) -> None:
    await walk.last.get_by_role("link", name="Homework").or_(walk.last.get_by_role("button", name="Homework")).click()
    await walk.is_at(rf"{POOL}\?category=[0-9a-f-]{{36}}$")
    await expect(walk.main.get_by_text("Questions: 0")).to_be_visible()


async def open_a_question(walk: Walk) -> None:
    await walk.ask()
    await walk.says("Opened: ")
    await walk.is_at(f"{QUESTION}$")
    await expect(walk.main.get_by_text("Draft", exact=True)).to_be_visible()


async def have_it_rewritten(walk: Walk) -> None:
    await expect(walk.main.get_by_label("Statement")).to_have_value(STATEMENT)
    await walk.ask()
    card = walk.last.get_by_role("region", name="Proposed for this question")
    await expect(card.locator("del")).not_to_have_count(0)
    await expect(card.locator("ins")).not_to_have_count(0)
    await walk.says(card.get_by_text("Another choice 2"))
    await expect(walk.main.get_by_label("Statement")).to_have_value(STATEMENT)


async def apply_it(walk: Walk) -> None:
    await walk.last.get_by_role("button", name="Apply").click()
    await expect(walk.main.get_by_label("Statement")).to_have_value(REWRITTEN)
    await expect(walk.main.get_by_label("Choice 6", exact=True)).to_have_value("Another choice 2")
    await expect(walk.main.get_by_label("Choice 6 is right")).not_to_be_checked()
    await expect(walk.main.get_by_text("Saved", exact=True)).to_be_visible()


async def undo_it(walk: Walk) -> None:
    await walk.main.get_by_role("button", name="Undo").click()
    await expect(walk.main.get_by_label("Statement")).to_have_value(STATEMENT)
    await expect(walk.main.get_by_label("Choice 5", exact=True)).to_have_count(0)


async def confirm_a_command(walk: Walk) -> None:
    await walk.ask()
    await walk.says("Run “Publish”?")
    await walk.last.get_by_role("button", name="Confirm").click()
    await walk.says("Done: Publish")
    await expect(walk.main.get_by_text("Published", exact=True)).to_be_visible()


async def ask_for_results(walk: Walk) -> None:
    await walk.ask()
    await walk.says("Final marks, of released columns only")
    assert await walk.last.locator(".chip").count() >= 6
    assert "Person-" not in await walk.last.inner_text()


async def follow_one(walk: Walk) -> None:
    await walk.last.locator(".chip", has_text="Contrôle nº 1 : les pointeurs").click()
    await walk.ask()
    await walk.says("Contrôle nº 1 : les pointeurs")


async def look_at_the_receipt(walk: Walk) -> None:
    receipt = walk.last.locator(".receipt")
    await receipt.get_by_text("What this answer took").click()
    await walk.says(receipt.get_by_text("stub", exact=True))
    await walk.says(receipt.get_by_text("the results of a class: without the names of students"))


async def read_an_earlier_conversation(walk: Walk) -> None:
    at = walk.page.url
    await walk.button("Earlier conversations").click()
    await walk.panel.locator(".conversation").first.click()
    await walk.says(walk.panel.get_by_text("How do I create a pool?", exact=True).last)
    assert walk.page.url == at


async def delete_it(walk: Walk) -> None:
    await walk.button("Earlier conversations").click()
    lines = walk.panel.locator(".conversation")
    await expect(lines.first).to_be_visible()
    before = await lines.count()
    await walk.panel.get_by_role("button", name=re.compile("^Delete “")).first.click()
    await walk.panel.get_by_role("button", name="Delete", exact=True).click()
    await expect(lines).to_have_count(before - 1)


async def change_the_language(walk: Walk) -> None:
    await walk.page.get_by_role("button", name="Français").click()
    await expect(walk.page.get_by_role("link", name="Banques", exact=True)).to_be_visible()
    toggle = walk.button("Ouvrir l’assistant").or_(walk.panel.locator("button.toggle"))
    if await toggle.get_attribute("aria-expanded") != "true":
        await toggle.click()
    await walk.ask()
    await walk.says("Je suis un simulacre, pas un modèle. « Banque de questions: Créer une banque de questions »")


async def make_it_dark(walk: Walk) -> None:
    body, dialog = walk.page.locator("body"), walk.panel.locator("dialog.panel")
    before = [await brightness(each) for each in (body, dialog)]
    await walk.page.get_by_role("button", name="Clair ou sombre").click()
    await expect(walk.panel).to_have_attribute("theme", "dark")
    after = [await brightness(each) for each in (body, dialog)]
    assert all(now < 80 < 170 < then for then, now in zip(before, after, strict=True)), (before, after)


async def make_it_small(walk: Walk) -> None:
    await walk.page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    sheet = walk.panel.locator("dialog.panel")
    await expect(sheet).to_have_class(re.compile(r"\bsheet\b"))
    box = await sheet.bounding_box()
    assert box is not None
    # All of the window but the room of the scroll bar that the page behind it had.
    assert box["x"] == 0
    assert NARROW["width"] - 16 < box["width"] <= NARROW["width"]
    await walk.panel.locator("dialog.panel header button").last.click()
    await expect(sheet).to_be_hidden()
    await expect(walk.main).to_be_visible()


async def end_the_demo(walk: Walk) -> None:
    code, said = await walk.demo.end()
    assert (code, said.strip().splitlines()[-1]) == (0, "Stopped.")


STEPS: Mapping[str, Callable[[Walk], Awaitable[None]]] = {
    "Start the demo": start_the_demo,
    "Open the address": open_the_address,
    "Sign in as a teacher": sign_in,
    "Open the assistant": open_the_assistant,
    "Read what is sent": read_what_is_sent,
    "Ask the manual": ask_the_manual,
    "Open the citation": open_the_citation,
    "Be shown a pool": be_shown_a_pool,
    "Have it searched": have_it_searched,
    "Go to a tab": go_to_a_tab,
    "Have a command run": have_a_command_run,
    "Be offered a command": be_offered_a_command,
    "Have a category prepared": have_a_category_prepared,
    "Confirm the card": confirm_the_card,
    "Open what was made": open_what_was_made,
    "Open a question": open_a_question,
    "Have it rewritten": have_it_rewritten,
    "Apply it": apply_it,
    "Undo it": undo_it,
    "Confirm a command that changes something": confirm_a_command,
    "Ask for results": ask_for_results,
    "Follow one of them": follow_one,
    "Look at the receipt": look_at_the_receipt,
    "Read an earlier conversation": read_an_earlier_conversation,
    "Delete it": delete_it,
    "Change the language": change_the_language,
    "Make it dark": make_it_dark,
    "Make it small": make_it_small,
    "End the demo": end_the_demo,
}
"""By the title the page gives it."""


def test_the_page_and_the_walk_have_the_same_steps() -> None:
    page = PAGE.read_text("utf-8")
    assert [told.title for told in steps_told(page)] == list(STEPS)
    assert numbers_told(page) == list(range(1, len(STEPS) + 1))


async def test_the_walk(browser: Browser, database_url: str, tmp_path: Path) -> None:
    told = {each.title: each for each in steps_told(PAGE.read_text("utf-8"))}
    async with running_demo(database_url, quick_policy(tmp_path)) as demo:
        page = await browser.new_page(viewport=WIDE, color_scheme="light", locale="en-GB")  # type: ignore[arg-type]
        broken: list[str] = []
        page.on("pageerror", lambda error: broken.append(str(error)))
        for title, step in STEPS.items():
            try:
                await step(Walk(demo, page, told[title]))
            except Exception as failure:
                failure.add_note(f"This is step “{title}” of {PAGE.name}; the page stands at {page.url}")
                raise
        assert broken == []
