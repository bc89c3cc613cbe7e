"""What two runs of the same questions differ in: which got better, which worse, and the totals side by side."""

from collections.abc import Iterator, Sequence

from assist_service.domain.evaluating.markdown import usd
from assist_service.domain.evaluating.report import Report, Result, Score, criteria_scores, group_scores


class NotComparableError(Exception):
    """Two reports that are not of the same questions."""


def comparison(before: Report, after: Report) -> str:
    """Lines for a terminal. Raises NotComparableError for reports of other sets."""
    if before.set != after.set:
        raise NotComparableError(f"one report is of the set {before.set}, the other of {after.set}")
    if before.questions_digest != after.questions_digest:
        raise NotComparableError(f"the questions of the set {before.set} changed between the two reports")
    return "\n".join((*_setups(before, after), *_moved(before, after), *_totals(before, after)))


def _setups(before: Report, after: Report) -> Iterator[str]:
    for name in ("model", "policy", "corpus_version"):
        first, second = getattr(before, name), getattr(after, name)
        yield f"{name:<16}{first}" if first == second else f"{name:<16}{first}  ->  {second}"
    yield ""


def _moved(before: Report, after: Report) -> Iterator[str]:
    earlier = {result.number: result for result in before.results}
    both = [(earlier[now.number], now) for now in after.results if now.number in earlier]
    better = [(old, now) for old, now in both if now.passed and not old.passed]
    worse = [(old, now) for old, now in both if old.passed and not now.passed]
    yield from _listed("better", [(now, old.why) for old, now in better])
    yield from _listed("worse", [(now, now.why) for _, now in worse])
    alone = len(before.results) + len(after.results) - 2 * len(both)
    if alone:
        yield f"{alone} questions were asked in one run only"
        yield ""


def _listed(title: str, moved: Sequence[tuple[Result, str]]) -> Iterator[str]:
    """The questions that moved, each with what is or was wrong."""
    yield f"{title}: {len(moved)}"
    for result, why in moved:
        yield f"  {result.number:>3}  {result.question}"
        yield f"       {'was ' if title == 'better' else ''}{why}"
    yield ""


def _totals(before: Report, after: Report) -> Iterator[str]:
    yield _row("", "before", "after")
    whole = [Score("passed", report.passed, report.questions) for report in (before, after)]
    yield _row("passed", whole[0].told, whole[1].told)
    for scores in (criteria_scores, group_scores):
        first = {score.name: score.told for score in scores(before.results)}
        second = {score.name: score.told for score in scores(after.results)}
        yield from (
            _row(name, first.get(name, "-"), second.get(name, "-")) for name in dict.fromkeys((*first, *second))
        )
    yield _row("cost", usd(before.cost_micros), usd(after.cost_micros))
    yield _row("requests", str(before.requests), str(after.requests))
    yield _row("seconds", f"{before.seconds:.1f}", f"{after.seconds:.1f}")


def _row(name: str, before: str, after: str) -> str:
    return f"{name:<28}{before:>14}{after:>14}"
