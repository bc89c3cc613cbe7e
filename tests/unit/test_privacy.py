"""Exporting: pieces that are one document, a fault raised where they are read, and no end of waiting for a reader."""

import asyncio
import datetime as dt
import json
from collections.abc import AsyncGenerator, Mapping, Sequence

import pytest

from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import is_subject
from assist_service.domain.person_data import ERASED, NOBODY, OPERATOR, SOMEBODY_ELSE, KeptRate, KeptRow, PersonDocument
from assist_service.services.privacy import AT_ONCE, Privacy
from tests.fakes.clocks import START, HandClock

RATE = KeptRate(recent=(START,), day=START.date(), day_count=1)

LISTS = tuple(PersonDocument.model_fields)[2:]


class ListedPeople:
    """Implements ports.PersonData from a list of batches; one that is an exception is raised."""

    def __init__(self, *batches: tuple[str, Sequence[KeptRow]] | Exception) -> None:
        self._batches = batches
        self.is_closed = False
        self.begun = 0
        self.erased_at: list[dt.datetime] = []

    async def export(
        self, sub: str, *, actor: str, now: dt.datetime
    ) -> AsyncGenerator[tuple[str, Sequence[KeptRow]], None]:
        self.begun += 1
        try:
            for batch in self._batches:
                if isinstance(batch, Exception):
                    raise batch
                yield batch
        finally:
            self.is_closed = True

    async def count(self, sub: str) -> Mapping[str, int]:
        return {}

    async def erase(self, sub: str, *, actor: str, now: dt.datetime) -> None:
        self.erased_at.append(now)


async def _read(people: ListedPeople, sub: str = "ada") -> bytes:
    privacy = Privacy(people=people, clock=HandClock())
    return b"".join([piece async for piece in privacy.export(sub, actor="back-end")])


async def test_batches_make_one_document_whatever_their_size() -> None:
    empty: Mapping[str, Sequence[KeptRow]] = dict.fromkeys(LISTS, ())
    cases: Sequence[Sequence[Sequence[KeptRow]]] = ([[]], [[RATE]], [[RATE, RATE], [RATE]], [[RATE], []])
    for batches in cases:
        told = [(name, rows) for name in LISTS for rows in (batches if name == "question_rates" else [empty[name]])]
        document = PersonDocument.model_validate_json(await _read(ListedPeople(*told), 'a"\\b'))
        assert (document.sub, document.exported_at) == ('a"\\b', START)
        assert len(document.question_rates) == sum(map(len, batches))


async def test_a_fault_is_raised_where_the_pieces_are_read() -> None:
    people = ListedPeople(("conversations", ()), RuntimeError("gone"))
    with pytest.raises(RuntimeError, match="gone"):
        await _read(people)
    assert people.is_closed


@pytest.mark.parametrize("sub", ["", "a b", "a\x00", "é", "x" * 256, "a\n"])
async def test_what_can_name_nobody_is_refused_before_anything_is_read(sub: str) -> None:
    people = ListedPeople()
    privacy = Privacy(people=people, clock=HandClock())
    with pytest.raises(AssistError) as refused:
        await anext(privacy.export(sub, actor="back-end"))
    assert refused.value.code is Code.INVALID_REQUEST
    for using in (privacy.count(sub), privacy.erase(sub, actor="back-end")):
        with pytest.raises(AssistError):
            await using


async def test_a_reader_who_stops_reading_holds_nothing_for_long() -> None:
    people = ListedPeople(*(("conversations", ()) for _ in range(10)))
    privacy = Privacy(people=people, clock=HandClock(), export_seconds=0.05)
    pieces = privacy.export("ada", actor="back-end")
    await anext(pieces)
    await asyncio.sleep(0.1)
    assert people.is_closed
    with pytest.raises(TimeoutError):
        [piece async for piece in pieces]


async def test_a_reader_who_leaves_closes_what_was_open() -> None:
    people = ListedPeople(*(("conversations", ()) for _ in range(10)))
    pieces = Privacy(people=people, clock=HandClock()).export("ada", actor="back-end")
    json.loads((await anext(pieces)) + b"]}")
    await pieces.aclose()
    await asyncio.sleep(0)
    assert people.is_closed


async def test_exports_and_erasures_take_turns_and_who_waits_has_begun_nothing() -> None:
    people, clock = ListedPeople(*(("conversations", ()) for _ in range(10))), HandClock()
    privacy = Privacy(people=people, clock=clock)
    held = [privacy.export("ada", actor="back-end") for _ in range(AT_ONCE)]
    for pieces in held:
        await anext(pieces)
    waiting = privacy.export("ada", actor="back-end")
    third, erasing = asyncio.ensure_future(anext(waiting)), asyncio.create_task(privacy.erase("ada", actor="back-end"))
    await asyncio.sleep(0.01)
    assert (people.begun, people.erased_at) == (AT_ONCE, [])
    clock.move(60)
    for pieces in held:
        await pieces.aclose()
    await erasing
    assert people.erased_at == [START + dt.timedelta(seconds=60)]  # an erasure is of the moment at which it is made
    await third
    assert people.begun == AT_ONCE + 1
    await waiting.aclose()


def test_no_word_that_stands_for_somebody_can_be_the_id_of_a_person_or_a_back_end() -> None:
    for word in (ERASED, NOBODY, OPERATOR, SOMEBODY_ELSE):
        assert not is_subject(word)
