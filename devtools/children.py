"""Child processes that do not outlive us: stopped when we end, by the kernel when we are killed (Linux).

Each child has a session of its own: a Ctrl-C at the terminal reaches us alone, and we stop them in turn.
"""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

STOP_SECONDS = 10.0
"""How long a child may take over its shutdown before it is killed."""

LOG_LINES = 20
"""How much of a child's output a failure shows."""

PR_SET_PDEATHSIG = 1
"""From linux/prctl.h: the signal a process gets when the thread that started it ends."""

_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class ChildError(Exception):
    """A child did not do what it was started for; the message ends with its last lines."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """What is to run: its name for people, where it starts, and the file its output is added to."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    log: Path

    def failure(self, what: str) -> ChildError:
        """The error that says `what` happened, with the end of the output."""
        lines = self.log.read_text(errors="replace").rstrip().splitlines()[-LOG_LINES:]
        return ChildError(f"{self.name} {what}" + "".join(f"\n    {line}" for line in lines))


@dataclass(frozen=True)
class Child:
    """A program that was started."""

    program: Program
    process: subprocess.Popen[bytes]

    def check_alive(self) -> None:
        """Raise ChildError when the program has ended."""
        code = self.process.poll()
        if code is not None:
            raise self.program.failure(_ending(code))


def _ending(code: int) -> str:
    """How a program has ended, by what its parent got: a signal has a negative number."""
    named = {int(each): each.name for each in signal.Signals}
    return f"was ended by {named.get(-code, f'signal {-code}')}" if code < 0 else f"ended with code {code}"


def _die_with(parent: int) -> None:
    """Runs in the child before its program: have the kernel end it when `parent` ends."""
    if _LIBC is None:
        return
    _LIBC.prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))
    if os.getppid() != parent:  # it had gone before we asked
        os._exit(1)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the process: asked first, killed with all it started when it has not listened for STOP_SECONDS."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def running(program: Program) -> Iterator[Child]:
    """The program as a child, for as long as the block lasts."""
    parent = os.getpid()
    with program.log.open("ab") as output:
        process = subprocess.Popen(
            program.command,
            cwd=program.folder,
            env={**program.environment, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: _die_with(parent),
        )
    try:
        yield Child(program, process)
    finally:
        _stop(process)


def run_to_end(program: Program, *, timeout_seconds: float) -> None:
    """Run a program that ends by itself; ChildError when it fails or takes longer than `timeout_seconds`."""
    with running(program) as child:
        try:
            code = child.process.wait(timeout_seconds)
        except subprocess.TimeoutExpired:
            raise program.failure(f"was not done after {timeout_seconds:.0f} s") from None
        if code != 0:
            raise program.failure(_ending(code))
