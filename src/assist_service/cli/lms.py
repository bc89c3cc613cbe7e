"""The commands on the LMS: check one against the contract, and show the keys it must know this service by."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Annotated

import typer

from assist_service.bootstrap.checking import Given, check_lms, client_jwks
from assist_service.cli.running import with_settings
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.lms_check import RED, SENTENCES, Outcome, Report, Verdict
from assist_service.settings import LmsCheckSettings, LmsClientSettings

commands = typer.Typer(no_args_is_help=True, help="The LMS.")

Session = Annotated[str | None, typer.Option(help="A teacher's session JWT; it must be good for a minute more.")]
Other = Annotated[str | None, typer.Option(help="One of another teacher, who shares no course with the first.")]
Foreign = Annotated[
    str | None,
    typer.Option(
        "--foreign-session", "--wrong-audience-session", help="One that was signed for another client's audience."
    ),
]
Expired = Annotated[str | None, typer.Option(help="One whose time is over.")]
Elevated = Annotated[str | None, typer.Option(help="An elevated one, of an administrator.")]
Plain = Annotated[str | None, typer.Option(help="One of the same administrator, not elevated.")]
Demo = Annotated[bool, typer.Option("--demo", help="Takes all sessions from the reference LMS's /demo/session.")]
Writing = Annotated[bool, typer.Option("--with-writes", help="Checks the writes too: this makes a draft question.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]


@commands.command()
def check(
    url: Annotated[str, typer.Argument(help="Where the LMS is.")],
    session: Session = None,
    other_session: Other = None,
    foreign_session: Foreign = None,
    expired_session: Expired = None,
    elevated_session: Elevated = None,
    plain_session: Plain = None,
    demo: Demo = False,
    with_writes: Writing = False,
    as_json: AsJson = False,
) -> None:
    """Tries every endpoint and every security rule; exit code 0 if all of them hold, 1 if not, 2 for wrong use."""
    sessions = {
        "session": session,
        "other": other_session,
        "foreign": foreign_session,
        "expired": expired_session,
        "elevated": elevated_session,
        "plain": plain_session,
    }

    def act(settings: LmsCheckSettings) -> None:
        given = _given(sessions, demo=demo)
        report = asyncio.run(check_lms(url, settings, given=given, writes=with_writes))
        typer.echo(json.dumps(_as_json(report), indent=2) if as_json else "\n".join(_table(report)))
        raise typer.Exit(0 if report.is_green else 1)

    with_settings(LmsCheckSettings, act)


@commands.command()
def keys() -> None:
    """Prints the public key set of ASSIST_CLIENT_KEY: what the LMS must have, to know this service."""
    with_settings(LmsClientSettings, lambda settings: typer.echo(json.dumps(client_jwks(settings), indent=2)))


def _given(sessions: Mapping[str, str | None], *, demo: bool) -> Given | None:
    """None where the reference LMS is to be asked for all of them."""
    named = {name: token for name, token in sessions.items() if token is not None}
    if demo and named:
        raise ConfigurationError("--demo brings sessions of its own: leave the others out")
    if not demo and not {"session", "other"} <= set(named):
        raise ConfigurationError("--session and --other-session are needed, or --demo")
    return None if demo else Given(**named)


def _as_json(report: Report) -> dict[str, object]:
    return {
        "green": report.is_green,
        "endpoints": [{"name": name, **_said(outcome)} for name, outcome in report.endpoints.items()],
        "rules": [{"id": rule, "rule": SENTENCES[rule], **_said(of)} for rule, of in report.rules.items()],
    }


def _said(outcome: Outcome) -> dict[str, str]:
    return {"verdict": outcome.verdict.value, "why": outcome.why}


def _table(report: Report) -> Iterator[str]:
    width = max(map(len, (*report.endpoints, *SENTENCES)))
    verdicts = max(map(len, Verdict))
    for name, outcome in report.endpoints.items():
        yield f"{name:{width}}  {outcome.verdict.value:{verdicts}}  {outcome.why}".rstrip()
    yield ""
    for rule, outcome in report.rules.items():
        why = f" — {outcome.why}" if outcome.why else ""
        yield f"{rule.value:{width}}  {outcome.verdict.value:{verdicts}}  {SENTENCES[rule]}{why}"
    yield ""
    yield _summary(report)


def _summary(report: Report) -> str:
    counted = f"{len(report.endpoints)} endpoints, {len(report.rules)} rules"
    if report.is_green:
        return f"green: {counted}"
    return f"not green: {report.count(*RED)} red and {report.count(Verdict.NOT_CHECKED)} not checked of {counted}"
