"""What was withdrawn stays closed in every publication, earlier and later, until it is restored."""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence

import asyncpg
import pytest

from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.domain.manual import Publication, Section
from assist_service.domain.withdrawals import Withdrawal
from assist_service.ports import Edition
from assist_service.services.live_manual import LiveManual
from assist_service.services.publishing import PublishFailed
from tests.fakes.clocks import HandClock
from tests.postgres.test_publishing import PlainIndex, publication, publishing
from tests.unit.small_manual import publication as publication_of
from tests.unit.small_manual import section

POOLS = "teacher/pools"


def pools(*anchors: str, words: str = "Press.", language: str = "en") -> Publication:
    return publication_of(*(section(POOLS, anchor, words, language=language) for anchor in anchors))


async def is_open(store: PostgresPublications, wanted: Publication) -> list[str]:
    """The anchors of a publication that can be read."""
    found = await store.load(wanted.id)
    assert found is not None
    return [each.anchor for page in found.pages for each in page.sections]


async def published(store: PostgresPublications, wanted: Iterable[Publication]) -> None:
    for each in wanted:
        assert await publishing(store).publish(each) is True


async def test_what_was_withdrawn_is_missing_from_a_later_publication_and_stops_it_not(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    await publishing(store).publish(publication("one"))
    assert await publishing(store).withdraw(Withdrawal("teacher/b", None)) == ("teacher/b (en), section first",)
    later = publication("two")
    assert await publishing(store).publish(later) is True
    found = await store.load(later.id)
    assert found is not None
    assert [page.path for page in found.pages] == ["shared/a"]
    told = await publishing(store).closed(later.id)
    assert (told.number, told.named) == (1, ("teacher/b (en), section first",))


async def test_a_whole_page_stays_closed_when_its_headings_are_renamed(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    before, later = pools("create", "share"), pools("make", "share", "added")
    await published(store, [before])
    assert len(await publishing(store).withdraw(Withdrawal(POOLS, None))) == 2
    await published(store, [later])
    assert [await is_open(store, each) for each in (before, later)] == [[], []]
    assert (await publishing(store).closed(later.id)).number == 3


async def test_a_section_stays_closed_with_its_parts_in_earlier_and_later_publications(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    first, second, later = pools("create", "share"), pools("create"), pools("create", "create-part-2", "share")
    await published(store, [first, second])
    assert len(await publishing(store).withdraw(Withdrawal(POOLS, "create"))) == 1
    await published(store, [later])
    assert [await is_open(store, each) for each in (first, second, later)] == [["share"], [], ["share"]]


async def test_what_is_restored_can_be_read_and_what_is_withdrawn_besides_cannot(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    desk = publishing(store)
    wanted = pools("create", "share")
    await published(store, [wanted])
    for anchor in ("share", None):
        await desk.withdraw(Withdrawal(POOLS, anchor))
    assert await is_open(store, wanted) == []
    with pytest.raises(PublishFailed, match="withdrawn is: page teacher/pools, section share of page teacher/pools"):
        await desk.restore(Withdrawal(POOLS, "create"))
    assert await desk.restore(Withdrawal(POOLS, None)) == ("teacher/pools (en), section create",)
    assert await is_open(store, wanted) == ["create"]
    assert await desk.restore(Withdrawal(POOLS, "share")) == ("teacher/pools (en), section share",)
    assert await is_open(store, wanted) == ["create", "share"]
    with pytest.raises(PublishFailed, match="withdrawn is: nothing of this page"):
        await desk.restore(Withdrawal(POOLS, "share"))


async def test_a_slip_of_the_pen_withdraws_nothing(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    await published(store, [pools("create")])
    for page, anchor in ((POOLS, "crate"), (POOLS, ""), ("teacher/pool", None)):
        with pytest.raises(PublishFailed, match="there is no "):
            await publishing(store).withdraw(Withdrawal(page, anchor))
    await publishing(store).withdraw(Withdrawal(POOLS, "create"))
    with pytest.raises(PublishFailed, match="section create of page teacher/pools was withdrawn already"):
        await publishing(store).withdraw(Withdrawal(POOLS, "create"))
    assert (await store.withdrawals()).every == {Withdrawal(POOLS, "create")}


async def test_a_page_that_was_closed_by_its_sections_can_still_be_closed_whole(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    await published(store, [pools("create")])
    for anchor in ("create", None):
        await publishing(store).withdraw(Withdrawal(POOLS, anchor))
    await published(store, [later := pools("make")])
    assert await is_open(store, later) == []


async def test_every_change_of_what_is_withdrawn_is_another_state(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    desk = publishing(store)
    await published(store, [pools("create", "share")])
    states = [await store.state()]

    async def after(act: Awaitable[object]) -> None:
        await act
        states.append(await store.state())

    await after(desk.withdraw(Withdrawal(POOLS, "create")))
    await desk.restore(Withdrawal(POOLS, "create"))
    await after(desk.withdraw(Withdrawal(POOLS, "share")))  # as many as before
    await after(desk.withdraw(Withdrawal(POOLS, None)))
    await after(desk.restore(Withdrawal(POOLS, "share")))  # and the last one made is still there
    assert len(set(states)) == len(states) == 5


async def test_the_list_says_how_many_sections_are_closed(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    first, second = pools("create", "share"), pools("create", "share", words="Click.")
    await published(store, [first, second])
    await publishing(store).withdraw(Withdrawal(POOLS, "create"))
    assert {(each.id, each.sections, each.closed) for each in await store.listing()} == {
        (first.id, 2, 1),
        (second.id, 2, 1),
    }


async def test_no_more_than_twenty_are_named(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    wanted = pools(*(f"a{number}" for number in range(21)))
    await published(store, [wanted])
    await publishing(store).withdraw(Withdrawal(POOLS, None))
    told = await publishing(store).closed(wanted.id)
    assert (told.number, len(told.named)) == (21, 20)


async def test_a_replica_of_the_release_before_closes_and_opens_too(pool: asyncpg.Pool) -> None:
    """It reads the ids of sections, and no other table."""
    store = PostgresPublications(pool)
    create, share = (section(POOLS, anchor).id for anchor in ("create", "share"))

    async def closed() -> set[str]:
        return {row["section"] for row in await pool.fetch("SELECT section FROM manual_withdrawn")}

    await published(store, [pools("create", "share")])
    desk = publishing(store)
    await desk.withdraw(Withdrawal(POOLS, "create"))
    assert await closed() == {create}
    await desk.withdraw(Withdrawal(POOLS, None))
    assert await closed() == {create, share}
    await desk.restore(Withdrawal(POOLS, None))
    assert await closed() == {create}


async def test_a_replica_knows_what_is_withdrawn_whatever_edition_a_question_has(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    replica = LiveManual(store=store, index_of=PlainIndex)
    await published(store, [pools("create", "share")])
    await replica.refresh()
    pinned: Edition = replica.active()
    await published(store, [pools("other")])
    await replica.refresh()
    await publishing(store).withdraw(Withdrawal(POOLS, "create"))
    assert await replica.refresh() is True
    of_pinned: Sequence[Section] = pinned.publication.pages[0].sections
    assert [replica.withdrawn().close(each) for each in of_pinned] == [True, False]
    await publishing(store).restore(Withdrawal(POOLS, "create"))
    await replica.refresh()
    assert [replica.withdrawn().close(each) for each in of_pinned] == [False, False]


async def test_withdrawing_while_others_publish_leaves_nothing_open(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    await published(store, [pools("create")])
    later = [pools("create", words=f"Press {number}.") for number in range(8)]
    await asyncio.gather(
        publishing(store).withdraw(Withdrawal(POOLS, "create")), *(publishing(store).publish(each) for each in later)
    )
    assert [await is_open(store, each) for each in later] == [[]] * 8


async def test_an_old_citation_of_a_withdrawn_section_opens_nothing(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    wanted = pools("create")
    await published(store, [wanted])
    cited = wanted.pages[0].sections[0]
    await pool.execute(_EXCHANGE, HandClock().now(), f'[{{"publication": "{wanted.id}", "section": "{cited.id}"}}]')
    assert await store.cited_section("anne", wanted.id, cited.id) == cited
    assert await store.cited_section("ben", wanted.id, cited.id) is None
    for anchor in ("create", None):
        await publishing(store).withdraw(Withdrawal(POOLS, anchor))
        assert await store.cited_section("anne", wanted.id, cited.id) is None
        await publishing(store).restore(Withdrawal(POOLS, anchor))
    assert await store.cited_section("anne", wanted.id, cited.id) == cited


_EXCHANGE = """
WITH conversation AS (
    INSERT INTO conversations (id, owner, started_at, last_at) VALUES (gen_random_uuid(), 'anne', $1, $1) RETURNING id
)
INSERT INTO exchanges
    (id, conversation_id, owner, at, kind, language, route, model, corpus_version, citations, key_id, sealed)
SELECT gen_random_uuid(), id, 'anne', $1, 'answer', 'en', '/', 'stub', '', $2::jsonb, 'k', ''::bytea FROM conversation
"""
