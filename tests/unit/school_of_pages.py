"""A school whose lists come in pages, which counts what it is asked and how much of it at once."""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from assist_service.adapters.lms.refusing import RefusedReads
from assist_service.domain.school import Classroom, Gradebook, Named, Page, Ref
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads

COURSE = Ref(id=uuid.UUID(int=1), title="Course")


def class_at(at: int) -> uuid.UUID:
    return uuid.UUID(int=1_000 + at)


@dataclass
class Pages:
    """What was asked of so many classes, each with so many pages of one student."""

    classes: int = 1
    pages: int = 1
    failing: Callable[[str], LmsFaultKind | None] = lambda asked: None
    asked: list[str] = field(default_factory=list)
    most_at_once: int = 0
    _open: int = 0

    def reads(self) -> SchoolReads:
        return _Reads(self)

    async def answer(self, asked: str) -> None:
        self.asked.append(asked)
        self._open += 1
        self.most_at_once = max(self.most_at_once, self._open)
        try:
            await asyncio.sleep(0.001)
        finally:
            self._open -= 1
        if (kind := self.failing(asked)) is not None:
            raise LmsFault(kind)


class _Reads(RefusedReads):
    def __init__(self, school: Pages) -> None:
        self._school = school

    def for_tool(self, tool: str) -> SchoolReads:
        return self

    async def classrooms(self, *, cursor: str | None = None) -> Page[Classroom]:
        await self._school.answer("classrooms")
        items = [
            Classroom(id=class_at(at), title=f"Class {at}", course=COURSE, student_count=1)
            for at in range(self._school.classes)
        ]
        return Page(items=tuple(items))

    async def students(self, classroom: uuid.UUID, *, cursor: str | None = None) -> Page[Named]:
        await self._school.answer(f"students {classroom.int - 1_000} {cursor or 0}")
        page = int(cursor or 0)
        student = Named(id=uuid.UUID(int=classroom.int * 100 + page), name=f"Student {classroom.int} {page}")
        return Page(items=(student,), next=str(page + 1) if page + 1 < self._school.pages else None)

    async def gradebook(self, classroom: uuid.UUID) -> Gradebook:
        await self._school.answer(f"gradebook {classroom.int - 1_000}")
        return Gradebook(columns=(), rows=())
