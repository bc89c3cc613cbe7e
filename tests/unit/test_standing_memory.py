"""What the LMS said of people is remembered for moments, and of so many people at most."""

import asyncio
from collections.abc import Sequence

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.lms.none import NoLms
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Person, Role
from assist_service.domain.school import Standing
from assist_service.services.standing import REMEMBERED_PEOPLE, REMEMBERED_SECONDS, StandingDesk
from tests.fakes.clocks import HandClock


class ToldLms(NoLms):
    """Implements ports.Lms: who is in an exam, and who was asked about."""

    def __init__(self, in_exam: Sequence[str] = ()) -> None:
        self.in_exam = in_exam
        self.asked: list[str] = []

    async def standing(self, sub: str) -> Standing:
        self.asked.append(sub)
        return Standing(role=Role.STUDENT, active=True, exam_in_progress=sub in self.in_exam)


def student(sub: str) -> Person:
    return Person(sub=sub, role=Role.STUDENT, elevated=False)


def desk(lms: ToldLms, clock: HandClock) -> StandingDesk:
    return StandingDesk(policy=load_policy("school-manuals"), lms=lms, clock=clock)


async def test_a_question_always_asks_and_what_it_learns_is_remembered() -> None:
    lms, clock = ToldLms(), HandClock()
    at = desk(lms, clock)
    for _ in range(2):
        await at(student("ada"))
    lms.in_exam = ("ada",)
    await at.lately(student("ada"))
    with pytest.raises(AssistError) as refused:
        await at(student("ada"))
    with pytest.raises(AssistError) as again:
        await at.lately(student("ada"))
    assert refused.value.code is again.value.code is Code.EXAM_IN_PROGRESS
    assert len(lms.asked) == 3


async def test_it_is_remembered_for_moments_and_for_its_person() -> None:
    lms, clock = ToldLms(), HandClock()
    at = desk(lms, clock)
    for _ in range(2):
        for sub in ("ada", "bob"):
            await at.lately(student(sub))
    clock.move(REMEMBERED_SECONDS - 0.001)
    await at.lately(student("ada"))
    assert lms.asked == ["ada", "bob"]
    clock.move(0.001)
    await at.lately(student("ada"))
    assert lms.asked == ["ada", "bob", "ada"]


class HeldLms(ToldLms):
    """Says what is so when it is asked; what it says of the first question arrives once it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = asyncio.Event()

    async def standing(self, sub: str) -> Standing:
        told = await super().standing(sub)
        if len(self.asked) == 1:
            await self.let_go.wait()
        return told


@pytest.mark.parametrize("seconds", [0.0, 1.0])
async def test_an_answer_that_arrives_late_takes_the_place_of_none_that_was_asked_later(seconds: float) -> None:
    lms, clock = HeldLms(), HandClock()
    at = desk(lms, clock)
    late = asyncio.create_task(at.lately(student("ada")))
    await asyncio.sleep(0)
    assert lms.asked == ["ada"]
    clock.move(seconds)
    lms.in_exam = ("ada",)
    with pytest.raises(AssistError):
        await at(student("ada"))
    lms.let_go.set()
    for asked in (late, at.lately(student("ada"))):
        with pytest.raises(AssistError) as refused:
            await asked
        assert refused.value.code is Code.EXAM_IN_PROGRESS
    assert lms.asked == ["ada"] * 2


async def test_how_old_an_answer_is_counts_from_the_asking() -> None:
    lms, clock = HeldLms(), HandClock()
    at = desk(lms, clock)
    slow = asyncio.create_task(at(student("ada")))
    await asyncio.sleep(0)
    clock.move(REMEMBERED_SECONDS)
    lms.let_go.set()
    await slow
    await at.lately(student("ada"))
    assert lms.asked == ["ada"] * 2


async def test_of_too_many_people_who_was_asked_about_longest_ago_is_forgotten() -> None:
    lms = ToldLms()
    at = desk(lms, HandClock())
    await at(student("ada"))
    await at(student("bob"))
    await at(student("ada"))
    for number in range(REMEMBERED_PEOPLE - 1):
        await at.lately(student(f"s{number}"))
    lms.asked.clear()
    await at.lately(student("ada"))
    await at.lately(student("bob"))
    assert lms.asked == ["bob"]
