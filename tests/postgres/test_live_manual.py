"""A replica looks again and again for what is live, whatever became of the look before."""

import asyncio
from typing import Any

import asyncpg

from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.domain.manual import Audience
from assist_service.services.live_manual import LiveManual
from tests.postgres.test_publishing import PlainIndex, publication, publishing


class Unreachable:
    """A store that cannot be reached while `is_away`, and says when it was tried."""

    def __init__(self, store: PostgresPublications) -> None:
        self._store = store
        self.is_away = False
        self.tried = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def state(self) -> tuple[int | None, ...]:
        if self.is_away:
            self.is_away = False
            self.tried.set()
            raise ConnectionResetError
        return await self._store.state()


async def test_a_look_that_fails_changes_nothing_and_the_next_one_is_made(pool: asyncpg.Pool) -> None:
    store = PostgresPublications(pool)
    old, new = publication("one"), publication("two")
    away: Any = Unreachable(store)
    replica = LiveManual(store=away, index_of=PlainIndex)
    await publishing(store).publish(old)
    await replica.refresh()
    await publishing(store).publish(new)
    away.is_away = True
    keeping = asyncio.create_task(replica.keep_fresh(every_seconds=0.01))
    await asyncio.wait_for(away.tried.wait(), timeout=10)
    assert replica.active().publication.id == old.id
    for _ in range(500):
        if keeping.done() or replica.active().publication.id == new.id:
            break
        await asyncio.sleep(0.01)
    assert (keeping.done(), replica.active().publication.id) == (False, new.id)
    keeping.cancel()
    await asyncio.wait([keeping])


async def test_an_index_is_ready_for_every_reader_before_it_takes_the_place_of_another(pool: asyncpg.Pool) -> None:
    store, readers = PostgresPublications(pool), frozenset({frozenset(Audience), frozenset({Audience.SHARED})})
    replica = LiveManual(store=store, index_of=PlainIndex, readers=readers)
    await publishing(store).publish(publication("one"))
    await replica.refresh()
    first: Any = replica.active().index
    assert first.ready_for == set(), "at a start, answering comes first"

    keeping = asyncio.create_task(replica.keep_fresh(every_seconds=60))
    for _ in range(500):
        if first.ready_for == readers:
            break
        await asyncio.sleep(0.01)
    assert first.ready_for == readers
    keeping.cancel()
    await asyncio.wait([keeping])

    await publishing(store).publish(publication("two"))
    await replica.refresh()
    second: Any = replica.active().index
    assert second is not first
    assert second.ready_for == readers
