"""The commands of an operator: serve, migrate, purge, and those on the manual, the LMS, keys, a person, evaluations."""

import asyncio
import json
from collections.abc import Mapping

import typer

from assist_service.bootstrap.database import migrate_database, purge
from assist_service.bootstrap.warming import starting
from assist_service.cli.eval import commands as eval_commands
from assist_service.cli.keys import commands as keys_commands
from assist_service.cli.lms import commands as lms_commands
from assist_service.cli.manual import commands as manual_commands
from assist_service.cli.person import commands as person_commands
from assist_service.cli.running import with_settings
from assist_service.settings import DatabaseSettings, Settings

cli = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
cli.add_typer(manual_commands, name="manual")
cli.add_typer(lms_commands, name="lms")
cli.add_typer(keys_commands, name="keys")
cli.add_typer(person_commands, name="person")
cli.add_typer(eval_commands, name="eval")


@cli.command()
def serve() -> None:
    """Answers over HTTP until it is told to stop."""
    with starting():
        # Here, since the web framework takes most of a second, for which no other command should wait.
        from assist_service.cli.serving import run_service

    with_settings(Settings, run_service)


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
