"""A reference LMS in a process of its own: what it takes is not the caller's."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from bench.world import await_ok, free_port, program
from devtools.children import running


class _Keys(BaseHTTPRequestHandler):
    """Serves a client's public key, for the LMS to know it by."""

    def __init__(self, body: bytes, *args: object) -> None:
        self._body = body
        super().__init__(*args)  # type: ignore[arg-type]  # what its server hands it

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self._body)))
        self.end_headers()
        self.wfile.write(self._body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def served_keys(jwks: Mapping[str, object]) -> Iterator[str]:
    """The address of this key set."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Keys, json.dumps(jwks).encode())) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


@contextmanager
def running_lms(keys_url: str, **settings: str) -> Iterator[str]:
    """Its address, which is its issuer too; `settings` are variables of its own."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    environment = {
        **os.environ,
        "REFERENCE_LMS_URL": url,
        "REFERENCE_LMS_CLIENT_JWKS_URL": keys_url,
        **settings,
    }
    app = "examples.reference_lms.app:create_app"
    command = [sys.executable, "-m", "uvicorn", app, "--factory", "--port", str(port), "--log-level", "warning"]
    with running(program(f"lms-{port}", command, environment)) as child:
        await_ok(f"{url}/healthz", child)
        yield url
