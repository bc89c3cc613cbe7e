"""The panel in a browser: how much of it is loaded, and how soon it is painted after a click on its button.

The demo serves it, Chromium opens it. Sizes are those of what the service hands out, not of what lies in the folder.
"""

import gzip
import statistics
from collections.abc import Sequence

import httpx2
from playwright.sync_api import Browser, Page, Response

from devtools.demo_in_browser import chromium, served_demo, teacher_at

OPENED = 7

LISTEN = """() => {
  window.painted = [];
  new PerformanceObserver((list) => list.getEntries()
    .filter(({name}) => name === "click")
    .forEach(({startTime, duration}) => window.painted.push({startTime, duration})))
    .observe({type: "event", durationThreshold: 16});
  const button = document.querySelector("assist-panel").shadowRoot.querySelector(".toggle");
  button.addEventListener("click", (event) => {
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.frame = performance.now() - event.timeStamp;
    }));
  });
}"""
"""From a click to the next paint, as the browser itself tells it (in steps of 8 ms, of 16 and more); and by frames."""


def measure() -> dict[str, float]:
    """`panel_kb_gzipped`: panel, client and styles in one language, English, packed together; `panel_kb_transferred`:
    the same file by file, as they cross the wire, which is more; `panel_first_paint_ms`: the median."""
    with served_demo() as address, chromium() as browser:
        loaded = _loaded(browser, address)
        paints = [_first_paint(browser, address) for _ in range(OPENED)]
        with httpx2.Client(trust_env=False) as client:
            answers = [client.get(each).raise_for_status() for each in loaded]
    together = gzip.compress(b"".join(each.content for each in answers), 9)
    return {
        "panel_kb_gzipped": round(len(together) / 1_000, 1),
        "panel_kb_transferred": round(sum(each.num_bytes_downloaded for each in answers) / 1_000, 1),
        "panel_first_paint_ms": round(statistics.median(paints), 0),
    }


def _loaded(browser: Browser, address: str) -> Sequence[str]:
    """What a page with the panel asks for of it, once it was opened."""
    asked: list[str] = []

    def note(response: Response) -> None:
        if "/assist/panel/" in response.url:
            asked.append(response.url)

    with teacher_at(browser, address) as page:
        page.on("response", note)
        page.reload()
        _open(page)
    return sorted(set(asked))


def _first_paint(browser: Browser, address: str) -> float:
    """Milliseconds from the click to the paint after it, of a page that has just been loaded."""
    with teacher_at(browser, address) as page:
        page.evaluate(LISTEN)
        _open(page)
        page.wait_for_timeout(300)
        told = [float(each["duration"]) for each in page.evaluate("window.painted")]
        frame = float(page.evaluate("window.frame"))
    return max(told, default=frame)


def _open(page: Page) -> None:
    page.locator("assist-panel .toggle").click()
    page.locator("assist-panel .panel").wait_for()


if __name__ == "__main__":
    print(measure())
