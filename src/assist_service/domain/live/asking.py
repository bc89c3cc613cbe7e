"""What a plan may ask of the LMS: five reads, each of them of the person's own, and nothing else there is."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID

from assist_service.domain.live.finding import Looked
from assist_service.domain.school import Classroom, Evaluation, Leaderboard, Named, Results

Item = TypeVar("Item")


@dataclass(frozen=True)
class OwnClasses:
    """The classes that the LMS lists for this person: the root of every lookup (row J8). Brings `Several`."""


@dataclass(frozen=True)
class OwnExams:
    """The exams of one class, or all the LMS lists for this person. Brings `Several[Evaluation]`."""

    classroom: UUID | None = None


@dataclass(frozen=True)
class StudentsOf:
    """Brings `Several[Named]`."""

    classroom: UUID


@dataclass(frozen=True)
class ResultsOf:
    """Final marks of released exams, nothing of any other. Brings `Results`."""

    classroom: UUID


@dataclass(frozen=True)
class BoardOf:
    """The LMS's own ranking. Brings `Leaderboard`."""

    classroom: UUID


Read = OwnClasses | OwnExams | StudentsOf | ResultsOf | BoardOf


@dataclass(frozen=True)
class Several(Generic[Item]):
    """The items of a list that was followed within bounds; `is_cut` where there are more."""

    items: tuple[Item, ...]
    is_cut: bool = False


Brought = Several[Classroom] | Several[Evaluation] | Several[Named] | Results | Leaderboard

Plan = Generator[tuple[Read, ...], Mapping[Read, Brought], Looked]
"""Yields the reads of one step, which are made together, and is sent what each of them brought."""
