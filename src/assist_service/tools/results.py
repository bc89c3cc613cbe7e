"""Reads a classroom's results: final marks of released columns, by student, and nothing of any other (row A11)."""

from uuid import UUID

from assist_service.domain.records import Found, Record, Seen, Someone, Titled
from assist_service.domain.school import GradeColumn, Result, results_of
from assist_service.domain.screens import EntityKind
from assist_service.ports import SchoolReads
from assist_service.tools.asking_for import OfClassroom
from assist_service.tools.looking_up import lookup
from assist_service.tools.tool import Desk


async def _get_classroom_results(arguments: OfClassroom, _: Desk, reads: SchoolReads) -> Found:
    results = results_of(await reads.gradebook(arguments.classroom))
    # A short name for each column: its title stands once, not with every mark.
    columns = {column.id: f"e{position}" for position, column in enumerate(results.columns, 1)}
    heads = [_column(column, columns[column.id]) for column in results.columns]
    rows = (_row(row, columns) for row in results.rows)
    return Found([*heads, *rows], of=Seen(EntityKind.CLASSROOM, arguments.classroom))


def _column(column: GradeColumn, name: str) -> Record:
    return {
        "column": name,
        "evaluation": Seen(EntityKind.EVALUATION, column.id),
        "title": Titled(column.title),
        "best_mark": column.best_mark,
        "mean": column.mean,
    }


def _row(row: Result, columns: dict[UUID, str]) -> Record:
    marks: Record = {
        columns[mark.column]: "absent" if mark.absent else mark.mark
        for mark in row.marks
        if mark.absent or mark.mark is not None
    }
    return {"student": Someone(row.student.id, row.student.name), "marks": marks}


RESULTS = (
    lookup(
        "get_classroom_results",
        "Reads the final marks of a classroom's released evaluations, by student, with each one's mean. Use it for "
        "how students or a class did. Evaluations that are running or not released are left out; get_evaluation says "
        "where one stands.",
        OfClassroom,
        _get_classroom_results,
        needs="gradebook",
        kinds={"classroom": EntityKind.CLASSROOM},
    ),
)
