"""Any ASGI app answers on a real loopback port for as long as a block lasts, in the test's own event loop."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx2
import uvicorn
from starlette.types import ASGIApp

GRACE_SECONDS = 0.5
"""How long requests still running at the end may go on before they are cancelled."""

CANCEL_SECONDS = 0.3
"""How long cancelled requests may take to clean up before they are left behind."""

POLL_SECONDS = 0.005
"""How often the end looks whether requests are done."""


def listening() -> socket.socket:
    """A free port of this machine, taken: its address is known before what answers there is made."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    return listener


def address_of(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


@asynccontextmanager
async def serve(app: ASGIApp, listener: socket.socket | None = None) -> AsyncIterator[str]:
    """Runs `app`, lifespan included, and yields its base URL, without a slash at the end."""
    # The steps of uvicorn's Server.serve() without its signal handlers, its polls of 0.1 s, and its task:
    # there a failed start is a SystemExit, which would end the whole test run.
    server = uvicorn.Server(_config(app))
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    # asyncio turns off Nagle only where the protocol is named; with it, answers take 40 ms more.
    with listener or listening() as taken:
        try:
            await server.startup(sockets=[taken])
        except SystemExit:
            raise RuntimeError("the app's lifespan failed to start; uvicorn.error has logged why") from None
        await server.on_tick(0)  # fills in the default headers
        try:
            yield address_of(taken)
        finally:
            await _stop(server)


PATIENCE_SECONDS = 60.0
"""A machine may be busy: a test that waits for an answer is no measure of speed."""


def connect(base_url: str = "") -> httpx2.AsyncClient:
    """A client for such servers: it trusts no certificate and takes no proxy from the environment."""
    # An empty context spares reading the certificate store: 40 ms, once per client.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx2.AsyncClient(base_url=base_url, verify=context, trust_env=False, timeout=PATIENCE_SECONDS)


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        interface="asgi3",
        http="h11",
        ws="none",
        log_config=None,
        log_level="error",  # silent, but a handler that raised still shows in a failed test's output
        access_log=False,
        date_header=False,  # no main loop runs here to keep it true
    )


async def _stop(server: uvicorn.Server) -> None:
    for listening in server.servers:
        listening.close()
    for connection in list(server.server_state.connections):
        connection.shutdown()  # at once when idle, else after the answer under way
    await _drain(server, seconds=GRACE_SECONDS)
    for task in list(server.server_state.tasks):
        task.cancel("the test server is stopping")
    await _drain(server, seconds=CANCEL_SECONDS)
    await server.lifespan.shutdown()


async def _drain(server: uvicorn.Server, *, seconds: float) -> None:
    """Waits until no connection and no request is left, or the time is over."""
    state = server.server_state
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while state.connections or state.tasks:  # noqa: ASYNC110 - uvicorn offers no event to wait for
                await asyncio.sleep(POLL_SECONDS)
