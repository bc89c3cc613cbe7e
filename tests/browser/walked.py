"""The page of the first walk as data, the demo as a newcomer starts it, and who walks: one browser's page."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Locator, Page, expect

from assist_service.settings import ROOT
from devtools.first_question import WALK
from tests.unit.watched import untaken_port

PAGE = ROOT / WALK

START_SECONDS = 120.0
ANSWER_MILLISECONDS = 20_000
"""How long an answer may take: a machine may be busy, and this is no measure of speed."""

MANY = 1_000
"""Questions a minute: a test types faster than the ten that the default policy allows."""

_STEP = re.compile(r"^\d+\. \*\*(.+?)\.\*\* ((?:.+\n)(?: {3,}.+\n)*)", re.MULTILINE)
_TYPED = re.compile(r"[Aa]sk\s+`(.+?)`", re.DOTALL)


@dataclass(frozen=True)
class Told:
    """A step as the page tells it."""

    title: str
    text: str

    @property
    def question(self) -> str:
        """The one it has a newcomer type."""
        (typed,) = _TYPED.findall(self.text)
        return " ".join(typed.split())


def steps_told(page: str) -> list[Told]:
    """The numbered steps, in order."""
    return [Told(title, " ".join(text.split())) for title, text in _STEP.findall(page)]


def numbers_told(page: str) -> list[int]:
    return [int(number) for number in re.findall(r"^(\d+)\. ", page, re.MULTILINE)]


@dataclass
class Demo:
    """`make demo`, serving."""

    process: asyncio.subprocess.Process
    address: str
    """The first that it prints for a browser."""
    said: str

    async def end(self) -> tuple[int, str]:
        """Ctrl-C: the exit code, and what it still says."""
        self.process.send_signal(signal.SIGINT)
        said, _ = await asyncio.wait_for(self.process.communicate(), START_SECONDS)
        assert self.process.returncode is not None
        return self.process.returncode, said.decode()


def quick_policy(folder: Path) -> Path:
    """The demo's own policy, for somebody who types as fast as a test."""
    shipped = (ROOT / "src" / "assist_service" / "policies" / "default.toml").read_text("utf-8")
    quick, changed = re.subn(r"^questions_per_minute = \d+$", f"questions_per_minute = {MANY}", shipped, flags=re.M)
    assert changed == 1
    path = folder / "quick.toml"
    path.write_text(quick, "utf-8")
    return path


@asynccontextmanager
async def running_demo(database_url: str, policy: Path) -> AsyncIterator[Demo]:
    """The demo once it has said what to open; ended with the block, if it has not been before."""
    environment = {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "ASSIST_PORT": str(untaken_port()),
        "ASSIST_LMS_PORT": str(untaken_port()),
        "ASSIST_DATABASE_URL": database_url,
        "ASSIST_POLICY": str(policy),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "devtools.demo"),
        cwd=ROOT,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield await asyncio.wait_for(_serving(process), START_SECONDS)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)
            await asyncio.wait_for(process.communicate(), START_SECONDS)


async def _serving(process: asyncio.subprocess.Process) -> Demo:
    assert process.stdout is not None
    said = ""
    while line := (await process.stdout.readline()).decode():
        said += line
        if (found := re.match(r"Open (http://[\d.:]+), sign in as a teacher", line)) is not None:
            return Demo(process, found[1], said)
    raise AssertionError(f"The demo ended before it served:\n{said}")


@dataclass
class Walk:
    """Where the walk is, and what a person sees and does there."""

    demo: Demo
    page: Page
    step: Told

    @property
    def panel(self) -> Locator:
        return self.page.locator("assist-panel")

    @property
    def last(self) -> Locator:
        """The last question with its answer."""
        return self.panel.locator(".exchange").last

    @property
    def main(self) -> Locator:
        return self.page.locator("main#main")

    def button(self, name: str) -> Locator:
        """One of the panel's."""
        return self.panel.get_by_role("button", name=name, exact=True)

    async def ask(self) -> None:
        """Types the step's question, sends it, and waits until its answer is whole."""
        before = await self.panel.locator(".exchange").count()
        await self.panel.get_by_role("textbox").fill(self.step.question)
        await self.panel.locator("button.send").click()
        await expect(self.panel.locator(".exchange")).to_have_count(before + 1)
        await self.says(self.last.locator(".receipt"))

    async def says(self, what: Locator | str) -> None:
        """Waits until this can be seen; words, in the last answer."""
        found = self.last.get_by_text(what).first if isinstance(what, str) else what
        await expect(found).to_be_visible(timeout=ANSWER_MILLISECONDS)

    async def is_at(self, pattern: str) -> None:
        """Waits until the page's path is of this pattern."""
        await expect(self.page).to_have_url(re.compile(re.escape(self.demo.address) + pattern), timeout=10_000)


async def brightness(element: Locator) -> float:
    """The mean of the channels of what it stands on, from 0 to 255."""
    colour = await element.evaluate("(each) => getComputedStyle(each).backgroundColor")
    channels = [float(each) for each in re.findall(r"[\d.]+", colour)[:3]]
    return sum(channels) / len(channels)
