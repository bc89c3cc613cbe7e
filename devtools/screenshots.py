"""`make screenshots`: the pictures of docs/pictures, taken of the running demo in Chromium.

Exit code 0: they are written. 1: a line says what failed.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, FloatRect, Locator, Page

from devtools.children import ChildError
from devtools.demo_in_browser import ROOT, chromium, served_demo, teacher_at
from devtools.demo_settings import DemoError
from devtools.postgres import PostgresError

PICTURES = ROOT / "docs" / "pictures"

MOST_BYTES = 150_000
"""Of one picture: they are kept in the repository, each version of each."""

ANSWER_MILLISECONDS = 30_000

HEADER_PIXELS = 59
"""Of the LMS's own, which is left out: it names who is signed in."""

DESK: Mapping[str, Any] = {"viewport": {"width": 1280, "height": 860}}
PHONE: Mapping[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}

DRAFT = "Que peut-on dire de : l'arithmétique des pointeurs ?"
REWRITE = "Rewrite the statement as “Que fait l'arithmétique des pointeurs ?” and add two choices"


def _panel(page: Page) -> Locator:
    return page.locator("assist-panel")


def _open(page: Page) -> None:
    _panel(page).get_by_role("button", name="Open the assistant").click()
    _panel(page).locator(".notice").filter(has_text="stub").wait_for()


def _ask(page: Page, question: str, *, until: str) -> None:
    """Asks, and returns once the last exchange shows this selector and all that comes before it."""
    _panel(page).get_by_label("Your question").fill(question)
    _panel(page).get_by_role("button", name="Send").click()
    _panel(page).locator(".exchange").last.locator(until).first.wait_for(timeout=ANSWER_MILLISECONDS)


def _to_end(page: Page) -> None:
    _panel(page).locator(".log").evaluate("(log) => { log.scrollTop = log.scrollHeight; }")


def panel(page: Page) -> None:
    """An answer with its section beside it."""
    _open(page)
    _ask(page, "How do I create a pool?", until=".mark")
    _panel(page).locator(".mark").first.click()
    _panel(page).locator(".section .prose").wait_for()


def card(page: Page) -> None:
    """A change that waits for its Confirm."""
    _open(page)
    _ask(page, "Create the category “Homework” in this pool", until=".card")
    _to_end(page)


def diff(page: Page) -> None:
    """A question's texts before and after."""
    _open(page)
    _ask(page, f"Open the question “{DRAFT}”", until=".outcome")
    _ask(page, REWRITE, until=".card .change")
    _panel(page).locator(".exchange").last.locator(".card").evaluate("(each) => each.scrollIntoView({block: 'end'})")


def sheet(page: Page) -> None:
    """An answer and a change on a phone: a sheet before the page."""
    _open(page)
    _ask(page, "How do I create a pool?", until=".mark")
    _ask(page, "Create the category “Homework” in this pool", until=".card")
    _to_end(page)


TAKEN: Mapping[str, tuple[Callable[[Page], None], Mapping[str, Any]]] = {
    "panel": (panel, DESK),
    "card": (card, DESK),
    "diff": (diff, DESK),
    "sheet": (sheet, PHONE),
}
"""What leads to each picture, and the window it is taken in."""


def take(browser: Browser, address: str, folder: Path) -> None:
    """Writes them all. Raises DemoError where one is larger than it may be."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (prepare, window) in TAKEN.items():
        with teacher_at(browser, address, reduced_motion="reduce", color_scheme="light", **window) as page:
            prepare(page)
            page.mouse.move(2, 2)
            page.evaluate("document.fonts.ready")
            path = folder / f"{name}.png"
            size = len(page.screenshot(path=path, clip=_clip(window), animations="disabled", caret="hide"))
        if size > MOST_BYTES:
            raise DemoError(f"{path.name} has {size} bytes, and may have {MOST_BYTES}")
        print(f"{path.relative_to(folder.parent)}  {size // 1000} kB", flush=True)


def _clip(window: Mapping[str, Any]) -> FloatRect:
    width, height = window["viewport"]["width"], window["viewport"]["height"]
    top = HEADER_PIXELS if window is DESK else 0
    return {"x": 0, "y": top, "width": width, "height": height - top}


def main() -> int:
    """The exit code, after a message where something failed."""
    try:
        with served_demo() as address, chromium() as browser:
            take(browser, address, PICTURES)
    except (DemoError, ChildError, PostgresError, Error) as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
