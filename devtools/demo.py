"""`python -m devtools.demo`: from nothing to a running service that has answered its first question.

Exit code 0: it answered (with `--once`), or was asked to stop while serving. 1: a line says what failed.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Never

import httpx2

from devtools.children import Child, ChildError, Program, run_to_end, running
from devtools.demo_acts import show_and_change
from devtools.demo_lookups import look_up_and_follow, looks_up
from devtools.demo_roles import ask_as_each_role, opens_nothing, read_policy, school_of
from devtools.demo_settings import (
    DEFAULT_POLICY,
    HOST,
    DemoError,
    Ports,
    free_ports,
    lms_environment,
    service_environment,
)
from devtools.first_question import (
    LIVE_QUESTION,
    ask,
    ask_first_question,
    asker_of,
    describe_answer,
    describe_next_steps,
    describe_reply,
)
from devtools.folders import temporary_folder
from devtools.postgres import PostgresError, running_postgres

ROOT = Path(__file__).resolve().parent.parent

READY_SECONDS = 60.0
"""How long a server may take until it answers; usual are 1 to 3 s, and many on a machine that is busy."""

MIGRATE_SECONDS = 60.0

WATCH_SECONDS = 0.5
"""How often the servers are looked after while the demo serves."""

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(BaseException):  # as KeyboardInterrupt, whose place it takes, it is no error
    """One of STOP_SIGNALS has come."""


@dataclass(frozen=True, kw_only=True)
class Commands:
    """The three programs of the demo, as command lines."""

    migrate: Sequence[str]
    lms: Sequence[str]
    serve: Sequence[str]


def project_commands(ports: Ports) -> Commands:
    """This project's own programs, from the environment that runs the demo."""
    service = str(Path(sys.executable).with_name("assist-service"))
    factory = "examples.reference_lms.app:create_app"
    return Commands(
        migrate=(service, "migrate"),
        lms=(sys.executable, "-m", "uvicorn", factory, "--factory", "--host", HOST, "--port", str(ports.lms)),
        serve=(service, "serve"),
    )


def _ignore_stop_signals() -> None:
    """From here on everything is being stopped, which a second Ctrl-C must not interrupt."""
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_IGN)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Within the block the first of STOP_SIGNALS raises StopRequested, and what follows is left in peace."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        _ignore_stop_signals()
        raise StopRequested

    before = {each: signal.signal(each, stop) for each in STOP_SIGNALS}
    if before[signal.SIGHUP] is signal.SIG_IGN:  # started by nohup, to outlive its terminal
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _await_ok(client: httpx2.Client, url: str, child: Child) -> None:
    """Return once `url` answers 200; ChildError when its server ends or READY_SECONDS are over."""
    deadline = time.monotonic() + READY_SECONDS
    said = "nothing"
    while time.monotonic() < deadline:
        child.check_alive()
        try:
            response = client.get(url)
        except httpx2.TransportError:
            time.sleep(0.05)
            continue
        if response.status_code == 200:
            return
        said = f"{response.status_code} {response.text[:500]}"
        time.sleep(0.1)
    raise child.program.failure(f"was not ready after {READY_SECONDS:.0f} s; {url} said {said}")


def _database(environ: Mapping[str, str], stack: ExitStack) -> str:
    """The DSN of the user's database, or of one that lasts as long as `stack`."""
    given = environ.get("ASSIST_DATABASE_URL")
    if not given:
        return stack.enter_context(running_postgres(durable=False))
    if not environ.get("ASSIST_SECRET_KEYS"):
        print("ASSIST_SECRET_KEYS is not set: what this run stores in your database, no later run can read.")
    return given


@dataclass(frozen=True, kw_only=True)
class Servers:
    """The two running servers, and the folder of what they and the migrations have printed."""

    lms: Child
    service: Child
    logs: Path


