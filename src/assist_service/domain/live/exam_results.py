"""Looks up the results of one released exam."""

from dataclasses import replace
from statistics import fmean, median

from assist_service.domain.live.asking import Plan
from assist_service.domain.live.finding import Cell, Column, Finding, Looked, Row, Say, Sentence, Table, Topic, Word
from assist_service.domain.live.marks import Marked, Sheet, counted, first_with_ties, mark_in, row_of, students_in, tied
from assist_service.domain.live.one_sheet import ExamSheet, one_sheet
from assist_service.domain.live.one_student import chosen, roster_with, student_record
from assist_service.domain.live.query import Operation, RecordKind
from assist_service.domain.live.scope import Ask, Nothing, Scope, Step
from assist_service.domain.school import Named

COLUMNS = (Column.STUDENT, Column.MARK)


def exam_results(ask: Ask) -> Plan:
    """The marks by student, the highest or the lowest of them, one student's, or a summary."""
    found = yield from one_sheet(ask)
    if isinstance(found, Nothing):
        return found.looked
    if _is_of_one(ask):
        return (yield from _of_student(found, ask))
    scope, of_exam = found.scope, found.sheet
    if of_exam is None:
        return scope.finding(Sentence(Say.NO_MARKS))
    if not of_exam.size:
        return _nobody(scope, of_exam)
    match ask.query.operation:
        case Operation.LIST:
            return _list(scope, of_exam)
        case Operation.SUMMARY:
            return _summary(scope, of_exam)
        case operation:
            return _extreme(scope, of_exam, is_highest=operation is Operation.HIGHEST)


def _is_of_one(ask: Ask) -> bool:
    """Whether one student's result is meant. One who is selected, and not named, is no answer to who had the most."""
    is_list = ask.query.operation is Operation.LIST
    is_named = RecordKind.STUDENT in ask.query.searches
    return ask.is_given(RecordKind.STUDENT) and (is_list or is_named)


def _of_student(found: ExamSheet, ask: Ask) -> Step[Looked]:
    """One student's result, who is looked for in the class of the exam alone; whatever is asked, a choice among
    several goes on with that."""
    query = ask.query.model_copy(update={"operation": Operation.LIST})
    narrowed = replace(found.scope, ask=replace(ask, query=query)).on(Topic.STUDENT_RESULT)
    scope, everybody = yield from roster_with(narrowed, narrowed.classes[0], students_in(found.results))
    one = chosen(scope, everybody)
    if isinstance(one, Nothing):
        return one.looked
    about, student = one
    mark = mark_in(row_of(found.results, student.named), found.sheet.column) if found.sheet is not None else None
    called: dict[str, Cell] = {"student": about.called(student.record)}
    if mark is None or found.sheet is None:
        return about.finding(Sentence(Say.STUDENT_NO_ENTRY, values=called))
    if mark.mark is None:
        return about.finding(Sentence(Say.STUDENT_ABSENT if mark.absent else Say.STUDENT_UNMARKED, values=called))
    values = called | {"mark": mark.mark, "out_of": found.sheet.column.best_mark}
    return about.finding(Sentence(Say.STUDENT_MARK, values=values))


def _list(scope: Scope, of_exam: Sheet) -> Finding:
    marked = sorted(of_exam.marked, key=lambda each: -each.mark)  # stable: by name where the marks are alike
    cells: list[tuple[Named, Cell]] = [(each.student, each.mark) for each in marked]
    cells += [(each, Word.ABSENT) for each in of_exam.absent]
    cells += [(each, Word.UNMARKED) for each in of_exam.unmarked]
    rows = tuple(_row(scope, student, cell) for student, cell in cells[: scope.limit])
    table = Table(COLUMNS, rows, more=len(cells) - len(rows))
    marked_ones = counted([(Say.MARKED, len(of_exam.marked))])
    return scope.finding(*marked_ones, *_without_mark(of_exam), table=table)


def _extreme(scope: Scope, of_exam: Sheet, *, is_highest: bool) -> Finding:
    """The highest or the lowest marks, and all that are like the last of them."""
    if not of_exam.marked:
        return _nobody(scope, of_exam)
    ordered = sorted(of_exam.marked, key=lambda each: -each.mark if is_highest else each.mark)
    shown = first_with_ties(ordered, scope.limit, _are_alike)
    rows = tuple(_row(scope, each.student, each.mark) for each in shown)
    table = Table(COLUMNS, rows, more=len(ordered) - len(rows))
    return scope.finding(table=table, notes=tied(len(shown), scope.limit))


def _are_alike(one: Marked, other: Marked) -> bool:
    return one.mark == other.mark


def _summary(scope: Scope, of_exam: Sheet) -> Finding:
    if not of_exam.marked:
        return _nobody(scope, of_exam)
    marks, out_of = of_exam.marks, of_exam.column.best_mark
    highest, lowest = max(marks), min(marks)
    return scope.finding(
        Sentence(Say.MARKED, count=len(marks)),
        Sentence(Say.MEAN, values={"mean": fmean(marks), "out_of": out_of}),
        Sentence(Say.MEDIAN, values={"median": median(marks), "out_of": out_of}),
        Sentence(Say.HIGHEST, count=marks.count(highest), values={"mark": highest, "out_of": out_of}),
        Sentence(Say.LOWEST, count=marks.count(lowest), values={"mark": lowest, "out_of": out_of}),
        *_without_mark(of_exam),
    )


def _nobody(scope: Scope, of_exam: Sheet) -> Finding:
    """Nobody has a mark: who was absent, and whose work waits, says why."""
    return scope.finding(Sentence(Say.NO_MARKS), *_without_mark(of_exam))


def _without_mark(of_exam: Sheet) -> tuple[Sentence, ...]:
    numbers = (
        (Say.ABSENT, len(of_exam.absent)),
        (Say.UNMARKED, len(of_exam.unmarked)),
        (Say.NO_ENTRY, len(of_exam.without)),
    )
    return counted(numbers)


def _row(scope: Scope, student: Named, cell: Cell) -> Row:
    record = student_record(student)
    return Row((scope.called(record), cell), scope.listed(record))
