"""`serve`: the service, answering over HTTP until it is told to stop."""

import asyncio
import gc
from collections.abc import Callable

import uvicorn
import uvloop

from assist_service import telemetry
from assist_service.bootstrap.configuring import configure
from assist_service.bootstrap.providers import make_provider
from assist_service.bootstrap.running import running_service
from assist_service.ports import ModelProvider
from assist_service.settings import Settings
from assist_service.web.app import create_app

SHUTDOWN_SECONDS = 100
"""A question that runs may finish: its deadline and a little more."""


def run_service(settings: Settings) -> None:
    """Runs until SIGINT or SIGTERM. Raises ConfigurationError where it cannot start."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(settings))


async def serve(
    settings: Settings,
    *,
    provider_of: Callable[[str], ModelProvider] = make_provider,
    grace_seconds: int = SHUTDOWN_SECONDS,
) -> None:
    """The same in a loop that runs, with models from elsewhere, or less time for what still runs."""
    async with running_service(configure(settings), provider_of=provider_of) as service:
        app = create_app(service, lms_origin=settings.lms_origin)
        config = uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=grace_seconds,
        )
        # What is there now stays: the collector need not look through manual, index and modules again and again.
        gc.collect()
        gc.freeze()
        # A question makes some ten thousand objects and frees them by itself: looking after each 700 finds nothing.
        gc.set_threshold(20_000, 20, 20)
        telemetry.log.info("serving", host=settings.host, port=settings.port, policy=service.policy.name)
        await uvicorn.Server(config).serve()
