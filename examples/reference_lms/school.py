"""The school as data: eight invented people, two of them teachers who share nothing; ids never change."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Role(StrEnum):
    """What a person is in this LMS; the only roles a session may carry."""

    STUDENT = "student"
    TEACHER = "teacher"
    TRAINER_ADMIN = "trainer_admin"
    ADMIN = "admin"


class EntityKind(StrEnum):
    """The kinds of thing a screen can have on it."""

    COURSE = "course"
    CLASSROOM = "classroom"
    POOL = "pool"
    QUESTION = "question"
    EVALUATION = "evaluation"
    TEMPLATE = "template"


class Person(BaseModel):
    """Someone with an account."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sub: str
    name: str
    role: Role


class Entity(BaseModel):
    """A thing of exactly one teacher."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: EntityKind
    id: str
    title: str
    owner: str


class School(BaseModel):
    """Everyone and everything there is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    people: tuple[Person, ...]
    entities: tuple[Entity, ...]

    def person(self, sub: str) -> Person | None:
        return next((person for person in self.people if person.sub == sub), None)


FRENCH_TEACHER = Person(sub="1b13ab83-4f93-4aee-9639-1fb2c8268b8a", name="Zéphyrine Beaumarais", role=Role.TEACHER)
FILIPINO_TEACHER = Person(sub="10a6afe3-ad73-4257-981f-59e5759b1387", name="Ligaya Makabituin", role=Role.TEACHER)
STUDENTS = (
    Person(sub="f2660efe-2f93-4c6f-9c06-d6eefaba2cbe", name="Anaïs Tournesol", role=Role.STUDENT),
    Person(sub="1366b4ad-2376-4f01-a304-f187d3fab0e9", name="Bayani Alitaptap", role=Role.STUDENT),
    Person(sub="1857340b-1a75-4120-b8fa-cece71edfda5", name="Søren Månestråle", role=Role.STUDENT),
    Person(sub="41b1caed-7a08-4ee8-9d5a-398cc672ccb3", name="Imogen O’Fable", role=Role.STUDENT),
)
TRAINER_ADMIN = Person(sub="84d275e1-fd10-40bd-8f86-c0cf6ade7bf5", name="Jürgen Übermorgen", role=Role.TRAINER_ADMIN)
ADMIN = Person(sub="507d7c45-e138-458f-9b95-4dc96d1851f2", name="Ximena Quizás-Nadie", role=Role.ADMIN)

_THINGS: dict[Person, tuple[tuple[EntityKind, str, str], ...]] = {
    FRENCH_TEACHER: (
        (EntityKind.COURSE, "15836ecc-3473-4a44-96ca-e5bf72eccaa6", "Programmation en C, première année"),
        (EntityKind.CLASSROOM, "7061f74d-4306-450b-939a-358c5243912d", "Groupe 1B, salle Méridienne"),
        (EntityKind.POOL, "e0f315cd-3452-4f41-8691-993f41f5b231", "Pointeurs et tableaux"),
        (EntityKind.QUESTION, "7ae367d2-ee69-4d77-afbb-5be26ee7f121", "Que vaut un pointeur nul ?"),
        (EntityKind.EVALUATION, "e609e92b-6d38-49e4-bf48-d0c28925841c", "Contrôle nº 1 : les pointeurs"),
        (EntityKind.TEMPLATE, "2f1fc48c-8df8-4547-91aa-91877c2a488a", "Modèle de contrôle court"),
    ),
    FILIPINO_TEACHER: (
        (EntityKind.COURSE, "d5b0799e-4686-4941-b6dd-835e132950e5", "Biology for beginners"),
        (EntityKind.CLASSROOM, "7ffadcca-4172-441d-9600-07a5cd56aab0", "Section Sampaguita"),
        (EntityKind.POOL, "7d76feb5-bbe5-406d-947f-35a4d17066ad", "Cells and tissues"),
        (EntityKind.QUESTION, "4ee8e431-d881-46ee-bbdc-234a849d098c", "What does a chloroplast do?"),
        (EntityKind.EVALUATION, "5bd56536-f6c2-4db7-a838-299c03c3e0d9", "Quarterly exam: cells"),
        (EntityKind.TEMPLATE, "ff22bb4c-d77e-4b66-8712-e01b6e028500", "Ten-minute quiz"),
    ),
}

SCHOOL = School(
    people=(FRENCH_TEACHER, FILIPINO_TEACHER, *STUDENTS, TRAINER_ADMIN, ADMIN),
    entities=tuple(
        Entity(kind=kind, id=id_, title=title, owner=teacher.sub)
        for teacher, things in _THINGS.items()
        for kind, id_, title in things
    ),
)
