"""Reads everything once as one person: how each endpoint answers, and which ids the person reaches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import SecretStr

from assist_service.adapters.lms import school_reads as reads
from assist_service.adapters.lms.checking.judging import judge
from assist_service.adapters.lms.checking.probe import Asking, Probe, token_of
from assist_service.adapters.lms.reading import Read
from assist_service.domain.lms_check import WORKS, Outcome, not_checked, wrong
from assist_service.domain.school import Page, Question, Ref

MAX_PAGES = 20
TRIED = 5
"""How many things are tried where a list of one is empty: an empty list shows no shape."""


class Kind(StrEnum):
    """What an id can be of."""

    COURSE = "course"
    POOL = "pool"
    QUESTION = "question"
    EVALUATION = "evaluation"
    TEMPLATE = "template"
    CLASSROOM = "classroom"


Reach = Mapping[Kind, Sequence[UUID]]

LISTS: Mapping[Kind, Read[Any]] = {
    Kind.COURSE: reads.COURSES,
    Kind.POOL: reads.POOLS,
    Kind.EVALUATION: reads.EVALUATIONS,
    Kind.TEMPLATE: reads.TEMPLATES,
    Kind.CLASSROOM: reads.CLASSROOMS,
}

OF_ONE: Mapping[Kind, Sequence[Read[Any]]] = {
    Kind.COURSE: (reads.COURSE, reads.COURSE_STAFF),
    Kind.POOL: (reads.POOL, reads.POOL_STATS, reads.QUESTIONS),
    Kind.QUESTION: (reads.QUESTION,),
    Kind.EVALUATION: (reads.EVALUATION,),
    Kind.TEMPLATE: (reads.TEMPLATE,),
    Kind.CLASSROOM: (reads.CLASSROOM, reads.STUDENTS, reads.GRADEBOOK, reads.LEADERBOARD),
}
SEARCHED = {"text": "question", "pool": None, "limit": 5}


def name_of(read: Read[Any]) -> str:
    return f"{read.method} {read.path}"


DOORS = (*LISTS.values(), reads.QUESTION_TYPES)
"""What can be read without knowing an id."""

READ_NAMES = tuple(
    name_of(read)
    for read in (*LISTS.values(), reads.QUESTION_TYPES, reads.SIMILAR_QUESTIONS, *sum(map(tuple, OF_ONE.values()), ()))
)
"""Every endpoint that is read, in the order it is told."""


@dataclass
class Survey:
    """One person's round through the contract."""

    probe: Probe
    token: SecretStr
    endpoints: dict[str, Outcome] = field(default_factory=dict)
    answered: dict[str, Asking] = field(default_factory=dict)
    """Of each endpoint that works the first request that it answered."""
    reach: dict[Kind, list[UUID]] = field(default_factory=dict)
    sample: Question | None = None
    """One of the person's questions: what a write can be modelled on."""

    async def run(self) -> None:
        """Every endpoint."""
        await self.find()
        await self._walk(reads.QUESTION_TYPES)
        await self._walk(reads.SIMILAR_QUESTIONS, body=SEARCHED)
        for kind, of_one in OF_ONE.items():
            for read in of_one:
                if name_of(read) not in self.endpoints:
                    await self._read_one(kind, read)

    async def find(self) -> None:
        """No more than what is needed to know the ids."""
        for kind, read in LISTS.items():
            items = await self._walk(read)
            self.reach[kind] = [item.id for item in items if isinstance(item, Ref)]
        await self._read_one(Kind.POOL, reads.QUESTIONS)

    def door(self) -> Read[Any] | None:
        """One of them that works."""
        return next((read for read in DOORS if self.endpoints.get(name_of(read)) is WORKS), None)

    async def _read_one(self, kind: Kind, read: Read[Any]) -> None:
        """Things of this kind until one shows the endpoint's whole shape."""
        self.endpoints[name_of(read)] = not_checked(f"--session reaches no {kind}: give a teacher who has one")
        for entity in self.reach.get(kind, [])[:TRIED]:
            found = await self._walk(read, entity)
            if read is reads.QUESTIONS:
                self.reach[Kind.QUESTION] = [item.id for item in found if isinstance(item, Ref)]
            if found or self.endpoints[name_of(read)] is not WORKS:
                return

    async def _walk(
        self, read: Read[Any], entity: UUID | None = None, *, body: Mapping[str, Any] | None = None
    ) -> Sequence[object]:
        """Everything of a list, from page to page; of an endpoint that is none, the one thing."""
        items: list[object] = []
        query: dict[str, str] = {}
        cursors: set[str] = set()
        for _ in range(MAX_PAGES):
            asking = Asking(read.method, read.path_of(entity), query=query, body=body, key=None)
            outcome, answer = judge(await self.probe.call(asking, self.token), read.model)
            self.endpoints[name_of(read)] = outcome
            if outcome is WORKS:
                self.answered.setdefault(name_of(read), asking)
            if not isinstance(answer, Page):
                self.sample = answer if isinstance(answer, Question) else self.sample
                return items if answer is None else [answer]
            items += answer.items
            if answer.next is None:
                break
            if answer.next in cursors:
                self.endpoints[name_of(read)] = wrong("`next` leads back to a part that was read before")
                break
            cursors.add(answer.next)
            query = {"cursor": answer.next}
        return items


async def reach_of(probe: Probe, session: str) -> Reach | None:
    """What the person of a session reaches; None where there is no token for it."""
    token = token_of(await probe.exchange(session))
    if token is None:
        return None
    survey = Survey(probe, token)
    await survey.find()
    return survey.reach
