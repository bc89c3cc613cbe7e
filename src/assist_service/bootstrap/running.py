"""The service, put together and running: every port gets its adapter here."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
import httpx2

from assist_service import telemetry
from assist_service.adapters.clock import SystemClock
from assist_service.adapters.keys import JwksKeys
from assist_service.adapters.language import LangidDetector, load_identifier
from assist_service.adapters.markdown.markup import Markup
from assist_service.adapters.postgres.audited import PostgresAuditedReads
from assist_service.adapters.postgres.conversations import PostgresConversations
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.limits import PostgresRateLimiter
from assist_service.adapters.postgres.publications import PostgresPublications
from assist_service.adapters.postgres.replies import PostgresReplies
from assist_service.adapters.session import JwtSessions
from assist_service.bootstrap.completing import Completions, make_completions
from assist_service.bootstrap.configuring import Configuration
from assist_service.bootstrap.database import open_database
from assist_service.bootstrap.lms import open_lms, public_jwks
from assist_service.bootstrap.manuals import make_publishing
from assist_service.bootstrap.providers import make_provider, models_of, provider_names
from assist_service.domain.budget import ASSIST, allowance_of, micros_of_usd
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.policy import Policy
from assist_service.domain.screens import Language
from assist_service.ports import Clock, Lms, ModelProvider, Sessions
from assist_service.services.answering import Answering
from assist_service.services.ask import Ask
from assist_service.services.availability import AvailabilityDesk
from assist_service.services.conversations import ConversationDesk
from assist_service.services.gateway import Gateway
from assist_service.services.gauges import Gauges
from assist_service.services.health import Check, Health
from assist_service.services.live_manual import LiveManual
from assist_service.services.manual import ManualDesk
from assist_service.services.metering import Meter, Spending
from assist_service.services.prefixes import Prefixes
from assist_service.services.publishing import PublishFailed
from assist_service.services.sources import Source
from assist_service.services.standing import StandingDesk
from assist_service.services.turnstile import Turnstile
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import Family


@dataclass(frozen=True, kw_only=True)
class Service:
    """The use cases the web offers."""

    policy: Policy
    sessions: Sessions
    ask: Ask
    completions: Completions | None
    """None where the settings name no keys of the LMS's back end."""
    availability: AvailabilityDesk
    conversations: ConversationDesk
    manual: ManualDesk
    health: Health
    gauges: Gauges
    client_jwks: Mapping[str, Any]
    """The public keys by which the LMS knows this service."""
    clock: Clock


@asynccontextmanager
async def running_service(
    configuration: Configuration,
    *,
    clock: Clock | None = None,
    provider_of: Callable[[str], ModelProvider] = make_provider,
) -> AsyncIterator[Service]:
    """The service with everything open. Raises ConfigurationError where the database is not ready for it."""
    settings = configuration.settings
    clock = clock or SystemClock()
    await asyncio.to_thread(load_identifier, tuple(language.value for language in Language))
    async with (
        open_database(settings) as pool,
        httpx2.AsyncClient() as client,
        _gateway(configuration, pool=pool, clock=clock, provider_of=provider_of) as gateway,
        _live_manual(configuration, pool=pool, clock=clock) as manuals,
        open_lms(settings, configuration.client_key, clock=clock) as lms,
    ):
        yield _assemble(configuration, pool=pool, client=client, clock=clock, gateway=gateway, manuals=manuals, lms=lms)


@asynccontextmanager
async def _live_manual(configuration: Configuration, *, pool: asyncpg.Pool, clock: Clock) -> AsyncIterator[LiveManual]:
    """The manual of this release, published if it never was, and whatever is live, kept fresh."""
    publishing = make_publishing(pool, policy=configuration.policy, clock=clock)
    try:
        await publishing.publish_if_new(configuration.publication)
    except PublishFailed as failed:
        if failed.live is None:
            raise ConfigurationError(f"the manual cannot be published: {failed}") from None
        telemetry.log.error("publish_failed", live=failed.live, faults=failed.faults)  # the one before answers on
    manuals = LiveManual(
        store=publishing.store, index_of=publishing.index_of, readers=frozenset(publishing.readers.values())
    )
    await manuals.refresh()
    keeping = asyncio.create_task(manuals.keep_fresh(every_seconds=configuration.settings.manual_poll_seconds))
    try:
        yield manuals
    finally:
        keeping.cancel()
        await asyncio.wait([keeping])


