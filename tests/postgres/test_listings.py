"""Lists and transcripts in pages: nothing lost, nothing doubled, nothing of anybody else, reads by others audited."""

import base64
import datetime as dt
import uuid
from collections.abc import Awaitable, Callable, Hashable

import pytest

from assist_service.domain.errors import AssistError, Code
from assist_service.ports import Listing, Transcript
from tests.fakes.clocks import START
from tests.postgres.exchanges import ADA, ADMIN, BOB, LEASE, Stores, exchange

ROWS, PAGE = 60, 25

PAGES = [25, 25, 10]

LATER = START + dt.timedelta(hours=1)

Paged = Callable[[str | None], Awaitable[Listing | Transcript | None]]


def moments() -> list[dt.datetime]:
    """Sixty, in groups of seven that are the same: a page ends in the middle of one."""
    return [START + dt.timedelta(seconds=number // 7) for number in range(ROWS)]


async def ids_by_page(paged: Paged) -> list[list[uuid.UUID]]:
    """What each page holds, from the first to the last."""
    pages, cursor = [], None
    while True:
        page = await paged(cursor)
        assert page is not None
        pages.append([item.id for item in page.items])
        if page.next is None:
            return pages
        assert page.next != cursor
        cursor = page.next


def flat(pages: list[list[uuid.UUID]]) -> list[Hashable]:
    return [item for page in pages for item in page]


async def test_a_list_in_pages_is_the_whole_list_the_last_used_first(stores: Stores) -> None:
    made = [await stores.start(exchange(at=at)) for at in moments()]
    await stores.start(exchange(BOB))

    async def listing(cursor: str | None) -> Listing:
        return await stores.conversations.listing(ADA, cursor=cursor, limit=PAGE)

    pages = await ids_by_page(listing)
    assert [len(page) for page in pages] == PAGES
    newest_first = sorted(made, key=lambda one: (one.at, one.conversation_id), reverse=True)
    assert flat(pages) == [one.conversation_id for one in newest_first]


async def test_a_transcript_in_pages_is_the_whole_conversation_the_oldest_first(stores: Stores) -> None:
    first = await stores.start(exchange())
    made = [first, *[await stores.follow(first, at=at) for at in moments()[1:]]]
    await stores.start(exchange())

    async def transcript(cursor: str | None) -> Transcript | None:
        return await stores.conversations.transcript(ADA, first.conversation_id, cursor=cursor, limit=PAGE)

    pages = await ids_by_page(transcript)
    assert [len(page) for page in pages] == PAGES
    assert flat(pages) == [one.id for one in sorted(made, key=lambda one: (one.at, one.id))]


@pytest.mark.parametrize("rows", [0, 1, PAGE])
async def test_a_last_page_names_no_next_even_when_it_is_full(stores: Stores, rows: int) -> None:
    for _ in range(rows):
        await stores.start(exchange())
    page = await stores.conversations.listing(ADA, cursor=None, limit=PAGE)
    assert (len(page.items), page.next) == (rows, None)


async def test_a_line_tells_when_it_began_when_it_was_used_and_its_first_question(stores: Stores) -> None:
    first = await stores.start(exchange(question="First\n question?  " + "long " * 40))
    await stores.follow(first, at=LATER, question="Second?")
    [head] = (await stores.conversations.listing(ADA, cursor=None, limit=PAGE)).items
    assert (head.id, head.span.started_at, head.span.last_at) == (first.conversation_id, START, LATER)
    assert head.title.startswith("First question? long long")
    assert len(head.title) <= 80


async def test_the_title_is_the_first_question_that_is_still_kept(stores: Stores) -> None:
    first = await stores.start(exchange(question="First?"))
    await stores.follow(first, at=LATER, question="Second?")
    await stores.pool.execute("DELETE FROM exchanges WHERE id = $1", first.id)
    [head] = (await stores.conversations.listing(ADA, cursor=None, limit=PAGE)).items
    assert head.title == "Second?"


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


ROW = uuid.uuid4()

GARBAGE = {
    "empty": "",
    "one letter": "x",
    "no base64": "!!!!",
    "not ASCII": "é" * 8,
    "a NUL": "AAAA\x00AAA",
    "no UTF-8": base64.urlsafe_b64encode(b"\xff\xfe|\xff").decode(),
    "no separator": encoded("2026-11-02T09:30:00+00:00"),
    "two separators": encoded(f"2026-11-02T09:30:00+00:00|{ROW}|"),
    "no moment": encoded(f"yesterday|{ROW}"),
    "no zone": encoded(f"2026-11-02T09:30:00|{ROW}"),
    "no row": encoded("2026-11-02T09:30:00+00:00|first"),
    "SQL": encoded("2026-11-02T09:30:00+00:00|' OR true --"),
    "before all time": encoded(f"0001-01-01T00:00:00+23:59|{ROW}"),
    "after all time": encoded(f"9999-12-31T23:59:59-23:59|{ROW}"),
    "an id": str(ROW),
}


async def test_a_cursor_this_service_never_gave_is_an_invalid_request(stores: Stores) -> None:
    first = await stores.start(exchange())
    calls: list[Paged] = [
        lambda cursor: stores.conversations.listing(ADA, cursor=cursor, limit=PAGE),
        lambda cursor: stores.conversations.transcript(ADA, first.conversation_id, cursor=cursor, limit=PAGE),
        lambda cursor: stores.audited.listing(ADMIN, ADA, now=START, cursor=cursor, limit=PAGE),
        lambda cursor: stores.audited.transcript(ADMIN, first.conversation_id, now=START, cursor=cursor, limit=PAGE),
    ]
    for what, cursor in GARBAGE.items():
        for call in calls:
            with pytest.raises(AssistError) as caught:
                await call(cursor)
            assert caught.value.code is Code.INVALID_REQUEST, what
            assert [fault.field for fault in caught.value.faults] == ["cursor"]
    assert await stores.count("audit") == 0


async def test_a_cursor_of_another_person_shows_only_ones_own(stores: Stores) -> None:
    for _ in range(2):
        await stores.start(exchange(BOB, at=LATER))
    hers = await stores.start(exchange(ADA))
    his = await stores.conversations.listing(BOB, cursor=None, limit=1)
    assert his.next is not None
    page = await stores.conversations.listing(ADA, cursor=his.next, limit=PAGE)
    assert [head.id for head in page.items] == [hers.conversation_id]


async def entries_of(stores: Stores) -> list[tuple[object, ...]]:
    entries = await stores.pool.fetch("SELECT at, actor, action, subject, conversation_id FROM audit ORDER BY at")
    return [tuple(entry) for entry in entries]


async def test_each_reading_by_an_administrator_is_one_audit_entry(stores: Stores) -> None:
    first = await stores.start(exchange())
    listing = await stores.audited.listing(ADMIN, ADA, now=START, cursor=None, limit=PAGE)
    assert [head.id for head in listing.items] == [first.conversation_id]
    found = await stores.audited.transcript(ADMIN, first.conversation_id, now=LATER, cursor=None, limit=PAGE)
    assert found is not None
    assert found.items == (first,)
    assert await entries_of(stores) == [
        (START, ADMIN, "assist.read", ADA, None),
        (LATER, ADMIN, "assist.read", ADA, first.conversation_id),
    ]
    await stores.audited.transcript(ADMIN, first.conversation_id, now=LATER, cursor=None, limit=PAGE)
    assert await stores.count("audit") == 3


async def test_the_pages_of_one_reading_are_one_audit_entry(stores: Stores) -> None:
    first = await stores.start(exchange())
    for second in range(1, 10):
        await stores.follow(first, at=START + dt.timedelta(seconds=second))
        await stores.start(exchange())

    async def transcript(cursor: str | None) -> Transcript | None:
        return await stores.audited.transcript(ADMIN, first.conversation_id, now=LATER, cursor=cursor, limit=4)

    async def listing(cursor: str | None) -> Listing:
        return await stores.audited.listing(ADMIN, ADA, now=LATER, cursor=cursor, limit=4)

    assert [len(page) for page in await ids_by_page(transcript)] == [4, 4, 2]
    assert await stores.count("audit") == 1
    assert [len(page) for page in await ids_by_page(listing)] == [4, 4, 2]
    assert await stores.count("audit") == 2


async def test_a_later_page_without_a_first_one_is_audited_all_the_same(stores: Stores) -> None:
    made = [await stores.start(exchange()), await stores.start(exchange()), await stores.start(exchange(BOB))]
    cursor = encoded(f"2026-11-02T09:00:00+00:00|{ROW}")

    async def read(reader: str, number: int, now: dt.datetime) -> int:
        """The number of audit entries after the reading."""
        await stores.audited.transcript(reader, made[number].conversation_id, now=now, cursor=cursor, limit=PAGE)
        return await stores.count("audit")

    assert await read(ADMIN, 0, START) == 1
    assert await read(ADMIN, 0, START + dt.timedelta(minutes=59)) == 1
    assert await read("another-admin", 0, START) == 2
    assert await read(ADMIN, 1, START) == 3
    assert await read(ADMIN, 2, START) == 4
    assert await read(ADMIN, 0, START + dt.timedelta(minutes=60)) == 5
    await stores.audited.listing(ADMIN, ADA, now=START, cursor=cursor, limit=PAGE)
    assert await stores.count("audit") == 6


async def test_reading_a_conversation_that_is_not_there_leaves_no_entry(stores: Stores) -> None:
    assert await stores.audited.transcript(ADMIN, uuid.uuid4(), now=START, cursor=None, limit=PAGE) is None
    assert await stores.count("audit") == 0


async def test_what_cannot_be_audited_is_not_read(stores: Stores) -> None:
    first = await stores.start(exchange())
    await stores.pool.execute("ALTER TABLE audit ADD CHECK (action <> 'assist.read')")
    with pytest.raises(Exception, match="violates check constraint"):
        await stores.audited.listing(ADMIN, ADA, now=START, cursor=None, limit=PAGE)
    with pytest.raises(Exception, match="violates check constraint"):
        await stores.audited.transcript(ADMIN, first.conversation_id, now=START, cursor=None, limit=PAGE)


async def test_an_administrators_reading_takes_no_lease(stores: Stores) -> None:
    first = await stores.start(exchange())
    opened = await stores.open(first)
    await stores.audited.transcript(ADMIN, first.conversation_id, now=START, cursor=None, limit=PAGE)
    row = await stores.pool.fetchrow("SELECT lease, lease_until FROM conversations")
    assert row is not None
    assert tuple(row) == (opened.lease, START + LEASE)
