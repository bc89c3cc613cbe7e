"""Choices and follow-ups over HTTP: a house with every lookup, a conversation to choose in, tokens made at its desk."""

import uuid
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import asyncpg
import httpx2

from assist_service.domain.live.query import Lookup, Operation, Query, RecordKind
from assist_service.domain.references import Listed, Option, Picked, Selection
from assist_service.domain.screens import Language
from assist_service.services.references import Holder
from examples.reference_lms.school import SCHOOL
from tests.fakes.house import TEACHER, House
from tests.web.school_policy import school_house

EVERY_LOOKUP = {"roles": {"teacher": {"tools": {lookup.value: "sealed" for lookup in Lookup}}}}

UNBOUND: dict[str, Any] = {
    **EVERY_LOOKUP,
    "limits": {"questions_per_minute": 1000, "questions_per_day": 10_000},
    "conversation": {"one_active": False},
}
"""With no limit that many cases in one house would meet."""

LIST_STUDENTS = Query(lookup=Lookup.STUDENTS, operation=Operation.LIST)
"""What waits for a class in most of these tests."""


def choosing_house(database_url: str, **changes: Any) -> AbstractAsyncContextManager[House]:
    """Under the school's policy."""
    return school_house(database_url, **{"ruled": UNBOUND, **changes})


def classes_of(teacher: str = TEACHER) -> dict[str, str]:
    """Titles of a teacher's classes, by id."""
    return {each.id: each.title for each in SCHOOL.entities if each.owner == teacher and each.kind.value == "classroom"}


def class_id(teacher: str = TEACHER) -> str:
    return next(iter(classes_of(teacher)))


def students_of(house: House, classroom: str | None = None) -> list[str]:
    """The names of a class's students."""
    rows = house.school.rows(
        "SELECT name FROM enrolment JOIN person ON person.id = person WHERE classroom = :id", id=classroom or class_id()
    )
    return [row["name"] for row in rows]


def told_apart(names: Sequence[str]) -> list[str]:
    """Sorted, and those of one name with the numbers they have in an answer."""
    ordered = sorted(names)
    return [
        f"{name} ({ordered[: at + 1].count(name)})" if ordered.count(name) > 1 else name
        for at, name in enumerate(ordered)
    ]


def of_class(classroom: str) -> Selection:
    return Selection(records=(Picked(kind=RecordKind.CLASS, id=uuid.UUID(classroom)),))


def choice(
    house: House,
    conversation: str,
    *,
    person: str = TEACHER,
    classroom: str | None = None,
    label: str | None = None,
    waiting: Query = LIST_STUDENTS,
) -> str:
    """A token for one class, of those that a lookup that asks back hands out."""
    chosen = classroom or class_id()
    option = Option(label or classes_of().get(chosen, "A class"), of_class(chosen), waiting)
    holder = Holder(person, uuid.UUID(conversation))
    return house.running.ask.references.choices([option], holder, Language.ENGLISH)[0].token


def follow_up(house: House, conversation: str, *, person: str = TEACHER) -> str:
    """A token of a row that lists a class."""
    listed = Listed(RecordKind.CLASS, classes_of()[class_id()], of_class(class_id()))
    holder = Holder(person, uuid.UUID(conversation))
    return house.running.ask.references.follow_ups([listed], holder, Language.ENGLISH)[0].token


async def begun(house: House, person: str = TEACHER) -> str:
    """A conversation with one exchange."""
    answer = await house.ask("Which classes do I have?", person=person)
    assert answer.status_code == 200, answer.text
    house.clock.move(1)
    return str(answer.json()["conversation_id"])


async def choose(
    house: House, conversation: str | None, token: str, question: str = "", **more: Any
) -> httpx2.Response:
    house.clock.move(1)
    return await house.ask(question, conversation_id=conversation, reference=token, **more)


async def calls_paid(pool: asyncpg.Pool) -> list[tuple[Any, ...]]:
    """Every row about a provider's requests."""
    return [tuple(row) for row in await pool.fetch("SELECT * FROM llm_calls ORDER BY 1")]
