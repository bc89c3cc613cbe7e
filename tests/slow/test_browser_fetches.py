"""A real browser given every hostile answer asks for nothing but the page itself (invariant J3)."""

import re
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer

import pytest
from markdown_it import MarkdownIt

from assist_service.adapters.markdown.markup import Markup
from tests.unit.hostile_markdown import HOSTILE, ORIGIN

pytestmark = pytest.mark.slow

MARKERS = {"s1": 1, "s2": 2}
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--no-default-browser-check"),
    *("--virtual-time-budget=5000", "--dump-dom"),
)
RUN_SECONDS = 120
HEAD = (
    '<meta charset="utf-8"><link rel="icon" href="data:,">'  # its own icon, or the browser asks for one
    "<script>window.alert = () => fetch('http://evil.example/script-ran')</script>"  # a script that runs is seen too
)
END = "<p>THE END</p>"
PAGE = "http lms.example GET / HTTP/1.1"
BROWSERS_OWN = re.compile(r"\w+ ([\w-]+\.)*(google|googleapis|gstatic|gvt1)\.com ")
"""Chromium asks its maker for the time and the like, whatever the flags; no hostile answer names these hosts."""


class _Site(ThreadingTCPServer):
    """Answers one page at one address; writes down every request, and every TLS handshake by the name it asks for."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, page: str) -> None:
        super().__init__(("127.0.0.1", 0), _Visit)
        self.page = page.encode()
        self.requests: list[str] = []
        self.port = int(self.server_address[1])


class _Visit(StreamRequestHandler):
    server: _Site
    timeout = 10

    def handle(self) -> None:
        first = self.request.recv(65536)
        if first.startswith(b"\x16"):
            self.server.requests.append(f"https {self._tls_name(first)} ")
        elif first:  # a connection opened ahead sends nothing
            self._answer(first.decode("latin-1"))

    def _answer(self, request: str) -> None:
        host = re.search(r"^host: *([^:\r]*)", request, re.IGNORECASE | re.MULTILINE)
        asked = f"http {host[1] if host else '?'} {request.splitlines()[0]}"
        self.server.requests.append(asked)
        # Only here: in a frame of itself the page would never end.
        body = self.server.page if asked == PAGE else b""
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}"
        self.wfile.write(f"{head}\r\nConnection: close\r\n\r\n".encode() + body)

    def _tls_name(self, received: bytes) -> str:
        names: list[str] = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.sni_callback = lambda _connection, name, _context: names.append(name or "?")
        incoming = ssl.MemoryBIO()
        handshake = context.wrap_bio(incoming, ssl.MemoryBIO(), server_side=True)
        with suppress(ssl.SSLError, OSError):  # there is no certificate: it ends once the name is known
            while received:
                incoming.write(received)
                with suppress(ssl.SSLWantReadError):
                    handshake.do_handshake()
                received = self.request.recv(65536)
        return names[0] if names else "?"


@contextmanager
def serving(body: str) -> Iterator[_Site]:
    page = f"<!DOCTYPE html><head>{HEAD}</head><body>{body}{END}"
    with _Site(page) as site:
        thread = threading.Thread(target=site.serve_forever, daemon=True)
        thread.start()
        try:
            yield site
        finally:
            site.shutdown()
            thread.join()


def requests_of(body: str, profile: Path) -> list[str]:
    """What the browser asks for when it is given the body; every name it may think of leads to our server."""
    browser = shutil.which("chromium")
    if browser is None:
        pytest.fail("no chromium to be found: install the Debian package `chromium`; this test is never skipped")
    with serving(body) as site:
        command = [
            *(browser, *FLAGS, f"--user-data-dir={profile}"),
            f"--host-resolver-rules=MAP * 127.0.0.1:{site.port}",
            "http://lms.example/",
        ]
        run = subprocess.run(command, capture_output=True, timeout=RUN_SECONDS, check=False)
        assert END in run.stdout.decode(), run.stderr.decode(errors="replace")[-2000:]
        return sorted(request for request in site.requests if not BROWSERS_OWN.match(request))


def each(rendered: dict[str, str]) -> str:
    """All on one page, each in an element of its own."""
    return "\n".join(f'<div title="{escape(name)}">{html}</div>' for name, html in rendered.items())


def by_another_renderer(markdown: str) -> str:
    return str(MarkdownIt("default", {"html": True}).render(markdown))


def test_a_fetch_is_seen(tmp_path: Path) -> None:
    """The control: without it the last test could not fail."""
    body = '<img src="http://evil.example/plain" onerror="alert(1)"><img src="https://encrypted.example/i">'
    assert set(requests_of(body, tmp_path)) == {
        "http evil.example GET /plain HTTP/1.1",
        "http evil.example GET /script-ran HTTP/1.1",
        "https encrypted.example ",
        PAGE,
    }


def test_hostile_answers_fetch_when_nobody_cleans_them(tmp_path: Path) -> None:
    """The control of the inputs, in a renderer that lets HTML through."""
    raw = {name: by_another_renderer(markdown) for name, markdown in HOSTILE.items()}
    # These end the page or lead away from it before the rest is read.
    for name in ("meta", "base", "comment", "comment that never ends", "unfinished tag", "script", "style", "svg"):
        del raw[name]
    requests = requests_of(each(raw), tmp_path)
    assert len([request for request in requests if "evil" in request]) > 10


def test_no_hostile_answer_makes_the_browser_fetch(tmp_path: Path) -> None:
    markup = Markup(ORIGIN)
    cleaned = {name: markup.clean(markdown, cite=MARKERS.get) for name, markdown in HOSTILE.items()}
    ours = {name: markup.html(markdown, markers={1, 2}) for name, markdown in cleaned.items()}
    tampered = {name: markup.html(markdown, markers={1, 2}) for name, markdown in HOSTILE.items()}
    others = {name: by_another_renderer(markdown) for name, markdown in cleaned.items()}
    assert requests_of(each(ours) + each(tampered) + each(others), tmp_path) == [PAGE]
