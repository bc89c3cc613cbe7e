"""The commands of an operator: serve, migrate, purge, and the manual's check."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

import typer
import uvicorn

from assist_service import telemetry
from assist_service.bootstrap.configuring import configure, manual_faults
from assist_service.bootstrap.database import migrate_database, purge
from assist_service.bootstrap.running import running_service
from assist_service.domain.errors import ConfigurationError
from assist_service.settings import ROOT, DatabaseSettings, Kind, Settings, load_settings, unknown_variables
from assist_service.web.app import create_app

cli = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
manual = typer.Typer(no_args_is_help=True, help="The manual.")
cli.add_typer(manual, name="manual")

SHUTDOWN_SECONDS = 100
"""A question that runs may finish: its deadline and a little more."""


def _refuse(error: ConfigurationError) -> NoReturn:
    sys.stderr.write(f"assist-service: {error}\n")
    raise typer.Exit(2)


def _with_settings(kind: type[Kind], act: Callable[[Kind], None]) -> None:
    """Runs a command with this environment's settings; what is wrong with them is one line and exit code 2."""
    try:
        settings = load_settings(kind)
        telemetry.configure_logging(settings.log_level)
        if unknown := unknown_variables():
            telemetry.log.warning("unknown_settings", names=unknown)
        act(settings)
    except ConfigurationError as error:
        _refuse(error)


@cli.command()
def serve() -> None:
    """Answers over HTTP until it is told to stop."""
    _with_settings(Settings, lambda settings: asyncio.run(_serve(settings)))


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
        telemetry.log.info("serving", host=settings.host, port=settings.port, policy=service.policy.name)
        await uvicorn.Server(config).serve()


@cli.command()
def migrate() -> None:
    """Brings the database to this release's revision."""
    _with_settings(DatabaseSettings, migrate_database)


@cli.command(name="purge")
def purge_command() -> None:
    """Deletes what has been kept for its time; prints what went, as JSON."""
    _with_settings(Settings, lambda settings: typer.echo(json.dumps(asyncio.run(purge(settings)))))


@manual.command()
def check(folder: Annotated[Path, typer.Argument(help="The manual's folder.")] = ROOT / "corpus") -> None:
    """Names file and line of each fault of a manual; exit code 1 where there are any."""
    faults = manual_faults(folder)
    for fault in faults:
        typer.echo(fault, err=True)
    if faults:
        raise typer.Exit(1)
    typer.echo("no faults")


def main() -> None:
    """The `assist-service` command."""
    cli()
