"""Kolibri's settings and this plugin's: `kolibri start --settings=kolibri_assist_exchange.settings`.

A settings module of its own, because a plugin's `django_settings` may not replace REST_FRAMEWORK.
"""

import os

from kolibri.deployment.default.settings.base import *

REST_FRAMEWORK = {
    **REST_FRAMEWORK,
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "kolibri_assist_exchange.authentication.AssistTokenAuthentication",
        *REST_FRAMEWORK["DEFAULT_AUTHENTICATION_CLASSES"],
    ],
}

ASSIST_EXCHANGE = {
    # Where the service reaches this Kolibri, no slash at the end: the `iss` of sessions, and what clients sign for.
    "URL": os.environ.get("KOLIBRI_ASSIST_URL", "").rstrip("/"),
    # The one client there is, and whom sessions are for.
    "CLIENT_ID": os.environ.get("KOLIBRI_ASSIST_CLIENT_ID", "assist-service"),
    "AUDIENCE": os.environ.get("KOLIBRI_ASSIST_AUDIENCE", "urn:assist-service"),
    # Where the client's public keys lie.
    "CLIENT_JWKS_URL": os.environ.get("KOLIBRI_ASSIST_CLIENT_JWKS_URL", ""),
    # Where browsers find the service, for the page that embeds its panel; without it there is no such page.
    "SERVICE_URL": os.environ.get("KOLIBRI_ASSIST_SERVICE_URL", "").rstrip("/"),
}
