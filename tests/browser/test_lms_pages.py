"""The scripts of the reference LMS's pages in a real browser: moving, staying, commands, and what a key may answer."""

import asyncio
import itertools
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from examples.reference_lms.school import FILIPINO_TEACHER, FRENCH_TEACHER
from tests.web.lms_face import POOL, POOL_ASKED_NOWHERE, QUESTION, RUNNING, open_lms

pytestmark = pytest.mark.slow

HOST = "path => import('/static/host.js').then(({host}) => host.navigate(path))"
RUN = "id => import('/static/host.js').then(({host}) => host.runCommand(id).then(() => 'ran', e => e.message || 'no'))"
SCREEN = "() => import('/static/host.js').then(({host}) => host.screen())"
GUARD = """() => import('/static/router.js').then(({guard}) => {
  window.asked = 0;
  window.release = guard(async () => { window.asked += 1; return false; });
})"""
ASKED = "async (times) => { while (window.asked < times) await new Promise(requestAnimationFrame); }"


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
    await page.evaluate(ASKED, 2)
    await page.wait_for_url(f"**/questions/{QUESTION}")
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


ANOTHER_SAYS = """() => {
    window.told = 0;
    document.querySelector("assist-panel").addEventListener("sessionchange", () => { sessionStorage.told = "yes"; });
}"""


async def test_a_page_of_another_session_is_never_shown_in_the_place_of_this_ones(browser: Browser) -> None:
    """Another tab signs in as somebody else, in the student view, or nobody: this one takes no part of theirs."""
    async with open_lms() as lms:
        page = await browser.new_page(base_url=lms.base, locale="en")

        async def in_another_tab(path: str, **form: str) -> None:
            await page.request.post(f"{lms.base}{path}", form=dict(form), headers={"Origin": lms.base})

        await in_another_tab("/sign-in", person=FRENCH_TEACHER.sub)
        for how in (
            {"person": FILIPINO_TEACHER.sub},
            {"person": FILIPINO_TEACHER.sub, "kind": "student_view"},
            {"person": FRENCH_TEACHER.sub},
        ):
            await page.goto("/pools")
            await page.evaluate("() => { window.same = true; sessionStorage.clear(); }")
            if await page.locator("assist-panel").count():
                await page.evaluate(ANOTHER_SAYS)
            await page.get_by_role("link", name="Courses").first.click()
            await page.locator("main[data-screen=courses]").wait_for()
            assert await page.evaluate("() => [window.same, sessionStorage.told]") == [True, None]
            await in_another_tab("/sign-in", **how)
            await page.get_by_role("link", name="Tests", exact=True).click()
            await page.locator("main[data-screen=evaluations], body[data-screen=evaluations]").first.wait_for()
            assert await page.evaluate("() => window.same ?? null") is None
        await _is_loaded_in_full_by_the_panel_too(page, in_another_tab)


async def _is_loaded_in_full_by_the_panel_too(page: Page, in_another_tab: Any) -> None:
    await page.goto("/pools")
    await page.evaluate(ANOTHER_SAYS)
    await in_another_tab("/sign-out")
    await page.evaluate("() => { void import('/static/host.js').then(({host}) => host.navigate('/courses')); }")
    await page.locator("body[data-screen=courses]").wait_for()
    assert await page.evaluate("() => sessionStorage.told") == "yes"


async def test_back_asks_before_the_page_goes_and_leads_where_it_says(browser: Browser) -> None:
    """What is typed while a page is on its way, two at once, and an LMS that does not answer."""
    errors: list[str] = []
    async with open_lms(assist_url=None) as lms:
        page = await browser.new_page(base_url=lms.base, locale="en")
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.request.post(
            f"{lms.base}/sign-in", form={"person": FRENCH_TEACHER.sub}, headers={"Origin": lms.base}
        )
        await page.goto("/courses")
        for path in ("/pools", f"/pools/{POOL}", f"/questions/{QUESTION}"):
            assert await call(page, HOST, path) == "moved"
        await _asks_of_what_is_typed_meanwhile(page)
        await _two_at_once(page)
        await _without_an_answer(page)
    assert errors == []


async def _asks_of_what_is_typed_meanwhile(page: Page) -> None:
    held = await _held(page, f"**/pools/{POOL}")
    await _press_back(page)
    await _came(held)
    await page.evaluate("() => import('/static/router.js').then(({guard}) => guard(async () => confirm('Leave?')))")
    for answer in (False, True):
        async with page.expect_event("dialog") as asked:
            await held.pop().continue_()
        dialog = await asked.value
        await (dialog.accept() if answer else dialog.dismiss())
        if not answer:
            await page.wait_for_url(f"**/questions/{QUESTION}")
            await page.locator("main[data-screen=question]").wait_for()
            await _press_back(page)
            await _came(held)
    await page.locator("main[data-screen=pool]").wait_for()
    assert await path_of(page) == f"/pools/{POOL}"
    await page.unroute(f"**/pools/{POOL}")


async def _two_at_once(page: Page) -> None:
    """The first page comes last."""
    held = await _held(page, "**/pools")
    await _press_back(page)
    await _came(held)
    await _press_back(page)
    await page.locator("main[data-screen=courses]").wait_for()
    await held.pop().continue_()
    await page.wait_for_timeout(200)
    await expect(page.locator("main[data-screen=courses]")).to_be_visible()
    assert await path_of(page) == "/courses"
    await page.unroute("**/pools")


async def _without_an_answer(page: Page) -> None:
    assert await call(page, HOST, "/pools") == "moved"
    await page.route("**/courses", lambda route: route.abort())
    await _press_back(page)
    await expect(page.locator("#said")).not_to_be_empty()
    await page.wait_for_url("**/pools")
    await expect(page.locator("main[data-screen=pools]")).to_be_visible()


async def _press_back(page: Page) -> None:
    """Without waiting for a page: `go_back` would."""
    await page.evaluate("() => history.back()")


async def _held(page: Page, address: str) -> list[Route]:
    held: list[Route] = []
    await page.route(address, lambda route: held.append(route))
    return held


async def _came(held: list[Route]) -> None:
    async with asyncio.timeout(10):
        while not held:  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.02)
