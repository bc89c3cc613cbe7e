"""A lookup that waited for a choice goes on without a model: for who has it, in time, and about what was chosen."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from assist_service.adapters.configuration import load_catalogue, load_policy
from assist_service.adapters.memory.manuals import OneManual
from assist_service.domain.asked import Asked
from assist_service.domain.context import AssistContext, Entities
from assist_service.domain.conversation import Kind
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.live.query import Lookup, Operation, Query
from assist_service.domain.people import Person, Role
from assist_service.domain.policy import Policy
from assist_service.domain.references import NOTHING, Purpose, Reference, Selection
from assist_service.domain.school import Classroom, Gradebook, Page
from assist_service.domain.screens import Language
from assist_service.ports import Edition
from assist_service.services.answering import Answer, Answering
from assist_service.services.checks import Checks
from assist_service.services.toolbox import toolbox_of
from assist_service.settings import ROOT
from assist_service.tools.catalog import TOOLS
from tests.fakes.clocks import HandClock
from tests.unit.benches import MANUAL
from tests.unit.live_findings import WORDING
from tests.unit.live_school import School, picks, student
from tests.unit.markup_harm import MARKUP
from tests.unit.small_manual import desk

ANA = student("Ana")
POLICY = load_policy("school-manuals")
CATALOGUE = load_catalogue(ROOT / "contracts" / "screens.yaml")
EDITION = Edition(desk(MANUAL).publication, desk(MANUAL).index)
PERFORMANCE = Query(lookup=Lookup.CLASS_PERFORMANCE, operation=Operation.SUMMARY)


class SmallLms:
    """Implements ports.Lms where a class's performance needs it: everybody has this school, when it answers at all."""

    offers = frozenset().union(*(tool.needs for tool in TOOLS.values()))

    def __init__(self, school: School, *, is_silent: bool = False) -> None:
        self.school, self.is_silent = school, is_silent
        self.asked: list[str] = []

    @asynccontextmanager
    async def reading(self, session: str) -> AsyncIterator["SmallLms"]:
        yield self

    def for_tool(self, tool: str) -> "SmallLms":
        return self

    async def classrooms(self, *, cursor: str | None = None) -> Page[Classroom]:
        self.asked.append("classrooms")
        await asyncio.sleep(3600 if self.is_silent else 0)
        return Page(items=tuple(self.school.classes))

    async def gradebook(self, classroom: uuid.UUID) -> Gradebook:
        self.asked.append("gradebook")
        return self.school.gradebook(classroom)


class OneLanguage:
    def detect(self, text: str, languages: Sequence[str]) -> str | None:
        return None


def answering(lms: SmallLms, clock: HandClock, policy: Policy = POLICY) -> Answering:
    model: Any = None  # nothing of a model's is touched
    made: Any = lms
    return Answering(
        policy=policy,
        catalogue=CATALOGUE,
        prefixes=model,
        toolbox=lambda roles: toolbox_of(policy, roles, TOOLS, lms.offers),
        manuals=OneManual(EDITION),
        lms=made,
        schemas=model,
        gateway=model,
        checks=Checks(policy=policy, manuals=OneManual(EDITION), markup=MARKUP, wording=WORDING),
        detector=OneLanguage(),
        clock=clock,
    )


def school() -> tuple[School, Sequence[Classroom]]:
    made = School()
    classes = [made.add_class(title, [ANA]) for title in ("3A", "3B")]
    for each in classes:
        made.add_exam(each, f"Quiz of {each.title}", {ANA: 5})
    return made, classes


async def chosen(
    at: Answering,
    *,
    selection: Selection = NOTHING,
    shown: Classroom | None = None,
    waiting: Query = PERFORMANCE,
    role: Role = Role.TEACHER,
    deadline: float | None = None,
) -> Answer:
    held = Reference(
        purpose=Purpose.CHOICE,
        selection=selection,
        label="3A",
        waiting=waiting,
        language=Language.ENGLISH,
        expires_at=at.clock.now(),
    )
    entities = Entities(classroom=shown.id if shown is not None else None)
    context = AssistContext(route="/courses", language=Language.ENGLISH, entities=entities)
    asked = Asked(uuid.UUID(int=1), "", context, None, "token", b"", held)
    person, until = Person("ada", role, elevated=False), at.deadline() if deadline is None else deadline
    return await at(person, asked, None, uuid.UUID(int=2), deadline=until, session="a session")


async def refused(at: Answering, **changes: Any) -> Code:
    with pytest.raises(AssistError) as error:
        await chosen(at, **changes)
    return error.value.code


async def test_what_was_chosen_counts_and_what_is_on_screen_does_not() -> None:
    made, (first, second) = school()
    at = answering(SmallLms(made), HandClock())
    answer = await chosen(at, selection=picks(first), shown=second)
    assert (answer.checked.kind, answer.spent) == (Kind.LIVE, ())
    assert "3A" in answer.shown.markdown
    assert "3B" not in answer.shown.markdown
    exam = made.exams[0]
    asks = await chosen(at, selection=picks(exam), shown=second)
    assert (asks.checked.kind, len(asks.shown.options)) == (Kind.CHOICE, 2), "not answered about the class on screen"
    unselected = await chosen(at, shown=second)
    assert (unselected.checked.kind, "3B" in unselected.shown.markdown) == (Kind.LIVE, True)


async def test_a_choice_of_a_lookup_that_the_person_has_not_is_refused_and_nothing_is_read() -> None:
    lms = SmallLms(school()[0])
    at = answering(lms, HandClock())
    assert await refused(at, role=Role.STUDENT) is Code.REFERENCE_INVALID
    off = POLICY.model_copy(update={"switches": POLICY.switches.model_copy(update={"live": False})})
    assert await refused(answering(lms, HandClock(), off)) is Code.REFERENCE_INVALID
    assert lms.asked == []


async def test_a_choice_that_the_lms_does_not_answer_in_time_is_said_to_be_its_fault() -> None:
    lms, clock = SmallLms(school()[0], is_silent=True), HandClock()
    at = answering(lms, clock)
    for late in (0.0, 1.0):
        async with asyncio.timeout(2):
            assert await refused(at, deadline=clock.monotonic() - late) is Code.LMS_UNAVAILABLE
    assert lms.asked in ([], ["classrooms"], ["classrooms"] * 2)
