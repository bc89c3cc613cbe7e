"""Stands between the service and Kolibri, passes everything on as it is, and remembers it: what was truly read."""

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CLIENT_KEYS = "/the-services-keys.json"
"""Answered here and not by Kolibri: where the plugin is told to find the service's public keys."""

NOT_PASSED_ON = frozenset({"connection", "transfer-encoding", "content-length", "keep-alive", "date", "server"})


@dataclass(frozen=True)
class Passed:
    """One request and its answer."""

    method: str
    path: str
    authorization: str
    status: int
    body: bytes


@dataclass
class Gate:
    """A port before Kolibri's."""

    client_jwks: Mapping[str, Any]
    passed: list[Passed] = field(default_factory=list)
    url: str = ""
    kolibri_port: int = 0

    @property
    def reads(self) -> list[Passed]:
        """What was asked with a person's token or for one, sign-in and identity left out."""
        return [one for one in self.passed if one.method == "GET" and "/api/assist/" not in one.path]


@contextmanager
def open_gate(client_jwks: Mapping[str, Any]) -> Iterator[Gate]:
    """`kolibri_port` is to be set once Kolibri's port is known."""
    gate = Gate(client_jwks)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(gate))
    server.daemon_threads = True
    gate.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield gate
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler_of(gate: Gate) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.path == CLIENT_KEYS:
                self._answer(200, [("Content-Type", "application/json")], json.dumps(gate.client_jwks).encode())
                return
            kolibri = http.client.HTTPConnection("127.0.0.1", gate.kolibri_port, timeout=60)
            try:
                kolibri.request(self.command, self.path, body or None, dict(self.headers.items()))
                answer = kolibri.getresponse()
                found = answer.read()
            finally:
                kolibri.close()
            authorization = self.headers.get("Authorization", "")
            gate.passed.append(Passed(self.command, self.path, authorization, answer.status, found))
            self._answer(answer.status, answer.getheaders(), found)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any  # noqa: N815 as http.server names them

        def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
            self.send_response_only(status)
            for name, value in headers:
                if name.lower() not in NOT_PASSED_ON:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Requests carry tokens: nothing is printed."""

    return Handler
