"""The operator's commands on the manual: each opens what it needs and closes it again."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import asyncpg

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.configuration import load_policy
from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.adapters.search import build_index
from assist_service.bootstrap.database import open_database
from assist_service.bootstrap.meanings import open_meanings
from assist_service.domain.manual import Audience
from assist_service.domain.people import Role
from assist_service.domain.policy import Policy
from assist_service.ports import Clock, Publications
from assist_service.services.meanings import Meanings, Progress
from assist_service.services.publishing import Publishing
from assist_service.settings import ManualSettings


def readers_of(policy: Policy) -> Mapping[Role, frozenset[Audience]]:
    """Which audiences each role reads; a role without any is one that may find nothing."""
    return {role: policy.of_role(role).audiences for role in Role}


def make_publishing(
    pool: asyncpg.Pool,
    *,
    policy: Policy,
    clock: Clock,
    meanings: Meanings | None = None,
    makes_vectors: bool = True,
) -> Publishing:
    """Publishing over an open database."""
    return Publishing(
        store=PostgresPublications(pool),
        index_of=build_index,
        readers=readers_of(policy),
        clock=clock,
        meanings=meanings,
        makes_vectors=makes_vectors,
    )


@asynccontextmanager
async def open_publishing(settings: ManualSettings, *, progress: Progress) -> AsyncIterator[Publishing]:
    """Publishing for one command. Raises ConfigurationError as the service itself would."""
    meanings = open_meanings(settings.embeddings, progress=progress)
    async with open_database(settings) as pool:
        policy = load_policy(settings.policy)
        yield make_publishing(pool, policy=policy, clock=SystemClock(), meanings=meanings)


async def vectors_lacking(store: Publications, live: str, *, model: str) -> str:
    """For an operator whose settings name a model that the live publication has no vectors of."""
    has = ", ".join(await store.vector_models(live)) or "none"
    return (
        f"publication {live} is live and lacks vectors of {model}, which ASSIST_EMBEDDINGS needs (it has: {has}): "
        "run `assist-service manual embed` with this ASSIST_EMBEDDINGS, or leave the setting out"
    )
