"""A publish ends with one live publication, the old or the new, wherever it is stopped and whoever else publishes."""

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.adapters.search import build_index
from assist_service.domain.manual import Audience, ManualPage, Publication, Section
from assist_service.domain.people import Role
from assist_service.domain.search import Glossary, Hit
from assist_service.ports import Publications
from assist_service.services.live_manual import LiveManual
from assist_service.services.publishing import PublishFailed, Publishing
from tests.case_counts import CountCases
from tests.fakes.clocks import HandClock

ROOT = Path(__file__).resolve().parents[2]

READERS = {
    Role.STUDENT: frozenset({Audience.SHARED, Audience.STUDENT}),
    Role.TEACHER: frozenset({Audience.SHARED, Audience.STUDENT, Audience.TEACHER}),
}


def publication(words: str, glossary: Glossary | None = None) -> Publication:
    sections = [
        Section(page, page, "en", audience, "first", "First", f"{page} says {words}")
        for page, audience in (("shared/a", Audience.SHARED), ("teacher/b", Audience.TEACHER))
    ]
    pages = tuple(ManualPage(each.page, "en", each.page, each.audience, (each,)) for each in sections)
    return Publication(pages, glossary or Glossary())


class PlainIndex:
    """Implements ports.SectionIndex by looking; `lost` and `leaked` are ids it is wrong about."""

    takes_time = False

    def __init__(self, found: Publication, *, lost: str = "", leaked: str = "") -> None:
        self.found = found
        self.lost = lost
        self.leaked = leaked
        self.ready_for: set[frozenset[Audience]] = set()

    def search(self, query: str, *, audiences: frozenset[Audience], language: str, limit: int) -> tuple[Hit, ...]:
        return ()

    def holds(self, section_id: str, *, audiences: frozenset[Audience]) -> bool:
        allowed = self.found.section(section_id, audiences) is not None
        return section_id == self.leaked or (allowed and section_id != self.lost)

    def prepare(self, audiences: frozenset[Audience]) -> None:
        self.ready_for.add(audiences)


def publishing(store: Publications, **wrong: str) -> Publishing:
    return Publishing(
        store=store,
        index_of=lambda found: PlainIndex(found, **wrong),
        readers=READERS,
        clock=HandClock(),
    )


