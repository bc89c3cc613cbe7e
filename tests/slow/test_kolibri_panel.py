"""The panel on a page of a real Kolibri: a coach signs in there, asks, and is answered with her own class's results."""

import pytest
from playwright.async_api import BrowserContext

from tests.browser.chromium import chromium
from tests.browser.panel_house import ANSWER_MILLISECONDS
from tests.fakes.models import calls
from tests.slow.kolibri_running import running
from tests.slow.kolibri_school import SERVICE_ORIGIN, Check, School
from tests.slow.test_kolibri_service import names_the_best
from tests.web.live_questions import ActingModel

pytestmark = pytest.mark.slow


async def _sign_in(context: BrowserContext, school: School, name: str) -> None:
    with school.browser(name) as browser:
        kept = [(each.name, each.value or "") for each in browser.cookies.jar]
    await context.add_cookies([{"name": name, "value": value, "url": school.url} for name, value in kept])


async def test_a_coach_asks_in_kolibri(database_url: str, school: School, check: Check) -> None:
    model = ActingModel(calls(("get_classroom_results", {"classroom": str(school.classroom("7a"))})), names_the_best)
    async with running(database_url, school, model, lms_origin=school.url) as service:
        name, port = SERVICE_ORIGIN.removeprefix("http://"), service.base_url.port
        async with chromium(f"--host-resolver-rules=MAP {name}:80 127.0.0.1:{port}") as browser:
            context = await browser.new_context()
            page = await context.new_page()
            asked: list[str] = []
            page.on("request", lambda request: asked.append("/".join(request.url.split("/")[:3])))
            await page.goto(f"{school.url}/assist/")
            check("/auth/" in page.url, True)  # nobody has signed in
            await _sign_in(context, school, "ana")
            asked.clear()
            shown = await page.goto(f"{school.url}/assist/?class={school.classroom('7a').hex}")
            assert shown is not None
            check("require-trusted-types-for 'script'" in shown.headers["content-security-policy"], True)
            await page.get_by_label("Your question").fill("Who is best?")
            await page.get_by_role("button", name="Send").click()
            await page.get_by_text("Ada Quill has 3 of 4.").first.wait_for(timeout=ANSWER_MILLISECONDS)
            check(set(asked) - {"data:,"}, {school.url, SERVICE_ORIGIN})
