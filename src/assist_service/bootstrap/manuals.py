"""The operator's commands on the manual: each opens what it needs and closes it again."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import asyncpg

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.configuration import load_policy
from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.adapters.search import build_index
from assist_service.bootstrap.database import open_database
from assist_service.domain.manual import Audience
from assist_service.domain.people import Role
from assist_service.domain.policy import Policy
from assist_service.ports import Clock
from assist_service.services.publishing import Publishing
from assist_service.settings import ManualSettings


def readers_of(policy: Policy) -> Mapping[Role, frozenset[Audience]]:
    """Which audiences each role reads; a role without any is one that may find nothing."""
    return {role: policy.of_role(role).audiences for role in Role}


def make_publishing(pool: asyncpg.Pool, *, policy: Policy, clock: Clock) -> Publishing:
    """Publishing over an open database."""
    return Publishing(store=PostgresPublications(pool), index_of=build_index, readers=readers_of(policy), clock=clock)


@asynccontextmanager
async def open_publishing(settings: ManualSettings) -> AsyncIterator[Publishing]:
    """Publishing for one command. Raises ConfigurationError as the service itself would."""
    async with open_database(settings) as pool:
        yield make_publishing(pool, policy=load_policy(settings.policy), clock=SystemClock())
