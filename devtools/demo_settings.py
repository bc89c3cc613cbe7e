"""What the demo's parts are told: two free ports, and settings of which every one the user has set wins."""

import base64
import errno
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass

HOST = "127.0.0.1"
"""The demo is for this machine only."""

DEFAULT_POLICY = "default"


class DemoError(Exception):
    """The demo cannot go on; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Ports:
    """Where the two servers listen, on HOST."""

    service: int
    lms: int

    @property
    def service_url(self) -> str:
        return f"http://{HOST}:{self.service}"

    @property
    def lms_url(self) -> str:
        return f"http://{HOST}:{self.lms}"


def _free_port(environ: Mapping[str, str], *, variable: str, default: int) -> int:
    """The port that `variable` names, tried; DemoError when it is none or somebody has it."""
    said = environ.get(variable) or str(default)
    if not (said.isascii() and said.isdigit() and 0 < int(said) < 65536):
        raise DemoError(f"{variable} is no port: {said!r}, where 1 to 65535 would be one")
    port = int(said)
    with socket.socket() as trial:
        # As the servers do: connections that an earlier run left closing must not count as in use.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, port))
            trial.listen()
        except OSError as refusal:
            what = "is in use" if refusal.errno == errno.EADDRINUSE else f"cannot be had ({refusal.strerror})"
            raise DemoError(f"Port {port} {what}: set {variable} to another one") from None
    return port


def free_ports(environ: Mapping[str, str]) -> Ports:
    """The demo's two ports, both free a moment ago; DemoError names the variable that moves a taken one."""
    ports = Ports(
        service=_free_port(environ, variable="ASSIST_PORT", default=8080),
        lms=_free_port(environ, variable="ASSIST_LMS_PORT", default=8081),
    )
    if ports.service == ports.lms:
        raise DemoError(f"ASSIST_PORT and ASSIST_LMS_PORT are both {ports.lms}: set one of them to another port")
    return ports


def lms_environment(environ: Mapping[str, str], *, ports: Ports) -> dict[str, str]:
    """The reference LMS's environment: ours, its address, where its client's keys lie, and who serves its panel."""
    keys = f"{ports.service_url}/.well-known/jwks.json"
    ours = {"REFERENCE_LMS_URL": ports.lms_url, "REFERENCE_LMS_CLIENT_JWKS_URL": keys}
    return {**environ, **ours, "REFERENCE_LMS_ASSIST_URL": ports.service_url}


def service_environment(
    environ: Mapping[str, str], *, ports: Ports, database_url: str, policy: str | None
) -> dict[str, str]:
    """The service's environment: the demo's settings under the user's own, which include providers' keys.

    `policy`, where not None, was asked for at the command line and comes before ASSIST_POLICY.
    """
    demo = {
        "ASSIST_ENV": "development",
        "ASSIST_POLICY": DEFAULT_POLICY,
        "ASSIST_MODEL": "stub",
        "ASSIST_MODERATION": "words",
        "ASSIST_LMS_URL": ports.lms_url,
        "ASSIST_LMS_ORIGIN": ports.lms_url,
        "ASSIST_SESSION_ISSUER": ports.lms_url,
        "ASSIST_LMS_CLIENT_JWKS_URL": f"{ports.lms_url}/.well-known/client-jwks.json",
        "ASSIST_SECRET_KEYS": base64.b64encode(secrets.token_bytes(32)).decode(),
        "ASSIST_PORT": str(ports.service),
        "ASSIST_DATABASE_URL": database_url,
    }
    # An empty variable is one that was not set: `ASSIST_MODEL= make demo` means the demo's own model.
    theirs = {name: value for name, value in environ.items() if value or name not in demo}
    theirs.pop("ASSIST_LMS_PORT", None)  # the demo's own; the service would name it as unknown
    return {**demo, **theirs, **({"ASSIST_POLICY": policy} if policy else {})}
