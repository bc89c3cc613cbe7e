"""Exchanges for tests of what is kept, and the stores that keep them."""

import datetime as dt
import uuid
from dataclasses import dataclass, replace

import asyncpg

from assist_service.adapters.postgres.audited import PostgresAuditedReads
from assist_service.adapters.postgres.conversations import PostgresConversations
from assist_service.adapters.postgres.pending import PostgresPendingWrites
from assist_service.adapters.postgres.replies import PostgresReplies
from assist_service.adapters.sealing import AesGcmSealer
from assist_service.domain.citations import Citation
from assist_service.domain.conversation import CHOSE, LOOKED_UP, Exchange, Kind, Withheld
from assist_service.ports import Opened
from tests.fakes.clocks import START

KEY = bytes(range(32))

SEALER = AesGcmSealer([KEY])

ADA, BOB, ADMIN = "ada", "bob", "admin"

LEASE = dt.timedelta(minutes=2)

CITATION = Citation(marker=1, publication="0" * 16, section="1" * 20, page="teacher/pools", title="Pools")


def exchange(
    owner: str = ADA,
    *,
    conversation_id: uuid.UUID | None = None,
    at: dt.datetime = START,
    question: str = "How do I create a pool?",
    answer: str = "Like this [1].",
    kind: Kind = Kind.MANUAL,
) -> Exchange:
    return Exchange(
        id=uuid.uuid4(),
        conversation_id=conversation_id or uuid.uuid4(),
        owner=owner,
        at=at,
        kind=kind,
        language="en",
        route="/pools/:id",
        topic="pool",
        model="stub",
        corpus_version="0" * 16,
        question=question,
        answer=answer,
        citations=(CITATION,),
    )


def looked_up(
    answer: str, *, chosen: str | None = None, conversation_id: uuid.UUID | None = None, at: dt.datetime = START
) -> Exchange:
    """One whose answer no model may read, and whose question, where a choice was made, nobody asked."""
    asked = "Who came first?" if chosen is None else CHOSE
    kept = exchange(conversation_id=conversation_id, at=at, question=asked, answer=LOOKED_UP, kind=Kind.LIVE)
    return replace(kept, citations=(), withheld=Withheld(answer, chosen))


@dataclass(frozen=True)
class Stores:
    """Everything that keeps what people said, on one database."""

    pool: asyncpg.Pool
    conversations: PostgresConversations
    replies: PostgresReplies
    audited: PostgresAuditedReads
    pending: PostgresPendingWrites

    async def start(self, first: Exchange) -> Exchange:
        """The exchange, in a conversation that it starts."""
        assert await self.conversations.add(first, lease=None, finished=None)
        return first

    async def open(self, first: Exchange, *, at: dt.datetime = START, pairs: int = 6) -> Opened:
        """The conversation of an exchange, which must be free."""
        opened = await self.conversations.open(
            first.owner, first.conversation_id, pairs=pairs, now=at, lease_until=at + LEASE
        )
        assert isinstance(opened, Opened)
        return opened

    async def follow(self, first: Exchange, *, at: dt.datetime, question: str = "And then?") -> Exchange:
        """A further exchange of the same conversation."""
        opened = await self.open(first, at=at)
        further = exchange(first.owner, conversation_id=first.conversation_id, at=at, question=question)
        assert await self.conversations.add(further, lease=opened.lease, finished=None)
        return further

    async def count(self, table: str) -> int:
        counted = await self.pool.fetchval(f"SELECT count(*) FROM {table}")  # noqa: S608 a name of ours
        assert isinstance(counted, int)
        return counted


def stores_on(pool: asyncpg.Pool, sealer: AesGcmSealer = SEALER) -> Stores:
    return Stores(
        pool,
        PostgresConversations(pool, sealer),
        PostgresReplies(pool, sealer),
        PostgresAuditedReads(pool, sealer),
        PostgresPendingWrites(pool, sealer),
    )
