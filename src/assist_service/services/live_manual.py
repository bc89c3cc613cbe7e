"""The live publication with its index, in memory, and how a replica notices that another one is live."""

import asyncio
from collections.abc import Callable, Collection

from assist_service import telemetry
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.manual import Audience, Publication
from assist_service.domain.withdrawals import NOTHING_WITHDRAWN, Withdrawals
from assist_service.ports import Edition, Publications, SectionIndex
from assist_service.services.meanings import Indexed, Meanings, index_of


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

        With `meanings` it is joined with their vectors; a section without one is found by words alone.
        """
        self._store = store
        self._index_of = index_of
        self._readers = readers
        self._meanings = meanings
        self._edition: Edition | None = None
        self._indexed: Indexed | None = None
        self._withdrawn = NOTHING_WITHDRAWN
        self._state: tuple[int | None, ...] | None = None

    def active(self) -> Edition:
        if self._edition is None:
            raise AssistError(Code.MANUAL_UNAVAILABLE)
        return self._edition

    def withdrawn(self) -> Withdrawals:
        return self._withdrawn

    @property
    def lacks_vectors(self) -> int:
        """How many sections of the edition in memory are found by words alone and should not be."""
        return 0 if self._indexed is None else self._indexed.lacking

    @property
    def goes_by_words(self) -> bool:
        """Whether all of them are: the store had no vector of this replica's model."""
        return self._indexed is not None and self.lacks_vectors > 0 and self._indexed.index is self._indexed.words

    async def refresh(self) -> bool:
        """Loads what is live, if it is another than before or has the vectors that it lacked; whether it was."""
        state = await self._store.state()
        if state == self._state and not await self._vectors_came():
            return False
        # Before the index is made: questions that run already cite nothing that is closed meanwhile.
        self._withdrawn = await self._store.withdrawals()
        live = await self._store.live()
        publication = await self._store.load(live) if live is not None else None
        if publication is not None:
            indexed = await index_of(publication, by_words=self._index_of, meanings=self._meanings, store=self._store)
            if self._edition is not None:  # at a start, answering comes first
                await self._make_ready(indexed.index)
            self._edition, self._indexed = Edition(publication, indexed.index), indexed
            self._tell(publication)
        else:
            self._edition, self._indexed = None, None
        self._state = state
        return True

    def _tell(self, publication: Publication) -> None:
        telemetry.log.info("publication", id=publication.id, pages=len(publication.pages))
        if self._meanings is not None and self.lacks_vectors:
            model = self._meanings.embedder.model
            telemetry.log.warning("vectors_missing", id=publication.id, model=model, sections=self.lacks_vectors)

    async def _vectors_came(self) -> bool:
        """Whether the edition in memory was made without some of its vectors, and all of them are there by now.

        All: they are kept a few at a time while they are made, and each would be an index of its own.
        """
        if not self.lacks_vectors or self._edition is None or self._meanings is None:
            return False
        return await self._meanings.lacking(self._edition.publication, self._store) == 0

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
