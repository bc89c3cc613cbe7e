"""The service's public keys: fetched from one address, kept, fetched again for a key id that is not known."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

import httpx2
from cryptography.hazmat.primitives.asymmetric import ec

from examples.reference_lms.identity.jws import BadToken, public_key

COOLDOWN = timedelta(seconds=10)
"""After a fetch that succeeded, unknown key ids cause no other one for so long."""

KEPT = timedelta(minutes=5)
"""After this long the keys are fetched again, so that one that was withdrawn stops working."""

FETCH_SECONDS = 5.0

Jwks = Mapping[str, Any]
JwksSource = Jwks | Callable[[], Jwks]


class ClientKeys(Protocol):
    """Finds the key a client assertion names."""

    async def find(self, kid: object) -> ec.EllipticCurvePublicKey | None: ...


class GivenKeys:
    """A key set at hand, or a function that makes one."""

    def __init__(self, source: JwksSource) -> None:
        self._source = source

    async def find(self, kid: object) -> ec.EllipticCurvePublicKey | None:
        return _by_kid(self._source() if callable(self._source) else self._source).get(kid)


class NoKeys:
    """No client is known."""

    async def find(self, _: object) -> ec.EllipticCurvePublicKey | None:
        return None


class FetchedKeys:
    """The key set behind a URL."""

    def __init__(self, url: str, *, now: Callable[[], datetime]) -> None:
        self._url = url
        self._now = now
        self._fetched_at: datetime | None = None
        self._keys: dict[object, ec.EllipticCurvePublicKey] = {}

    async def find(self, kid: object) -> ec.EllipticCurvePublicKey | None:
        age = self._now() - self._fetched_at if self._fetched_at else None
        # A fetch that failed starts no cooldown: the service may start a moment after this LMS.
        if age is None or age >= KEPT or (kid not in self._keys and age >= COOLDOWN):
            await self._fetch()
        return self._keys.get(kid)

    async def _fetch(self) -> None:
        try:
            async with httpx2.AsyncClient(timeout=FETCH_SECONDS, trust_env=False) as client:
                answer = await client.get(self._url)
            keys = _by_kid(answer.raise_for_status().json())
        except (httpx2.HTTPError, ValueError):
            return  # the last good keys stay
        self._keys = keys
        self._fetched_at = self._now()


def _by_kid(jwks: object) -> dict[object, ec.EllipticCurvePublicKey]:
    """The usable keys of a set; one that this LMS cannot use is passed over (RFC 7517, section 5)."""
    if not isinstance(jwks, Mapping) or not isinstance(jwks.get("keys"), list):
        raise ValueError("no key set")
    found: dict[object, ec.EllipticCurvePublicKey] = {}
    for jwk in jwks["keys"]:
        try:
            key = public_key(jwk)
        except BadToken:
            continue
        if isinstance(jwk.get("kid"), str) and jwk.get("use", "sig") == "sig":
            found[jwk["kid"]] = key
    return found
