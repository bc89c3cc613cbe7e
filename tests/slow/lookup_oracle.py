"""What each lookup must come to, computed straight from the LMS's database: nothing of the service's plans is used."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tests.slow.lookup_expected import NO_DATE, NONE, Ask, Expected, Found, Share, Word
from tests.slow.lookup_expected import Cell as CellOf
from tests.slow.lookup_figures import absent_in, ends, marks_of, with_ties
from tests.slow.lookup_names import Besides
from tests.slow.lookup_narrowing import Ended, Looking, by_name
from tests.slow.lookup_records import Cell, Exam, Records, Student


def expected(ask: Ask, records: Records) -> Expected:
    """What a person must read of a lookup."""
    looking: Looking | None = None
    try:
        looking = Looking(ask, records)
        came_to = _LOOKUPS[ask.query.lookup](looking)
    except Ended as ended:
        came_to = ended.came_to
    if looking is None or not isinstance(came_to, Found):
        return came_to
    classes = tuple(looking.name_of[each.id] for each in looking.classes)
    came_to = replace(came_to, classes=classes, topic=looking.topic)
    if (came_to.say or "").startswith("no_such"):
        return came_to
    about = tuple(each.label for each in looking.about if each.kind != "class")
    handles = (*looking.about, *came_to.handles)
    return replace(came_to, handles=handles, about=about, is_closest=looking.is_closest)


# Lists


def _classes(at: Looking) -> Expected:
    at.classes = ()
    names = [(each.id, each.title) for each in at.own]
    ids = at.of_words("class", names, Besides([each.course for each in at.own], is_enough=True), is_listed=True)
    found = [each for each in at.own if ids is None or each.id in ids]
    if at.operation == "count":
        return Found(numbers=(len(found),))
    shown = found[: at.limit]
    return Found(
        tuple((at.name_of[each.id], each.course, len(at.records.students(each.id))) for each in shown),
        more=len(found) - len(shown),
        numbers=(len(found),),
        handles=tuple(at.handle("class", each.id, each.title) for each in shown),
    )


def _students(at: Looking) -> Expected:
    at.end_if_pointed()
    classes, is_named = at.classes_or_named(read_each=True)
    students = list({each.id: each for c in classes for each in at.records.students(c.id)}.values())
    at.know_people(students)
    names = [(each.id, each.name) for each in students]
    ids = at.of_words("student", names, at.classes_beside(students, classes), is_listed=True)
    found = by_name([each for each in students if ids is None or each.id in ids])
    if not found:
        at.end(say="no_students")
    if at.operation == "count":
        return Found(numbers=(len(found),))
    shown = found[: at.limit]

    def row(student: Student) -> tuple[str, ...]:
        name, titles = at.name_of[student.id], ", ".join(at.name_of[c.id] for c in at.records.classes_of(student.id))
        return (name,) if is_named else (name, titles)

    return Found(
        tuple(map(row, shown)),
        more=len(found) - len(shown),
        numbers=(len(found),),
        handles=at.student_handles(shown),
    )


def _exams(at: Looking) -> Expected:
    at.end_if_pointed()
    classes, is_named = at.classes_or_named()
    own = {each.id for each in classes}
    exams = [each for each in at.records.exams if each.classroom in own]
    at.know_exams(exams)
    ids = at.of_words("exam", [(each.id, each.title) for each in exams], at.class_beside(exams), is_listed=True)
    found = [each for each in exams if ids is None or each.id in ids]
    if not found:
        at.end(say="no_exams")
    if at.operation == "count":
        return Found(numbers=(len(found),))
    shown = found[: at.limit]
    rows = tuple(
        (
            at.name_of[each.id],
            *(() if is_named else (at.name_of[each.classroom],)),
            Word(f"state {each.state}"),
            each.opens or NO_DATE,
            each.closes or NO_DATE,
        )
        for each in shown
    )
    handles = tuple(at.handle("exam", each.id, each.title) for each in shown)
    return Found(rows, more=len(found) - len(shown), numbers=(len(found),), handles=handles)


# Marks


def _class_performance(at: Looking) -> Expected:
    classroom = at.named_class() or at.one_class(at.own)
    exams = at.records.released(classroom.id)
    at.know_exams(exams)
    if not exams:
        at.end(say="no_released_exams")
    cells = {each.id: at.records.cells(each) for each in exams}
    if at.operation == "by_exam":
        rows = []
        for exam in exams:
            marks = marks_of(cells[exam.id])
            spread = (statistics.fmean(marks), max(marks), min(marks)) if marks else (NONE, NONE, NONE)
            rows.append((at.name_of[exam.id], exam.best, *spread, len(marks), absent_in(cells[exam.id])))
        shown = rows[: at.limit]
        handles = tuple(at.handle("exam", each.id, each.title) for each in exams[: at.limit])
        return Found(tuple(shown), more=len(rows) - len(shown), handles=handles)
    shares = {each.id: [mark / each.best for mark in marks_of(cells[each.id])] for each in exams}
    every = [share for of_exam in shares.values() for share in of_exam]
    best_and_weakest, titles = ends(shares, at.name_of)
    mean = (Share(statistics.fmean(every)), len(every)) if every else ()
    say = None if every else "no_marks"
    absences = sum(absent_in(of_exam) for of_exam in cells.values())
    numbers = (len(at.records.students(classroom.id)), len(exams), *mean, *best_and_weakest, absences)
    return Found(numbers=numbers, names=tuple(titles), say=say)


def _student_performance(at: Looking) -> Expected:
    classes, is_named = at.classes_or_named()
    student = at.one_student(classes, is_named=is_named)
    classroom = classes[0] if is_named else at.one_class(at.records.classes_of(student.id))
    exams = at.records.released(classroom.id)
    at.know_exams(exams)
    cells = {each.id: at.records.cells(each) for each in exams}
    own = {exam: next((c for c in of_exam if c.student.id == student.id), None) for exam, of_exam in cells.items()}
    if not exams:
        at.end(say="no_released_exams")
    if at.operation == "by_exam":
        rows = []
        for exam in exams[: at.limit]:
            cell, marks = own[exam.id], marks_of(cells[exam.id])
            mark = cell.mark if cell else None
            rows.append(
                (
                    at.name_of[exam.id],
                    (cell.shown if isinstance(cell.shown, float) else Word(cell.shown)) if cell else NONE,
                    exam.best,
                    Share(mark / exam.best) if mark is not None else NONE,
                    statistics.fmean(marks) if marks else NONE,
                )
            )
        handles = tuple(at.handle("exam", each.id, each.title) for each in exams[: at.limit])
        return Found(tuple(rows), more=len(exams) - len(rows), names=(at.name_of[student.id],), handles=handles)
    shares = {each.id: [c.mark / each.best] for each in exams if (c := own[each.id]) and c.mark is not None}
    best_and_weakest, titles = ends(shares, at.name_of)
    mean = (Share(statistics.fmean(share for [share] in shares.values())), len(shares)) if shares else ()
    missed = sum(cell.absent for cell in own.values() if cell)
    say = None if shares else "no_marks"
    names = (at.name_of[student.id], *titles)
    return Found(numbers=(len(exams), *mean, *best_and_weakest, missed), names=names, say=say)


def _exam_results(at: Looking) -> Expected:
    exam = at.one_exam()
    cells = at.records.cells(exam)
    is_of_one = at.ask.words("student") is not None or at.ask.picked("student") is not None
    if is_of_one and (at.operation == "list" or "student" in at.ask.query.searches):
        return _one_result(at, exam, cells)
    name_of, title = at.name_of, at.name_of[exam.id]
    at.know_people(at.records.students(exam.classroom))
    lacking = len(at.records.students(exam.classroom)) - len(cells)
    if not cells:
        at.end(say="no_marks", numbers=(0, 0, lacking), names=(title,))
    marked = {each.student.id: each.mark for each in cells if each.mark is not None}
    named = by_name([each.student for each in cells])
    absent = [each for each in named if any(c.absent for c in cells if c.student == each)]
    unmarked = [each for each in named if each.id not in marked and each not in absent]
    sign = 1 if at.operation == "lowest" else -1
    order = sorted((each for each in named if each.id in marked), key=lambda each: sign * marked[each.id])
    if at.operation == "list":
        rows: list[tuple[CellOf, ...]] = [(name_of[each.id], marked[each.id]) for each in order]
        rows += [
            (name_of[each.id], Word(word))
            for word, some in (("absent", absent), ("unmarked", unmarked))
            for each in some
        ]
        numbers = (len(order), len(absent), len(unmarked), lacking)
        handles = at.student_handles([*order, *absent, *unmarked][: at.limit])
        shown = tuple(rows[: at.limit])
        return Found(shown, len(rows) - len(shown), numbers, names=(title,), handles=handles)
    marks = sorted(marked.values())
    if not marks:
        at.end(say="no_marks", numbers=(len(absent), len(unmarked), lacking), names=(title,))
    if at.operation == "summary":
        middle = (statistics.fmean(marks), statistics.median(marks), marks[-1], marks[0])
        counts = (marks.count(marks[-1]), marks.count(marks[0]), len(absent), len(unmarked), lacking)
        return Found(numbers=(len(marks), *middle, exam.best, *counts), names=(title,))
    first = with_ties(order, at.limit, lambda each: marked[each.id])
    tied = len(first) - at.limit
    return Found(
        tuple((name_of[each.id], marked[each.id]) for each in first),
        more=len(order) - len(first),
        numbers=(tied,) if tied > 0 else (),
        names=(title,),
        handles=at.student_handles(first),
    )


def _one_result(at: Looking, exam: Exam, cells: Sequence[Cell]) -> Expected:
    """The student is looked for in the class of the exam alone."""
    at.topic = "student_result"
    student = at.one_student([each for each in at.own if each.id == exam.classroom], is_named=True)
    cell = next((each for each in cells if each.student.id == student.id), None)
    names = (at.name_of[exam.id], at.name_of[student.id])
    if cell is None or cell.mark is None:
        return Found(say=f"student {cell.shown if cell else 'without entry'}", names=names)
    return Found(numbers=(cell.mark, exam.best), names=names)


# Ranks and who took part


def _rankings(at: Looking) -> Expected:
    named = at.named_class()
    classroom = named or at.one_class(at.own)
    board = at.records.board(classroom.id)
    if not board:
        at.end(say="no_ranking")
    at.know_people([each.student for each in board])
    if at.operation == "place":
        student = at.one_student([classroom], is_named=True)
        place = next(each for each in board if each.student.id == student.id)
        others = sum(each.rank == place.rank for each in board) - 1
        numbers = (place.rank, place.points, len(board), *((others,) if others else ()))
        return Found(numbers=numbers, names=(at.name_of[student.id],))
    ranks = {each.student.id: each for each in board}
    order = [each.student for each in (board if at.operation == "top" else reversed(board))]
    shown = with_ties(order, at.limit, lambda each: ranks[each.id].rank)
    tied = len(shown) - at.limit
    return Found(
        tuple((ranks[each.id].rank, at.name_of[each.id], ranks[each.id].points) for each in shown),
        more=len(order) - len(shown),
        numbers=(tied,) if tied > 0 else (),
        handles=at.student_handles(shown),
    )


def _participation(at: Looking) -> Expected:
    exam = at.one_exam()
    cells = at.records.cells(exam)
    title = at.name_of[exam.id]
    at.topic = "participation"
    if not cells:
        at.end(say="nobody_has_entry", names=(title,))
    at.know_people(at.records.students(exam.classroom))
    lacking = len(at.records.students(exam.classroom)) - len(cells)
    absent = by_name([each.student for each in cells if each.absent])
    present = by_name([each.student for each in cells if not each.absent])
    told: tuple[int | Share, ...] = ()
    say = None
    if present and (absent or lacking):
        told = (len(present), len(cells), Share(len(present) / len(cells)))
    elif present:
        say = "all_took_part"
    else:
        say = "nobody_took_part"
    told += (lacking,)
    if at.operation == "rate":
        return Found(numbers=told, say=say, names=(title,))
    rows = absent if at.operation == "missing" else present
    shown = rows[: at.limit]
    at.topic = None if rows else at.topic
    return Found(
        tuple((at.name_of[each.id],) for each in shown) if rows else None,
        more=len(rows) - len(shown),
        numbers=told,
        say=say,
        names=(title,),
        handles=at.student_handles(shown),
    )


_LOOKUPS: Mapping[str, Callable[[Looking], Expected]] = {
    "query_classes": _classes,
    "query_students": _students,
    "query_exams": _exams,
    "query_class_performance": _class_performance,
    "query_student_performance": _student_performance,
    "query_exam_results": _exam_results,
    "query_rankings": _rankings,
    "query_participation": _participation,
}
