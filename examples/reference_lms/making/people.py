"""The 120 students by classroom, and what an LMS knows of a person that nobody else needs."""

import sqlite3
from collections.abc import Iterator
from random import Random

from examples.reference_lms.making.names import AWKWARD, CLASSROOM_SIZE, plain_names
from examples.reference_lms.making.plan import COURSES, STAFF, ClassPlan, id_of
from examples.reference_lms.school import Person, Role

STREETS = ("Rue des Lilas", "Mabini Street", "Acacia Avenue", "Ringvägen", "Calle Mayor")


def add_people(connection: sqlite3.Connection) -> None:
    """Staff first, then each classroom's students in the order of their places."""
    students = [student for _, members in students_by_classroom() for student in members]
    connection.executemany(
        "INSERT INTO person (id, name, role, email, birth_date, address, id_number, remarks)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(person.sub, person.name, person.role.value, *_private(person)) for person in (*STAFF, *students)],
    )


def students_by_classroom() -> Iterator[tuple[ClassPlan, list[Person]]]:
    """Twenty to a classroom: those of the cast, then the awkward names, then plain ones."""
    plain = plain_names()
    classrooms = [classroom for course in COURSES for classroom in course.classrooms]
    for number, classroom in enumerate(classrooms):
        names = list(AWKWARD[number])
        while len(classroom.cast) + len(names) < CLASSROOM_SIZE:
            names.append(next(plain))
        made = [
            Person(sub=id_of("person", title="", key=f"{number}/{place}"), name=name, role=Role.STUDENT)
            for place, name in enumerate(names)
        ]
        yield classroom, [*classroom.cast, *made]


def _private(person: Person) -> tuple[str, str, str, str, str]:
    """Recognisable in any text it should not have reached: each holds a word of its own."""
    random = Random(person.sub)
    first_year = 2005 if person.role is Role.STUDENT else 1962
    born = f"{random.randint(first_year, first_year + 6)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    address = f"{random.randint(1, 99)} {random.choice(STREETS)}"
    return (
        f"{person.sub[:8]}@private.example",
        born,
        address,
        f"ID-{random.randint(10**8, 10**9 - 1)}",
        "Remark of the office: pays by instalments.",
    )
