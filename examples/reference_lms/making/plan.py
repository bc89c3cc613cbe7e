"""What there is: three courses of three teachers, and who sits where."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from examples.reference_lms.making import subjects
from examples.reference_lms.making.subjects import Subject
from examples.reference_lms.school import (
    ADMIN,
    FILIPINO_TEACHER,
    FRENCH_TEACHER,
    SCHOOL,
    STUDENTS,
    TRAINER_ADMIN,
    Person,
    Role,
)

_SPACE = UUID("5f0c3f0e-54a7-4c1a-9d0e-2f6f5c1f7c11")
"""Namespace of every id that is worked out: change it and all of them change."""

_FIXED = {(thing.kind.value, thing.title): thing.id for thing in SCHOOL.entities}


def id_of(kind: str, *, title: str, key: str) -> str:
    """The id of a made thing: the cast's own where it has one of that title, else out of its key."""
    return _FIXED.get((kind, title)) or str(uuid5(_SPACE, f"{kind}/{key}"))


THIRD_TEACHER = Person(sub=id_of("person", title="", key="third"), name="Adébáyọ̀ Quill", role=Role.TEACHER)
"""Neither of the other two may ever see what is this one's."""

STAFF: tuple[Person, ...] = (FRENCH_TEACHER, FILIPINO_TEACHER, THIRD_TEACHER, TRAINER_ADMIN, ADMIN)


@dataclass(frozen=True)
class ClassPlan:
    """A classroom, who of the cast sits in it, and the states of its evaluations in order."""

    title: str
    states: Sequence[str]
    cast: Sequence[Person] = ()


@dataclass(frozen=True)
class CoursePlan:
    """A course and all that belongs to it; pools that are linked to no course are the teacher's own."""

    teacher: Person
    title: str
    language: str
    description: str
    best_mark: float
    evaluation: str
    classrooms: Sequence[ClassPlan]
    linked: Sequence[Subject]
    own: Sequence[Subject]
    templates: Sequence[str]
    others: Sequence[tuple[Person, str]] = ()


COURSES = (
    CoursePlan(
        teacher=FRENCH_TEACHER,
        title="Programmation en C, première année",
        language="fr",
        description="Les bases du langage C, en deux groupes.",
        best_mark=20,
        evaluation="Contrôle nº {} : {}",
        classrooms=(
            ClassPlan(
                "Groupe 1B, salle Méridienne",
                ("released", "running", "closed", "draft"),
                cast=(STUDENTS[0], STUDENTS[2]),
            ),
            ClassPlan("Groupe 2A, salle Équinoxe", ("released", "scheduled", "closed", "running")),
        ),
        linked=(subjects.POINTERS, subjects.LOOPS),
        own=(subjects.STRUCTS,),
        templates=("Modèle de contrôle court", "Modèle d'examen final"),
        # A seat that opens nothing to a trainer administrator: the role reads no teaching data.
        others=((TRAINER_ADMIN, "observer"),),
    ),
    CoursePlan(
        teacher=FILIPINO_TEACHER,
        title="Biology for beginners",
        language="en",
        description="Cells, plants, and what keeps them alive.",
        best_mark=100,
        evaluation="Quiz {}: {}",
        classrooms=(
            ClassPlan("Section Sampaguita", ("released", "running", "closed"), cast=(STUDENTS[1], STUDENTS[3])),
            ClassPlan("Section Narra", ("released", "closed", "scheduled")),
        ),
        linked=(subjects.CELLS, subjects.PLANTS),
        own=(subjects.GENETICS,),
        templates=("Ten-minute quiz", "Lab report"),
        others=((ADMIN, "manager"),),
    ),
    CoursePlan(
        teacher=THIRD_TEACHER,
        title="Statistics with real data",
        language="en",
        description="Surveys, samples and lines.",
        best_mark=10,
        evaluation="Test {}: {}",
        classrooms=(
            ClassPlan("Evening group", ("released", "running", "released")),
            ClassPlan("Saturday group", ("released", "closed", "draft")),
        ),
        linked=(subjects.SAMPLING, subjects.REGRESSION),
        own=(),
        templates=("Weekly check",),
    ),
)

FIRST_TITLES = {
    "Groupe 1B, salle Méridienne": "Contrôle nº 1 : les pointeurs",
    "Section Sampaguita": "Quarterly exam: cells",
    subjects.POINTERS.title: "Que vaut un pointeur nul ?",
    subjects.CELLS.title: "What does a chloroplast do?",
}
"""Titles of the first evaluation of a classroom and the first question of a pool, where the cast has one."""
