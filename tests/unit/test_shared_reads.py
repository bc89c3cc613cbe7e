"""The lookups of one question share what they read: each thing is asked once, few at a time, and never too much."""

import asyncio

import pytest

from assist_service.domain.live.asking import OwnClasses, OwnExams, ResultsOf, Several, StudentsOf
from assist_service.domain.live.scope import MOST_CLASSES
from assist_service.ports import LmsFault, LmsFaultKind
from assist_service.tools.paging import PAGES
from assist_service.tools.shared_reads import AT_ONCE, MOST_READS, SharedReads
from tests.unit.school_of_pages import Pages, class_at

ROSTERS = tuple(StudentsOf(class_at(at)) for at in range(MOST_CLASSES))


async def test_what_three_lookups_need_is_asked_once() -> None:
    school, shared = Pages(classes=MOST_CLASSES), SharedReads()
    brought = await asyncio.gather(
        *(shared.bring((OwnClasses(), *ROSTERS), school.reads()) for _ in range(3)),
    )
    assert brought[0] == brought[1] == brought[2]
    assert len(school.asked) == len(set(school.asked)) == 1 + MOST_CLASSES
    assert shared.left == MOST_READS - len(school.asked)


async def test_few_are_asked_at_the_same_time_by_all_lookups_together() -> None:
    school, shared = Pages(classes=MOST_CLASSES), SharedReads()
    await asyncio.gather(*(shared.bring(ROSTERS[at::3], school.reads()) for at in range(3)))
    assert school.most_at_once == AT_ONCE


async def test_every_class_is_read_before_any_is_read_to_its_end() -> None:
    school, shared = Pages(classes=MOST_CLASSES, pages=PAGES + 1), SharedReads()
    brought = await shared.bring(ROSTERS, school.reads())
    assert len(school.asked) == MOST_READS
    rosters = [each for each in brought.values() if isinstance(each, Several)]
    assert all(each.items and each.is_cut for each in rosters), "each tells that it is not whole"
    assert len(rosters) == MOST_CLASSES


async def test_a_list_is_followed_while_the_budget_lasts() -> None:
    school, shared = Pages(pages=3), SharedReads(left=2)
    [roster] = (await shared.bring(ROSTERS[:1], school.reads())).values()
    assert isinstance(roster, Several)
    assert (len(roster.items), roster.is_cut, len(school.asked)) == (2, True, 2)
    school, shared = Pages(pages=3), SharedReads(left=3)
    [roster] = (await shared.bring(ROSTERS[:1], school.reads())).values()
    assert isinstance(roster, Several)
    assert (len(roster.items), roster.is_cut, len(school.asked)) == (3, False, 3)


async def test_more_than_the_budget_is_too_much_to_read_and_nothing_of_it_is_asked() -> None:
    school, shared = Pages(classes=MOST_CLASSES), SharedReads()
    results = tuple(ResultsOf(class_at(at)) for at in range(MOST_CLASSES))
    await shared.bring((OwnClasses(), *ROSTERS, *results), school.reads())
    asked = len(school.asked)
    with pytest.raises(LmsFault) as raised:
        await shared.bring([OwnExams(class_at(at)) for at in range(MOST_CLASSES)], school.reads())
    assert raised.value.kind is LmsFaultKind.TOO_LARGE
    assert len(school.asked) == asked <= MOST_READS
    assert await shared.bring((OwnClasses(),), school.reads()), "what was read is there still"


async def test_a_fault_is_every_lookups_and_is_asked_for_once() -> None:
    school = Pages(failing=lambda asked: LmsFaultKind.UNAVAILABLE)
    shared = SharedReads()
    came = await asyncio.gather(
        *(shared.bring((OwnClasses(),), school.reads()) for _ in range(3)), return_exceptions=True
    )
    assert [getattr(each, "kind", None) for each in came] == [LmsFaultKind.UNAVAILABLE] * 3
    assert school.asked == ["classrooms"]


async def test_what_was_stopped_is_read_again_by_who_waits_for_it_and_counted_again() -> None:
    school, shared = Pages(classes=2), SharedReads()
    first = asyncio.create_task(shared.bring((OwnClasses(),), school.reads()))
    second = asyncio.create_task(shared.bring((OwnClasses(),), school.reads()))
    while not school.asked:  # noqa: ASYNC110 nothing tells of it
        await asyncio.sleep(0)
    first.cancel()
    brought = (await second)[OwnClasses()]
    assert isinstance(brought, Several)
    assert len(brought.items) == 2
    assert shared.left == MOST_READS - len(school.asked) == MOST_READS - 2
