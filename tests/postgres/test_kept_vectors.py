"""The vectors of a publication are made once, kept beside it, and a replica without its model's goes by words."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.adapters.search import build_index
from assist_service.adapters.search.joined import JoinedIndex
from assist_service.bootstrap.manuals import vectors_lacking
from assist_service.bootstrap.meanings import meanings_of
from assist_service.domain.manual import Audience, Publication
from assist_service.domain.vectors import Vectors, pack
from assist_service.domain.withdrawals import Withdrawal
from assist_service.ports import SectionIndex
from assist_service.services.live_manual import LiveManual
from assist_service.services.meanings import BATCH
from assist_service.services.publishing import PublishFailed, Publishing
from tests.fakes.clocks import HandClock
from tests.fakes.hashed_embedder import HashedEmbedder
from tests.postgres.test_publishing import READERS, PlainIndex, publication, publishing
from tests.unit.small_index import page

EVERYONE = frozenset(Audience)


def joining(store: PostgresPublications, embedder: HashedEmbedder) -> Publishing:
    meanings = meanings_of(embedder, progress=lambda *_: None)
    return Publishing(store=store, index_of=build_index, readers=READERS, clock=HandClock(), meanings=meanings)


def replica_of(store: PostgresPublications, embedder: HashedEmbedder) -> LiveManual:
    return LiveManual(store=store, index_of=build_index, meanings=meanings_of(embedder, progress=lambda *_: None))


def some(made: Publication, model: str = "hashed-1", first: float = 1.0) -> Vectors:
    ids = [section.id for page in made.pages for section in page.sections]
    return Vectors(model, {each: pack([first, 0.0]) for each in ids})


async def test_they_come_back_whole_by_model_and_the_last_ones_are_kept(pool: asyncpg.Pool) -> None:
    store, made = PostgresPublications(pool), publication("one")
    await store.stage(made, now=HandClock().now())
    first, other = some(made), some(made, "another")
    assert await store.vectors(made.id, "hashed-1") is None
    await store.keep_vectors(made.id, some(made, first=-1.0))
    await asyncio.gather(*(store.keep_vectors(made.id, first) for _ in range(5)))
    await store.keep_vectors(made.id, other)
    assert await store.vectors(made.id, "hashed-1") == first
    assert await store.vectors(made.id, "another") == other
    assert await store.vector_models(made.id) == ("another", "hashed-1")
    assert await store.vector_models("none") == ()


async def test_a_publish_makes_them_once_and_the_id_is_the_same(pool: asyncpg.Pool) -> None:
    store, embedder, made = PostgresPublications(pool), HashedEmbedder(), publication("one")
    assert await joining(store, embedder).publish(made) is True
    assert len(embedder.asked) == 2
    assert await store.live() == made.id
    assert await joining(store, embedder).publish(made) is False
    assert await joining(store, embedder).publish_if_new(made) is False
    assert await joining(store, embedder).embed(None) == (made.id, False)
    assert len(embedder.asked) == 2


async def test_what_was_built_with_them_is_not_embedded_again(pool: asyncpg.Pool) -> None:
    store, embedder, made = PostgresPublications(pool), HashedEmbedder(), publication("one")
    built = meanings_of(HashedEmbedder(), progress=lambda *_: None).embed(made)
    await joining(store, embedder).publish(made, built)
    assert embedder.asked == []
    assert await store.vectors(made.id, "hashed-1") == built


async def test_they_are_kept_by_a_command_that_has_no_model_itself(pool: asyncpg.Pool) -> None:
    store, made = PostgresPublications(pool), publication("one")
    await publishing(store).publish(made, some(made))
    assert await store.vectors(made.id, "hashed-1") == some(made)


async def test_a_start_makes_those_of_a_publication_that_was_live_without_any(pool: asyncpg.Pool) -> None:
    store, embedder, made = PostgresPublications(pool), HashedEmbedder(), publication("one")
    await publishing(store).publish(made)
    assert await joining(store, embedder).publish_if_new(made) is False
    assert len(embedder.asked) == 2
    await publishing(store).publish(publication("two"))
    assert await joining(store, embedder).publish_if_new(made) is False
    assert len(embedder.asked) == 2
    assert await store.live() == publication("two").id


async def test_a_replica_joins_them_and_goes_by_words_where_there_are_none(pool: asyncpg.Pool) -> None:
    store, embedder = PostgresPublications(pool), HashedEmbedder()
    replica, old, new = replica_of(store, embedder), publication("one"), publication("two")
    await joining(store, embedder).publish(old)
    await replica.refresh()
    assert isinstance(replica.active().index, JoinedIndex)
    await publishing(store).publish(new)
    with capture_logs() as logs:
        await replica.refresh()
        await replica.refresh()
    assert (replica.goes_by_words, replica.active().publication.id) == (True, new.id)
    assert [dict(each) for each in logs if each["event"] == "vectors_missing"] == [
        {"event": "vectors_missing", "id": new.id, "model": "hashed-1", "sections": 2, "log_level": "warning"}
    ]
    [hit] = replica.active().index.search("two teacher", audiences=READERS_OF_B, language="en", limit=1)
    assert hit.page == "teacher/b"

    assert await joining(store, HashedEmbedder("another")).embed(None) == (new.id, True)
    assert await replica.refresh() is False
    assert replica.goes_by_words
    assert await joining(store, embedder).embed(None) == (new.id, True)
    assert await replica.refresh() is True
    assert isinstance(replica.active().index, JoinedIndex)
    assert (await replica.refresh(), replica.lacks_vectors) == (False, 0)


READERS_OF_B = frozenset({Audience.TEACHER})


async def test_one_that_was_rolled_back_to_without_any_answers_by_words(pool: asyncpg.Pool) -> None:
    store, embedder = PostgresPublications(pool), HashedEmbedder()
    old, new = publication("one"), publication("two")
    await publishing(store).publish(old)
    await joining(store, embedder).publish(new)
    replica = replica_of(store, embedder)
    await replica.refresh()
    assert await joining(store, embedder).roll_back(None) == old.id
    await replica.refresh()
    assert replica.goes_by_words
    assert await joining(store, embedder).lacking(None) == (old.id, 2)
    told = await vectors_lacking(store, old.id, model="hashed-1")
    assert f"publication {old.id} is live and lacks vectors of hashed-1" in told
    assert "(it has: none): run `assist-service manual embed`" in told


async def test_a_publication_without_a_withdrawn_section_is_covered_by_its_vectors(pool: asyncpg.Pool) -> None:
    store, embedder = PostgresPublications(pool), HashedEmbedder()
    await joining(store, embedder).publish(publication("one"))
    await joining(store, embedder).withdraw(Withdrawal("teacher/b", None))
    replica = replica_of(store, embedder)
    await replica.refresh()
    index = replica.active().index
    assert isinstance(index, JoinedIndex)
    assert [hit.page for hit in index.search("says one", audiences=EVERYONE, language="en", limit=9)] == ["shared/a"]


async def test_verification_looks_through_the_joined_index(pool: asyncpg.Pool) -> None:
    class Leaking(JoinedIndex):
        def holds(self, section_id: str, *, audiences: frozenset[Audience]) -> bool:
            return True

    store, embedder, made = PostgresPublications(pool), HashedEmbedder(), publication("one")
    meanings: Any = meanings_of(embedder, progress=lambda *_: None)
    object.__setattr__(meanings, "join", lambda words, of, vectors: Leaking(words, of, vectors, embedder))
    leaking = Publishing(store=store, index_of=build_index, readers=READERS, clock=HandClock(), meanings=meanings)
    with pytest.raises(PublishFailed, match="student finds it"):
        await leaking.publish(made)
    assert await store.live() is None


async def test_verification_looks_through_the_words_by_themselves(pool: asyncpg.Pool) -> None:
    store, made = PostgresPublications(pool), publication("one")
    wrong = made.pages[1].sections[0].id  # a teacher's
    meanings = meanings_of(HashedEmbedder(), progress=lambda *_: None)
    for index, words in (
        (PlainIndex(made, lost=wrong), "teacher cannot"),
        (PlainIndex(made, leaked=wrong), "student f"),
    ):
        of_these = partial(_given, index)
        faulty = Publishing(store=store, index_of=of_these, readers=READERS, clock=HandClock(), meanings=meanings)
        with pytest.raises(PublishFailed, match=words):
            await faulty.publish(made)
    assert await store.live() is None


def _given(index: SectionIndex, _: Publication) -> SectionIndex:
    return index


async def test_they_are_made_apart_so_that_a_stop_waits_for_one_batch_at_most(pool: asyncpg.Pool) -> None:
    store, embedder, told = PostgresPublications(pool), HashedEmbedder(), list[tuple[int, int]]()
    pages = tuple(page(f"shared/p{at}", "P", "Text.", audience=Audience.SHARED) for at in range(2 * BATCH + 1))
    stopped: Mapping[str, asyncio.Task[bool]]

    def progress(done: int, sections: int) -> None:
        told.append((done, sections))
        if done == BATCH:
            stopped["publish"].cancel()

    meanings = meanings_of(embedder, progress=progress)
    made = Publishing(store=store, index_of=build_index, readers=READERS, clock=HandClock(), meanings=meanings)
    stopped = {"publish": asyncio.ensure_future(made.publish(Publication(pages)))}
    with pytest.raises(asyncio.CancelledError):
        await stopped["publish"]
    assert told == [(0, 2 * BATCH + 1), (BATCH, 2 * BATCH + 1)]
    assert await store.live() is None
    again = HashedEmbedder()
    await joining(store, again).publish(Publication(pages))
    assert len(again.asked) == BATCH + 1  # what was made before the stop is kept
