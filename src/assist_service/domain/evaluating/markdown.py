"""A report as Markdown, for people: the totals first, then what went wrong with which question."""

from collections.abc import Iterator, Sequence

from assist_service.domain.budget import MICROS_PER_USD
from assist_service.domain.evaluating.report import (
    STOPPED_BECAUSE,
    Report,
    Result,
    Score,
    criteria_scores,
    group_scores,
)


def usd(micros: int) -> str:
    return f"{micros / MICROS_PER_USD:.4f} USD"


def markdown(report: Report) -> str:
    """The report, ending with a line break."""
    return "\n".join((*_head(report), *_scores(report), *_failures(report.results), ""))


def _head(report: Report) -> Iterator[str]:
    asked = len(report.results)
    yield f"# {report.set}: {report.passed} of {report.questions} passed"
    yield ""
    if report.stopped is not None:
        yield f"Stopped after {asked} of {report.questions} questions: {STOPPED_BECAUSE[report.stopped]}."
        yield ""
    yield f"- Model `{report.model}`, policy `{report.policy}`, manual `{report.corpus_version}`."
    yield f"- {report.started_at:%Y-%m-%d %H:%M} UTC, {report.seconds:.1f} s, {report.requests} provider requests."
    yield f"- Cost {usd(report.cost_micros)}, cap {usd(report.cap_micros)}."
    yield ""


def _scores(report: Report) -> Iterator[str]:
    yield from _table("criterion", criteria_scores(report.results))
    yield from _table("group", group_scores(report.results))


def _table(title: str, scores: Sequence[Score]) -> Iterator[str]:
    yield f"| {title} | passed |"
    yield "|---|---|"
    yield from (f"| {score.name} | {score.told} |" for score in scores)
    yield ""


def _failures(results: Sequence[Result]) -> Iterator[str]:
    failed = [result for result in results if not result.passed]
    if not failed:
        return
    yield "| question | what went wrong |"
    yield "|---|---|"
    yield from (f"| {_cell(f'{result.number}. {result.question}')} | {_cell(result.why)} |" for result in failed)


def _cell(text: str) -> str:
    """On one line, and no end of a cell: what a model wrote as an argument may hold anything."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
