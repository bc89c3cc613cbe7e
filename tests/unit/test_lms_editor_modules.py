"""The question editor's modules that need no page, run by Node: `tests/panel/editor-*.test.mjs`."""

import re
import subprocess
import sys
from pathlib import Path

from assist_service.settings import ROOT

NODE = Path(sys.executable).with_name("node")

LEAST = 59
"""Tests that there are: a file that is not found, or a loop over nothing, must not pass for all of them."""


def test_every_test_of_the_editors_modules_passes() -> None:
    files = sorted(str(path) for path in (ROOT / "tests" / "panel").glob("editor-*.test.mjs"))
    ran = subprocess.run(
        [NODE, "--test", "--test-isolation=none", "--test-reporter=tap", *files],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stdout
    passed = re.search(r"^# pass (\d+)$", ran.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) >= LEAST
