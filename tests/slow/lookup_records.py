"""What the LMS's database knows of a person's own classes, by SQL over its tables: nothing of the service is used."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from examples.reference_lms.store import Store


@dataclass(frozen=True)
class Student:
    id: str
    name: str


@dataclass(frozen=True)
class Exam:
    id: str
    title: str
    state: str
    classroom: str
    opens: dt.datetime | None
    closes: dt.datetime | None
    best: float


@dataclass(frozen=True)
class Cell:
    """What may be told of a student in a released exam: a final mark, or "absent", or "unmarked"."""

    student: Student
    mark: float | None
    absent: bool

    @property
    def shown(self) -> float | str:
        return "absent" if self.absent else "unmarked" if self.mark is None else self.mark


@dataclass(frozen=True)
class Place:
    student: Student
    rank: int
    points: float


@dataclass(frozen=True)
class Class:
    id: str
    title: str
    course: str

    @property
    def label(self) -> str:
        return f"{self.title} · {self.course}"


@dataclass
class Records:
    """Everything that one person may look up."""

    store: Store
    me: str

    @cached_property
    def classes(self) -> Sequence[Class]:
        rows = self.store.rows(
            "SELECT c.id, c.title, course.title AS course FROM classroom c JOIN course ON course.id = c.course"
            " WHERE c.course IN (SELECT course FROM seat WHERE person = :me) ORDER BY c.rowid",
            me=self.me,
        )
        return [Class(**row) for row in rows]

    def students(self, classroom: str) -> Sequence[Student]:
        rows = self.store.rows(
            "SELECT p.id, p.name FROM person p JOIN enrolment e ON e.person = p.id WHERE e.classroom = :id"
            " ORDER BY e.rowid",
            id=classroom,
        )
        return [Student(**row) for row in rows]

    def classes_of(self, student: str) -> Sequence[Class]:
        rows = self.store.rows("SELECT classroom FROM enrolment WHERE person = :id", id=student)
        held = {row["classroom"] for row in rows}
        return [each for each in self.classes if each.id in held]

    @cached_property
    def exams(self) -> Sequence[Exam]:
        """Of all own classes, in the order in which the LMS has them."""
        rows = self.store.rows(
            "SELECT v.* FROM evaluation v JOIN classroom c ON c.id = v.classroom WHERE c.course IN"
            " (SELECT course FROM seat WHERE person = :me) ORDER BY v.rowid",
            me=self.me,
        )
        return [
            Exam(
                row["id"],
                row["title"],
                row["state"],
                row["classroom"],
                _time(row["opens_at"]),
                _time(row["closes_at"]),
                row["best_mark"],
            )
            for row in rows
        ]

    def released(self, classroom: str) -> Sequence[Exam]:
        return [each for each in self.exams if each.classroom == classroom and each.state == "released"]

    def cells(self, exam: Exam) -> Sequence[Cell]:
        """A released exam's, of the students who sit in its class and have one, in the order of their seats."""
        assert exam.state == "released"
        rows = self.store.rows(
            "SELECT p.id, p.name, g.mark, g.final, g.absent FROM grade g JOIN person p ON p.id = g.person"
            " JOIN enrolment e ON e.person = p.id AND e.classroom = :classroom WHERE g.evaluation = :exam"
            " ORDER BY e.rowid",
            exam=exam.id,
            classroom=exam.classroom,
        )
        return [
            Cell(
                Student(row["id"], row["name"]),
                row["mark"] if row["final"] and not row["absent"] else None,
                bool(row["absent"]),
            )
            for row in rows
        ]

    def board(self, classroom: str) -> Sequence[Place]:
        """As the LMS ranks: points of final marks of released exams, equal points sharing a rank, seats in order."""
        rows = self.store.rows(
            "SELECT p.id, p.name, coalesce((SELECT sum(g.mark) FROM grade g JOIN evaluation v ON v.id = g.evaluation"
            " WHERE g.person = p.id AND v.classroom = :id AND v.state = 'released' AND g.final AND NOT g.absent), 0.0)"
            " AS points FROM person p JOIN enrolment e ON e.person = p.id WHERE e.classroom = :id"
            " ORDER BY points DESC, e.rowid",
            id=classroom,
        )
        points = [row["points"] for row in rows]
        return [
            Place(Student(row["id"], row["name"]), 1 + sum(each > row["points"] for each in points), row["points"])
            for row in rows
        ]


def _time(text: str | None) -> dt.datetime | None:
    return None if text is None else dt.datetime.fromisoformat(text)
