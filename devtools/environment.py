"""Makes `.venv` what the lock files say; run again with nothing changed, it returns at once and silently.

Standard library only: it runs under the system's `python3` before anything of ours is installed. uv does the
installing because it is three times as fast as pip; pip with the same lock takes over where uv cannot be had.
Exit code 0: `.venv` is ready. 1: a line on standard error says what is missing, or the installer's own words.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  # the system's python3 may be older than ours
    sys.exit(f"Python 3.11 or newer is needed, not {sys.version.split()[0]}: `make PYTHON=python3.11 …` names one")

import fcntl
import hashlib
import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

UV_VERSION = "0.13.9"
"""The installer's release. No dependency of ours, so no lock file has it; pip fetches it into `.venv`."""

LOCKS = ("requirements.lock", "requirements-dev.lock", "pyproject.toml")
"""The files whose content decides what belongs into `.venv`, relative to the project's root."""

COMPILED = ("src", "examples", "devtools")
"""Sources of ours that processes are started from: compiled once, they start in four fifths of the time where Python
was told to write no bytecode. What is changed later is compiled anew by each process, as ever."""

STAMP = "assist-environment.stamp"
"""File in `.venv`, written last: two lines, the root the scripts in it point to and the digest of LOCKS."""

OUTPUT_LINES = 15
"""How much of a failed installer's output is shown."""


class InstallError(Exception):
    """What stands in the way, in words for the person at the keyboard."""


def wanted_stamp(root: Path) -> str:
    """The content a finished environment's stamp has for the files as they are now."""
    digest = hashlib.sha256()
    for name in LOCKS:
        content = (root / name).read_bytes()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return f"{root}\n{digest.hexdigest()}\n"


def found_stamp(venv: Path) -> str:
    """The stamp in `venv`, or "" where it is missing, half-made, or its Python has gone from the machine."""
    try:
        # `exists` follows the link out of .venv: false once that Python was uninstalled.
        return (venv / STAMP).read_text() if (venv / "bin" / "python").exists() else ""
    except OSError:
        return ""


@contextmanager
def _only_one(root: Path) -> Iterator[int]:
    """Hold the project's installation lock, a lock on its folder, so that no file of it stays behind.

    Yields its descriptor. Installers inherit it: if we are killed, it is free when the last of them has gone.
    """
    descriptor = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _run(command: list[str | Path], *, root: Path, lock: int) -> None:
    """Run an installer quietly; InstallError with the end of its output when it fails."""
    import subprocess  # here, as the everyday call that finds everything in place does without it

    done = subprocess.run(
        command,
        cwd=root,
        pass_fds=(lock,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        tail = "\n".join(done.stdout.strip().splitlines()[-OUTPUT_LINES:])
        raise InstallError(f"{tail}\nfailed with {done.returncode}: {' '.join(map(str, command))}")


def _make_venv(venv: Path, *, lock: int) -> None:
    """A new, empty `venv` with pip in place of whatever is there."""
    import shutil

    # Debian ships `venv` without the part that puts pip into it.
    if not all(importlib.util.find_spec(module) for module in ("venv", "ensurepip")):
        raise InstallError("Python cannot make virtual environments here: apt-get install python3-venv")
    if venv.is_symlink() or venv.is_file():
        venv.unlink()
    elif venv.exists():
        shutil.rmtree(venv)
    _run([sys.executable, "-m", "venv", venv], root=venv.parent, lock=lock)


def _install(root: Path, venv: Path, *, lock: int) -> None:
    """Everything in the development lock, by its hashes, then the project itself, editable."""
    python = venv / "bin" / "python"
    pip: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
    ]
    uv: list[str | Path] = [venv / "bin" / "uv", "pip", "install", "--quiet", "--python", python]
    locked: list[str | Path] = ["--require-hashes", "-r", "requirements-dev.lock"]
    project: list[str | Path] = ["--no-deps", "--no-build-isolation", "--editable", "."]
    try:
        _run([*pip, f"uv=={UV_VERSION}"], root=root, lock=lock)
        # uv compiles nothing by itself, and importing the provider's SDK uncompiled takes twice as long.
        _run([*uv, "--compile-bytecode", *locked], root=root, lock=lock)
        _run([*uv, *project], root=root, lock=lock)
    except InstallError:  # no uv for this machine, or an index that only pip was told about
        _run([*pip, "--compile", *locked], root=root, lock=lock)
        _run([*pip, *project], root=root, lock=lock)
    _run([python, "-m", "compileall", "-q", *COMPILED], root=root, lock=lock)


def prepare(root: Path) -> None:
    """Bring `root/.venv` to what the lock files say; InstallError where that is not possible.

    An environment of this root that was finished once is brought up to date in place; anything else, such as
    what an interrupted run left or a checkout that was moved, is made again.
    """
    venv = root / ".venv"
    if found_stamp(venv) == wanted_stamp(root):
        return
    with _only_one(root) as lock:
        found, wanted = found_stamp(venv), wanted_stamp(root)
        if found == wanted:  # somebody else's make has just done it
            return
        if found.startswith(f"{root}\n"):
            (venv / STAMP).unlink()
        else:
            _make_venv(venv, lock=lock)
        print("Installing the locked dependencies into .venv (once, under a minute) …", flush=True)
        _install(root, venv, lock=lock)
        (venv / STAMP).write_text(wanted)


def main() -> int:
    """The exit code, after one line where something is missing."""
    try:
        prepare(Path(__file__).resolve().parent.parent)
    except (InstallError, OSError) as failure:
        print(failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
