"""What the LMS's own back end may use, where the settings say how it is known."""

from dataclasses import dataclass

import httpx2

from assist_service import telemetry
from assist_service.adapters.client import LLM_AUDIENCE, PRIVACY_AUDIENCE, JwtClients
from assist_service.adapters.keys import JwksKeys
from assist_service.ports import Clients, Clock
from assist_service.services.complete import Complete
from assist_service.services.gateway import Gateway
from assist_service.services.privacy import Privacy
from assist_service.settings import Settings


@dataclass(frozen=True)
class Completions:
    """Who may ask for completions, and the use case."""

    clients: Clients
    complete: Complete


@dataclass(frozen=True)
class PeopleData:
    """Who may export and erase people, and the use case."""

    clients: Clients
    privacy: Privacy


@dataclass(frozen=True)
class BackEnd:
    """All that the LMS's own back end may use: a token is for one of them, the keys are the same."""

    completions: Completions
    people_data: PeopleData


def make_back_end(
    settings: Settings, *, client: httpx2.AsyncClient, clock: Clock, gateway: Gateway, privacy: Privacy
) -> BackEnd | None:
    """What the back end may use; None where no keys are named, and the log says so."""
    if settings.lms_client_jwks_url is None:
        telemetry.log.info("back_end_closed", setting="ASSIST_LMS_CLIENT_JWKS_URL")
        return None
    if settings.lms_client_issuer is None:
        telemetry.log.warning("any_client_issuer", setting="ASSIST_LMS_CLIENT_ISSUER")
    # Here, since jsonschema takes a tenth of a second that a service without completions need not spend.
    from assist_service.adapters.output_schema import JsonSchemas

    algorithm = settings.session_algorithm
    keys = JwksKeys(settings.lms_client_jwks_url, algorithm=algorithm, client=client, clock=clock)

    def clients(audience: str) -> JwtClients:
        return JwtClients(
            keys=keys, issuer=settings.lms_client_issuer, audience=audience, algorithm=algorithm, clock=clock
        )

    complete = Complete(purposes=settings.purposes, gateway=gateway, schemas=JsonSchemas(), clock=clock)
    return BackEnd(
        completions=Completions(clients(LLM_AUDIENCE), complete),
        people_data=PeopleData(clients(PRIVACY_AUDIENCE), privacy),
    )
