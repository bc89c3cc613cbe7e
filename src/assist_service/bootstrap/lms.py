"""The LMS that the settings name, and this service's key as its client."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from assist_service import telemetry
from assist_service.adapters.lms.client import ClientKey
from assist_service.adapters.lms.kolibri import KolibriLms
from assist_service.adapters.lms.none import NoLms
from assist_service.adapters.lms.rest import RestLms, RestOptions
from assist_service.domain.errors import ConfigurationError
from assist_service.domain.policy import Policy
from assist_service.ports import Clock, Lms
from assist_service.settings import Environment, LmsKind, Settings
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import LOOKING_UP

LMSS: Mapping[LmsKind, type[RestLms]] = {LmsKind.REST: RestLms, LmsKind.KOLIBRI: KolibriLms}


def client_key_of(settings: Settings, policy: Policy) -> ClientKey | None:
    """This service's key; in development one is made where the policy needs one. Raises ConfigurationError."""
    if settings.client_key is not None:
        return ClientKey.parse(settings.client_key.get_secret_value())
    if not asks_lms(policy):
        return None
    if settings.env is Environment.PRODUCTION:
        raise ConfigurationError(
            f"ASSIST_CLIENT_KEY is not set: policy {policy.name} asks the LMS, which has to know this service by a key"
        )
    return ClientKey.generate()


def asks_lms(policy: Policy) -> bool:
    """Whether a policy needs anything of the LMS beside the keys of its sessions."""
    held = {name for ruled in policy.roles.values() for name in ruled.tools}
    reads_data = policy.switches.live and any(TOOLS[name].family in LOOKING_UP for name in held)
    return policy.standing or reads_data


def public_jwks(key: ClientKey | None) -> Mapping[str, Any]:
    """What the LMS fetches to know this service's signature."""
    return key.public_jwks() if key is not None else {"keys": []}


@asynccontextmanager
async def open_lms(settings: Settings, key: ClientKey | None, *, clock: Clock) -> AsyncIterator[Lms]:
    """The LMS for as long as the block lasts."""
    if key is None:
        yield NoLms()
        return
    if settings.client_key is None:
        telemetry.log.warning("client_key_made", setting="ASSIST_CLIENT_KEY")
    has_dpop = settings.lms_dpop and settings.lms is not LmsKind.KOLIBRI
    for name, is_there in (("dpop", has_dpop), ("revocation", settings.lms_revocation)):
        if not is_there:
            telemetry.log.warning("lms_lacks", what=name)
    options = RestOptions(dpop=settings.lms_dpop, revocation=settings.lms_revocation)
    lms = LMSS[settings.lms](settings.lms_url, client_id=settings.client_id, key=key, clock=clock, options=options)
    try:
        yield lms
    finally:
        await lms.aclose()