def _start(
    stack: ExitStack, ports: Ports, *, policy: str | None, environ: Mapping[str, str], commands: Commands
) -> Servers:
    """The database, migrated, and both servers, started; `stack` stops them in reverse order."""
    logs, _ = stack.enter_context(temporary_folder("assist-demo-", Path(tempfile.gettempdir())))
    dsn = _database(environ, stack)
    for_lms = lms_environment(environ, ports=ports)
    for_service = service_environment(environ, ports=ports, database_url=dsn, policy=policy)

    def program(name: str, command: Sequence[str], environment: Mapping[str, str], log: str) -> Program:
        return Program(name=name, command=command, environment=environment, folder=ROOT, log=logs / log)

    # The LMS needs no database: it starts while the migrations run.
    lms = stack.enter_context(running(program("The reference LMS", commands.lms, for_lms, "lms.log")))
    migrate = program("assist-service migrate", commands.migrate, for_service, "migrate.log")
    run_to_end(migrate, timeout_seconds=MIGRATE_SECONDS)
    serve = program("assist-service serve", commands.serve, for_service, "service.log")
    return Servers(lms=lms, service=stack.enter_context(running(serve)), logs=logs)


def demo(*, once: bool, policy: str | None, environ: Mapping[str, str], commands: Commands | None = None) -> None:
    """Run the demo: one question more with `once`, else until StopRequested.

    `commands` replaces the project's own programs. Raises DemoError, ChildError, PostgresError or
    httpx2.HTTPError.
    """
    ports = free_ports(environ)
    print("Starting the database, the reference LMS and the service …", flush=True)
    with ExitStack() as stack:
        commands = commands or project_commands(ports)
        servers = _start(stack, ports, policy=policy, environ=environ, commands=commands)
        # A proxy the user has set for the world outside is none for this machine.
        client = stack.enter_context(httpx2.Client(trust_env=False, timeout=5.0))
        stack.callback(_ignore_stop_signals)
        _await_ok(client, f"{ports.lms_url}/healthz", servers.lms)
        _await_ok(client, f"{ports.service_url}/readyz", servers.service)
        ruled = read_policy(policy or environ.get("ASSIST_POLICY") or DEFAULT_POLICY)
        if opens_nothing(ruled):
            print(f"\n{ask_as_each_role(client, ports, policy=ruled, environ=environ)}\n", flush=True)
            if looks_up(ruled):
                school = school_of(client, ports, environ=environ)
                print(f"{look_up_and_follow(school)}\n", flush=True)
        else:
            _show(client, ports, once=once)
        if once:
            return
        asker = asker_of(client, ports)
        told = describe_next_steps(asker, ports, logs=servers.logs, has_walk=not opens_nothing(ruled))
        print(told, flush=True)
        _watch(servers)


def _watch(servers: Servers) -> Never:
    """Raises DemoError once one of the servers has ended: its last lines, and below them which it was, in words."""
    while True:
        time.sleep(WATCH_SECONDS)
        for child in (servers.lms, servers.service):
            try:
                child.check_alive()
            except ChildError as failure:
                name = child.program.name
                told = f"The demo has ended: {name} stopped, and nobody had asked it to. What it said last is above."
                raise DemoError(f"\n{failure}\n\n{told}") from failure


def _show(client: httpx2.Client, ports: Ports, *, once: bool) -> None:
    """A first answer, a screen and a change; with `once` one of live data too."""
    asker, reply = ask_first_question(client, ports)
    print(f"\n{describe_reply(asker, reply)}\n", flush=True)
    print(f"{show_and_change(client, ports, asker)}\n", flush=True)
    if once:
        print(f"{describe_answer(LIVE_QUESTION, ask(client, ports, asker, LIVE_QUESTION))}\n", flush=True)


def main(arguments: Sequence[str], commands: Commands | None = None) -> int:
    """The exit code, after a message where something failed."""
    parser = argparse.ArgumentParser(prog="python -m devtools.demo", description=__doc__)
    parser.add_argument("--once", action="store_true", help="end after the answers, a last one of live data")
    parser.add_argument("--policy", help="name or path of the policy, in place of ASSIST_POLICY")
    options = parser.parse_args(arguments)
    try:
        with _stoppable():
            demo(once=options.once, policy=options.policy, environ=os.environ, commands=commands)
    except StopRequested:
        print("\nStopped.")
        return 130 if options.once else 0
    except (DemoError, ChildError, PostgresError) as failure:
        print(failure, file=sys.stderr)
        return 1
    except httpx2.HTTPError as failure:
        print(f"A server of the demo did not answer: {failure!r}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
