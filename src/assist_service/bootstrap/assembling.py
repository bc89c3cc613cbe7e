"""Every use case of the service, put together from what is open: each port gets its adapter here."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import asyncpg
import httpx2

from assist_service.adapters.config_schema import JsonConfigSchemas
from assist_service.adapters.keys import JwksKeys
from assist_service.adapters.language import LangidDetector
from assist_service.adapters.markdown.markup import Markup
from assist_service.adapters.postgres.audited import PostgresAuditedReads
from assist_service.adapters.postgres.conversations import PostgresConversations
from assist_service.adapters.postgres.exporting import PostgresPersonData
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.limits import PostgresRateLimiter
from assist_service.adapters.postgres.pending import PostgresPendingWrites
from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.adapters.postgres.replies import PostgresReplies
from assist_service.adapters.session import JwtSessions
from assist_service.bootstrap.completing import BackEnd, make_back_end
from assist_service.bootstrap.configuring import Configuration
from assist_service.bootstrap.lms import public_jwks
from assist_service.bootstrap.providers import provider_names
from assist_service.domain.people import Role
from assist_service.domain.policy import Policy
from assist_service.ports import Clock, Lms, Sessions
from assist_service.services.answering import Answering
from assist_service.services.ask import Ask
from assist_service.services.availability import AvailabilityDesk
from assist_service.services.checks import Checks
from assist_service.services.confirm import WriteDesk
from assist_service.services.conversations import ConversationDesk
from assist_service.services.gateway import Gateway
from assist_service.services.gauges import Gauges
from assist_service.services.health import Check, Health
from assist_service.services.live_manual import LiveManual
from assist_service.services.manual import ManualDesk
from assist_service.services.moderation import Moderation
from assist_service.services.prefixes import Prefixes
from assist_service.services.privacy import Privacy
from assist_service.services.references import ReferenceDesk
from assist_service.services.standing import StandingDesk
from assist_service.services.toolbox import Toolbox, toolbox_of
from assist_service.services.turnstile import Turnstile
from assist_service.tools.catalog import TOOLS


@dataclass(frozen=True, kw_only=True)
class Service:
    """The use cases the web offers."""

    policy: Policy
    sessions: Sessions
    ask: Ask
    back_end: BackEnd | None
    """None where the settings name no keys of the LMS's back end."""
    writes: WriteDesk
    availability: AvailabilityDesk
    standing: StandingDesk
    conversations: ConversationDesk
    manual: ManualDesk
    health: Health
    gauges: Gauges
    client_jwks: Mapping[str, Any]
    """The public keys by which the LMS knows this service."""
    clock: Clock


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What is open while the service runs, and what several use cases share."""

    configuration: Configuration
    pool: asyncpg.Pool
    client: httpx2.AsyncClient
    clock: Clock
    gateway: Gateway
    manuals: LiveManual
    lms: Lms
    moderation: Moderation

    @property
    def policy(self) -> Policy:
        return self.configuration.policy

    @cached_property
    def markup(self) -> Markup:
        return Markup(self.configuration.settings.lms_origin)

    @cached_property
    def standing(self) -> StandingDesk:
        return StandingDesk(policy=self.policy, lms=self.lms, clock=self.clock)

    @cached_property
    def conversations(self) -> PostgresConversations:
        return PostgresConversations(
            self.pool, self.configuration.sealer, one_active=self.policy.conversation.one_active
        )

    def toolbox(self, roles: Sequence[Role]) -> Toolbox:
        return toolbox_of(self.policy, roles, TOOLS, self.lms.offers)


def assemble(parts: Parts) -> Service:
    """The service."""
    configuration, clock = parts.configuration, parts.clock
    settings = configuration.settings
    keys = JwksKeys(settings.jwks_url, algorithm=settings.session_algorithm, client=parts.client, clock=clock)
    gateway, manuals = parts.gateway, parts.manuals
    return Service(
        policy=parts.policy,
        sessions=JwtSessions(
            keys=keys,
            issuer=settings.session_issuer,
            audience=settings.session_audience,
            algorithm=settings.session_algorithm,
            clock=clock,
        ),
        ask=_ask(parts),
        writes=_writes(parts),
        back_end=make_back_end(settings, client=parts.client, clock=clock, gateway=gateway, privacy=_privacy(parts)),
        availability=_availability(parts),
        standing=parts.standing,
        conversations=_conversations(parts),
        manual=ManualDesk(
            policy=parts.policy, manuals=manuals, publications=PostgresPublications(parts.pool), markup=parts.markup
        ),
        health=_health(parts, keys=keys, tz=settings.zone),
        client_jwks=public_jwks(configuration.client_key),
        gauges=Gauges(meter=gateway.meter, sources=tuple(gateway.named.values()), manuals=manuals, clock=clock),
        clock=clock,
    )


def _ask(parts: Parts) -> Ask:
    configuration, policy, clock = parts.configuration, parts.policy, parts.clock
    return Ask(
        catalogue=configuration.catalogue,
        standing=parts.standing,
        turnstile=Turnstile(
            policy=policy,
            toolbox=parts.toolbox,
            limiter=PostgresRateLimiter(parts.pool),
            conversations=parts.conversations,
            replies=PostgresReplies(parts.pool, configuration.sealer),
            clock=clock,
            tz=configuration.settings.zone,
        ),
        moderation=parts.moderation,
        answering=Answering(
            policy=policy,
            catalogue=configuration.catalogue,
            prefixes=Prefixes(policy, configuration.catalogue),
            toolbox=parts.toolbox,
            manuals=parts.manuals,
            lms=parts.lms,
            schemas=JsonConfigSchemas(),
            gateway=parts.gateway,
            checks=Checks(policy=policy, manuals=parts.manuals, markup=parts.markup, wording=configuration.wording),
            detector=LangidDetector(),
            clock=clock,
        ),
        references=ReferenceDesk(sealer=configuration.sealer, clock=clock),
        conversations=parts.conversations,
        clock=clock,
    )


def _writes(parts: Parts) -> WriteDesk:
    return WriteDesk(
        catalogue=parts.configuration.catalogue,
        standing=parts.standing,
        toolbox=parts.toolbox,
        writes=PostgresPendingWrites(parts.pool, parts.configuration.sealer),
        lms=parts.lms,
        clock=parts.clock,
    )


def _availability(parts: Parts) -> AvailabilityDesk:
    return AvailabilityDesk(
        policy=parts.policy,
        catalogue=parts.configuration.catalogue,
        providers=provider_names(parts.configuration.settings, parts.moderation.provider),
        standing=parts.standing,
        toolbox=parts.toolbox,
    )


def _conversations(parts: Parts) -> ConversationDesk:
    return ConversationDesk(
        policy=parts.policy,
        conversations=parts.conversations,
        audited=PostgresAuditedReads(parts.pool, parts.configuration.sealer),
        markup=parts.markup,
        clock=parts.clock,
    )


def _privacy(parts: Parts) -> Privacy:
    return Privacy(people=PostgresPersonData(parts.pool, parts.configuration.sealer), clock=parts.clock)


def _health(parts: Parts, *, keys: JwksKeys, tz: dt.tzinfo) -> Health:
    pool, clock = parts.pool, parts.clock
    ledger = PostgresLedger(pool)

    async def database() -> Check:
        return Check.OK if await pool.fetchval("SELECT true") else Check.FAILED

    async def publication() -> Check:
        parts.manuals.active()
        return Check.OK

    async def budget() -> Check:
        return Check.FAILED if await ledger.cap_refused(clock.now().astimezone(tz).date()) else Check.OK

    async def lms() -> Check:
        return Check.OK if await keys.answering() else Check.FAILED

    return Health(
        checks={
            "database": database,
            "publication": publication,
            "llm.budget": budget,
            "lms": lms,
            "moderation": parts.moderation.check,
        }
    )
