"""What an administrator said, read once; a plugin that is enabled without it does not start."""

import re
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


@dataclass(frozen=True)
class Configuration:
    url: str
    client_id: str
    audience: str
    client_jwks_url: str
    service_url: str
    """Where browsers find the service; empty where Kolibri has no page for the panel."""

    @property
    def token_url(self) -> str:
        """How this Kolibri is named in a client's assertion."""
        return f"{self.url}/oauth/token"


@cache
def configuration() -> Configuration:
    """Raises ImproperlyConfigured that names what is missing."""
    said = getattr(settings, "ASSIST_EXCHANGE", None)
    if said is None:
        raise ImproperlyConfigured("start Kolibri with --settings=kolibri_assist_exchange.settings")
    for name in ("URL", "CLIENT_ID", "AUDIENCE", "CLIENT_JWKS_URL"):
        if not said.get(name):
            raise ImproperlyConfigured(f"KOLIBRI_ASSIST_{name} is not set")
        if name.endswith("URL") and not said[name].startswith(("http://", "https://")):
            raise ImproperlyConfigured(f"KOLIBRI_ASSIST_{name} is no http(s) address")
    service = said.get("SERVICE_URL", "")
    # It goes into a header of the page as it is.
    if service and not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?", service):
        raise ImproperlyConfigured("KOLIBRI_ASSIST_SERVICE_URL is no origin, such as https://assist.school.example")
    return Configuration(said["URL"], said["CLIENT_ID"], said["AUDIENCE"], said["CLIENT_JWKS_URL"], service)
