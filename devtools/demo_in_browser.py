"""The demo as its user has it: started as a child on free ports, and a teacher signed in at it in Chromium."""

import os
import re
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from devtools.children import Child, Program, running
from devtools.demo_settings import DemoError

ROOT = Path(__file__).resolve().parent.parent

START_SECONDS = 120.0

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync", "--disable-background-networking")

POOL = "Pointeurs et tableaux"
"""The pool of the first teacher whom the sign-in page lists."""


@contextmanager
def served_demo() -> Iterator[str]:
    """The address to open. Raises ChildError where the demo ends before it serves, DemoError where that takes long."""
    ports = {"ASSIST_PORT": str(_free_port()), "ASSIST_LMS_PORT": str(_free_port())}
    with tempfile.TemporaryDirectory() as folder:
        program = Program(
            name="make demo",
            command=(sys.executable, "-m", "devtools.demo"),
            environment={**os.environ, **ports},
            folder=ROOT,
            log=Path(folder) / "demo.log",
        )
        with running(program) as child:
            yield _address_of(child)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _address_of(demo: Child) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        said = demo.program.log.read_text(errors="replace")
        if (found := re.search(r"^Open (http://[\d.:]+),", said, re.MULTILINE)) is not None:
            return found[1]
        demo.check_alive()
        time.sleep(0.2)
    raise DemoError(f"the demo did not serve after {START_SECONDS:.0f} s")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium. Raises DemoError where there is none."""
    program = shutil.which("chromium")
    if program is None:
        raise DemoError("no chromium to be found: install Debian's package `chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def teacher_at(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    """A teacher at one of their pools, with a button for the assistant; options are those of a browser's context."""
    context = browser.new_context(locale="en", **options)
    page = context.new_page()
    page.goto(f"{address}/sign-in")
    page.locator("form .people button").filter(has_text="Teacher").first.click()
    page.goto(f"{address}/pools")
    page.locator("main").get_by_role("link", name=POOL).click()
    page.locator("main h1", has_text=POOL).wait_for()
    page.locator("assist-panel .toggle").wait_for()
    yield page
    context.close()
