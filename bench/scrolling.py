"""A running conversation of 200 exchanges in the panel, scrolled from its end to its beginning under Chromium's trace.

Each was asked in the panel and answered with text and a table; every fourth has a card, every fifth chips. The answers
are made here, in the contract's shape: 200 questions of the service would take its limits of a minute.
"""

import json
import statistics
from collections.abc import Mapping, Sequence
from itertools import count, pairwise
from typing import Any
from uuid import UUID

from playwright.sync_api import CDPSession, Page, Route

from devtools.demo_in_browser import chromium, served_demo, teacher_at

EXCHANGES = 200
PIXELS_PER_SECOND = 8_000
CONVERSATION = str(UUID(int=1))

RESTED_MS = 15_000
"""200 questions in a minute leave what the browser tidies once it rests for 8 s, in one frame of 40 to 80 ms; nobody
asks 200 in a minute, and scrolls without having read."""

CATEGORIES = "devtools.timeline,disabled-by-default-devtools.timeline.frame,benchmark"

HTML = """<p>A pool holds the <strong>questions</strong> of one <em>topic</em>
<sup class="citation" data-marker="1">1</sup>. Each has a type, a status and a difficulty; only
published ones are drawn.</p>
<ul><li>Open <code>Pools</code> in the menu.</li><li>Press New pool, type a title, choose a language.</li></ul>
<table><thead><tr><th>Status</th><th>Drawn</th></tr></thead><tbody><tr><td>draft</td><td>no</td></tr>
<tr><td>published</td><td>yes</td></tr></tbody></table>"""


MARK_SCROLLING = """() => document.querySelector("assist-panel").shadowRoot.querySelector(".log")
  .addEventListener("scroll", () => console.timeStamp("scrolled"), {passive: true})"""


def measure() -> dict[str, float]:
    """`panel_scroll_frame_ms`: the longest between two frames that were drawn while it scrolled, and their median;
    `panel_scroll_kilopixels`: how far it was."""
    with (
        served_demo() as address,
        chromium() as browser,
        teacher_at(browser, address, reduced_motion="reduce") as page,
    ):
        _converse(page)
        pixels = int(page.locator("assist-panel .log").evaluate("log => log.scrollHeight - log.clientHeight"))
        frames = _frames_while_scrolling(page, pixels)
    gaps = [(later - earlier) / 1_000 for earlier, later in pairwise(frames)]
    return {
        "panel_scroll_frame_ms": round(max(gaps), 1),
        "panel_scroll_frame_ms_median": round(statistics.median(gaps), 1),
        "panel_scroll_frames": len(frames),
        "panel_scroll_kilopixels": round(pixels / 1_000, 1),
    }


def _converse(page: Page) -> None:
    numbers = count(1)

    def answer(route: Route) -> None:
        if route.request.method == "OPTIONS":
            route.continue_()
        else:
            origin = route.request.headers["origin"]
            route.fulfill(json=_reply(next(numbers)), headers={"Access-Control-Allow-Origin": origin})

    page.route("**/assist/ask", answer)
    panel = page.locator("assist-panel")
    panel.locator(".toggle").click()
    for number in range(1, EXCHANGES + 1):
        field = panel.locator(".field")
        field.fill(f"Question {number}: how do I create a pool?")
        field.press("Enter")
        panel.locator(".exchange .receipt").nth(number - 1).wait_for(state="attached")
    page.wait_for_timeout(RESTED_MS)


def _reply(number: int) -> Mapping[str, Any]:
    cited = {"page": "teacher/pools", "section": "s", "title": "Pool: Create a pool", "href": "/assist/manual/a/b"}
    lines = [{"label": "pool", "value": "Pointeurs et tableaux"}, {"label": "title", "value": f"Category {number}"}]
    card = {
        "id": str(UUID(int=number)),
        "tool": "create_category",
        "lines": lines,
        "expires_at": "2099-01-01T00:00:00Z",
    }
    chips = [{"label": f"Question {each}", "kind": "question", "token": f"t{each}"} for each in range(5)]
    took = {"requests": 2, "models": ["scripted"], "input_tokens": 2000, "cached_input_tokens": 0, "output_tokens": 200}
    left = {"cost_micros": 1200, "corpus_version": "v", "sent": [], "also_sent": ["question"]}
    is_proposal = number % 4 == 0
    return {
        "conversation_id": CONVERSATION,
        "exchange_id": str(UUID(int=number)),
        "kind": "manual",
        "answer": "A pool holds the questions of one topic.",
        "html": HTML,
        "language": "en",
        "citations": [{"marker": 1, **cited}],
        "actions": [],
        "writes": [card] if is_proposal else [],
        "references": chips if number % 5 == 0 else [],
        "choices": [],
        "statement": {"opened": [], "prepared": ["a new category"] if is_proposal else [], "changed": False},
        "receipt": {**took, **left},
    }


def _frames_while_scrolling(page: Page, pixels: int) -> Sequence[float]:
    """When a frame was drawn, in microseconds, between the first and the last scrolling of the gesture."""
    session = page.context.new_cdp_session(page)
    log = page.locator("assist-panel .log")
    log.focus()  # a caret that blinks draws frames of its own
    page.evaluate(MARK_SCROLLING)
    box = log.bounding_box()
    assert box is not None
    session.send("Tracing.start", {"categories": CATEGORIES, "transferMode": "ReturnAsStream"})
    gesture = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.synthesizeScrollGesture", {**gesture, "yDistance": pixels, "speed": PIXELS_PER_SECOND})
    events = _traced(session)
    assert log.evaluate("log => log.scrollTop") < 1, "not all of it was scrolled"
    scrolled = [float(event["ts"]) for event in events if event["name"] == "TimeStamp"]
    assert scrolled, "the trace holds no scrolling"
    drawn = sorted(float(event["ts"]) for event in events if event["name"] == "DrawFrame")
    return [moment for moment in drawn if min(scrolled) <= moment <= max(scrolled)]


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
