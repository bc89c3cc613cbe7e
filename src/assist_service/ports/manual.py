"""The manual: where the live publication is had, and how one becomes live."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from assist_service.domain.manual import Audience, Publication, Section
from assist_service.domain.search import Hit
from assist_service.domain.vectors import Vectors
from assist_service.domain.withdrawals import Withdrawal, Withdrawals


class SectionIndex(Protocol):
    """Finds sections of one publication; who may read a section is part of every query."""

    @property
    def takes_time(self) -> bool:
        """Whether a search computes so long that nothing may wait for it: it belongs in another thread."""
        ...

    def search(self, query: str, *, audiences: frozenset[Audience], language: str, limit: int) -> tuple[Hit, ...]:
        """The pages that answer best, each once, with its best section and in `language` where it has one."""
        ...

    def holds(self, section_id: str, *, audiences: frozenset[Audience]) -> bool:
        """Whether a reader of these audiences can retrieve this section at all."""
        ...

    def prepare(self, audiences: frozenset[Audience]) -> None:
        """Makes what the first search of such a reader would have to wait for; safe in another thread."""
        ...


@dataclass(frozen=True)
class Edition:
    """A publication with the index made of it: what a question is pinned to."""

    publication: Publication
    index: SectionIndex


class Switch(StrEnum):
    """Why a publication became live."""

    PUBLISH = "publish"
    ROLLBACK = "rollback"


@dataclass(frozen=True)
class Listed:
    """A publication in the operator's list; `live_at` is None for one that never was."""

    id: str
    staged_at: dt.datetime
    live_at: dt.datetime | None
    sections: int
    closed: int
    """Of these, that withdrawals keep closed."""
    is_live: bool


class Publications(Protocol):
    """Every publication there ever was, and which of them is live: one row inserted makes it so for every replica."""

    async def stage(self, publication: Publication, *, now: dt.datetime) -> None:
        """Stores it whole or not at all; nothing to do for one that is there."""
        ...

    async def vectors(self, publication_id: str, model: str) -> Vectors | None:
        """This model's vectors of a publication's sections, those withdrawn since among them; None for none."""
        ...

    async def keep_vectors(self, publication_id: str, vectors: Vectors) -> None:
        """Stores these vectors of a publication that is there, all or none, in place of what there is for a section."""
        ...

    async def count_vectors(self, publication: Publication, model: str, *, dimensions: int) -> int:
        """How many of these sections have a vector of this model and size by now."""
        ...

    async def vector_models(self, publication_id: str) -> tuple[str, ...]:
        """The models of which there are vectors of this publication, in order."""
        ...

    async def load(self, publication_id: str) -> Publication | None:
        """The publication without the sections that were withdrawn."""
        ...

    async def switch(self, publication_id: str, *, why: Switch, now: dt.datetime) -> None: ...

    async def live(self) -> str | None: ...

    async def state(self) -> tuple[int | None, ...]:
        """Changes whenever another publication becomes live, or something is withdrawn or restored."""
        ...

    async def before_live(self) -> str | None:
        """Of those that were published, the one whose last publish was before the live one's last."""
        ...

    async def was_live(self, publication_id: str) -> bool: ...

    async def listing(self) -> tuple[Listed, ...]: ...

    async def cited_section(self, owner: str, publication_id: str, section_id: str) -> Section | None:
        """A section of any publication, as its reader saw it, if an exchange of this person cites it."""
        ...

    async def withdrawals(self) -> Withdrawals: ...

    async def closed(self, publication_id: str | None = None) -> tuple[tuple[str, Section], ...]:
        """The sections that withdrawals close, each with its publication: of one publication, or of all."""
        ...

    async def sections_of(self, page: str) -> tuple[Section, ...]:
        """Every section a page has had in any publication, in any language."""
        ...

    async def withdraw(self, withdrawal: Withdrawal, *, now: dt.datetime) -> bool:
        """Closes what it names in every publication, later ones too; False where that was done before."""
        ...

    async def restore(self, withdrawal: Withdrawal) -> bool:
        """Takes a withdrawal back; False where there is none like it."""
        ...


class Manuals(Protocol):
    """Where the active publication is had; a question keeps the one it started with."""

    def active(self) -> Edition:
        """Raises AssistError `manual_unavailable` while there is none."""
        ...

    def withdrawn(self) -> Withdrawals:
        """All that is withdrawn by now, as far as this replica has noticed: also of editions before the active one."""
        ...
