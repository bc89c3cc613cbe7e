"""What is kept of people and their questions: nothing here answers without its owner."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from assist_service.domain.conversation import ConversationHead, Exchange, Kind, RateLimits, Span
from assist_service.domain.writes import PendingWrite


class RateLimiter(Protocol):
    """Questions of a person, counted by all processes together."""

    async def count(self, person: str, *, limits: RateLimits, now: dt.datetime, tz: dt.tzinfo) -> int | None:
        """Counts one question; None when it may pass, else the whole seconds until the next one may."""
        ...


class SealBroken(Exception):
    """Sealed bytes that do not open here: another row's, another key's, or damaged."""


@dataclass(frozen=True)
class Binding:
    """The place a sealed text belongs to; anywhere else it does not open."""

    table: str
    row: str
    owner: str


class Sealer(Protocol):
    """Encryption bound to where the text stands."""

    def seal(self, plaintext: bytes, binding: Binding) -> tuple[str, bytes]:
        """The id of the key used, and the sealed bytes."""
        ...

    @property
    def key_ids(self) -> Sequence[str]:
        """The keys by their ids, which tell nothing of them; the first one seals."""
        ...

    def open(self, sealed: bytes, *, key_id: str, binding: Binding) -> bytes:
        """Raises SealBroken when anything differs from how it was sealed."""
        ...


class Unopened(StrEnum):
    """Why a conversation cannot take a question."""

    NOT_FOUND = "not_found"
    BUSY = "busy"


@dataclass(frozen=True)
class Opened:
    """A conversation leased for one question, with its newest exchanges, oldest first."""

    conversation_id: uuid.UUID
    lease: uuid.UUID
    span: Span
    history: tuple[Exchange, ...]


@dataclass(frozen=True)
class Claim:
    """The right to answer under an idempotency key, and to keep the reply there."""

    owner: str
    key: str
    token: uuid.UUID


class Unclaimed(StrEnum):
    """Why an idempotency key cannot be claimed."""

    RUNNING = "running"
    MISMATCH = "mismatch"


@dataclass(frozen=True)
class FinishedReply:
    """A reply to be kept under its claim, in the same step as the exchange it tells of."""

    claim: Claim
    body: bytes


class Replies(Protocol):
    """Replies kept for an idempotency key, sealed, for ten minutes."""

    async def claim(
        self, owner: str, key: str, *, body: bytes, now: dt.datetime, lease_until: dt.datetime
    ) -> Claim | bytes | Unclaimed:
        """A claim to answer, or the reply that is kept, or why neither."""
        ...

    async def drop(self, claim: Claim) -> None:
        """Gives the claim up: nothing is kept of a failure."""
        ...


@dataclass(frozen=True)
class Listing:
    """One page of conversations and where the next begins."""

    items: tuple[ConversationHead, ...]
    next: str | None


@dataclass(frozen=True)
class Transcript:
    """One page of a conversation's exchanges, oldest first, and where the next begins."""

    items: tuple[Exchange, ...]
    next: str | None


class Conversations(Protocol):
    """A person's own conversations; nothing here answers without its owner."""

    async def open(
        self,
        owner: str,
        conversation_id: uuid.UUID,
        *,
        pairs: int,
        now: dt.datetime,
        lease_until: dt.datetime,
    ) -> Opened | Unopened: ...

    async def release(self, opened: Opened) -> None: ...

    async def add(
        self,
        exchange: Exchange,
        *,
        lease: uuid.UUID | None,
        finished: FinishedReply | None,
        writes: Sequence[PendingWrite] = (),
        asked_at: dt.datetime | None = None,
    ) -> bool:
        """Stores the exchange and the writes it prepared and keeps the reply, all or nothing; ends the lease.

        Without a lease the conversation starts with it and, where a person has one active, ends their others. False
        when the conversation is gone, or its person was erased since the question was asked (`asked_at`; the
        exchange's own moment if left out). Raises ValueError for a write of another person or conversation than the
        exchange's.
        """
        ...

    async def listing(self, owner: str, *, cursor: str | None, limit: int) -> Listing: ...

    async def transcript(
        self, owner: str, conversation_id: uuid.UUID, *, cursor: str | None, limit: int
    ) -> Transcript | None: ...

    async def delete(self, owner: str, conversation_id: uuid.UUID, *, now: dt.datetime) -> bool: ...


class AuditedReads(Protocol):
    """An administrator's reading of other people's conversations: no content without its audit entry."""

    async def listing(
        self, reader: str, owner: str, *, now: dt.datetime, cursor: str | None, limit: int
    ) -> Listing: ...

    async def transcript(
        self, reader: str, conversation_id: uuid.UUID, *, now: dt.datetime, cursor: str | None, limit: int
    ) -> Transcript | None: ...


@dataclass(frozen=True)
class KeptFor:
    """How long the policy keeps what: exchanges by their kind, and entries of the audit log."""

    exchanges: Mapping[Kind, dt.timedelta]
    audit: dt.timedelta


class Purging(Protocol):
    """Deletes by age, in batches, safe beside traffic; of all processes one at a time."""

    async def __call__(self, kept: KeptFor, *, now: dt.datetime) -> Mapping[str, int] | None:
        """Deletes what is older than it is kept; the number of rows that went, by table. None, and nothing deleted,
        where another process is at it."""
        ...


@dataclass(frozen=True)
class Resealed:
    """What became of one batch of a sealed column's rows."""

    taken: Mapping[str, int]
    """How many rows were brought under the first key, by the id of the key that they stood under."""
    unopened: int
    """Rows that no key opens. They stay as they are."""
    ids: tuple[str, ...]
    """Theirs, where a row has one of ours and not a word from outside."""
    after: tuple[str, ...] | None
    """Where the next batch begins; None where there is none."""


class Rotating(Protocol):
    """Sealed rows, brought under the first key, each only if it still is what was read."""

    @property
    def places(self) -> Sequence[str]:
        """The sealed columns, each as `table.column`."""
        ...

    @property
    def key_ids(self) -> Sequence[str]:
        """Of the keys there are, the first one that under which all is brought."""
        ...

    async def reseal(self, place: str, *, after: tuple[str, ...] | None) -> Resealed:
        """One batch of the rows of a place, from the first one on or `after` those of the batch before."""
        ...

    async def rows_by_key(self, place: str) -> Mapping[str, int]:
        """How many rows of a place stand under which key id."""
        ...
