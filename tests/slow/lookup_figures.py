"""The figures of the oracle: what a list of cells or marks comes to."""

import statistics
from collections.abc import Callable, Mapping, Sequence

from tests.slow.lookup_expected import Share
from tests.slow.lookup_records import Cell, Student


def marks_of(cells: Sequence[Cell]) -> list[float]:
    return [each.mark for each in cells if each.mark is not None]


def absent_in(cells: Sequence[Cell]) -> int:
    return sum(each.absent for each in cells)


def ends(shares: Mapping[str, Sequence[float]], titles: Mapping[str, str]) -> tuple[list[Share], list[str]]:
    """The exams with the best and the weakest mean share, where there are two that differ."""
    means = {exam: statistics.fmean(of_exam) for exam, of_exam in shares.items() if of_exam}
    if len(means) < 2 or max(means.values()) - min(means.values()) < 1e-12:
        return [], []
    best, weakest = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    return [Share(means[best]), Share(means[weakest])], [titles[best], titles[weakest]]


def with_ties(rows: Sequence[Student], limit: int, value: Callable[[Student], float]) -> list[Student]:
    """The first of them, and all that are like the last of these."""
    return [each for at, each in enumerate(rows) if at < limit or value(each) == value(rows[limit - 1])]
