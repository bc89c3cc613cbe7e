"""Kolibri as its coach reads it. Nothing is asked about a class that is not in the coach's own list.

Kolibri's refusals are not to be relied on: it answers an unfiltered quiz to anybody, lists the quizzes a coach is to
take herself beside those she gives, 404 for one foreign thing and 403 for another. So each id is first looked up in
what this coach teaches.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from uuid import UUID

from pydantic import BaseModel, ValidationError

from assist_service.adapters.lms.kolibri_answers import (
    ClassroomAnswer,
    ClassroomAnswers,
    ExamAnswer,
    ExamAnswers,
    FacilityAnswer,
    SummaryAnswer,
    classroom_of,
    detail_of,
    evaluation_of,
    gradebook_of,
    students_of,
)
from assist_service.adapters.lms.reading import Read, Reading
from assist_service.adapters.lms.refusing import RefusedReads
from assist_service.domain.school import (
    PAGE_ITEMS,
    Classroom,
    Evaluation,
    EvaluationDetail,
    EvaluationState,
    Gradebook,
    Known,
    Named,
    Page,
)
from assist_service.ports import LmsFault, LmsFaultKind

OFFERS = frozenset({"classrooms", "classroom", "students", "evaluations", "evaluation", "gradebook"})
"""Kolibri has no courses, pools, templates and leaderboards; its questions are those of its channels."""

Model = TypeVar("Model", bound=BaseModel)
Item = TypeVar("Item", bound=Known)


@dataclass(frozen=True)
class KolibriRead(Read[Model], Generic[Model]):
    """Kolibri writes UUIDs without dashes, and compares them as texts."""

    def path_of(self, entity: UUID | None) -> str:
        return self.path.replace("{id}", UUID(str(entity)).hex) if "{id}" in self.path else self.path


CLASSROOMS = KolibriRead("/api/auth/classroom/", ClassroomAnswers)
FACILITY = KolibriRead("/api/public/v1/facility/{id}/", FacilityAnswer)
SUMMARY = KolibriRead("/coach/api/classsummary/{id}/", SummaryAnswer)
EXAMS = KolibriRead("/api/exams/exam/", ExamAnswers)

AS_COACH: Mapping[str, str | None] = {"role": "coach"}
"""As Kolibri's own pages for coaches ask: the classes they have a role in."""

_CURSOR = re.compile(r"[1-9][0-9]{0,6}")


@dataclass
class Taught:
    """What this coach teaches, asked once a question, however many tools need it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    classrooms: Mapping[UUID, ClassroomAnswer] | None = None
    facilities: dict[UUID, FacilityAnswer] = field(default_factory=dict)


class KolibriReads(RefusedReads):
    """Implements ports.SchoolReads as far as OFFERS says, and refuses the rest."""

    def __init__(self, reading: Reading, taught: Taught | None = None) -> None:
        self._reading = reading
        self._taught = taught or Taught()

    def for_tool(self, tool: str) -> "KolibriReads":
        return KolibriReads(self._reading.for_tool(tool), self._taught)

    async def classrooms(self, *, cursor: str | None = None) -> Page[Classroom]:
        classrooms = await self._classrooms()
        ordered = sorted(classrooms.values(), key=lambda one: (one.name, one.id))
        page = _page(ordered, cursor)
        shown = [classroom_of(one, await self._facility(one.parent)) for one in page.items]
        return Page(items=tuple(shown), next=page.next)

    async def classroom(self, classroom: UUID) -> Classroom:
        found = await self._own(classroom)
        return classroom_of(found, await self._facility(found.parent))

    async def students(self, classroom: UUID, *, cursor: str | None = None) -> Page[Named]:
        return _page(students_of(await self._summary(classroom)), cursor)

    async def gradebook(self, classroom: UUID) -> Gradebook:
        return gradebook_of(await self._summary(classroom))

    async def evaluations(
        self, *, classroom: UUID | None = None, state: EvaluationState | None = None, cursor: str | None = None
    ) -> Page[Evaluation]:
        if classroom is not None:
            await self._own(classroom)
        found = [evaluation for _, evaluation in await self._evaluations(classroom)]
        return _page([one for one in found if state in (None, one.state)], cursor)

    async def evaluation(self, evaluation: UUID) -> EvaluationDetail:
        for exam, found in await self._evaluations(None):
            if found.id == evaluation:
                return _detail(exam, found)
        raise LmsFault(LmsFaultKind.NOT_FOUND)

    async def _classrooms(self) -> Mapping[UUID, ClassroomAnswer]:
        async with self._taught.lock:
            if self._taught.classrooms is None:
                answer = await self._reading.fetch(CLASSROOMS, query=AS_COACH)
                self._taught.classrooms = {one.id: one for one in answer.root}
            return self._taught.classrooms

    async def _own(self, classroom: UUID) -> ClassroomAnswer:
        """A class of this coach's. Raises LmsFault, the same for another's and for none."""
        found = (await self._classrooms()).get(classroom)
        if found is None:
            raise LmsFault(LmsFaultKind.NOT_FOUND)
        return found

    async def _summary(self, classroom: UUID) -> SummaryAnswer:
        found = await self._own(classroom)
        summary = await self._reading.fetch(SUMMARY, found.id)
        if summary.id != found.id:
            raise LmsFault(LmsFaultKind.MALFORMED)
        return summary

    async def _evaluations(self, classroom: UUID | None) -> list[tuple[ExamAnswer, Evaluation]]:
        """Those of the coach's own classes, whatever else Kolibri lists; without drafts, which have no UUID."""
        own = await self._classrooms()
        answer = await self._reading.fetch(EXAMS, query={"collection": classroom.hex if classroom else None})
        wanted = own if classroom is None else {classroom: own[classroom]}
        found = [
            (exam, evaluation_of(exam, wanted[exam.collection])) for exam in answer.root if exam.collection in wanted
        ]
        return [(exam, evaluation) for exam, evaluation in found if evaluation is not None]

    async def _facility(self, facility: UUID) -> FacilityAnswer:
        async with self._taught.lock:
            if facility not in self._taught.facilities:
                self._taught.facilities[facility] = await self._reading.fetch(FACILITY, facility)
            return self._taught.facilities[facility]


def _detail(exam: ExamAnswer, evaluation: Evaluation) -> EvaluationDetail:
    try:
        return detail_of(exam, evaluation)
    except ValidationError:
        pass
    raise LmsFault(LmsFaultKind.MALFORMED)  # out here, so that no traceback leads to what was read


def _page(items: Sequence[Item], cursor: str | None) -> Page[Item]:
    """A part of what Kolibri sent at once; a cursor is where it begins."""
    if cursor is not None and not _CURSOR.fullmatch(cursor):
        raise LmsFault(LmsFaultKind.REFUSED)
    start = int(cursor or 0)
    end = start + PAGE_ITEMS
    return Page(items=tuple(items[start:end]), next=str(end) if end < len(items) else None)
