"""An answer comes into view block by block, only once it is whole and stored, and at once under reduced motion."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.browser.panel_house import Panel
from tests.browser.shared_house import SharedHouse

pytestmark = pytest.mark.slow

LAST_WORDS = "zimmertuerschluessel"
"""What the answer ends with, long before which it begins to show."""

WATCH = """() => {
  window.hidden = [];
  const log = document.querySelector("assist-panel").shadowRoot.querySelector(".log");
  new MutationObserver(() => {
    const hidden = log.querySelectorAll(".unrevealed").length;
    if (hidden > 0) window.hidden.push(hidden);
  }).observe(log, {subtree: true, childList: true, attributes: true});
}"""

PLACES = """() => [...document.querySelector("assist-panel").shadowRoot.querySelectorAll(".exchange *")]
  .map((each) => each.getBoundingClientRect()).map(({x, y, width, height}) => [x, y, width, height].join())"""

AT_ONCE = """() => {
  const root = document.querySelector("assist-panel").shadowRoot;
  const moving = root.getAnimations().map((each) => each.animationName);
  return {hidden: root.querySelectorAll(".unrevealed").length, moving: moving.filter((name) => name === "appear")};
}"""


@asynccontextmanager
async def with_first_block(shared: SharedHouse) -> AsyncIterator[Panel]:
    """A panel whose time stands still at the first block of an answer."""
    async with shared.panel() as panel:
        await panel.open()
        await panel.element.locator(".notice", has_text="Your questions").wait_for()
        await panel.page.clock.install()
        await panel.page.clock.pause_at(await panel.page.evaluate("Date.now() + 1000"))
        await panel.ask("What is a pool?")
        await panel.last.locator(".revealed").first.wait_for()
        yield panel


async def hidden(panel: Panel) -> int:
    return await panel.last.locator(".unrevealed").count()


async def test_the_answer_is_whole_and_stored_before_its_first_block_shows(shared: SharedHouse) -> None:
    async with with_first_block(shared) as panel:
        assert await panel.last.locator(".revealed").count() == 1
        assert await hidden(panel) > 5
        assert LAST_WORDS in str(await panel.last.locator(".prose").text_content())
        bearer = await shared.house.bearer()
        listed = (await shared.house.service.get("/assist/conversations", headers=bearer)).json()
        kept = await shared.house.service.get(f"/assist/conversations/{listed['items'][0]['id']}", headers=bearer)
        assert LAST_WORDS in kept.json()["items"][-1]["answer"]


async def test_it_shows_block_by_block_and_nothing_moves(shared: SharedHouse) -> None:
    async with with_first_block(shared) as panel:
        places: list[str] = await panel.page.evaluate(PLACES)
        left = [await hidden(panel)]
        while left[-1] > 0:
            await panel.page.clock.run_for(100)
            left.append(await hidden(panel))
        assert left == sorted(left, reverse=True)
        assert len(left) > 5
        assert (await panel.page.evaluate(PLACES))[: len(places) // 2] == places[: len(places) // 2]


async def test_what_does_not_show_yet_cannot_be_clicked_and_a_click_shows_all(shared: SharedHouse) -> None:
    async with with_first_block(shared) as panel:
        mark = panel.last.locator(".mark").first
        assert not await mark.is_visible()
        where = await mark.bounding_box()
        assert where is not None
        await panel.page.mouse.click(where["x"] + 2, where["y"] + 2)
        await panel.last.locator(".unrevealed").first.wait_for(state="detached", timeout=2_000)
        assert await mark.is_visible()
        assert not await panel.element.locator(".side").is_visible()
        assert (await panel.page.evaluate(AT_ONCE))["hidden"] == 0


async def test_under_reduced_motion_there_is_none(shared: SharedHouse) -> None:
    async with shared.panel(reduced_motion="reduce") as panel:
        await panel.page.evaluate(WATCH)
        await panel.open()
        await panel.ask("What is a pool?")
        await panel.answered("A pool holds")
        at_once: dict[str, Any] = await panel.page.evaluate(AT_ONCE)
        assert at_once == {"hidden": 0, "moving": []}
        assert await panel.page.evaluate("window.hidden") == []
        assert await panel.last.locator(".mark").first.is_visible()
