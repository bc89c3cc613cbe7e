"""A real Chromium for the tests of the panel; without one they are skipped, but never where everything must pass."""

import os
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, async_playwright

from devtools.demo_in_browser import FLAGS

STEADY = (
    # What a wheel does is done in the next frame, so that a test need not wait for the end of a glide.
    "--disable-smooth-scrolling",
    # No request but the page's own, for those that are counted.
    *("--disable-quic", "--disable-component-update", "--no-default-browser-check"),
)

SIZES = {"desk": (1440, 900), "upright": (390, 844), "landscape": (844, 390)}
"""Widths and heights in CSS pixels: beside a page, a phone held upright, and one lying."""


@asynccontextmanager
async def chromium(*flags: str, without: Sequence[str] = ()) -> AsyncIterator[Browser]:
    """Debian's Chromium, started with more flags, and without these of Playwright's own."""
    program = shutil.which("chromium")
    if program is None:
        said = "no chromium to be found: install Debian's package `chromium`"
        if os.environ.get("CI"):  # noqa: TID251  whether everything must pass is no setting of the service
            pytest.fail(said)
        pytest.skip(said)
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(
            executable_path=program, args=[*FLAGS, *STEADY, *flags], ignore_default_args=list(without)
        )
        yield running
        await running.close()
