"""A Kolibri of the test's own on loopback: two classes, their coaches, learners, quizzes; gone when the block ends."""

import json
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.lms.kolibri import KolibriLms
from devtools.children import Child, Program, run_to_end, running
from tests.fakes.house import CLIENT_KEY
from tests.slow.kolibri_gate import CLIENT_KEYS, Gate, open_gate
from tests.slow.kolibri_install import PLUGIN, environment, installed

SETTINGS = "kolibri_assist_exchange.settings"
PASSWORD = "made-up"
CLIENT_ID = "assist-service"
SERVICE_ORIGIN = "http://assist.example"
"""Where browsers find the service: a name that a test's browser takes to wherever it runs."""

Check = Callable[[object, object], None]
"""Compares, and counts that it did."""

STEP_SECONDS = 120.0
START_SECONDS = 90.0
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class School:
    """A running Kolibri, and the ids of what is in it."""

    gate: Gate
    """How everything is asked: what passes it is remembered."""
    url: str
    """Kolibri itself, past the gate."""
    ids: Mapping[str, Any]
    home: Path
    began: float
    """By the monotonic clock, once Kolibri was installed."""

    def person(self, name: str) -> str:
        return str(self.ids["people"][name])

    def classroom(self, name: str) -> UUID:
        return UUID(self.ids["classes"][name])

    def quiz(self, name: str) -> UUID:
        return UUID(self.ids["quizzes"][name])

    def lms(self) -> KolibriLms:
        """The adapter as the service makes it; its user closes it."""
        return KolibriLms(self.gate.url, client_id=CLIENT_ID, key=CLIENT_KEY, clock=SystemClock())

    def service_settings(self) -> dict[str, Any]:
        """What the service is set to, for `settings_for`; it must run on the real clock, as Kolibri does."""
        known = {"lms_url": self.gate.url, "session_issuer": self.gate.url}
        return {**known, "lms": "kolibri", "client_id": CLIENT_ID}

    @contextmanager
    def browser(self, name: str) -> Iterator[httpx2.Client]:
        """Signed in as Kolibri's own front end signs in."""
        with httpx2.Client(base_url=self.url, trust_env=False, timeout=60.0) as browser:
            sign_in = {"username": name, "password": PASSWORD, "facility": self.ids["facility"]}
            browser.post("/api/auth/session/", json=sign_in).raise_for_status()
            browser.headers["X-CSRFToken"] = browser.cookies["kolibri_csrftoken"]
            yield browser

    def session(self, name: str) -> str:
        """A session JWT of somebody who has just signed in."""
        with self.browser(name) as browser:
            return session_of(browser)


def session_of(browser: httpx2.Client) -> str:
    answer = browser.post("/api/assist/session").raise_for_status()
    return str(answer.json()["token"])


@contextmanager
def open_school(folder: Path) -> Iterator[School]:
    """Installs Kolibri where it is not yet, fills an empty one and runs it. Raises ChildError where any of it fails."""
    programs = installed()
    began = time.monotonic()
    home, made, log = folder / "home", folder / "made.json", folder / "kolibri.log"
    home.mkdir()
    port, content_port = _free_ports()
    with open_gate(CLIENT_KEY.public_jwks()) as gate:
        gate.kolibri_port = port
        variables = environment() | {
            "KOLIBRI_HOME": str(home),
            "KOLIBRI_DISABLE_PING": "True",
            "KOLIBRI_ZEROCONF_ENABLED": "False",
            "KOLIBRI_LISTEN_ADDRESS": "127.0.0.1",
            "KOLIBRI_CSP_HOST_SOURCES": SERVICE_ORIGIN,
            "KOLIBRI_ASSIST_URL": gate.url,
            "KOLIBRI_ASSIST_CLIENT_JWKS_URL": f"{gate.url}{CLIENT_KEYS}",
            "KOLIBRI_ASSIST_CLIENT_ID": CLIENT_ID,
            "KOLIBRI_ASSIST_SERVICE_URL": SERVICE_ORIGIN,
        }

        def program(name: str, *arguments: str) -> Program:
            command = [str(programs / name), *arguments]
            return Program(name=name, command=command, environment=variables, folder=folder, log=log)

        run_to_end(program("kolibri", "plugin", "enable", "kolibri_assist_exchange"), timeout_seconds=STEP_SECONDS)
        filling = program("python", str(PLUGIN / "provisioning" / "school.py"), str(made))
        run_to_end(filling, timeout_seconds=STEP_SECONDS)
        ports = (f"--port={port}", f"--zip-port={content_port}")
        with running(program("kolibri", "start", "--foreground", f"--settings={SETTINGS}", *ports)) as child:
            url = f"http://127.0.0.1:{port}"
            _await(url, child)
            yield School(gate=gate, url=url, ids=json.loads(made.read_text()), home=home, began=began)


def _await(url: str, child: Child) -> None:
    """Until Kolibri answers. Raises ChildError when it ends before, or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    with httpx2.Client(trust_env=False, timeout=5.0) as client:
        while time.monotonic() < deadline:
            child.check_alive()
            try:
                if client.get(f"{url}/.well-known/jwks.json").status_code == 200:
                    return
            except httpx2.HTTPError:
                pass
            time.sleep(POLL_SECONDS)
    raise child.program.failure(f"did not answer within {START_SECONDS:.0f} s")


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
