"""The commands of an evaluation: ask a model the questions of a set and report on it, compare two reports."""

import asyncio
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assist_service import telemetry
from assist_service.cli.running import with_settings
from assist_service.domain.errors import ConfigurationError
from assist_service.settings import CommandSettings, EvaluationSettings

if TYPE_CHECKING:
    from assist_service.domain.evaluating.report import Report, Result

commands = typer.Typer(no_args_is_help=True, help="Evaluations of a model on question sets.")

ONE_IN_MILLION = 1_000_000

SetOption = Annotated[str, typer.Option("--set", help="manual, live or conduct.")]
ModelOption = Annotated[str, typer.Option(help="stub, anthropic:<id>, openai:<id> or openai-chat:<id>.")]
PolicyOption = Annotated[str | None, typer.Option(help="A shipped policy's name, or a TOML file; school-manuals.")]
CapOption = Annotated[float, typer.Option(min=0.000001, max=1_000_000, help="What the run may cost at most, in USD.")]
OutOption = Annotated[Path | None, typer.Option(help="A folder for the report, JSON and Markdown; else it is printed.")]
QuestionsOption = Annotated[Path | None, typer.Option(help="A file of your own questions, in the form of the set.")]
DeadlineOption = Annotated[
    int | None, typer.Option(min=1, max=3600, help="Seconds a question may take, for a slow server; the policy's.")
]
FreeOption = Annotated[bool, typer.Option("--free", help="The model costs nothing: openai-chat on your own server.")]
GateOption = Annotated[
    float | None, typer.Option(min=0, max=1, help="Exit code 1 where a smaller share of the set has passed.")
]


@commands.command()
def run(
    set_name: SetOption,
    model: ModelOption,
    policy: PolicyOption = None,
    max_usd: CapOption = 2.0,
    out: OutOption = None,
    questions: QuestionsOption = None,
    deadline_seconds: DeadlineOption = None,
    free: FreeOption = False,
    fail_under: GateOption = None,
) -> None:
    """Asks a model every question of a set; exit code 0 however good it is.

    1 below --fail-under, when it is down, or when the report could not be written.
    """
    from assist_service.bootstrap import evaluation_runs as runs  # search and Markdown take a while to import

    def act(settings: EvaluationSettings) -> None:
        telemetry.configure_logging("ERROR")  # what else goes wrong stands in the question's own line
        wanted = runs.Wanted(
            set=set_name,
            model=model,
            policy=policy or runs.POLICY,
            cap_usd=Decimal(str(max_usd)),
            questions=questions,
            deadline_seconds=deadline_seconds,
            is_free=free,
        )
        if out is not None:
            runs.refuse_folder(out)
        report = asyncio.run(runs.run_evaluation(wanted, settings, tell=_tell, progress=_tell_vectors))
        finish(report, out, fail_under)

    with_settings(EvaluationSettings, act)


@commands.command()
def compare(
    before: Annotated[Path, typer.Argument(help="A report, JSON.")],
    after: Annotated[Path, typer.Argument(help="A later one of the same set.")],
) -> None:
    """Prints what got better, what got worse, and the totals of two reports."""
    from assist_service.bootstrap.evaluation_runs import compare_reports

    with_settings(CommandSettings, lambda _: typer.echo(compare_reports(before, after)))


def _tell(result: "Result") -> None:
    """One line a question, on standard error."""
    outcome = "pass" if result.passed else "FAIL"
    cost = result.cost_micros / ONE_IN_MILLION
    why = f"  {' '.join(result.why.split())}" if result.why else ""
    typer.echo(f"{result.number:>3}  {outcome}  {result.seconds:5.1f} s  {cost:.4f} USD  {result.group}{why}", err=True)


def _tell_vectors(done: int, sections: int) -> None:
    if done == sections:
        typer.echo(f"vectors: {sections} sections", err=True)


def finish(report: "Report", out: Path | None, fail_under: float | None) -> None:
    """Writes or prints the report, and ends with the exit code."""
    is_kept = _show(report, out)
    _end(report, fail_under, is_kept=is_kept)


def _show(report: "Report", out: Path | None) -> bool:
    """Whether the report is where it was wanted: one that was paid for is printed rather than lost."""
    from assist_service.bootstrap.evaluation_runs import keep_report
    from assist_service.domain.evaluating.markdown import markdown

    if out is None:
        typer.echo(markdown(report), nl=False)
        return True
    try:
        paths = keep_report(report, out)
    except ConfigurationError as error:
        typer.echo(f"assist-service: {error}: the report goes to standard output, its JSON as the last line", err=True)
        typer.echo(f"{markdown(report)}\n{report.model_dump_json()}")
        return False
    for path in paths:
        typer.echo(path)
    return True


def _end(report: "Report", fail_under: float | None, *, is_kept: bool) -> None:
    """Says why a run stopped, and ends with the exit code."""
    from assist_service.domain.evaluating.report import STOPPED_BECAUSE, Stopped

    if report.stopped is not None:
        asked = f"stopped after {len(report.results)} of {report.questions} questions"
        typer.echo(f"assist-service: {asked}: {STOPPED_BECAUSE[report.stopped]}", err=True)
    is_below = fail_under is not None and report.share < fail_under
    if is_below or not is_kept or report.stopped is Stopped.PROVIDER:
        raise typer.Exit(1)
