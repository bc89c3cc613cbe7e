"""Publishes the manual as code is deployed: staged, indexed, verified through its own filters, only then switched to.

Whatever fails on the way leaves the publication that was live, live.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from assist_service.domain.manual import Audience, Publication, Section
from assist_service.domain.people import Role
from assist_service.domain.vectors import Vectors
from assist_service.domain.withdrawals import Withdrawal, Withdrawals
from assist_service.ports import Clock, Publications, SectionIndex, Switch
from assist_service.services.meanings import Meanings, index_of

FAULTS_NAMED = 20
"""Faults of a verification that are told one by one; one is enough to stop it."""


UNEMBEDDED = (
    "it was built without vectors of {model}, and the database has none of it: build it again with this "
    "ASSIST_EMBEDDINGS, or run `assist-service manual publish`"
)

CLOSED_NAMED = 20
"""Sections closed by withdrawals that are named one by one."""


@dataclass(frozen=True)
class Closed:
    """How many sections of a publication withdrawals keep closed, and the first of them by name."""

    number: int
    named: tuple[str, ...]


class PublishFailed(Exception):
    """The publication was not switched to; each fault says which section and why."""

    def __init__(self, faults: tuple[str, ...], *, live: str | None) -> None:
        self.faults = faults
        self.live = live
        super().__init__("; ".join(faults))


@dataclass(frozen=True, kw_only=True)
class Publishing:
    """The operator's commands on publications. `readers` says of each role which audiences it reads."""

    store: Publications
    index_of: Callable[[Publication], SectionIndex]
    readers: Mapping[Role, frozenset[Audience]]
    clock: Clock
    meanings: Meanings | None = None
    """With it a publication has the vectors of this model before it is live, and is verified with them."""
    makes_vectors: bool = True
    """Whether what is lacking of them is made: not at a start with a built file, which would take minutes unawares."""

    async def publish(self, publication: Publication, vectors: Vectors | None = None) -> bool:
        """Makes this publication the live one; False where it was already. Raises PublishFailed.

        `vectors` are those it was built with, which replace what there is; what is lacking of the model in use is made.
        """
        live = await self.store.live()
        if live == publication.id:
            await self._complete_vectors(publication, vectors)
            return False
        await self.store.stage(publication, now=self.clock.now())
        await self._complete_vectors(publication, vectors)
        staged = await self.store.load(publication.id)
        if staged is None:
            raise PublishFailed(("it is not there after it was staged",), live=live)
        if lost := _lost(publication, staged, withdrawn=await self.store.withdrawals()):
            raise PublishFailed(lost[:FAULTS_NAMED], live=live)
        await self._refuse_faulty(staged, live=live)
        await self.store.switch(publication.id, why=Switch.PUBLISH, now=self.clock.now())
        return True

    async def publish_if_new(self, publication: Publication, vectors: Vectors | None = None) -> bool:
        """At a start: publishes what was never published. One that was rolled back from stays where it is."""
        live = await self.store.live()
        if live is not None and live != publication.id and await self.store.was_live(publication.id):
            return False
        return await self.publish(publication, vectors)

    async def embed(self, publication_id: str | None, *, anew: bool = False) -> tuple[str, bool]:
        """Makes the vectors of a publication in the store, the live one for None; its id, and False for one that has
        them. `anew` makes all of them, whatever is there. Raises PublishFailed."""
        found = await self._stored(publication_id)
        return found.id, await self._complete_vectors(found, None, anew=anew)

    async def lacking(self, publication_id: str | None) -> tuple[str, int]:
        """A publication, the live one for None, and how many of its sections have no vector of the model in use, with
        which a start would find them by words only, or be refused. Raises PublishFailed."""
        found = await self._stored(publication_id)
        return found.id, 0 if self.meanings is None else await self.meanings.lacking(found, self.store)

    async def _complete_vectors(self, publication: Publication, built: Vectors | None, *, anew: bool = False) -> bool:
        """Keeps the vectors a publication was built with, and makes those of the model in use where there are none."""
        if built is not None:
            await self.store.keep_vectors(publication.id, built)
        if self.meanings is None:
            return False
        there = await self.meanings.kept(publication, self.store)
        if not anew and there.lacking(publication) == 0:
            return False
        if not self.makes_vectors:
            if there.by_section:
                return False  # the rest is found by words, and logged by every replica
            raise PublishFailed((UNEMBEDDED.format(model=there.model),), live=await self.store.live())
        async for made in self.meanings.embed_apart(publication, there=() if anew else there.by_section):
            await self.store.keep_vectors(publication.id, made)
        return True

    async def verify(self, publication_id: str | None) -> str:
        """Verifies a publication again as it lies in the store, the live one for None; its id. Raises PublishFailed."""
        found = await self._stored(publication_id)
        await self._refuse_faulty(found, live=await self.store.live())
        return found.id

    async def roll_back(self, publication_id: str | None) -> str:
        """Makes an earlier publication live again: the one named, else the one before. Raises PublishFailed.

        It is verified first, as when it was published: this release may read or filter it otherwise.
        """
        live = await self.store.live()
        target = await self.store.before_live() if publication_id is None else publication_id
        if target is None or not await self.store.was_live(target):
            words = "there is none to go back to" if target is None else f"{target or ascii(target)} was never live"
            raise PublishFailed((words,), live=live)
        await self.verify(target)
        await self.store.switch(target, why=Switch.ROLLBACK, now=self.clock.now())
        return target

    async def closed(self, publication_id: str) -> Closed:
        """What withdrawals keep closed in a publication."""
        sections = [section for _, section in await self.store.closed(publication_id)]
        return Closed(len(sections), tuple(map(_named, sections[:CLOSED_NAMED])))

    async def withdraw(self, withdrawal: Withdrawal) -> tuple[str, ...]:
        """Closes a page, or one section of it, everywhere; the sections there are. Raises PublishFailed for none."""
        named = [each for each in await self.store.sections_of(withdrawal.page) if withdrawal.closes(each)]
        if not named:
            raise PublishFailed((f"there is no {withdrawal}",), live=await self.store.live())
        if not await self.store.withdraw(withdrawal, now=self.clock.now()):
            raise PublishFailed((f"{withdrawal} was withdrawn already",), live=await self.store.live())
        return tuple(map(_named, named))

    async def restore(self, withdrawal: Withdrawal) -> tuple[str, ...]:
        """Takes a withdrawal back; the sections that are open by it. Raises PublishFailed where there is none."""
        if not await self.store.restore(withdrawal):
            left = (await self.store.withdrawals()).of(withdrawal.page)
            words = ", ".join(map(str, left)) or "nothing of this page"
            raise PublishFailed(
                (f"{withdrawal} is not withdrawn as such; withdrawn is: {words}",), live=await self.store.live()
            )
        left_closed = await self.store.withdrawals()
        sections = await self.store.sections_of(withdrawal.page)
        return tuple(_named(each) for each in sections if withdrawal.closes(each) and not left_closed.close(each))

    async def _stored(self, publication_id: str | None) -> Publication:
        """A publication as it lies in the store, the live one for None. Raises PublishFailed."""
        live = await self.store.live()
        wanted = live if publication_id is None else publication_id
        if wanted is None:
            raise PublishFailed(("there is no publication yet",), live=live)
        found = await self.store.load(wanted)
        if found is None:
            raise PublishFailed((f"there is no publication {wanted or ascii(wanted)}",), live=live)
        return found

    async def _refuse_faulty(self, publication: Publication, *, live: str | None) -> None:
        made = await index_of(publication, by_words=self.index_of, meanings=self.meanings, store=self.store)
        faults = tuple(self._faults(publication, made.words))
        if not faults and made.index is not made.words:  # each by itself: what one of them lost the other would hide
            faults = tuple(self._faults(publication, made.index))
        if faults:
            raise PublishFailed(faults[:FAULTS_NAMED], live=live)

    def _faults(self, publication: Publication, index: SectionIndex) -> Iterator[str]:
        """Each section is looked for by every role: those that may must find it, the others must not."""
        for page in publication.pages:
            for section in page.sections:
                for role, audiences in self.readers.items():
                    may = section.audience in audiences
                    if index.holds(section.id, audiences=audiences) is not may:
                        yield f"{_named(section)}: {role.value} {'cannot find' if may else 'finds'} it"


def _lost(wanted: Publication, staged: Publication, *, withdrawn: Withdrawals) -> tuple[str, ...]:
    """What does not come back from the store as it went in; only what was withdrawn may be missing."""
    everyone = frozenset(Audience)
    parts = (
        _named(section)
        for page in wanted.pages
        for section in page.sections
        if not withdrawn.close(section) and staged.section(section.id, everyone) != section
    )
    glossary = ("the glossary",) if staged.glossary != wanted.glossary else ()
    return tuple(f"{part}: it does not come back as it was staged" for part in (*glossary, *parts))


def _named(section: Section) -> str:
    return f"{section.page} ({section.language}), section {section.anchor}"
