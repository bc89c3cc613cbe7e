"""The service, running: all that it needs is opened here, and closed when it ends."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager

import asyncpg
import httpx2

from assist_service import telemetry
from assist_service.adapters.clock import SystemClock
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.bootstrap.assembling import Parts, Service, assemble
from assist_service.bootstrap.configuring import Configuration
from assist_service.bootstrap.database import open_database, purging
from assist_service.bootstrap.lms import open_lms
from assist_service.bootstrap.manuals import make_publishing, vectors_lacking
from assist_service.bootstrap.moderating import open_moderation
from assist_service.bootstrap.providers import make_provider, models_of
from assist_service.bootstrap.reading import source_of
from assist_service.bootstrap.warming import load_languages
from assist_service.domain.budget import ASSIST, allowance_of, micros_of_usd
from assist_service.domain.errors import ConfigurationError
from assist_service.ports import Clock, ModelProvider
from assist_service.services.gateway import Gateway
from assist_service.services.live_manual import LiveManual
from assist_service.services.metering import Meter, Spending
from assist_service.services.publishing import PublishFailed
from assist_service.services.sources import Source


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
    await asyncio.to_thread(load_languages)
    async with (
        open_database(settings) as pool,
        httpx2.AsyncClient() as client,
        _gateway(configuration, pool=pool, clock=clock, provider_of=provider_of) as gateway,
        _live_manual(configuration, pool=pool, clock=clock) as manuals,
        open_lms(settings, configuration.client_key, clock=clock) as lms,
        open_moderation(settings, configuration.words, clock=clock) as moderation,
        purging(pool, settings, policy=configuration.policy, clock=clock),
    ):
        yield assemble(
            Parts(
                configuration=configuration,
                pool=pool,
                client=client,
                clock=clock,
                gateway=gateway,
                manuals=manuals,
                lms=lms,
                moderation=moderation,
            )
        )


@asynccontextmanager
async def _live_manual(configuration: Configuration, *, pool: asyncpg.Pool, clock: Clock) -> AsyncIterator[LiveManual]:
    """The manual of this release, published if it never was, and whatever is live, kept fresh."""
    meanings = configuration.meanings
    publishing = make_publishing(
        pool,
        policy=configuration.policy,
        clock=clock,
        meanings=meanings,
        makes_vectors=not source_of(configuration.settings).is_built,
    )
    try:
        await publishing.publish_if_new(configuration.publication, configuration.vectors)
    except PublishFailed as failed:
        if failed.live is None:
            raise ConfigurationError(f"the manual cannot be published: {failed}") from None
        telemetry.log.error("publish_failed", live=failed.live, faults=failed.faults)  # the one before answers on
    manuals = LiveManual(
        store=publishing.store,
        index_of=publishing.index_of,
        readers=frozenset(publishing.readers.values()),
        meanings=meanings,
    )
    await manuals.refresh()
    if meanings is not None and manuals.goes_by_words:
        live = manuals.active().publication.id
        raise ConfigurationError(await vectors_lacking(publishing.store, live, model=meanings.embedder.model))
    keeping = asyncio.create_task(manuals.keep_fresh(every_seconds=configuration.settings.manual_poll_seconds))
    try:
        yield manuals
    finally:
        keeping.cancel()
        await asyncio.wait([keeping])


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
