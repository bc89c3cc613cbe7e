"""A look-up: pages within bounds, ids that nobody gave never asked for, and what failed told plainly."""

import uuid
from typing import Any

import pytest

from assist_service.domain.looked_up import Miss
from assist_service.domain.records import Found, Known, Seen
from assist_service.domain.school import (
    EvaluationState,
    Grade,
    Gradebook,
    GradeColumn,
    GradeRow,
    Named,
    Page,
    Ref,
    results_of,
)
from assist_service.domain.screens import EntityKind
from assist_service.ports import LmsFault, LmsFaultKind
from assist_service.tools.asking_for import NoArguments, OfPool
from assist_service.tools.looking_up import FAULTS, NO_SEAT, lookup
from assist_service.tools.paging import PAGES, every
from assist_service.tools.tool import Desk, Said
from tests.unit.small_manual import desk, publication, section

POOL, OTHER = uuid.UUID(int=1), uuid.UUID(int=2)
MANUAL = publication(section())


class Reads:
    """An LMS that only learns which tool asks."""

    def for_tool(self, tool: str) -> "Reads":
        return self


def at_desk(*known: Seen) -> Desk:
    at = desk(MANUAL)
    reads: Any = Reads()
    return Desk(at.publication, at.index, at.audiences, at.language, at.given, Known(set(known)), reads)


@pytest.mark.parametrize(
    ("pages", "followed", "is_cut"), [(1, 1, False), (5, 5, False), (6, 5, True), (10**6, 5, True)]
)
async def test_pages_are_followed_within_bounds(pages: int, followed: int, is_cut: bool) -> None:
    cursors: list[str | None] = []

    async def page_of(cursor: str | None) -> Page[Ref]:
        cursors.append(cursor)
        number = len(cursors)
        item = Ref(id=uuid.UUID(int=number), title=f"Page {number}")
        return Page[Ref](items=(item,), next=f"after {number}" if number < pages else None)

    items, cut = await every(page_of)
    assert ([item.title for item in items], cut) == ([f"Page {n}" for n in range(1, followed + 1)], is_cut)
    assert cursors == [None, *(f"after {n}" for n in range(1, followed))]
    assert followed <= PAGES


async def test_a_cursor_that_leads_nowhere_ends() -> None:
    async def page_of(_: str | None) -> Page[Ref]:
        return Page[Ref](items=(), next="the same")

    assert await every(page_of) == ([], True)


def looking_up(asked: list[object], fault: LmsFaultKind | None = None) -> Any:
    async def run(arguments: OfPool, _: Desk, __: object) -> Found:
        asked.append(arguments.pool)
        if fault is not None:
            raise LmsFault(fault)
        return Found([{"id": Seen(EntityKind.POOL, arguments.pool)}])

    return lookup("get_pool", "For a test.", OfPool, run, needs="pool", kinds={"pool": EntityKind.POOL}).run


@pytest.mark.parametrize(
    "known",
    [(), (Seen(EntityKind.COURSE, POOL),), (Seen(EntityKind.POOL, OTHER),)],
    ids=["nothing", "another kind", "another's"],
)
async def test_an_id_that_nobody_gave_is_refused_unasked_in_the_words_for_what_is_not_there(known: tuple[Seen]) -> None:
    asked: list[object] = []
    refused = await looking_up(asked)(OfPool(pool=POOL), at_desk(*known))
    assert (refused, asked) == (Said(NO_SEAT, is_error=True, miss=Miss.ABSENT), [])
    absent = await looking_up(asked, LmsFaultKind.NOT_FOUND)(OfPool(pool=POOL), at_desk(Seen(EntityKind.POOL, POOL)))
    assert (absent, asked) == (refused, [POOL])


WHY = {
    LmsFaultKind.NOT_FOUND: Miss.ABSENT,
    LmsFaultKind.UNAVAILABLE: Miss.SILENT,
    LmsFaultKind.MALFORMED: Miss.SILENT,
    LmsFaultKind.REFUSED: Miss.REFUSED,
    LmsFaultKind.TOO_LARGE: Miss.REFUSED,
}


@pytest.mark.parametrize("kind", sorted(set(LmsFaultKind) - {LmsFaultKind.SESSION_ENDED}))
async def test_what_failed_is_told_plainly(kind: LmsFaultKind) -> None:
    told = await looking_up([], kind)(OfPool(pool=POOL), at_desk(Seen(EntityKind.POOL, POOL)))
    assert told == Said(FAULTS[kind], is_error=True, miss=WHY[kind])
    assert "Say" in told.text


async def test_a_session_that_ended_is_no_word_to_the_model() -> None:
    with pytest.raises(LmsFault):
        await looking_up([], LmsFaultKind.SESSION_ENDED)(OfPool(pool=POOL), at_desk(Seen(EntityKind.POOL, POOL)))


async def test_every_kind_of_fault_has_words() -> None:
    assert set(FAULTS) == set(LmsFaultKind) - {LmsFaultKind.SESSION_ENDED}
    assert NoArguments() == NoArguments()


def test_only_final_marks_of_released_columns_are_results() -> None:
    columns = {state: uuid.uuid4() for state in EvaluationState}
    grades = tuple(
        Grade(column=column, mark=mark, final=final, absent=absent)
        for column in columns.values()
        for mark, final, absent in [(7.0, True, False), (3.0, False, False), (5.0, True, True), (0.0, True, False)]
    )
    book = Gradebook(
        columns=tuple(
            GradeColumn(id=column, title=state.value, state=state, best_mark=10.0, mean=5.0)
            for state, column in columns.items()
        ),
        rows=(GradeRow(student=Named(id=uuid.uuid4(), name="Ana Lima"), grades=grades),),
    )
    found = results_of(book)
    assert [column.title for column in found.columns] == ["released"]
    [row] = found.rows
    assert [(mark.mark, mark.absent) for mark in row.marks] == [(7.0, False), (None, False), (None, True), (0.0, False)]
    assert {mark.column for mark in row.marks} == {columns[EvaluationState.RELEASED]}
