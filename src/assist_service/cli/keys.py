"""The commands on the keys that seal: make one, bring all rows under the first, see when an old one may go."""

import asyncio
import json

import typer

from assist_service.bootstrap.sealing import new_key, rows_by_key
from assist_service.bootstrap.sealing import rotate as rotate_keys
from assist_service.cli.running import with_settings
from assist_service.services.rotation import KeyRows, Place
from assist_service.settings import SealingSettings

commands = typer.Typer(no_args_is_help=True, help="The keys of ASSIST_SECRET_KEYS.")


@commands.command()
def new() -> None:
    """Prints a fresh key."""
    typer.echo(new_key())


@commands.command()
def rotate() -> None:
    """Seals every row again under the first key, beside traffic; exit code 1 if any is left or opens with no key."""

    def act(settings: SealingSettings) -> None:
        rotated = asyncio.run(rotate_keys(settings))
        places = {name: _of_place(place) for name, place in rotated.places.items()}
        typer.echo(json.dumps({"key": rotated.key_id, "places": places}))
        raise typer.Exit(0 if rotated.is_whole else 1)

    with_settings(SealingSettings, act)


@commands.command()
def status() -> None:
    """Tells how many rows stand under which key; exit code 1 if some stand under another than the first."""

    def act(settings: SealingSettings) -> None:
        keys = asyncio.run(rows_by_key(settings))
        typer.echo(json.dumps([_of_key(key) for key in keys]))
        raise typer.Exit(1 if any(key.rows and key.position != 1 for key in keys) else 0)

    with_settings(SealingSettings, act)


def _of_place(place: Place) -> dict[str, object]:
    told: dict[str, object] = {
        "changed": place.changed,
        "from": place.taken,
        "unopened": place.unopened,
        "left": place.left,
    }
    return {**told, "ids": place.ids} if place.ids else told


def _of_key(key: KeyRows) -> dict[str, object]:
    return {"id": key.id, "position": key.position, "rows": key.rows}
