"""Makes every object of the service, once, and closes them: the only module that names adapters."""

import datetime as dt
import importlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx2

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.configuration import load_catalogue, load_policy
from assist_service.adapters.keys import JwksKeys
from assist_service.adapters.language import LangidDetector
from assist_service.adapters.manual_files import LoadedManual, read_manual
from assist_service.adapters.markup import Markup
from assist_service.adapters.models.prices import load_prices
from assist_service.adapters.postgres.audited import PostgresAuditedReads
from assist_service.adapters.postgres.conversations import PostgresConversations
from assist_service.adapters.postgres.engine import open_pool
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.adapters.postgres.limits import PostgresRateLimiter
from assist_service.adapters.postgres.purging import PostgresPurge
from assist_service.adapters.postgres.replies import PostgresReplies
from assist_service.adapters.postgres.revision import refuse_other_revision
from assist_service.adapters.sealing import AesGcmSealer, keys_of
from assist_service.adapters.session import JwtSessions
from assist_service.domain.budget import Price, micros_of_usd
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.manual import ManualInvalid, Publication
from assist_service.domain.policy import Policy, faults_of
from assist_service.domain.screens import Catalogue
from assist_service.ports import Clock, ModelProvider, Sessions
from assist_service.services.answering import Answering
from assist_service.services.ask import Ask
from assist_service.services.availability import AvailabilityDesk
from assist_service.services.conversations import ConversationDesk
from assist_service.services.gateway import Gateway, Spending
from assist_service.services.health import Check, Health
from assist_service.services.manual import ManualDesk
from assist_service.services.purge import Purge
from assist_service.services.turnstile import Turnstile
from assist_service.settings import ROOT, DatabaseSettings, Environment, Settings
from assist_service.tools.catalog import TOOLS

MIGRATIONS = ROOT / "migrations"

STUB = "stub"

PROVIDERS: Mapping[str, tuple[str, str]] = {
    STUB: ("assist_service.adapters.models.stub", "StubModel"),
    "anthropic": ("assist_service.adapters.models.anthropic", "AnthropicModel"),
}
"""Where each provider's adapter lies: its SDK takes seconds to import, so only the chosen one is."""

PROVIDER_NAMES: Mapping[str, str] = {STUB: "stub", "anthropic": "Anthropic"}
"""What the notice calls a provider."""


NO_DATABASE = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError, ValueError, TypeError)
"""What connecting to a database that is not there, or an address that is none, can raise."""


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """What the settings name, read and checked, before anything is opened."""

    settings: Settings
    policy: Policy
    catalogue: Catalogue
    publication: Publication
    prices: Mapping[str, Price]
    sealer: AesGcmSealer


@dataclass(frozen=True, kw_only=True)
class Service:
    """The use cases the web offers."""

    policy: Policy
    sessions: Sessions
    ask: Ask
    availability: AvailabilityDesk
    conversations: ConversationDesk
    manual: ManualDesk
    health: Health
    clock: Clock


def configure(settings: Settings) -> Configuration:
    """Reads and checks every file the settings name. Raises ConfigurationError, one line."""
    policy = load_policy(settings.policy)
    if faults := faults_of(policy, {name: tool.disclosures for name, tool in TOOLS.items()}):
        raise ConfigurationError(f"policy {policy.name}: {'; '.join(faults)}")
    prices = load_prices(settings.prices)
    _refuse_model(settings, prices)
    return Configuration(
        settings=settings,
        policy=policy,
        catalogue=load_catalogue(settings.screens),
        publication=read_publication(settings),
        prices=prices,
        sealer=AesGcmSealer(keys_of(settings.secret_keys.get_secret_value())),
    )


def read_publication(settings: Settings) -> Publication:
    """The manual as it lies in its folder. Raises ConfigurationError that names file and line of every fault."""
    try:
        return read_manual(settings.manual)
    except ManualInvalid as invalid:
        raise ConfigurationError(f"the manual cannot be published: {invalid}") from None


def manual_faults(folder: Path) -> tuple[str, ...]:
    """What keeps a folder from being a manual, each with its file and line; empty where nothing does."""
    try:
        read_manual(folder)
    except ManualInvalid as invalid:
        return tuple(str(fault) for fault in invalid.faults)
    return ()


def _refuse_model(settings: Settings, prices: Mapping[str, Price]) -> None:
    provider, _, model_id = settings.model.partition(":")
    if provider not in PROVIDERS or bool(model_id) == (provider == STUB):
        raise ConfigurationError(f"ASSIST_MODEL: {settings.model} is neither stub nor anthropic:<id>")
    if provider == STUB and settings.env is Environment.PRODUCTION:
        raise ConfigurationError("ASSIST_MODEL: the stub answers nobody in production (ASSIST_ENV)")
    if settings.model not in prices:
        raise ConfigurationError(f"ASSIST_MODEL: {settings.model} has no price, so no budget could hold it")


