"""A check of one LMS, as the settings say who this service is to it."""

from typing import Any

import httpx2

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.keys import JwksKeys
from assist_service.adapters.lms.checking.bench import Options
from assist_service.adapters.lms.checking.check import LmsCheck
from assist_service.adapters.lms.checking.demo import demo_sessions
from assist_service.adapters.lms.checking.probe import Probe
from assist_service.adapters.lms.checking.sessions import Claims, Given, SessionReader, claims_of
from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.dpop import DpopProofs, NoProofs
from assist_service.adapters.lms.wire import Wire
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.lms_check import Report
from assist_service.ports import Clock
from assist_service.settings import LmsCheckSettings, LmsClientSettings, http_url

SECONDS, CONNECT_SECONDS = 10.0, 3.0
"""What one request may take; as the service itself waits."""

__all__ = ["Given", "check_lms", "client_jwks"]


def client_jwks(settings: LmsClientSettings) -> dict[str, Any]:
    """The key set by which an LMS knows this service. Raises ConfigurationError."""
    return _client_key(settings).public_jwks()


async def check_lms(
    url: str, settings: LmsCheckSettings, *, given: Given | None, writes: bool, clock: Clock | None = None
) -> Report:
    """Everything that was found; `given` None asks the reference LMS for sessions. Raises ConfigurationError."""
    clock, key = clock or SystemClock(), _client_key(settings)
    url = _plain(url)
    wire = Wire(connections=1, connect_seconds=CONNECT_SECONDS, seconds=SECONDS)
    try:
        async with httpx2.AsyncClient(timeout=SECONDS, trust_env=False) as client:
            given = given or await demo_sessions(client, url)
            options = Options(dpop=settings.lms_dpop, revocation=settings.lms_revocation, writes=writes)
            probe = Probe(
                url=url,
                client_id=settings.client_id,
                key=key,
                wire=wire,
                proofs=DpopProofs(clock) if settings.lms_dpop else NoProofs(),
                clock=clock,
                seconds=SECONDS,
            )
            reader = _reader(settings, url, client=client, clock=clock)
            return await LmsCheck(probe, reader, given, _claims_of(given), options).run()
    finally:
        await wire.aclose()


def _plain(url: str) -> str:
    """Written the one way that it is sent, for proofs name it."""
    try:
        return str(httpx2.URL(http_url(url))).rstrip("/")
    except (ValueError, httpx2.InvalidURL):
        raise ConfigurationError("URL is no http(s) address") from None


def _client_key(settings: LmsClientSettings) -> ClientKey:
    if settings.client_key is None:
        raise ConfigurationError("ASSIST_CLIENT_KEY is not set: it is the key that the LMS knows this service by")
    return ClientKey.parse(settings.client_key.get_secret_value())


def _claims_of(given: Given) -> Claims:
    """Those of `--session`."""
    claims = claims_of(given.session, option="--session")
    if claims_of(given.other, option="--other-session")["sub"] == claims["sub"]:
        raise ConfigurationError("--session and --other-session are of one person: give two teachers")
    return claims


def _reader(settings: LmsCheckSettings, url: str, *, client: httpx2.AsyncClient, clock: Clock) -> SessionReader:
    keys = JwksKeys(
        settings.session_jwks_url or f"{url}/.well-known/jwks.json",
        algorithm=settings.session_algorithm,
        client=client,
        clock=clock,
    )
    return SessionReader(
        keys=keys,
        issuer=settings.session_issuer,
        audience=settings.session_audience,
        algorithm=settings.session_algorithm,
        clock=clock,
    )
