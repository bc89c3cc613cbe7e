"""Some vectors are lacking, or wrong: those sections go by words, it is told, and what mends it is taken up."""

import asyncio
from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.adapters.search import build_index
from assist_service.adapters.search.joined import JoinedIndex
from assist_service.bootstrap.meanings import meanings_of
from assist_service.domain.manual import Publication
from assist_service.domain.vectors import Vectors, pack
from assist_service.domain.withdrawals import Withdrawal
from assist_service.ports import SectionIndex
from assist_service.services.live_manual import LiveManual
from assist_service.services.publishing import PublishFailed, Publishing
from tests.fakes.clocks import HandClock
from tests.fakes.hashed_embedder import HashedEmbedder
from tests.postgres.test_kept_vectors import EVERYONE, joining, replica_of, some
from tests.postgres.test_publishing import READERS, publication, publishing

PAGE_B = Withdrawal("teacher/b", None)


async def test_a_restored_section_is_found_by_words_until_it_is_embedded_and_the_others_by_both(
    pool: asyncpg.Pool,
) -> None:
    store, embedder, made = PostgresPublications(pool), HashedEmbedder(), publication("one")
    await publishing(store).publish(made)
    await publishing(store).withdraw(PAGE_B)
    await joining(store, embedder).embed(None)
    replica = replica_of(store, embedder)
    await replica.refresh()
    assert replica.lacks_vectors == 0

    await publishing(store).restore(PAGE_B)
    with capture_logs() as logs:
        await replica.refresh()
    [told] = [each for each in logs if each["event"] == "vectors_missing"]
    assert (told["id"], told["sections"]) == (made.id, 1)
    index = replica.active().index
    assert isinstance(index, JoinedIndex)
    assert {hit.page for hit in index.search("says one", audiences=EVERYONE, language="en", limit=9)} == {
        "shared/a",
        "teacher/b",
    }
    assert not replica.goes_by_words
    assert await joining(store, embedder).lacking(None) == (made.id, 1)
    assert await joining(store, embedder).verify(None) == made.id

    assert await joining(store, embedder).embed(None) == (made.id, True)
    assert await replica.refresh() is True
    assert (replica.lacks_vectors, await replica.refresh()) == (0, False)
    assert await joining(store, embedder).lacking(None) == (made.id, 0)


async def test_vectors_that_come_while_the_index_is_made_are_taken_up(pool: asyncpg.Pool) -> None:
    store, loop, done = PostgresPublications(pool), asyncio.get_running_loop(), list[Any]()
    await publishing(store).publish(publication("one"))

    def slow_index(of: Publication) -> SectionIndex:
        if not done:
            embedding = joining(store, HashedEmbedder()).embed(None)
            done.append(asyncio.run_coroutine_threadsafe(embedding, loop).result())
        return build_index(of)

    meanings = meanings_of(HashedEmbedder(), progress=lambda *_: None)
    replica = LiveManual(store=store, index_of=slow_index, meanings=meanings)
    await replica.refresh()
    assert replica.goes_by_words
    await replica.refresh()
    assert isinstance(replica.active().index, JoinedIndex)


async def test_a_few_of_many_are_not_taken_up_while_the_others_are_made(pool: asyncpg.Pool) -> None:
    store, embedder, made = PostgresPublications(pool), HashedEmbedder(), publication("one")
    await publishing(store).publish(made)
    replica = replica_of(store, embedder)
    await replica.refresh()
    right = meanings_of(HashedEmbedder(), progress=lambda *_: None).embed(made)
    for section, vector in right.by_section.items():
        assert await replica.refresh() is False
        await store.keep_vectors(made.id, Vectors(right.model, {section: vector}))
    assert await replica.refresh() is True


async def test_vectors_of_another_size_are_none_and_are_made_anew(pool: asyncpg.Pool) -> None:
    """Under the name of this model: of a file that somebody made, or in a table that somebody wrote to."""
    store, embedder, made = PostgresPublications(pool), HashedEmbedder(), publication("one")
    right = meanings_of(HashedEmbedder(), progress=lambda *_: None).embed(made)
    first, second = right.by_section
    await publishing(store).publish(
        made, Vectors(right.model, {first: pack([1.0, 0.0]), second: right.by_section[second]})
    )
    replica = replica_of(store, embedder)
    await replica.refresh()
    assert (replica.lacks_vectors, await replica.refresh()) == (1, False)
    assert await joining(store, embedder).lacking(None) == (made.id, 1)
    await store.keep_vectors(made.id, some(made))
    both = replica_of(store, embedder)
    await both.refresh()
    assert both.goes_by_words
    for each in (replica, both):
        assert each.active().index.search("teacher", audiences=EVERYONE, language="en", limit=3)

    assert await joining(store, embedder).embed(None) == (made.id, True)
    assert await store.vectors(made.id, "hashed-1") == right
    await both.refresh()
    assert isinstance(both.active().index, JoinedIndex)


async def test_wrong_ones_of_the_right_size_are_replaced_by_a_build_and_by_embedding_anew(pool: asyncpg.Pool) -> None:
    store, embedder, made = PostgresPublications(pool), HashedEmbedder(), publication("one")
    right = meanings_of(HashedEmbedder(), progress=lambda *_: None).embed(made)
    wrong = Vectors(right.model, {each: pack([1.0] + [0.0] * (embedder.dimensions - 1)) for each in right.by_section})
    await joining(store, embedder).publish(made, wrong)
    assert await joining(store, embedder).publish(made, right) is False
    assert await store.vectors(made.id, "hashed-1") == right

    await store.keep_vectors(made.id, wrong)
    assert await joining(store, embedder).embed(None) == (made.id, False)
    assert await joining(store, embedder).embed(None, anew=True) == (made.id, True)
    assert await store.vectors(made.id, "hashed-1") == right


async def test_a_start_with_a_built_file_takes_what_the_store_has_and_makes_none(pool: asyncpg.Pool) -> None:
    store, embedder, made = PostgresPublications(pool), HashedEmbedder(), publication("one")
    meanings = meanings_of(embedder, progress=lambda *_: None)

    def starting() -> Publishing:
        return Publishing(
            store=store,
            index_of=build_index,
            readers=READERS,
            clock=HandClock(),
            meanings=meanings,
            makes_vectors=False,
        )

    with pytest.raises(PublishFailed, match="built without vectors of hashed-1, and the database has none of it"):
        await starting().publish_if_new(made)
    assert await store.live() is None
    right = meanings.embed(made)
    asked = len(embedder.asked)
    await store.keep_vectors(made.id, Vectors(right.model, dict(list(right.by_section.items())[:1])))
    assert await starting().publish_if_new(made) is True
    assert len(embedder.asked) == asked
