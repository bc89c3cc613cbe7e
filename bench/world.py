"""What the figures are taken in: a durable Postgres, a provider on loopback and the service, as child processes."""

import base64
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.sessions import ISSUER
from devtools.children import Child, Program, running
from devtools.postgres import running_postgres

ROOT = Path(__file__).resolve().parent.parent

MODEL = "anthropic:claude-sonnet-5-5"

READY_SECONDS = 30.0


@dataclass(frozen=True)
class World:
    """Addresses, and the process whose figures are taken."""

    dsn: str
    provider_url: str
    service_url: str
    service: Child
    environment: Mapping[str, str]

    def wait_before_replies(self, seconds: float) -> None:
        _get(f"{self.provider_url}/wait", str(seconds).encode())


@contextmanager
def world(**settings: str) -> Iterator[World]:
    """Everything running, until the block ends. `settings` are variables of the service."""
    with ExitStack() as stack:
        dsn = stack.enter_context(running_postgres(durable=True))
        provider_url = stack.enter_context(running_provider())
        port = free_port()
        environment = service_environment(dsn, provider_url, port, **settings)
        command = str(Path(sys.executable).with_name("assist-service"))
        subprocess.run([command, "migrate"], env=environment, check=True)  # noqa: S603
        service = stack.enter_context(running(program("service", [command, "serve"], environment)))
        await_ok(f"http://127.0.0.1:{port}/readyz", service)
        yield World(dsn, provider_url, f"http://127.0.0.1:{port}", service, environment)


@contextmanager
def running_provider() -> Iterator[str]:
    """The local provider's address."""
    port = free_port()
    command = [sys.executable, "-m", "bench.provider", str(port), "0"]
    with running(program("provider", command, dict(os.environ))) as child:
        await_ok(f"http://127.0.0.1:{port}/jwks", child)
        yield f"http://127.0.0.1:{port}"


def service_environment(dsn: str, provider_url: str, port: int, **settings: str) -> dict[str, str]:
    """The variables of a service that speaks to the local provider."""
    return {
        **os.environ,
        "ANTHROPIC_API_KEY": "bench",
        "ANTHROPIC_BASE_URL": provider_url,
        "ASSIST_ENV": "development",
        "ASSIST_POLICY": "teacher-assistant",
        "ASSIST_MODEL": MODEL,
        "ASSIST_DATABASE_URL": dsn,
        "ASSIST_DATABASE_CONNECTIONS": "10",
        "ASSIST_DAILY_CAP_USD": "100000",
        "ASSIST_LMS_URL": provider_url,
        "ASSIST_LMS_ORIGIN": provider_url,
        "ASSIST_SESSION_ISSUER": ISSUER,
        "ASSIST_SESSION_JWKS_URL": f"{provider_url}/jwks",
        "ASSIST_SECRET_KEYS": base64.b64encode(secrets.token_bytes(32)).decode(),
        "ASSIST_PORT": str(port),
        "ASSIST_LOG_LEVEL": "WARNING",
        **settings,
    }


def program(name: str, command: list[str], environment: Mapping[str, str]) -> Program:
    log = Path(tempfile.gettempdir()) / f"assist-bench-{os.getpid()}-{name}.log"
    return Program(name=name, command=command, environment=environment, folder=ROOT, log=log)


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


def await_ok(url: str, child: Child) -> None:
    """Returns once the address answers 200."""
    deadline = time.monotonic() + READY_SECONDS
    while True:
        child.check_alive()
        try:
            _get(url)
        except OSError:
            if time.monotonic() > deadline:
                raise child.program.failure(f"did not answer in {READY_SECONDS:.0f} s") from None
            time.sleep(0.01)
        else:
            return


def _get(url: str, data: bytes | None = None) -> None:
    with urllib.request.urlopen(url, data=data, timeout=5):  # noqa: S310 loopback only
        """A status from 400 on would have been raised."""


def processor_seconds(process: int) -> float:
    """User and system time a process has taken (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_kb(process: int) -> int:
    """Memory a process holds now (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
