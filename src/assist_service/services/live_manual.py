"""The live publication with its index, in memory, and how a replica notices that another one is live."""

import asyncio
from collections.abc import Callable, Collection

from assist_service import telemetry
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.manual import Audience, Publication
from assist_service.domain.withdrawals import NOTHING_WITHDRAWN, Withdrawals
from assist_service.ports import Edition, Publications, SectionIndex
from assist_service.services.meanings import Meanings, index_of


class LiveManual:
    """Implements ports.Manuals. A question keeps the edition it started with, whatever becomes live meanwhile."""

    def __init__(
        self,
        *,
        store: Publications,
        index_of: Callable[[Publication], SectionIndex],
        readers: Collection[frozenset[Audience]] = (),
        meanings: Meanings | None = None,
    ) -> None:
        """An index is made ready for these readers: work that the first search of each would wait for.

        With `meanings` it is joined with their vectors; a publication without any is searched by words alone.
        """
        self._store = store
        self._index_of = index_of
        self._readers = readers
        self._meanings = meanings
        self._edition: Edition | None = None
        self.lacks_vectors = False
        """Whether the live publication has none of this replica's model."""
        self._models_then: tuple[str, ...] = ()
        self._withdrawn = NOTHING_WITHDRAWN
        self._state: tuple[int | None, ...] | None = None

    def active(self) -> Edition:
        if self._edition is None:
            raise AssistError(Code.MANUAL_UNAVAILABLE)
        return self._edition

    def withdrawn(self) -> Withdrawals:
        return self._withdrawn

    async def refresh(self) -> bool:
        """Loads what is live, if it is another than before; whether it was."""
        state = await self._store.state()
        if state == self._state and not await self._vectors_came():
            return False
        # Before the index is made: questions that run already cite nothing that is closed meanwhile.
        self._withdrawn = await self._store.withdrawals()
        live = await self._store.live()
        publication = await self._store.load(live) if live is not None else None
        if publication is not None:
            index, self.lacks_vectors = await index_of(
                publication, by_words=self._index_of, meanings=self._meanings, store=self._store
            )
            if self._edition is not None:  # at a start, answering comes first
                await self._make_ready(index)
            self._edition = Edition(publication, index)
            telemetry.log.info("publication", id=publication.id, pages=len(publication.pages))
            if self._meanings is not None and self.lacks_vectors:
                self._models_then = await self._store.vector_models(publication.id)
                telemetry.log.warning("vectors_missing", id=publication.id, model=self._meanings.embedder.model)
        else:
            self._edition, self.lacks_vectors = None, False
        self._state = state
        return True

    async def _vectors_came(self) -> bool:
        """Whether the edition in memory lacks vectors, and there are others by now than when it was loaded."""
        if not self.lacks_vectors or self._edition is None:
            return False
        return await self._store.vector_models(self._edition.publication.id) != self._models_then

    async def _make_ready(self, index: SectionIndex) -> None:
        for audiences in self._readers:
            await asyncio.to_thread(index.prepare, audiences)

    async def keep_fresh(self, *, every_seconds: float) -> None:
        """Looks again and again until it is cancelled. A failed look changes nothing: the next one may succeed."""
        if self._edition is not None:
            await self._make_ready(self._edition.index)
        while True:
            await asyncio.sleep(every_seconds)
            try:
                await self.refresh()
            except Exception as error:  # noqa: BLE001 whatever it is, the edition in memory still answers
                telemetry.log.warning("publication_not_looked_up", error=type(error).__name__)
