"""What the lookups of one question read of the LMS together: each thing once, few at a time, and never too much."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assist_service.domain.live.asking import BoardOf, Brought, OwnClasses, OwnExams, Read, ResultsOf, Several
from assist_service.domain.school import results_of
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads
from assist_service.tools.paging import every

AT_ONCE = 6
"""Reads that the LMS is sent at the same time."""

MOST_READS = 60
"""Requests that all lookups of a question make together, each page of a list counted. A plan asks which class is meant
before it needs more than half of them."""


@dataclass
class SharedReads:
    """The reads of one question, which are made as one person within seconds: what one lookup read, another has too."""

    left: int = MOST_READS
    _gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    _turns: dict[Read, asyncio.Lock] = field(default_factory=dict)
    """Of what is read or to be read. Whoever is first reads it; the others wait, and have it then."""
    _sent: set[Read] = field(default_factory=set)
    _brought: dict[Read, Brought | LmsFaultKind] = field(default_factory=dict)

    async def bring(self, step: Sequence[Read], reads: SchoolReads) -> Mapping[Read, Brought]:
        """Raises LmsFault, `too_large` where nothing may be asked any more; then the others of the step are stopped."""
        new = [read for read in step if read not in self._turns]
        self._take(len(new))  # before a page of any list is followed: what is needed goes before what is more
        for read in new:
            self._turns[read] = asyncio.Lock()
        tasks = [asyncio.ensure_future(self._one(read, reads)) for read in step]
        try:
            brought = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        return dict(zip(step, brought, strict=True))

    async def _one(self, read: Read, reads: SchoolReads) -> Brought:
        async with self._turns[read]:
            if read not in self._brought:
                async with self._gate:
                    self._brought[read] = await self._asked(read, reads)
        brought = self._brought[read]
        if isinstance(brought, LmsFaultKind):
            raise LmsFault(brought)
        return brought

    async def _asked(self, read: Read, reads: SchoolReads) -> Brought | LmsFaultKind:
        try:
            if read in self._sent:  # by a lookup that was stopped meanwhile
                self._take(1)
            self._sent.add(read)
            return await self._read(read, reads)
        except LmsFault as fault:
            return fault.kind

    async def _read(self, read: Read, reads: SchoolReads) -> Brought:
        match read:
            case OwnClasses():
                return self._several(await every(lambda at: reads.classrooms(cursor=at), may_follow=self._may_take))
            case OwnExams(classroom):
                return self._several(
                    await every(lambda at: reads.evaluations(classroom=classroom, cursor=at), may_follow=self._may_take)
                )
            case ResultsOf(classroom):
                return await asyncio.to_thread(results_of, await reads.gradebook(classroom))
            case BoardOf(classroom):
                return await reads.leaderboard(classroom)
            case _:
                return self._several(
                    await every(lambda at: reads.students(read.classroom, cursor=at), may_follow=self._may_take)
                )

    def _take(self, requests: int) -> None:
        if requests > self.left:
            raise LmsFault(LmsFaultKind.TOO_LARGE)
        self.left -= requests

    def _may_take(self) -> bool:
        """Whether a list is followed further; else it is cut."""
        if not self.left:
            return False
        self.left -= 1
        return True

    @staticmethod
    def _several(found: tuple[list[Any], bool]) -> Several[Any]:
        return Several(tuple(found[0]), is_cut=found[1])
