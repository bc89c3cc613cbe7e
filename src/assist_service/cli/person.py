"""The commands on one person: everything kept of them written out, and erased."""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from assist_service.bootstrap.privacy import open_privacy
from assist_service.cli.running import refuse, with_settings
from assist_service.domain.errors import AssistError, ConfigurationError
from assist_service.domain.person_data import OPERATOR
from assist_service.services.privacy import Privacy
from assist_service.settings import Settings

commands = typer.Typer(no_args_is_help=True, help="All that is kept of one person.")

Subject = Annotated[str, typer.Argument(metavar="SUB", help="The LMS's id of the person: `sub` of their sessions.")]
Out = Annotated[Path | None, typer.Option(help="A file, readable by its owner alone; standard output if left out.")]
Yes = Annotated[bool, typer.Option("--yes", help="Erases; without it only the numbers are told.")]


@commands.command()
def export(sub: Subject, out: Out = None) -> None:
    """Writes every row kept of a person as one JSON document; a file is written whole or not at all."""
    with _file(out) as file:

        async def act(privacy: Privacy) -> None:
            async for piece in privacy.export(sub, actor=OPERATOR):
                file.write(piece)
            file.write(b"\n")
            file.flush()

        _on_people(act)


@commands.command()
def erase(sub: Subject, yes: Yes = False) -> None:
    """Erases a person and prints how many rows told of them; without --yes nothing is changed, and the code is 1."""

    async def act(privacy: Privacy) -> None:
        found = await privacy.count(sub)
        if yes:
            await privacy.erase(sub, actor=OPERATOR)
        typer.echo(json.dumps(dict(found)))
        if not yes:
            typer.echo("assist-service: nothing was erased: say --yes", err=True)
            raise typer.Exit(1)

    _on_people(act)


def _on_people(act: Callable[[Privacy], Awaitable[None]]) -> None:
    async def run(settings: Settings) -> None:
        async with open_privacy(settings) as privacy:
            try:
                await act(privacy)
            except AssistError:
                raise ConfigurationError("SUB is not 1 to 255 visible ASCII characters") from None

    with_settings(Settings, lambda settings: asyncio.run(run(settings)))


@contextmanager
def _file(out: Path | None) -> Iterator[BinaryIO]:
    """Written beside its place first. `mkstemp` makes it readable by its owner alone."""
    if out is None:
        yield sys.stdout.buffer
        return
    if out.exists() and not out.is_file():
        refuse(ConfigurationError("--out: what is there is no file"))
    try:
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
    except OSError as error:
        refuse(ConfigurationError(f"--out: cannot write there ({error.strerror})"))
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        Path(name).replace(out)
    except BaseException:
        Path(name).unlink()
        raise
