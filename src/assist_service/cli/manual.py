"""The commands on the manual: check, build, publish, list and verify, go back, withdraw, restore, evaluate."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import typer

from assist_service.bootstrap.evaluating import evaluation_table
from assist_service.bootstrap.manuals import open_publishing
from assist_service.bootstrap.meanings import open_meanings
from assist_service.bootstrap.reading import build_manual, check_manual, read_whole, source_of
from assist_service.cli.running import with_settings
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.withdrawals import Withdrawal
from assist_service.services.publishing import CLOSED_NAMED, PublishFailed, Publishing
from assist_service.settings import ManualSettings, SourceSettings

commands = typer.Typer(no_args_is_help=True, help="The manual.")

DATE = "%Y-%m-%d %H:%M"

TOLD_EVERY = 40
"""Sections embedded between two lines that say how far it is."""


def _publishing(act: Callable[[Publishing, ManualSettings], Awaitable[None]]) -> None:
    """Runs a command on what is published; one that cannot be done says why, and what is live meanwhile."""

    async def run(settings: ManualSettings) -> None:
        async with open_publishing(settings, progress=_tell_progress) as publishing:
            await act(publishing, settings)

    try:
        with_settings(ManualSettings, lambda settings: asyncio.run(run(settings)))
    except PublishFailed as failed:
        for fault in failed.faults:
            typer.echo(fault, err=True)
        live = f"{failed.live} stays live" if failed.live else FIRST_FAILED
        typer.echo(f"assist-service: nothing was changed: {live}", err=True)
        raise typer.Exit(1) from None


FIRST_FAILED = (
    "nothing is live, so nobody is answered from a manual yet: mend the faults above and run manual publish again"
)


@commands.command()
def publish() -> None:
    """Publishes the manual of ASSIST_MANUAL: staged, indexed, verified, and only then live."""

    async def act(publishing: Publishing, settings: ManualSettings) -> None:
        read = read_whole(source_of(settings), meanings=publishing.meanings)
        publication = read.publication
        is_new = await publishing.publish(publication, read.vectors)
        sections = sum(len(page.sections) for page in publication.pages)
        typer.echo(f"{publication.id} {'is live' if is_new else 'was live already'}: {sections} sections")
        await _tell_closed(publishing, publication.id)
        await _tell_lacking(publishing, publication.id)

    _publishing(act)


@commands.command()
def verify(publication: Annotated[str | None, typer.Argument(help="Its id; the live one if left out.")] = None) -> None:
    """Looks every section up again through the filters of every role."""

    async def act(publishing: Publishing, _: ManualSettings) -> None:
        verified = await publishing.verify(publication)
        typer.echo(f"{verified}: no faults")
        await _tell_closed(publishing, verified)
        await _tell_lacking(publishing, verified)

    _publishing(act)


@commands.command()
def embed(
    publication: Annotated[str | None, typer.Argument(help="Its id; the live one if left out.")] = None,
    *,
    anew: Annotated[bool, typer.Option("--anew", help="Make those too that are there already.")] = False,
) -> None:
    """Makes the vectors of a published manual for the model of ASSIST_EMBEDDINGS; running replicas take them up."""

    async def act(publishing: Publishing, _: ManualSettings) -> None:
        if publishing.meanings is None:
            raise ConfigurationError("ASSIST_EMBEDDINGS is not set: it names the model whose vectors are made")
        done, is_new = await publishing.embed(publication, anew=anew)
        model = publishing.meanings.embedder.model
        typer.echo(f"{done} {'has' if is_new else 'had'} the vectors of {model}{'' if is_new else ' already'}")

    _publishing(act)


def _tell_progress(done: int, sections: int) -> None:
    """On standard error, since vectors take a while."""
    if done % TOLD_EVERY == 0 or done == sections:
        typer.echo(f"vectors: {done} of {sections} sections", err=True)


async def _tell_lacking(publishing: Publishing, publication: str | None) -> None:
    """On standard error: what was asked for is done, and this is left to do."""
    told, lacking = await publishing.lacking(publication)
    if publishing.meanings is not None and lacking:
        typer.echo(
            f"{told}: {lacking} sections have no vector of {publishing.meanings.embedder.model}: they are found by "
            f"words only, and a start is refused where none has one: run `assist-service manual embed {told}`",
            err=True,
        )


async def _tell_closed(publishing: Publishing, publication: str) -> None:
    closed = await publishing.closed(publication)
    if not closed.number:
        return
    typer.echo(f"{closed.number} sections stay closed by withdrawals:")
    for name in closed.named:
        typer.echo(f"  {name}")
    if closed.number > len(closed.named):
        typer.echo(f"  and {closed.number - len(closed.named)} more")


@commands.command(name="list")
def list_publications() -> None:
    """Lists every publication there ever was, the newest first."""

    async def act(publishing: Publishing, _: ManualSettings) -> None:
        for listed in await publishing.store.listing():
            live = "live" if listed.is_live else f"live on {listed.live_at:{DATE}}" if listed.live_at else "never live"
            closed = f", {listed.closed} of them closed by withdrawals" if listed.closed else ""
            typer.echo(f"{listed.id}  staged {listed.staged_at:{DATE}}  {listed.sections} sections{closed}  {live}")

    _publishing(act)


@commands.command()
def rollback(
    publication: Annotated[str | None, typer.Argument(help="Its id; the one before the live one if left out.")] = None,
) -> None:
    """Makes an earlier publication live again."""

    async def act(publishing: Publishing, _: ManualSettings) -> None:
        live = await publishing.roll_back(publication)
        typer.echo(f"{live} is live")
        await _tell_lacking(publishing, live)

    _publishing(act)


Page = Annotated[str, typer.Argument(help="The page's path, as the index writes it.")]


@commands.command()
def withdraw(
    page: Page,
    section: Annotated[str | None, typer.Argument(help="One section's anchor; the whole page if left out.")] = None,
) -> None:
    """Closes a page or a section everywhere, in old publications and later ones too."""

    async def act(publishing: Publishing, _: ManualSettings) -> None:
        _tell_sections(await publishing.withdraw(Withdrawal(page, section)), "withdrawn")

    _publishing(act)


@commands.command()
def restore(
    page: Page,
    section: Annotated[str | None, typer.Argument(help="As it was withdrawn; the whole page if left out.")] = None,
) -> None:
    """Takes a withdrawal back."""

    async def act(publishing: Publishing, _: ManualSettings) -> None:
        _tell_sections(await publishing.restore(Withdrawal(page, section)), "open again")
        if await publishing.store.live() is not None:
            await _tell_lacking(publishing, None)

    _publishing(act)


def _tell_sections(names: tuple[str, ...], what: str) -> None:
    typer.echo(f"{len(names)} sections {what}")
    for name in sorted(names)[:CLOSED_NAMED]:
        typer.echo(f"  {name}")


Place = Annotated[Path | None, typer.Argument(help="A folder, or a built file; ASSIST_MANUAL if left out.")]
PlaceOption = Annotated[Path | None, typer.Option(help="A folder, or a built file; ASSIST_MANUAL if left out.")]
FoldersOption = Annotated[
    Path | None, typer.Option(help="A TOML file: whose folder is whose; ASSIST_MANUAL_FOLDERS if left out.")
]


@commands.command()
def build(
    out: Annotated[
        Path | None, typer.Option(help="The file, or the folder of manual-<id>.json.gz; this folder if left out.")
    ] = None,
) -> None:
    """Writes the manual of ASSIST_MANUAL into one file that every environment can publish; prints its id and path."""

    def act(settings: SourceSettings) -> None:
        meanings = open_meanings(settings.embeddings, progress=_tell_progress)
        publication, path = build_manual(source_of(settings), out, meanings)
        typer.echo(f"{publication} {path}")

    with_settings(SourceSettings, act)


@commands.command()
def check(place: Place = None, folders: FoldersOption = None) -> None:
    """Names file and line of each fault of a manual, and of what is worth a look; exit code 1 for faults only."""

    def act(settings: SourceSettings) -> None:
        source = source_of(settings, place, folders)
        checked = check_manual(source)
        for line in (*checked.warnings, *checked.faults):
            typer.echo(line, err=True)
        if checked.publication is None:
            raise typer.Exit(1)
        typer.echo(f"{checked.publication.id}: whole, no faults" if source.is_built else "no faults")

    with_settings(SourceSettings, act)


@commands.command()
def evaluate(
    file: Annotated[Path, typer.Argument(help="Questions, JSON or YAML: role, language, question, page, also.")],
    manual: PlaceOption = None,
    folders: FoldersOption = None,
    embeddings: Annotated[
        str | None, typer.Option(help="A model to join the search with; ASSIST_EMBEDDINGS if left out.")
    ] = None,
) -> None:
    """Prints the rank of each question's page in the search, and recall at 1, 3 and 5 by role and language."""

    def act(settings: SourceSettings) -> None:
        source = source_of(settings, manual, folders)
        model = embeddings or settings.embeddings
        typer.echo(evaluation_table(file, source, embeddings=model, progress=_tell_progress))

    with_settings(SourceSettings, act)
