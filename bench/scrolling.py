"""A conversation of 200 exchanges in the panel, scrolled from its end to its beginning under Chromium's own trace."""

import json
import statistics
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from playwright.sync_api import CDPSession, Page, Route

from devtools.demo_in_browser import chromium, served_demo, teacher_at

EXCHANGES = 200
PIXELS = 12_000
PIXELS_PER_SECOND = 4_000
CONVERSATION = "00000000-0000-4000-8000-000000000001"

CATEGORIES = "devtools.timeline,disabled-by-default-devtools.timeline.frame,benchmark"

HTML = """<p>A pool holds the <strong>questions</strong> of one <em>topic</em>
<sup class="citation" data-marker="1">1</sup>. Each has a type, a status and a difficulty; only
published ones are drawn.</p>
<ul><li>Open <code>Pools</code> in the menu.</li><li>Press New pool, type a title, choose a language.</li></ul>
<table><thead><tr><th>Status</th><th>Drawn</th></tr></thead><tbody><tr><td>draft</td><td>no</td></tr>
<tr><td>published</td><td>yes</td></tr></tbody></table>"""


def measure() -> dict[str, float]:
    """`panel_scroll_frame_ms`: the longest between two frames that were drawn while it scrolled, and their median."""
    with served_demo() as address, chromium() as browser, teacher_at(browser, address) as page:
        _show_long_conversation(page)
        frames = _frames_while_scrolling(page)
    gaps = [(later - earlier) / 1_000 for earlier, later in pairwise(frames)]
    return {
        "panel_scroll_frame_ms": round(max(gaps), 1),
        "panel_scroll_frame_ms_median": round(statistics.median(gaps), 1),
        "panel_scroll_frames": len(frames),
    }


def _show_long_conversation(page: Page) -> None:
    """What the service would send of one; asking 200 questions would take its limits of a minute."""
    at = "2026-01-01T12:00:00Z"
    cited = {"page": "teacher/pools", "section": "s", "title": "Pool: Create a pool", "href": "/assist/manual/a/b"}
    kept = {"at": at, "answer": "x", "html": HTML, "kind": "manual", "citations": [{"marker": 1, **cited}]}
    items = [
        {**kept, "id": CONVERSATION, "question": f"Question {number}: how do I create a pool?", "corpus_version": "x"}
        for number in range(EXCHANGES)
    ]
    line = {"id": CONVERSATION, "started_at": at, "last_at": at, "title": "A long conversation", "active": True}
    _answer(page, "**/assist/conversations", {"items": [line], "next": None})
    _answer(page, f"**/assist/conversations/{CONVERSATION}", {"id": CONVERSATION, "items": items, "next": None})
    panel = page.locator("assist-panel")
    panel.locator(".toggle").click()
    panel.get_by_role("button", name="Earlier conversations").click()
    panel.get_by_role("button", name="A long conversation").first.click()
    panel.locator(".exchange").nth(EXCHANGES - 1).wait_for()
    page.wait_for_timeout(1_000)


def _answer(page: Page, pattern: str, body: Mapping[str, Any]) -> None:
    def fulfil(route: Route) -> None:
        if route.request.method == "OPTIONS":
            route.continue_()
        else:
            route.fulfill(json=body, headers={"Access-Control-Allow-Origin": route.request.headers["origin"]})

    page.route(pattern, fulfil)


def _frames_while_scrolling(page: Page) -> Sequence[float]:
    """When a frame was drawn, in microseconds."""
    session = page.context.new_cdp_session(page)
    page.locator("assist-panel .log").focus()  # a caret that blinks draws frames of its own
    box = page.locator("assist-panel .log").bounding_box()
    assert box is not None
    session.send("Tracing.start", {"categories": CATEGORIES, "transferMode": "ReturnAsStream"})
    gesture = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.synthesizeScrollGesture", {**gesture, "yDistance": PIXELS, "speed": PIXELS_PER_SECOND})
    events = _traced(session)
    drawn = sorted(float(event["ts"]) for event in events if event["name"] == "DrawFrame")
    assert len(drawn) > 20, "the trace holds no frames"
    return drawn


def _traced(session: CDPSession) -> Sequence[Mapping[str, Any]]:
    done: list[Mapping[str, Any]] = []
    session.on("Tracing.tracingComplete", lambda event: done.append(event))
    session.send("Tracing.end")
    while not done:
        session.send("Runtime.evaluate", {"expression": "0"})
    parts: list[str] = []
    while True:
        part = session.send("IO.read", {"handle": done[0]["stream"]})
        parts.append(part["data"])
        if part["eof"]:
            break
    return list(json.loads("".join(parts))["traceEvents"])


if __name__ == "__main__":
    print(measure())