def make_provider(model: str) -> ModelProvider:
    """The adapter of a model that `configure` has accepted."""
    provider, _, model_id = model.partition(":")
    module, name = PROVIDERS[provider]
    adapter: Callable[..., ModelProvider] = getattr(importlib.import_module(module), name)
    return adapter(model_id) if model_id else adapter()


@asynccontextmanager
async def running_service(
    configuration: Configuration, *, clock: Clock | None = None, provider: ModelProvider | None = None
) -> AsyncIterator[Service]:
    """The service with everything open. Raises ConfigurationError where the database is not ready for it."""
    settings = configuration.settings
    clock = clock or SystemClock()
    provider = provider or make_provider(settings.model)
    try:
        async with _pool(settings) as pool, httpx2.AsyncClient() as client:
            await refuse_other_revision(pool)
            gateway = _gateway(configuration, pool=pool, clock=clock, provider=provider)
            try:
                yield _assemble(configuration, pool=pool, client=client, clock=clock, gateway=gateway)
            finally:
                await gateway.close()
    finally:
        await provider.close()


@asynccontextmanager
async def _pool(settings: DatabaseSettings) -> AsyncIterator[asyncpg.Pool]:
    try:
        pool = await open_pool(settings.database_url.get_secret_value(), size=settings.database_connections)
    except NO_DATABASE as error:
        # The message of a connection error can hold the address with its password.
        raise ConfigurationError(
            f"ASSIST_DATABASE_URL: the database does not answer ({type(error).__name__})"
        ) from None
    try:
        yield pool
    finally:
        await pool.close()


def _assemble(
    configuration: Configuration,
    *,
    pool: asyncpg.Pool,
    client: httpx2.AsyncClient,
    clock: Clock,
    gateway: Gateway,
) -> Service:
    settings, policy, sealer = configuration.settings, configuration.policy, configuration.sealer
    markup = Markup(settings.lms_origin)
    manuals = LoadedManual(configuration.publication)
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
                tools=TOOLS,
                manuals=manuals,
                gateway=gateway,
                markup=markup,
                detector=LangidDetector(),
                clock=clock,
            ),
            conversations=conversations,
            markup=markup,
            clock=clock,
        ),
        availability=AvailabilityDesk(
            policy=policy,
            catalogue=configuration.catalogue,
            providers=(PROVIDER_NAMES[settings.model.partition(":")[0]],),
        ),
        conversations=ConversationDesk(
            policy=policy,
            conversations=conversations,
            audited=PostgresAuditedReads(pool, sealer),
            markup=markup,
            clock=clock,
        ),
        manual=ManualDesk(policy=policy, manuals=manuals, markup=markup),
        health=_health(pool, manuals=manuals, keys=keys, clock=clock, tz=settings.zone),
        clock=clock,
    )


def _gateway(configuration: Configuration, *, pool: asyncpg.Pool, clock: Clock, provider: ModelProvider) -> Gateway:
    settings = configuration.settings
    return Gateway(
        provider=provider,
        prices=configuration.prices,
        ledger=PostgresLedger(pool),
        clock=clock,
        spending=Spending(
            cap_micros=micros_of_usd(settings.daily_cap_usd), share=settings.chat_share, tz=settings.zone
        ),
    )


def _health(pool: asyncpg.Pool, *, manuals: LoadedManual, keys: JwksKeys, clock: Clock, tz: dt.tzinfo) -> Health:
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


def migrate_database(settings: DatabaseSettings) -> None:
    """Brings the database to this release's revision. Raises ConfigurationError where it does not answer."""
    from sqlalchemy.exc import SQLAlchemyError

    from assist_service.adapters.postgres.migrating import migrate

    try:
        migrate(settings.database_url.get_secret_value(), MIGRATIONS)
    except (*NO_DATABASE, SQLAlchemyError) as error:
        raise ConfigurationError(f"ASSIST_DATABASE_URL: cannot migrate ({type(error).__name__})") from None


async def purge(settings: Settings) -> Mapping[str, int]:
    """Runs the purge once. Raises ConfigurationError as the service itself would."""
    clock = SystemClock()
    async with _pool(settings) as pool:
        await refuse_other_revision(pool)
        return await Purge(
            policy=load_policy(settings.policy),
            purging=PostgresPurge(pool),
            ledger=PostgresLedger(pool),
            clock=clock,
        )()
