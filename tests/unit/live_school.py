"""A small school in memory that answers what a plan reads, and notes what it was asked."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid5

from assist_service.domain.live.asking import (
    BoardOf,
    Brought,
    OwnClasses,
    OwnExams,
    Read,
    ResultsOf,
    Several,
    StudentsOf,
)
from assist_service.domain.live.finding import Called, Cell, Finding, Looked, Say, Sentence, Share, Unclear, Word
from assist_service.domain.live.plans import plan
from assist_service.domain.live.query import DEFAULT_ROWS, OPERATIONS, Lookup, Operation, Query, RecordKind
from assist_service.domain.live.scope import Ask
from assist_service.domain.references import NOTHING, PLACEHOLDERS, Listed, Option, Picked, Selection
from assist_service.domain.school import (
    Classroom,
    Evaluation,
    EvaluationState,
    Grade,
    Gradebook,
    GradeColumn,
    GradeRow,
    Leaderboard,
    Named,
    Rank,
    Ref,
    results_of,
)

IDS = UUID("6f6d1c0a-4f0b-4d8a-9a54-2f1f3f5f9a11")

IN_GRADEBOOK = frozenset({EvaluationState.RUNNING, EvaluationState.CLOSED, EvaluationState.RELEASED})

CLASS, STUDENT, EXAM = RecordKind.CLASS, RecordKind.STUDENT, RecordKind.EXAM

THE_CLASS, THE_STUDENT, THE_EXAM = (PLACEHOLDERS[kind] for kind in (CLASS, STUDENT, EXAM))
"""What a model writes for the record that is selected, or on screen."""

Standing = float | Word | None
"""What a student has in an exam. None: the exam is not theirs at all."""


def id_of(kind: RecordKind, key: str) -> UUID:
    return uuid5(IDS, f"{kind.value} {key}")


def student(name: str, key: str = "") -> Named:
    """A person; another of the same name by another key."""
    return Named(id=id_of(STUDENT, f"{name} {key}"), name=name)


def picks(*records: Classroom | Evaluation | Named) -> Selection:
    """These as selected, or as on screen."""
    kinds = {Classroom: CLASS, Evaluation: EXAM, Named: STUDENT}
    return Selection(records=tuple(Picked(kind=kinds[type(each)], id=each.id) for each in records))


@dataclass(frozen=True)
class Driven:
    """What a plan came to, and what it asked, step by step."""

    looked: Looked
    steps: tuple[tuple[Read, ...], ...]

    @property
    def reads(self) -> tuple[Read, ...]:
        return tuple(read for step in self.steps for read in step)

    @property
    def finding(self) -> Finding:
        assert isinstance(self.looked, Finding), self.looked
        return self.looked

    @property
    def unclear(self) -> Unclear:
        assert isinstance(self.looked, Unclear), self.looked
        return self.looked

    @property
    def labels(self) -> list[str]:
        return [each.label for each in self.unclear.options]

    @property
    def rows(self) -> list[tuple[object, ...]]:
        """The table, each name and share as it is."""
        table = self.finding.table
        return [tuple(_plain(cell) for cell in row.cells) for row in table.rows] if table is not None else []

    @property
    def more(self) -> int:
        assert self.finding.table is not None
        return self.finding.table.more

    @property
    def said(self) -> list[tuple[Say, object]]:
        return [(each.say, _heard(each)) for each in self.finding.said]

    @property
    def says(self) -> list[Say]:
        return [each.say for each in self.finding.said]

    @property
    def notes(self) -> list[tuple[Say, int | None]]:
        return [(each.say, each.count) for each in self.finding.notes]

    @property
    def classes(self) -> list[str]:
        return [each.text for each in self.finding.classes]

    @property
    def about(self) -> list[str]:
        return [each.label for each in self.finding.about]

    @property
    def selections(self) -> list[Selection]:
        """Those of the rows."""
        table = self.finding.table
        return [row.listed.selection for row in table.rows if row.listed is not None] if table is not None else []

    def option(self, label: str) -> Option:
        return next(each for each in self.unclear.options if each.label == label)

    def listed(self, label: str) -> Listed:
        assert self.finding.table is not None
        found = [row.listed for row in self.finding.table.rows if row.listed is not None]
        return next(each for each in found if each.label == label)


def _plain(cell: Cell) -> object:
    if isinstance(cell, Called):
        return cell.text
    return cell.of_one if isinstance(cell, Share) else cell


def _heard(sentence: Sentence) -> object:
    """What is said beside which sentence it is: a number, the values, both, or the kind."""
    values = {name: _plain(cell) for name, cell in sentence.values.items()}
    if not values:
        return sentence.count if sentence.kind is None else sentence.kind
    return values if sentence.count is None else (sentence.count, values)


@dataclass
class School:
    """The classes, exams, marks and ranks that an LMS has for one person; those that are not own it does not list."""

    classes: list[Classroom] = field(default_factory=list)
    exams: list[Evaluation] = field(default_factory=list)
    rosters: dict[UUID, list[Named]] = field(default_factory=dict)
    columns: dict[UUID, list[GradeColumn]] = field(default_factory=dict)
    marks: dict[UUID, Mapping[Named, Standing]] = field(default_factory=dict)
    """By exam."""
    boards: dict[UUID, list[Rank]] = field(default_factory=dict)
    cut: set[Read] = field(default_factory=set)
    """Lists that have more than was read."""

    def add_class(
        self, title: str, students: Iterable[Named] = (), *, course: str = "Course", key: str = "", is_own: bool = True
    ) -> Classroom:
        roster = list(students)
        added = Classroom(
            id=id_of(CLASS, f"{title} {course} {key}"),
            title=title,
            course=Ref(id=uuid5(IDS, course), title=course),
            student_count=len(roster),
        )
        if is_own:
            self.classes.append(added)
        self.rosters[added.id] = roster
        return added

    def add_exam(
        self,
        classroom: Classroom,
        title: str,
        marks: Mapping[Named, Standing] | None = None,
        *,
        state: EvaluationState = EvaluationState.RELEASED,
        best_mark: float = 10,
        opens_at: dt.datetime | None = None,
        closes_at: dt.datetime | None = None,
        key: str = "",
    ) -> Evaluation:
        """An exam; in its class's gradebook as soon as it has begun."""
        added = Evaluation(
            id=id_of(EXAM, f"{title} {classroom.id} {key}"),
            title=title,
            state=state,
            classroom=Ref(id=classroom.id, title=classroom.title),
            opens_at=opens_at,
            closes_at=closes_at,
        )
        self.exams.append(added)
        if state in IN_GRADEBOOK:
            column = GradeColumn(id=added.id, title=title, state=state, best_mark=best_mark)
            self.columns.setdefault(classroom.id, []).append(column)
        self.marks[added.id] = marks or {}
        return added

    def rank(self, classroom: Classroom, *ranks: tuple[Named, int, float]) -> None:
        """The LMS's leaderboard of a class, in its order."""
        self.boards[classroom.id] = [Rank(student=who, rank=rank, points=points) for who, rank, points in ranks]

    def gradebook(self, classroom: UUID) -> Gradebook:
        columns = self.columns.get(classroom, [])
        others = [who for column in columns for who in self.marks[column.id]]
        everybody = dict.fromkeys((*self.rosters.get(classroom, []), *others))
        rows = tuple(GradeRow(student=who, grades=tuple(self._grades(who, columns))) for who in everybody)
        return Gradebook(columns=tuple(columns), rows=rows)

    def _grades(self, who: Named, columns: Sequence[GradeColumn]) -> Iterable[Grade]:
        for column in columns:
            standing = self.marks[column.id].get(who)
            if standing is Word.ABSENT:
                yield Grade(column=column.id, absent=True)
            elif standing is Word.UNMARKED:
                yield Grade(column=column.id, mark=1.0)
            elif standing is not None:
                yield Grade(column=column.id, mark=float(standing), final=True)

    def bring(self, read: Read) -> Brought:
        """What the LMS answers, whoever asks for a class that is not theirs included: a plan may not."""
        is_cut = read in self.cut
        match read:
            case OwnClasses():
                return Several(tuple(self.classes), is_cut=is_cut)
            case OwnExams(classroom):
                exams = tuple(each for each in self.exams if classroom in (None, each.classroom.id))
                return Several(exams, is_cut=is_cut)
            case StudentsOf(classroom):
                return Several(tuple(self.rosters[classroom]), is_cut=is_cut)
            case ResultsOf(classroom):
                return results_of(self.gradebook(classroom))
            case BoardOf(classroom):
                return Leaderboard(rows=tuple(self.boards.get(classroom, ())))

    def drive(self, ask: Ask) -> Driven:
        """Runs the plan of a lookup to its end."""
        asking, steps = plan(ask), []
        step = next(asking)
        try:
            while True:
                steps.append(step)
                step = asking.send({read: self.bring(read) for read in step})
        except StopIteration as stop:
            return Driven(stop.value, tuple(steps))

    def look_up(
        self,
        lookup: Lookup,
        operation: Operation | None = None,
        *,
        limit: int = DEFAULT_ROWS,
        selected: Selection = NOTHING,
        on_screen: Selection = NOTHING,
        in_class: str | None = None,
        student: str | None = None,
        exam: str | None = None,
    ) -> Driven:
        """As a model would call it: `student="ana"`, `exam="the selected exam"`."""
        words = {CLASS: in_class, STUDENT: student, EXAM: exam}
        searches = {kind: each for kind, each in words.items() if each is not None}
        query = Query(lookup=lookup, operation=operation or OPERATIONS[lookup][0], searches=searches, limit=limit)
        return self.drive(Ask(query, selected=selected, on_screen=on_screen))

    def go_on(self, option: Option) -> Driven:
        """What a choice leads to, as the service runs it: nothing is on screen then."""
        return self.drive(Ask(option.waiting, selected=option.selection))
