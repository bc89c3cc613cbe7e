"""The commands of an operator: serve, migrate, purge, and those on the manual, the LMS, the keys and a person."""

import asyncio
import gc
import json
from collections.abc import Mapping

import typer
import uvicorn
import uvloop

from assist_service import telemetry
from assist_service.bootstrap.configuring import configure
from assist_service.bootstrap.database import migrate_database, purge
from assist_service.bootstrap.running import running_service
from assist_service.cli.keys import commands as keys_commands
from assist_service.cli.lms import commands as lms_commands
from assist_service.cli.manual import commands as manual_commands
from assist_service.cli.person import commands as person_commands
from assist_service.cli.running import with_settings
from assist_service.settings import DatabaseSettings, Settings
from assist_service.web.app import create_app

cli = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
cli.add_typer(manual_commands, name="manual")
cli.add_typer(lms_commands, name="lms")
cli.add_typer(keys_commands, name="keys")
cli.add_typer(person_commands, name="person")

SHUTDOWN_SECONDS = 100
"""A question that runs may finish: its deadline and a little more."""


@cli.command()
def serve() -> None:
    """Answers over HTTP until it is told to stop."""
    with_settings(Settings, _run)


def _run(settings: Settings) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    async with running_service(configure(settings)) as service:
        app = create_app(service, lms_origin=settings.lms_origin)
        config = uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
        # What is there now stays: the collector need not look through manual, index and modules again and again.
        gc.collect()
        gc.freeze()
        # A question makes some ten thousand objects and frees them by itself: looking after each 700 finds nothing.
        gc.set_threshold(20_000, 20, 20)
        telemetry.log.info("serving", host=settings.host, port=settings.port, policy=service.policy.name)
        await uvicorn.Server(config).serve()


@cli.command()
def migrate() -> None:
    """Brings the database to this release's revision."""
    with_settings(DatabaseSettings, migrate_database)


@cli.command(name="purge")
def purge_command() -> None:
    """Deletes what has been kept for its time; prints what went, or that another process is at it, as JSON."""
    with_settings(Settings, lambda settings: typer.echo(json.dumps(_purged(settings))))


def _purged(settings: Settings) -> Mapping[str, int | bool]:
    deleted = asyncio.run(purge(settings))
    return {"already_running": True} if deleted is None else deleted


def main() -> None:
    """The `assist-service` command."""
    cli()
