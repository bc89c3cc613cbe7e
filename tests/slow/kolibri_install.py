"""Kolibri from PyPI in an environment of its own, outside the project: installed once, then found again."""

import fcntl
import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from devtools.children import Program, run_to_end

PINS = ("kolibri==0.19.5", "pyjwt==2.15.1", "cryptography==50.0.2", "hatchling==1.33.0")
"""Kolibri, what the plugin needs, and what builds it."""

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "integrations" / "kolibri"

INSTALL_SECONDS = 300.0


def environment() -> dict[str, str]:
    """Ours, without what would set up another Kolibri or another Python."""
    foreign = ("KOLIBRI_", "PYTHON", "ASSIST_", "DJANGO_")
    return {name: value for name, value in os.environ.items() if not name.startswith(foreign)}  # noqa: TID251


def installed() -> Path:
    """The `bin` of an environment with this Kolibri and the plugin as it lies here. Raises ChildError."""
    caches = Path(environment().get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = caches / "assist-service-kolibri"
    home.mkdir(parents=True, exist_ok=True)
    wanted = hashlib.sha256("\n".join((*PINS, sys.version)).encode()).hexdigest()[:16]
    venv = home / f"venv-{wanted}"
    with _only_one(home / "lock"):
        log = home / "install.log"
        log.write_text("")
        # A stamp is written last: an installation that broke off half way is begun again.
        _once(venv / "stamp-kolibri", wanted, [_make(venv), _pip(venv, *PINS)], log)
        plugin = _pip(venv, "--no-deps", "--no-build-isolation", "--force-reinstall", str(PLUGIN))
        _once(venv / "stamp-plugin", _plugin_state(), [plugin], log)
    return venv / "bin"


def _once(stamp: Path, state: str, commands: list[list[str]], log: Path) -> None:
    if stamp.exists() and stamp.read_text() == state:
        return
    for command in commands:
        program = Program(name="installing", command=command, environment=environment(), folder=log.parent, log=log)
        run_to_end(program, timeout_seconds=INSTALL_SECONDS)
    stamp.write_text(state)


def _make(venv: Path) -> list[str]:
    return [sys.executable, "-m", "venv", "--clear", str(venv)]


def _pip(venv: Path, *wanted: str) -> list[str]:
    return [str(venv / "bin" / "python"), "-m", "pip", "install", "--no-input", "--quiet", *wanted]


def _plugin_state() -> str:
    files = sorted(path for path in PLUGIN.rglob("*") if path.suffix in (".py", ".toml", ".md", ".html", ".js"))
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(PLUGIN)}\n{path.read_text()}".encode())
    return digest.hexdigest()


@contextmanager
def _only_one(lock: Path) -> Iterator[None]:
    """Two runs at once would install into one another."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
