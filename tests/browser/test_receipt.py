"""What an answer takes is told in words: its steps, its receipt and the notice, and all anew in another language."""

import json
import re

import pytest
from playwright.async_api import Browser, Route, expect

from tests.browser.panel_house import Panel
from tests.browser.steering import ASK, AVAILABILITY, SAID, left_the_page, one_panel, says_words, until
from tests.fakes.models import ScriptedModel, calls, says

pytestmark = pytest.mark.slow

NOTICES = {
    "en": "Your questions are read by AI models (stub)",
    "fr": "Tes questions sont lues par des modèles d'IA (stub)",
    "fil": "Ang mga tanong mo ay binabasa ng mga AI model (stub)",
}

STEPS = """
window.steps = [];
new MutationObserver(() => {
  const line = document.querySelector("assist-panel").shadowRoot.querySelector(".step");
  if (line !== null && window.steps.at(-1) !== line.textContent) window.steps.push(line.textContent);
}).observe(document.querySelector("assist-panel").shadowRoot, {subtree: true, childList: true, characterData: true});
"""
"""Writes down each sentence that the line of steps says."""


async def test_steps_and_receipt_are_words(browser: Browser, database_url: str) -> None:
    model = ScriptedModel(
        calls(("list_pools", {})), says(f"{SAID} [s1]."), calls(("get_classroom_results", {})), says("So [s1].")
    )
    model.seconds = 0.2
    async with one_panel(browser, database_url, provider=model) as panel:
        await panel.page.evaluate(STEPS)
        await panel.open()
        await panel.ask("Which pools have I?")
        await panel.answered(SAID)
        assert await panel.page.evaluate("window.steps") == [
            "Asking …", "Reading “Pool” …", "Looking up: your pools …", "Checking the answer …",
        ]  # fmt: skip
        await _is_on_demand(panel)
        await _is_of_the_service(panel)


async def _is_on_demand(panel: Panel) -> None:
    """Not before it is asked for, then each figure as the service has it."""
    inside = panel.last.locator(".receipt dl")
    await expect(inside).to_be_hidden()
    await panel.last.get_by_text("What this answer took").click()
    said = (await inside.inner_text()).split("\n")
    assert said[:-1] == [
        *("Asked of the model", "2", "Model", "stub"),
        *("Tokens", "200 read (0 of them kept from before), 40 written"),
        *("Cost", "$0.0008", "Version of the manual"),
    ]
    assert said[-1] == panel.house.publication.id
    assert await panel.last.locator(".receipt li").all_inner_texts() == [
        "your question, as you wrote it",
        "pages of the manual: in full",
        "your pools: in full",
    ]


async def _is_of_the_service(panel: Panel) -> None:
    """Of what no model was asked for it says that nobody was asked, and what nobody knows a word for has one."""

    async def rewrite(route: Route) -> None:
        answer = await route.fetch()
        receipt = {
            "models": [], "requests": 0, "input_tokens": 0, "cached_input_tokens": 0, "output_tokens": 0,
            "cost_micros": 0, "corpus_version": "abc",
            "sent": [{"tool": "read_minds", "disclosure": "masked"}], "also_sent": ["moderation"],
        }  # fmt: skip
        body = re.sub(r'"receipt":\{.*\}\}', f'"receipt":{json.dumps(receipt)}}}', await answer.text())
        await route.fulfill(response=answer, body=body)

    await panel.page.route(ASK, rewrite)
    await panel.ask("And now?")
    await panel.answered("So")
    await panel.page.unroute(ASK)
    await panel.last.get_by_text("What this answer took").click()
    receipt = panel.last.locator(".receipt")
    await receipt.get_by_text("No model was asked: the service wrote this answer itself.").wait_for()
    assert (await receipt.locator("dl").inner_text()).split("\n") == [
        *("Asked of the model", "0", "Version of the manual", "abc"),
    ]
    assert await receipt.locator("li").all_inner_texts() == [
        "to the moderation: your question and the answer",
        "something on the platform: without the names of students",
    ]


async def test_the_notice_stands_in_full_until_a_question_and_all_is_said_in_the_language_of_now(
    browser: Browser, database_url: str
) -> None:
    async with one_panel(browser, database_url) as panel:
        await panel.open()
        full, later = panel.element.locator(".notice"), panel.element.locator(".notice-later")
        await expect(full).to_contain_text(NOTICES["en"])
        await expect(later).to_be_hidden()
        await panel.ask("How do I create a pool?")
        await panel.answered(SAID)
        await expect(full).to_be_hidden()
        await expect(later.locator("p")).to_be_hidden()
        await later.locator("summary").click()
        await expect(later.locator("p")).to_contain_text(NOTICES["en"])
        await panel.last.locator(".receipt summary").click()
        await _never_stale(panel)
        await _in_filipino(panel)
        await begin_anew_in(panel, "Bagong usapan")
        await expect(full).to_contain_text(NOTICES["fil"])


async def _never_stale(panel: Panel) -> None:
    """The page changes its language while the panel is open: the old notice is gone before the new one comes."""
    held: list[Route] = []
    await panel.page.route(AVAILABILITY, lambda route: held.append(route))
    later = panel.element.locator(".notice-later")
    for language in ("fil", "fr"):
        change = "panel => { panel.dispatchEvent(new Event('screenchange')) }"
        await panel.page.evaluate(f"window.page.screen.language = '{language}'")
        await panel.element.evaluate(change)
        await expect(later).to_be_hidden()
        assert await panel.element.get_by_text(NOTICES["en"]).count() == 0
    await expect(panel.element.get_by_role("button", name="Fermer")).to_have_count(1)
    await until(lambda: len(held) >= 2)
    # The older answer comes last, and changes nothing.
    await held[1].continue_()
    await expect(later).to_contain_text(NOTICES["fr"])
    async with panel.page.expect_event("requestfinished", lambda request: request == held[0].request):
        await held[0].continue_()
    await panel.page.unroute(AVAILABILITY)
    await left_the_page(panel)
    assert NOTICES["fr"] in await later.inner_text()
    texts = await panel.last.locator(".receipt").inner_text()
    assert "Ce que cette réponse a demandé" in texts
    assert "ta question, telle que tu l'as écrite" in texts
    assert re.search(r"Coût\s+0,\d+", texts)
    assert await panel.last.locator(".mark").get_attribute("aria-label") is not None
    assert await panel.element.get_attribute("lang") == "fr"
    assert await panel.last.locator(".answer").get_attribute("lang") == "en"


async def _in_filipino(panel: Panel) -> None:
    """The page's own word for it goes before its screen's."""
    await panel.element.evaluate("panel => panel.setAttribute('language', 'fil')")
    await says_words(panel, "Ano ang ipinapadala")
    await expect(panel.element.locator(".notice-later p")).to_contain_text(NOTICES["fil"])


async def begin_anew_in(panel: Panel, name: str) -> None:
    await panel.element.get_by_role("button", name=name).click()
