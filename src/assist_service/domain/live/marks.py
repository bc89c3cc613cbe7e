"""What released marks come to, as functions of values: by exam, by class, by student."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar
from uuid import UUID

from assist_service.domain.live.among import once_each
from assist_service.domain.live.asking import ResultsOf
from assist_service.domain.live.finding import Called, Say, Sentence, Share
from assist_service.domain.live.one_student import by_name
from assist_service.domain.live.query import RecordKind
from assist_service.domain.live.scope import Record, Scope, Step, class_record
from assist_service.domain.live.telling import titles_told
from assist_service.domain.school import GradeColumn, Mark, Named, Result, Results

Item = TypeVar("Item")


@dataclass(frozen=True)
class Marked:
    """A student with a final mark."""

    student: Named
    mark: float


@dataclass(frozen=True)
class Sheet:
    """A released exam over its class, each student of the class in one of the groups, each group by name."""

    column: GradeColumn
    marked: tuple[Marked, ...]
    absent: tuple[Named, ...]
    unmarked: tuple[Named, ...]
    without: tuple[Named, ...]
    """Students of the class who do not have the exam: nothing says that they were absent, or that they took it."""

    @property
    def marks(self) -> tuple[float, ...]:
        return tuple(each.mark for each in self.marked)

    @property
    def shares(self) -> tuple[float, ...]:
        """Each mark of the best one there is, from 0 to 1."""
        return tuple(each / self.column.best_mark for each in self.marks)

    @property
    def took_part(self) -> tuple[Named, ...]:
        """Who was not absent, marked or not."""
        return tuple(sorted((*(each.student for each in self.marked), *self.unmarked), key=by_name))

    @property
    def size(self) -> int:
        """How many students have the exam."""
        return len(self.marked) + len(self.absent) + len(self.unmarked)


def marks_of(classroom: UUID) -> Step[Results]:
    """The final marks of a class's released exams, as its gradebook has them."""
    read = ResultsOf(classroom)
    results = (yield (read,))[read]
    assert isinstance(results, Results)
    return results


def students_in(results: Results) -> tuple[Named, ...]:
    """Whom a gradebook has a row for, each person once."""
    return once_each(each.student for each in results.rows)


def row_of(results: Results, student: Named) -> Result | None:
    return next((each for each in results.rows if each.student.id == student.id), None)


def mark_in(row: Result | None, column: GradeColumn) -> Mark | None:
    """What a student has in a column; None where they do not have the exam."""
    return row.by_column.get(column.id) if row is not None else None


def columns_of(results: Results) -> tuple[GradeColumn, ...]:
    """The released exams in the gradebook's order."""
    return once_each(results.columns)


def with_columns(scope: Scope, columns: Sequence[GradeColumn]) -> Scope:
    """The same, with the exams of the gradebook of its one class told apart."""
    title = scope.told(class_record(scope.classes[0])).short
    return scope.knowing(RecordKind.EXAM, titles_told([(each.id, each.title, title) for each in columns]))


def column_record(column: GradeColumn) -> Record:
    return Record(RecordKind.EXAM, column.id, column.title)


def sheet(results: Results, column: GradeColumn) -> Sheet:
    """One exam over its class."""
    of_column: dict[str, list[Named]] = {"absent": [], "unmarked": [], "without": []}
    marked: list[Marked] = []
    rows = {each.student.id: each for each in reversed(results.rows)}
    for student in sorted((each.student for each in rows.values()), key=by_name):
        mark = mark_in(rows[student.id], column)
        if mark is None:
            of_column["without"].append(student)
        elif mark.mark is not None:
            marked.append(Marked(student, mark.mark))
        else:
            of_column["absent" if mark.absent else "unmarked"].append(student)
    return Sheet(column, tuple(marked), **{group: tuple(some) for group, some in of_column.items()})


def mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def mean_share(shares: Sequence[float]) -> Sentence:
    """The mean of these marks as shares of their best ones, or that there is none."""
    if not shares:
        return Sentence(Say.NO_MARKS)
    return Sentence(Say.MEAN_SHARE, count=len(shares), values={"share": Share(fmean(shares))})


def extremes(shares: Sequence[tuple[Called, float]]) -> tuple[Sentence, ...]:
    """The best and the weakest exam by its share, the first of several alike; nothing where there is no difference."""
    if len(shares) < 2:
        return ()
    best, weakest = max(shares, key=lambda each: each[1]), min(shares, key=lambda each: each[1])
    if math.isclose(best[1], weakest[1]):
        return ()
    return tuple(
        Sentence(say, values={"exam": exam, "share": Share(share)})
        for say, (exam, share) in ((Say.BEST_EXAM, best), (Say.WEAKEST_EXAM, weakest))
    )


def first_with_ties(items: Sequence[Item], limit: int, alike: Callable[[Item, Item], bool]) -> tuple[Item, ...]:
    """The first so many, and all after them that are like the last of them."""
    shown = list(items[:limit])
    for each in items[limit:]:
        if not alike(each, shown[-1]):
            break
        shown.append(each)
    return tuple(shown)


def tied(shown: int, limit: int) -> tuple[Sentence, ...]:
    """That more are shown than were asked for, where so."""
    return (Sentence(Say.TIED, count=shown - limit),) if shown > limit else ()


def counted(counts: Iterable[tuple[Say, int]]) -> tuple[Sentence, ...]:
    """A sentence for each number that is not zero."""
    return tuple(Sentence(say, count=count) for say, count in counts if count)
