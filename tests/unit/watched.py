"""Processes, ports and folders of the tools for development, watched from outside."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


PATIENCE_SECONDS = 20.0


def python(code: str, *arguments: str, path: Path = ROOT) -> subprocess.Popen[str]:
    """Our Python running `code` in a process of its own."""
    return subprocess.Popen(  # the code is this file's
        [sys.executable, "-c", code, *arguments],
        cwd=path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def eventually(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"never came true: {what}"
        time.sleep(0.02)


def listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def is_open(folder: Path) -> bool:
    """Whether the Postgres with its socket in `folder` takes connections."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(folder / ".s.PGSQL.5432")) == 0


def folder_of(dsn: str) -> Path:
    found = re.search(r"host=([^&]+)", dsn)
    assert found is not None, dsn
    return Path(found[1])


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def untaken_port() -> int:
    with taken_port() as port:
        return port
