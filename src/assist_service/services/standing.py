"""What the LMS says of a person at this moment, before anything of their question is done."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

from assist_service import telemetry
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Person, Role
from assist_service.domain.policy import Policy
from assist_service.domain.school import Standing
from assist_service.ports import Clock, Lms, LmsFault, LmsFaultKind

REMEMBERED_SECONDS = 15.0
"""How old what the LMS said may be for what is not a question: a page asks several such things at once."""

REMEMBERED_PEOPLE = 10_000
"""Whose standing is remembered at most, a megabyte or two; who was asked about longest ago goes first."""

LATELY_SECONDS = 2.0
"""How long the LMS may take where a page waits for it."""


class _Told(NamedTuple):
    """What the LMS said, by when it was asked: answers may overtake each other on their way."""

    number: int
    asked_at: float
    standing: Standing


@dataclass(frozen=True, kw_only=True)
class StandingDesk:
    """Asks where the policy wants it: a signed session says what was true up to five minutes ago."""

    policy: Policy
    lms: Lms
    clock: Clock
    _told: dict[str, _Told] = field(default_factory=dict, repr=False)
    """By `sub`, of each what was asked last; who was told of longest ago comes first."""
    _numbers: Iterator[int] = field(default_factory=count, repr=False)

    async def __call__(self, person: Person) -> Person:
        """The person with their current role, asked for now.

        Raises AssistError: `unauthenticated` for an account that is over, `exam_in_progress`, `not_offered` for a
        role that has none, `lms_unavailable` where the LMS does not say.
        """
        return self._judged(person, await self._asked(person.sub)) if self.policy.standing else person

    async def lately(self, person: Person) -> Person:
        """The same by what the LMS said in the last 15 s, or says within 2 s."""
        if not self.policy.standing:
            return person
        told = self._told.get(person.sub)
        if told is not None and self.clock.monotonic() - told.asked_at < REMEMBERED_SECONDS:
            return self._judged(person, told.standing)
        try:
            async with asyncio.timeout(LATELY_SECONDS):
                return self._judged(person, await self._asked(person.sub))
        except TimeoutError:
            raise AssistError(Code.LMS_UNAVAILABLE) from None

    async def reading(self, person: Person) -> None:
        """Lets who is no student read what is kept, and a student who stands well: an old answer may help in an exam.

        Nobody else sits exams, and a silent LMS is no reason to close their conversations. Raises what `lately` does.
        """
        if person.role is Role.STUDENT:
            await self.lately(person)

    async def _asked(self, sub: str) -> Standing:
        """What the LMS says, or said meanwhile to whoever asked later: that is the newer."""
        number, asked_at = next(self._numbers), self.clock.monotonic()
        try:
            told = _Told(number, asked_at, await self.lms.standing(sub))
        except LmsFault as fault:
            if fault.kind is not LmsFaultKind.NOT_FOUND:
                raise AssistError(Code.LMS_UNAVAILABLE) from None
            # An LMS that has no such endpoint says the same of everybody, and a 401 alone would tell no operator.
            telemetry.log.warning("standing_unknown_person")
            raise AssistError(Code.UNAUTHENTICATED) from None
        newest = max(self._told.pop(sub, told), told, key=lambda each: each.number)
        self._told[sub] = newest
        if len(self._told) > REMEMBERED_PEOPLE:
            del self._told[next(iter(self._told))]
        return newest.standing

    def _judged(self, person: Person, standing: Standing) -> Person:
        if not standing.active:
            raise AssistError(Code.UNAUTHENTICATED)
        if standing.exam_in_progress:
            raise AssistError(Code.EXAM_IN_PROGRESS)
        person = replace(person, current=standing.role)
        if not self.policy.of_roles(person.roles).offered:
            raise AssistError(Code.NOT_OFFERED)
        return person