def _assemble(
    configuration: Configuration,
    *,
    pool: asyncpg.Pool,
    client: httpx2.AsyncClient,
    clock: Clock,
    gateway: Gateway,
    manuals: LiveManual,
    lms: Lms,
) -> Service:
    settings, policy, sealer = configuration.settings, configuration.policy, configuration.sealer
    markup = Markup(settings.lms_origin)
    conversations = PostgresConversations(pool, sealer)
    keys = JwksKeys(settings.jwks_url, algorithm=settings.session_algorithm, client=client, clock=clock)
    return Service(
        policy=policy,
        sessions=JwtSessions(
            keys=keys,
            issuer=settings.session_issuer,
            audience=settings.session_audience,
            algorithm=settings.session_algorithm,
            clock=clock,
        ),
        ask=Ask(
            catalogue=configuration.catalogue,
            standing=StandingDesk(policy=policy, lms=lms),
            turnstile=Turnstile(
                policy=policy,
                limiter=PostgresRateLimiter(pool),
                conversations=conversations,
                replies=PostgresReplies(pool, sealer),
                clock=clock,
                tz=settings.zone,
            ),
            answering=Answering(
                policy=policy,
                catalogue=configuration.catalogue,
                prefixes=Prefixes(policy, configuration.catalogue),
                tools=TOOLS,
                manuals=manuals,
                lms=lms,
                gateway=gateway,
                markup=markup,
                detector=LangidDetector(),
                clock=clock,
            ),
            conversations=conversations,
            clock=clock,
        ),
        completions=make_completions(settings, client=client, clock=clock, gateway=gateway),
        availability=AvailabilityDesk(
            policy=policy,
            catalogue=configuration.catalogue,
            providers=provider_names(settings),
            data_tools=frozenset(
                name for name, tool in TOOLS.items() if tool.family is Family.DATA and tool.needs <= lms.offers
            ),
        ),
        conversations=ConversationDesk(
            policy=policy,
            conversations=conversations,
            audited=PostgresAuditedReads(pool, sealer),
            markup=markup,
            clock=clock,
        ),
        manual=ManualDesk(policy=policy, manuals=manuals, publications=PostgresPublications(pool), markup=markup),
        health=_health(pool, manuals=manuals, keys=keys, clock=clock, tz=settings.zone),
        client_jwks=public_jwks(configuration.client_key),
        gauges=Gauges(meter=gateway.meter, sources=tuple(gateway.named.values()), manuals=manuals, clock=clock),
        clock=clock,
    )


@asynccontextmanager
async def _gateway(
    configuration: Configuration, *, pool: asyncpg.Pool, clock: Clock, provider_of: Callable[[str], ModelProvider]
) -> AsyncIterator[Gateway]:
    settings, prices = configuration.settings, configuration.prices
    spending = Spending(cap_micros=micros_of_usd(settings.daily_cap_usd), share=settings.chat_share, tz=settings.zone)
    named = {model: Source(provider_of(model), prices[model]) for model in models_of(settings)}
    _declare(named.values(), purposes=settings.purposes, spending=spending, now=clock.monotonic())
    chat = (settings.model, settings.fallback_model) if settings.fallback_model else (settings.model,)
    gateway = Gateway(
        sources=tuple(named[model] for model in chat),
        named=named,
        meter=Meter(ledger=PostgresLedger(pool), clock=clock, spending=spending),
        clock=clock,
    )
    try:
        yield gateway
    finally:
        await gateway.close()


def _declare(sources: Collection[Source], *, purposes: Collection[str], spending: Spending, now: float) -> None:
    """Tells the metrics their labels, so that all begin at once and no others come."""
    chat = allowance_of(ASSIST, cap_micros=spending.cap_micros, share=spending.share)
    telemetry.declare(
        models=[source.model for source in sources],
        purposes=purposes,
        cap_micros=spending.cap_micros,
        share_micros=chat.purpose_micros or 0,
    )
    for source in sources:
        source.show(now)


def _health(pool: asyncpg.Pool, *, manuals: LiveManual, keys: JwksKeys, clock: Clock, tz: dt.tzinfo) -> Health:
    ledger = PostgresLedger(pool)

    async def database() -> Check:
        return Check.OK if await pool.fetchval("SELECT true") else Check.FAILED

    async def publication() -> Check:
        manuals.active()
        return Check.OK

    async def budget() -> Check:
        return Check.FAILED if await ledger.cap_refused(clock.now().astimezone(tz).date()) else Check.OK

    async def lms() -> Check:
        return Check.OK if await keys.answering() else Check.FAILED

    async def moderation() -> Check:
        return Check.NOT_SET

    return Health(
        checks={
            "database": database,
            "publication": publication,
            "llm.budget": budget,
            "lms": lms,
            "moderation": moderation,
        }
    )
