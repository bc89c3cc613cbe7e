"""A command as an operator types it, run in this process: starting one anew takes a second of a processor each time.

That the installed program is these commands, with these exit codes, is held once, by `tests/unit/test_cli.py`.
"""

import os
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import structlog
from typer.testing import CliRunner

from assist_service.cli import cli


def typed(
    *arguments: str, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> CompletedProcess[str]:
    """What came of a command in a folder, with no setting in its environment but these. An unexpected error is raised.

    For one process at a time: streams and environment are the process's. In an event loop call it in a thread.
    """
    cleared: dict[str, Any] = {name: None for name in os.environ if name.startswith("ASSIST_")}  # noqa: TID251 as a child
    before = structlog.get_config()
    try:
        with chdir(folder or Path.cwd()):
            done = CliRunner().invoke(cli, arguments, env=cleared | dict(environment or {}))
    finally:
        structlog.configure(**before)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
