"""The scripts of the reference LMS's pages in a real browser: moving, staying, commands, and what a key may answer."""

import itertools
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from examples.reference_lms.school import FRENCH_TEACHER
from tests.web.lms_face import POOL, POOL_ASKED_NOWHERE, QUESTION, RUNNING, open_lms

pytestmark = pytest.mark.slow

HOST = "path => import('/static/host.js').then(({host}) => host.navigate(path))"
RUN = "id => import('/static/host.js').then(({host}) => host.runCommand(id).then(() => 'ran', e => e.message || 'no'))"
SCREEN = "() => import('/static/host.js').then(({host}) => host.screen())"
GUARD = "() => import('/static/router.js').then(({guard}) => { window.release = guard(async () => false); })"


async def test_the_pages_do_what_they_say(browser: Browser) -> None:
    """Several cases at one LMS: starting a browser takes longer than any of them. An error of a script is a fault."""
    errors: list[str] = []
    async with open_lms(assist_url=None) as lms:
        page = await browser.new_page(base_url=lms.base, locale="en")
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto("/sign-in")
        await page.get_by_role("button", name=FRENCH_TEACHER.name).click()
        await page.wait_for_url(f"{lms.base}/")
        await page.evaluate("() => { window.same = true; }")
        await moves_stays_and_does_not_know(page)
        await runs_commands_that_are_on_screen(page)
        await says_in_the_sheet_what_is_missing(page)
        await asks_and_lets_no_key_answer_that_was_not_for_it(page)
        assert await page.evaluate("() => window.same")
        await shows_every_name_of_the_menu(page)
        await hides_nothing_that_has_the_focus_under_the_assistants_button(page)
    assert errors == []


async def path_of(page: Page) -> str:
    return str(await page.evaluate("() => location.pathname + location.search"))


async def call(page: Page, script: str, argument: str | None = None) -> Any:
    return await page.evaluate(script, argument)


async def moves_stays_and_does_not_know(page: Page) -> None:
    assert await call(page, HOST, "/courses") == "moved"
    assert await call(page, HOST, "pools") == "unknown"
    assert await call(page, HOST, f"/pools/{POOL}") == "moved"
    await page.get_by_role("searchbox").fill("malloc & co")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**search=malloc*")
    assert await path_of(page) == f"/pools/{POOL}?search=malloc+%26+co"
    for unknown in ("/pools/nothing", "/demo/school", "https://elsewhere.example/", "//elsewhere.example/", "pools"):
        assert await call(page, HOST, unknown) == "unknown"
    assert await call(page, HOST, f"/questions/{QUESTION}") == "moved"
    await call(page, GUARD)
    assert await call(page, HOST, "/courses") == "stayed"
    await page.go_back()
    await page.wait_for_timeout(300)
    assert await path_of(page) == f"/questions/{QUESTION}"
    await page.evaluate("() => window.release()")
    await page.go_back()
    await page.locator("main[data-screen=pool]").wait_for()
    assert await path_of(page) == f"/pools/{POOL}?search=malloc+%26+co"


async def runs_commands_that_are_on_screen(page: Page) -> None:
    await call(page, HOST, f"/questions/{QUESTION}")
    assert await call(page, RUN, "unpublish") == "ran"
    assert await page.locator("main .badge").first.text_content() == "Draft"
    assert await call(page, RUN, "unpublish") == "no command unpublish"
    assert await call(page, RUN, "publish") == "ran"
    await call(page, HOST, f"/evaluations/{RUNNING}")
    screen = await call(page, SCREEN)
    assert (screen["route"], screen["topic"]) == ("/evaluations/:id", "evaluation")
    kinds = {each["id"]: (each["effect"], each["gesture"], each["danger"]) for each in screen["commands"]}
    assert kinds["close"] == ("write", False, False)
    assert kinds["project"] == ("none", True, False)
    assert await call(page, RUN, "results") == "ran"
    assert (await call(page, SCREEN))["route"] == "/evaluations/:id?tab=results"


async def asks_and_lets_no_key_answer_that_was_not_for_it(page: Page) -> None:
    await call(page, HOST, f"/pools/{POOL_ASKED_NOWHERE}")
    await page.keyboard.press("Control+k")
    await page.get_by_role("searchbox", name="Find a command or page").fill("delete")
    await page.keyboard.press("Enter")
    question = page.get_by_role("alertdialog", name="Delete the pool")
    await question.wait_for()
    await page.keyboard.press("Escape")
    await question.wait_for(state="detached")
    assert await path_of(page) == f"/pools/{POOL_ASKED_NOWHERE}"
    await page.get_by_role("button", name="Delete the pool").click()
    await question.get_by_role("button", name="Delete the pool").click()
    await page.wait_for_url("**/pools")
    assert await call(page, HOST, f"/pools/{POOL_ASKED_NOWHERE}") == "unknown"
    await call(page, HOST, f"/pools/{POOL}")
    await page.get_by_role("button", name="Delete the pool").click()
    await question.get_by_role("button", name="Delete the pool").click()
    await page.get_by_text("An evaluation asks a question of this pool, so it stays.").wait_for()


async def says_in_the_sheet_what_is_missing(page: Page) -> None:
    await call(page, HOST, f"/pools/{POOL}")
    assert await call(page, RUN, "question.new") == "ran"
    sheet = page.get_by_role("dialog", name="New question")
    assert await sheet.get_by_label("Title").evaluate("(each) => each === document.activeElement")
    await sheet.get_by_label("Title").fill("<img src=x onerror=alert(1)>")
    await sheet.get_by_label("Statement").fill(" ")
    await sheet.get_by_role("button", name="Create").click()
    await sheet.get_by_role("alert").wait_for()
    await sheet.get_by_label("Statement").fill("Why?")
    await sheet.get_by_role("button", name="Create").click()
    await page.locator("main[data-screen=question]").wait_for()
    assert await page.locator("h1").text_content() == "<img src=x onerror=alert(1)>"
    assert await page.locator("main img").count() == 0


async def shows_every_name_of_the_menu(page: Page) -> None:
    for language, width in itertools.product(("fr", "fil", "en"), (1440, 1024)):
        await page.set_viewport_size({"width": width, "height": 900})
        await page.goto(f"/questions/{QUESTION}")
        await page.locator(f"button[name=language][value={language}]").click()
        await page.locator(f"html[lang={language}]").wait_for()
        cut = "() => [...document.querySelectorAll('.sections')].some((each) => each.scrollWidth > each.clientWidth)"
        assert not await page.evaluate(cut), (language, width)
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), (language, width)


UNDER = """() => [...document.querySelectorAll("main :is(a, button, input, textarea, select)")].filter((each) => {
  each.focus();
  const { right, bottom, top } = each.getBoundingClientRect();
  return each === document.activeElement && bottom - top < innerHeight / 2
    && right > innerWidth - 72 && bottom > innerHeight - 72;
}).map((each) => each.outerHTML)"""


async def hides_nothing_that_has_the_focus_under_the_assistants_button(page: Page) -> None:
    for width, height in ((390, 844), (844, 390), (320, 568)):
        await page.set_viewport_size({"width": width, "height": height})
        for path in (f"/questions/{QUESTION}", f"/pools/{POOL}", "/templates"):
            await page.goto(path)
            assert await page.evaluate(UNDER) == [], (path, width)
