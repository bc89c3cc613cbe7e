"""The reference school, enlarged by what lookups may get wrong: 200 students, none, namesakes, ties, hostile titles."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_OID, uuid5

from examples.reference_lms.making.hostile import TITLES
from examples.reference_lms.making.names import FIRST, LAST
from examples.reference_lms.making.plan import STAFF
from examples.reference_lms.school import ADMIN, FILIPINO_TEACHER, FRENCH_TEACHER
from examples.reference_lms.store import Store

THIRD_TEACHER = next(person for person in STAFF if person.role.value == "teacher" and person.name.endswith("Quill"))

LARGE = 200
"""Students of the large class: as many as a table may have rows."""

HOSTILE_NAMES = (
    "Pipe | Bar",
    "Star *Bold* _Under_",
    "`Tick` Back\\slash",
    "[Link](https://elsewhere.example/a)",
    "<b>Tag</b> &amp; Amper",
    "# Heading Name",
    "1. First Item",
)

ONLY = ("Clay Moulder", "Marmor Bloc", "Gaspard Ébène", "Terra Cotta")
"""Of the one class of a teacher; the last came too late for its exam."""

CROWD = 23
"""Classes of two students each: with the others more than are read one by one."""


def made_id(kind: str, key: str) -> str:
    return str(uuid5(NAMESPACE_OID, f"lookups/{kind}/{key}"))


WITHOUT_CLASSES = made_id("person", "without classes")
WITH_ONE_CLASS = made_id("person", "with one class")
SECOND_ADMIN = made_id("person", "second administrator")


@dataclass(frozen=True)
class Made:
    """An evaluation to be made, and how its marks fall: a mark, "absent", "unmarked", or None for no cell at all."""

    title: str
    state: str
    marks: Sequence[float | str | None]
    best: float = 20.0
    opens: str | None = "2026-10-05T08:00:00+00:00"
    closes: str | None = "2026-10-06T08:00:00+00:00"


def _tied(count: int) -> list[float | str | None]:
    """Few marks for many students, some absent, some not all marked, some who came too late to have a cell."""
    chance = random.Random(count)
    marks: list[float | str | None] = []
    for place in range(count):
        if place % 17 == 5:
            marks.append("absent")
        elif place % 23 == 7:
            marks.append("unmarked")
        elif place % 41 == 11:
            marks.append(None)
        else:
            marks.append(chance.randint(9, 40) / 2)
    return marks


@dataclass
class Enlarging:
    """A store while more is put into it."""

    store: Store

    def person(self, name: str, key: str, role: str = "student") -> str:
        id_ = made_id("person", key)
        self.store.run("INSERT INTO person (id, name, role) VALUES (:id, :name, :role)", id=id_, name=name, role=role)
        return id_

    def course(self, title: str, **seats: str) -> str:
        """`seats` are people by what they are: teacher, manager."""
        id_ = made_id("course", title)
        self.store.run("INSERT INTO course (id, title, language) VALUES (:id, :title, 'en')", id=id_, title=title)
        for role, person in seats.items():
            self.seat(id_, person, role)
        return id_

    def seat(self, course: str, person: str, role: str) -> None:
        self.store.run(
            "INSERT OR IGNORE INTO seat VALUES (:course, :person, :role)", course=course, person=person, role=role
        )

    def classroom(self, title: str, course: str, students: Sequence[str], *exams: Made) -> str:
        id_ = made_id("classroom", f"{course}/{title}")
        self.store.run("INSERT INTO classroom VALUES (:id, :title, :course)", id=id_, title=title, course=course)
        for student in students:
            self.enrol(id_, student)
        for place, exam in enumerate(exams):
            self.exam(id_, exam, students, key=f"{id_}/{place}")
        return id_

    def enrol(self, classroom: str, student: str) -> None:
        self.store.run("INSERT INTO enrolment VALUES (:classroom, :student)", classroom=classroom, student=student)

    def exam(self, classroom: str, made: Made, students: Sequence[str], *, key: str) -> None:
        id_ = made_id("evaluation", key)
        self.store.run(
            "INSERT INTO evaluation VALUES (:id, :title, :state, :classroom, :opens, :closes, 45, 0, 1, :best)",
            id=id_,
            title=made.title,
            state=made.state,
            classroom=classroom,
            opens=made.opens,
            closes=made.closes,
            best=made.best,
        )
        for student, mark in zip(students, made.marks, strict=True):
            if mark is not None:
                self.store.run(
                    "INSERT INTO grade VALUES (:exam, :student, :mark, :final, :absent, 'Remark never told.')",
                    exam=id_,
                    student=student,
                    mark={"absent": None, "unmarked": 3.25}.get(mark) if isinstance(mark, str) else mark,
                    final=mark != "unmarked",
                    absent=mark == "absent",
                )


def enlarge(store: Store) -> None:
    with store.transaction():
        making = Enlarging(store)
        _large_course(making)
        _crowded_course(making)
        _others(making)


def _large_course(making: Enlarging) -> None:
    """Of the French teacher: the classes of 200, of one, of none, and one with namesakes and somebody of another."""
    course = making.course("Mathématiques discrètes", teacher=FRENCH_TEACHER.sub, manager=ADMIN.sub)
    names = [f"{FIRST[n % 30]} {LAST[(n * 7 + n // 29) % 29]}-{LAST[(n + 11) % 29]}" for n in range(LARGE)]
    names[: len(HOSTILE_NAMES)] = HOSTILE_NAMES
    many = [making.person(name, f"large/{place}") for place, name in enumerate(names)]
    making.classroom(
        "Grand amphithéâtre",
        course,
        many,
        Made("Partiel d'octobre", "released", _tied(LARGE), closes="2026-10-08T10:00:00+00:00"),
        Made("Rattrapage manqué", "released", ["absent"] * LARGE),
        Made("Oral encore ouvert", "released", ["unmarked"] * LARGE),
        Made("Partiel de novembre", "closed", _tied(LARGE)),
        Made("Partiel de décembre", "scheduled", [None] * LARGE, opens="2026-12-01T09:15:00+00:00", closes=None),
        Made("Brouillon", "draft", [None] * LARGE, opens=None, closes=None),
        Made(TITLES[2], "released", [*(None for _ in range(LARGE - 3)), 3.5, 17.25, "absent"], best=30),
        Made(TITLES[6], "running", ["unmarked"] * LARGE),
        Made(TITLES[7], "released", [20.0] * LARGE),
    )
    making.classroom("Tutorat", course, [making.person("Perdita Solé", "one")], Made("Bilan", "released", [13.75]))
    making.classroom("Salle vide", course, [], Made("Examen fantôme", "released", []))
    making.classroom("Salle neuve", course, [making.person("Ondine Vague", "new")])
    shared = making.store.rows(
        "SELECT person FROM enrolment JOIN classroom ON classroom.id = classroom WHERE title LIKE 'Groupe 1B%'"
        " ORDER BY enrolment.rowid LIMIT 2"
    )
    twins = [making.person("Éloïse Ferrand", f"twin/{place}") for place in range(2)]
    small = [*twins, *(row["person"] for row in shared), making.person("Théodule Œuvrard", "small")]
    making.classroom(
        "Atelier | du *soir*",
        course,
        small,
        Made("Défi commun", "released", [8.0] * 5, best=16),
        Made("Défi final", "released", [11.5, 9.0, 15.75, "absent", "unmarked"], best=16),
    )


def _crowded_course(making: Enlarging) -> None:
    """Of the administrators: classes by the dozen, two of one title in two courses."""
    course = making.course("Preparatory year", manager=ADMIN.sub)
    for number in range(CROWD):
        students = [making.person(f"{FIRST[number]} Crowd {n}", f"crowd/{number}/{n}") for n in ("One", "Two")]
        exam = Made(f"Placement check {number}", "released" if number % 4 else "closed", [number / 2, 40.0], best=50)
        making.classroom(f"Crowd {number:02}", course, students, exam)
    for title in ("Physics of waves", "Chemistry of food"):
        other = making.course(title, manager=ADMIN.sub, teacher=SECOND_ADMIN)
        students = [making.person(f"{title.split()[0]} Pupil {n}", f"{title}/{n}") for n in range(4)]
        exam = Made("Shared sheet", "released", [5.0, 5.0, 2.5, "absent"], best=10)
        making.classroom("Section A", other, students, exam)
    students = [making.person(f"Hostile Seat {n}", f"hostile/{n}") for n in range(3)]
    exams = [Made(title, "released", [1.0, 2.0, 3.0], best=4) for title in (TITLES[0], TITLES[4], TITLES[5])]
    making.classroom(TITLES[1], made_id("course", "Physics of waves"), students, *exams)


def _others(making: Enlarging) -> None:
    """A teacher without a class, one with a single class, and an administrator with some courses."""
    making.person("Nadège Sansclasse", "without classes", role="teacher")
    making.person("Unica Singleton", "with one class", role="teacher")
    making.person("Secunda Prefect", "second administrator", role="admin")
    only = making.course("Sculpture", teacher=WITH_ONE_CLASS)
    students = [making.person(name, f"only/{name}") for name in ONLY]
    making.classroom("Studio", only, students, Made("Bust", "released", [6.0, 9.5, "absent", None], best=10))
    for teacher in (FILIPINO_TEACHER.sub, THIRD_TEACHER.sub):
        for row in making.store.rows("SELECT course FROM seat WHERE person = :me AND role = 'teacher'", me=teacher):
            making.seat(row["course"], SECOND_ADMIN, "manager")


ASKING = (
    FRENCH_TEACHER.sub,
    FILIPINO_TEACHER.sub,
    THIRD_TEACHER.sub,
    WITH_ONE_CLASS,
    WITHOUT_CLASSES,
    ADMIN.sub,
    SECOND_ADMIN,
)
"""Who asks: teachers with many classes, few, one and none, and two administrators."""
