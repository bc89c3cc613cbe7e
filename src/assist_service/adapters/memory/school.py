"""A made school in memory, as one teacher sees it: lookups run on it as they do on an LMS, and nobody in it is real."""

import datetime as dt
import uuid
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from assist_service.adapters.lms.refusing import NoReads, NoWrites
from assist_service.domain.live.query import RecordKind
from assist_service.domain.people import Role
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
    Page,
    Rank,
    Ref,
    Standing,
)
from assist_service.domain.writes import WriteTool
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads, SchoolWriter

CLOSED = ConfigDict(extra="forbid", frozen=True)

Name = Annotated[str, StringConstraints(min_length=1, max_length=100)]

IDS = uuid.UUID("6f1d3a52-7c0e-5b1e-9a53-2f1f1f0c7e11")
"""Ids are made from names, so that they are the same in each run."""

OFFERED = frozenset({"classrooms", "classroom", "students", "evaluations", "gradebook", "leaderboard"})


class MadeExam(BaseModel):
    """An exam. A student without a mark was absent where listed so, else the work is not marked yet."""

    model_config = CLOSED

    title: Name
    state: EvaluationState
    best_mark: float = Field(gt=0)
    closes_at: AwareDatetime
    marks: Mapping[Name, float] = {}
    absent: tuple[Name, ...] = ()


class MadeClass(BaseModel):
    model_config = CLOSED

    title: Name
    course: Name
    students: tuple[Name, ...]
    exams: tuple[MadeExam, ...] = ()


class School(BaseModel):
    """The classes of the one teacher there is. A name stands for one record of its kind over the whole school."""

    model_config = CLOSED

    classes: tuple[MadeClass, ...] = Field(min_length=1)

    def has(self, kind: RecordKind, name: str) -> bool:
        names: Mapping[RecordKind, list[str]] = {
            RecordKind.CLASS: [each.title for each in self.classes],
            RecordKind.STUDENT: [student for each in self.classes for student in each.students],
            RecordKind.EXAM: [exam.title for each in self.classes for exam in each.exams],
        }
        return name in names[kind]

    def find(self, kind: RecordKind, name: str) -> uuid.UUID:
        """The id of a record that the school has."""
        return _id(kind, name)


def _id(kind: str, name: str) -> uuid.UUID:
    return uuid.uuid5(IDS, f"{kind}:{name}")


class MadeReads(NoReads):
    """Implements ports.SchoolReads; what the school does not have is refused, as by an LMS without it."""

    def __init__(self, school: School) -> None:
        self._classes = {_id(RecordKind.CLASS, each.title): each for each in school.classes}

    def for_tool(self, tool: str) -> SchoolReads:
        return self

    async def classrooms(self, *, cursor: str | None = None) -> Page[Classroom]:
        return Page(items=tuple(_classroom(each) for each in self._classes.values()))

    async def classroom(self, classroom: uuid.UUID) -> Classroom:
        return _classroom(self._class(classroom))

    async def students(self, classroom: uuid.UUID, *, cursor: str | None = None) -> Page[Named]:
        return Page(items=tuple(_student(name) for name in self._class(classroom).students))

    async def evaluations(
        self, *, classroom: uuid.UUID | None = None, state: EvaluationState | None = None, cursor: str | None = None
    ) -> Page[Evaluation]:
        classes = self._classes.values() if classroom is None else (self._class(classroom),)
        exams = [_evaluation(exam, made) for made in classes for exam in made.exams]
        return Page(items=tuple(exam for exam in exams if state in (None, exam.state)))

    async def gradebook(self, classroom: uuid.UUID) -> Gradebook:
        made = self._class(classroom)
        return Gradebook(
            columns=tuple(_column(exam) for exam in made.exams),
            rows=tuple(
                GradeRow(student=_student(name), grades=tuple(_grade(exam, name) for exam in made.exams))
                for name in made.students
            ),
        )

    async def leaderboard(self, classroom: uuid.UUID) -> Leaderboard:
        """By the sum of the marks of released exams; who has as many shares a rank."""
        made = self._class(classroom)
        released = [exam for exam in made.exams if exam.state is EvaluationState.RELEASED]
        points = {name: sum(exam.marks.get(name, 0.0) for exam in released) for name in made.students}
        ordered = sorted(made.students, key=lambda name: -points[name])
        return Leaderboard(
            rows=tuple(
                Rank(
                    student=_student(name),
                    rank=1 + sum(other > points[name] for other in points.values()),
                    points=points[name],
                )
                for name in ordered
            )
        )

    def _class(self, classroom: uuid.UUID) -> MadeClass:
        if (made := self._classes.get(classroom)) is None:
            raise LmsFault(LmsFaultKind.NOT_FOUND)
        return made


class MadeLms:
    """Implements ports.Lms: the school's teacher reads it, whoever asks, and nothing is written."""

    def __init__(self, school: School) -> None:
        self._reads = MadeReads(school)

    @property
    def offers(self) -> frozenset[str]:
        return OFFERED

    def reading(self, session: str) -> AbstractAsyncContextManager[SchoolReads]:
        return nullcontext(self._reads)

    def writing(self, session: str, tool: WriteTool) -> AbstractAsyncContextManager[SchoolWriter]:
        return nullcontext(NoWrites())

    async def standing(self, sub: str) -> Standing:
        return Standing(role=Role.TEACHER, active=True, exam_in_progress=False)


def _student(name: str) -> Named:
    return Named(id=_id(RecordKind.STUDENT, name), name=name)


def _classroom(made: MadeClass) -> Classroom:
    course = Ref(id=_id("course", made.course), title=made.course)
    return Classroom(
        id=_id(RecordKind.CLASS, made.title), title=made.title, course=course, student_count=len(made.students)
    )


def _evaluation(exam: MadeExam, made: MadeClass) -> Evaluation:
    return Evaluation(
        id=_id(RecordKind.EXAM, exam.title),
        title=exam.title,
        state=exam.state,
        classroom=Ref(id=_id(RecordKind.CLASS, made.title), title=made.title),
        opens_at=exam.closes_at - dt.timedelta(hours=1),
        closes_at=exam.closes_at,
    )


def _column(exam: MadeExam) -> GradeColumn:
    mean = sum(exam.marks.values()) / len(exam.marks) if exam.marks else None
    return GradeColumn(
        id=_id(RecordKind.EXAM, exam.title), title=exam.title, state=exam.state, best_mark=exam.best_mark, mean=mean
    )


def _grade(exam: MadeExam, name: str) -> Grade:
    mark = exam.marks.get(name)
    return Grade(column=_id(RecordKind.EXAM, exam.title), mark=mark, final=mark is not None, absent=name in exam.absent)
