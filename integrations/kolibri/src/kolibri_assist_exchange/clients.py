"""The service proves who it is by a JWT signed with its own key (RFC 7523); its public keys are fetched."""

import json
import threading
import time
import urllib.request

import jwt

from kolibri_assist_exchange import store
from kolibri_assist_exchange.configuration import configuration
from kolibri_assist_exchange.keys import ALGORITHM

ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
TYP = "client-authentication+jwt"
"""Of RFC 7523bis: a session JWT never passes for an assertion."""

MAX_SECONDS = 300
"""Between `iat` and `exp`, at most."""

STANDING_AUDIENCE = "urn:lms:standing"
"""Of the JWTs that ask how somebody stands: one for the token endpoint asks nothing there."""

FETCH_SECONDS = 5
COOLDOWN_SECONDS = 30
"""An unknown `kid` causes no more than one fetch in this time."""
FRESH_SECONDS = 600
"""After this the keys are fetched again, so that a withdrawn one does not stay trusted."""
MAX_BYTES = 256 * 1024


class _Keys:
    """The client's public keys; the last good ones are kept through an outage."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._keys: dict[str, jwt.PyJWK] = {}
        self._tried: float | None = None

    def key(self, kid: str) -> jwt.PyJWK | None:
        with self._lock:
            limit = FRESH_SECONDS if kid in self._keys else COOLDOWN_SECONDS
            if self._tried is None or time.monotonic() - self._tried > limit:
                self._tried = time.monotonic()
                self._keys = _fetch(configuration().client_jwks_url) or self._keys
            return self._keys.get(kid)


_KEYS = _Keys()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Keys come from where the administrator said, and from nowhere that place names."""
        return


_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())


def _fetch(url: str) -> dict[str, jwt.PyJWK]:
    """Empty where there are none to be had."""
    try:
        entries = json.loads(_read(url))["keys"]
        return {entry["kid"]: jwt.PyJWK(entry, algorithm=ALGORITHM) for entry in entries if "d" not in entry}
    except (OSError, ValueError, LookupError, TypeError, jwt.PyJWTError):
        return {}


def _read(url: str) -> bytes:
    with _OPENER.open(url, timeout=FETCH_SECONDS) as answer:
        body = answer.read(MAX_BYTES + 1)
    if len(body) > MAX_BYTES:
        raise ValueError("a key set larger than any")
    return body


def is_our_client(assertion: str, *, audience: str) -> bool:
    """Whether this was signed by the client, for this audience, just now, and is shown for the first time."""
    client = configuration().client_id
    try:
        header = jwt.get_unverified_header(assertion)
        key = _KEYS.key(header["kid"]) if header.get("typ") == TYP and isinstance(header.get("kid"), str) else None
        if key is None:
            return False
        claims = jwt.decode(
            assertion,
            key,
            algorithms=[ALGORITHM],
            audience=audience,
            issuer=client,
            subject=client,
            options={"require": ["iss", "sub", "aud", "jti", "iat", "exp"], "strict_aud": True},
        )
    except (jwt.PyJWTError, ValueError):
        return False
    lifetime = claims["exp"] - claims["iat"]
    return 0 < lifetime <= MAX_SECONDS and store.use_once(claims["jti"], seconds=MAX_SECONDS)