async def test_what_is_published_is_read_back_whole(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    wanted = publication("one")
    assert await publishing(store).publish(wanted) is True
    assert await publishing(store).publish(wanted) is False
    found = await store.load(wanted.id)
    assert found is not None
    assert (found.id, found.pages) == (wanted.id, wanted.pages)
    [listed] = await store.listing()
    assert (listed.id, listed.sections, listed.is_live) == (wanted.id, 2, True)


@pytest.mark.parametrize(("wrong", "words"), [("lost", "teacher cannot find it"), ("leaked", "student finds it")])
async def test_a_section_that_is_lost_or_leaked_stops_it_and_the_old_stays_live(
    pool: asyncpg.Pool, wrong: str, words: str
) -> None:
    store = PostgresPublications(pool)
    old, new = publication("one"), publication("two")
    section = next(page for page in new.pages if page.path == "teacher/b").sections[0].id
    with pytest.raises(PublishFailed) as first:
        await publishing(store, **{wrong: section}).publish(old)
    assert first.value.live is None
    await publishing(store).publish(old)
    with pytest.raises(PublishFailed, match=words) as caught:
        await publishing(store, **{wrong: section}).publish(new)
    assert caught.value.faults[0].startswith("teacher/b (en), section first")
    assert caught.value.live == await store.live() == old.id


@pytest.mark.parametrize("damage", ["DELETE FROM", "UPDATE"])
async def test_a_section_that_does_not_come_back_as_it_was_staged_stops_it(pool: asyncpg.Pool, damage: str) -> None:
    store = PostgresPublications(pool)
    wanted = publication("one")
    await store.stage(wanted, now=HandClock().now())
    change = "SET text = 'other' " if damage == "UPDATE" else ""
    await pool.execute(f"{damage} manual_sections {change}WHERE page = 'teacher/b'")
    with pytest.raises(PublishFailed, match=r"teacher/b \(en\), section first: it does not come back"):
        await publishing(store).publish(wanted)
    assert await store.live() is None


async def test_a_publication_comes_back_with_its_glossary_and_the_search_uses_it(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    before = publication("bucket", Glossary({"en": (("pail", "bucket"), ("tub", "bucket"))}))
    after = publication("bucket", Glossary({"fr": (("seau", "bucket"),)}))
    replica = LiveManual(store=store, index_of=build_index)
    found = []
    for wanted in (before, after):
        assert await publishing(store).publish(wanted) is True
        await replica.refresh()
        edition = replica.active()
        assert edition.publication.glossary == wanted.glossary
        for word, language in (("tub", "en"), ("seau", "fr")):
            hits = edition.index.search(word, audiences=frozenset(Audience), language=language, limit=5)
            found.append((word, len(hits)))
    assert found == [("tub", 2), ("seau", 0), ("tub", 0), ("seau", 2)]


async def test_a_glossary_that_does_not_come_back_as_it_was_staged_stops_it(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    wanted = publication("one", Glossary({"en": (("pail", "bucket"),)}))
    await store.stage(wanted, now=HandClock().now())
    await pool.execute("UPDATE manual_publications SET glossary = '{}'")
    with pytest.raises(PublishFailed, match="the glossary: it does not come back"):
        await publishing(store).publish(wanted)
    assert await store.live() is None


async def test_a_publication_nobody_staged_is_not_there(pool: asyncpg.Pool) -> None:
    with pytest.raises(PublishFailed, match="there is no publication 0123456789abcdef"):
        await publishing(PostgresPublications(pool)).verify("0123456789abcdef")
    for nothing in (None, ""):
        with pytest.raises(PublishFailed, match="there is no publication"):
            await publishing(PostgresPublications(pool)).verify(nothing)


async def test_what_the_release_before_published_has_no_glossary(pool: asyncpg.Pool) -> None:
    await pool.execute("INSERT INTO manual_publications (id, staged_at) VALUES ('0123456789abcdef', now())")
    found = await PostgresPublications(pool).load("0123456789abcdef")
    assert found is not None
    assert found.glossary == Glossary()


async def test_a_rollback_goes_to_what_was_live_and_to_nothing_else(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    desk = publishing(store)
    with pytest.raises(PublishFailed, match="none to go back to"):
        await desk.roll_back(None)
    first, second, staged = publication("one"), publication("two"), publication("three")
    await desk.publish(first)
    await desk.publish(second)
    await store.stage(staged, now=HandClock().now())
    for wrong in (staged.id, ""):
        with pytest.raises(PublishFailed, match="was never live"):
            await desk.roll_back(wrong)
    assert await desk.roll_back(None) == first.id
    assert await desk.roll_back(second.id) == second.id
    assert await store.live() == second.id


async def test_each_rollback_goes_further_back_and_never_to_what_was_rolled_back_from(pool: asyncpg.Pool) -> None:
    desk = publishing(PostgresPublications(pool))
    a, b, c = (publication(words) for words in "abc")
    for each in (a, b, c):
        await desk.publish(each)
    assert [await desk.roll_back(None) for _ in "21"] == [b.id, a.id]
    with pytest.raises(PublishFailed, match="none to go back to"):
        await desk.roll_back(None)
    await desk.publish(c)
    await desk.publish(b)  # what was published again stands where it was published last: a, c, b
    assert [await desk.roll_back(None) for _ in "21"] == [c.id, a.id]


async def test_a_rollback_to_what_is_not_as_it_must_be_changes_nothing(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    old, new = publication("one"), publication("two")
    for each in (old, new):
        await publishing(store).publish(each)
    leaked = next(page for page in old.pages if page.path == "teacher/b").sections[0].id
    with pytest.raises(PublishFailed, match="student finds it"):
        await publishing(store, leaked=leaked).roll_back(None)
    assert await store.live() == new.id


async def test_two_publishers_racing_leave_one_live(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    wanted = [publication(f"version {number % 3}") for number in range(12)]
    await asyncio.gather(*(publishing(store).publish(each) for each in wanted))
    live = await store.live()
    assert live in {each.id for each in wanted}
    found = await store.load(live or "")
    assert found is not None
    assert len(found.pages) == 2
    assert await pool.fetchval("SELECT count(*) FROM manual_publications") == 3


STEPS = 6
"""The store is called this often by one publish: live, stage, load, withdrawals, switch; once more to be sure."""


@pytest.mark.slow
async def test_kill_nine_at_every_step_leaves_one_live_publication(
    database_url: str, pool: asyncpg.Pool, count_cases: CountCases
) -> None:
    store = PostgresPublications(pool)
    old = publication("old")
    await publishing(store).publish(old)
    killed = 0
    for step in range(1, STEPS + 1):
        for moment in ("before", "after"):
            words = f"new {step} {moment}"
            killed += await _published_and_killed(database_url, words, step, moment)
            live = await store.live()
            assert live in (old.id, publication(words).id)
            found = await store.load(live or "")
            assert found is not None
            assert len(found.pages) == 2
            await publishing(store).publish(publication(words))  # and again, undisturbed
            assert await store.live() == publication(words).id
            old = publication(words)
    assert killed >= 2 * (STEPS - 1)
    count_cases("kill -9", killed, "publishing")


async def _published_and_killed(database_url: str, words: str, step: int, moment: str) -> bool:
    """Publishes in a process that kills itself at this step; whether it came to that."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.postgres.test_publishing", database_url, words, str(step), moment,
        cwd=ROOT,
    )  # fmt: skip
    return await child.wait() == -signal.SIGKILL


class DyingStore:
    """A store whose process is killed before or after its n-th call."""

    def __init__(self, store: PostgresPublications, *, step: int, moment: str) -> None:
        self._store = store
        self._left = step
        self._moment = moment

    def __getattr__(self, name: str) -> Any:
        async def call(*arguments: Any, **named: Any) -> Any:
            self._left -= 1
            if self._left == 0 and self._moment == "before":
                signal.raise_signal(signal.SIGKILL)
            said = await getattr(self._store, name)(*arguments, **named)
            if self._left == 0:
                signal.raise_signal(signal.SIGKILL)
            return said

        return call


async def _publish_and_die(database_url: str, words: str, step: int, moment: str) -> None:
    async with asyncpg.create_pool(database_url, min_size=1, max_size=2) as pool:
        store: Any = DyingStore(PostgresPublications(pool), step=step, moment=moment)
        await publishing(store).publish(publication(words))


if __name__ == "__main__":
    asyncio.run(_publish_and_die(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]))
