"""An issuer's public keys from its JWKS, kept through an outage, fetched at most once a cooldown."""

import asyncio
import json
from collections.abc import Mapping

import httpx2
import jwt

from assist_service import telemetry
from assist_service.ports import Clock

COOLDOWN_SECONDS = 30.0
"""An unknown `kid` causes no more than one fetch in this time, however many come."""

FETCH_SECONDS = 5.0

MAX_BYTES = 256 * 1024


class KeysUnavailable(Exception):
    """No key was ever had: whether a token is good cannot be said."""


class JwksKeys:
    """The signing keys of one issuer, by `kid`."""

    def __init__(self, url: str, *, algorithm: str, client: httpx2.AsyncClient, clock: Clock) -> None:
        self._url = url
        self._algorithm = algorithm
        self._client = client
        self._clock = clock
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._fetched_at: float | None = None
        self._lock = asyncio.Lock()
        self._reachable = False

    async def answering(self) -> bool:
        """Whether the issuer gave keys when last asked; asks it once if nobody has yet."""
        if self._fetched_at is None:
            await self._refresh("")
        return self._reachable

    async def key(self, kid: str) -> jwt.PyJWK | None:
        """The key of this `kid`, fetched anew if it is not known. Raises KeysUnavailable."""
        if kid not in self._keys:
            await self._refresh(kid)
        if not self._keys:
            raise KeysUnavailable
        return self._keys.get(kid)

    async def _refresh(self, kid: str) -> None:
        async with self._lock:
            if kid in self._keys or not self._cooled_down():
                return
            self._fetched_at = self._clock.monotonic()
            keys = await self._fetch()
            self._reachable = bool(keys)
            if keys:  # an outage or an empty answer keeps the last good keys
                self._keys = keys

    def _cooled_down(self) -> bool:
        return self._fetched_at is None or self._clock.monotonic() - self._fetched_at >= COOLDOWN_SECONDS

    async def _fetch(self) -> Mapping[str, jwt.PyJWK]:
        try:
            response = await self._client.get(self._url, timeout=FETCH_SECONDS)
            response.raise_for_status()
            if len(response.content) > MAX_BYTES:
                raise ValueError("a key set larger than any")
            entries = json.loads(response.content)["keys"]
            return dict(self._usable(entry) for entry in entries if self._is_usable(entry))
        except (httpx2.HTTPError, ValueError, KeyError, TypeError, jwt.PyJWTError) as error:
            telemetry.log.warning("jwks_unavailable", error=type(error).__name__)
            return {}

    def _is_usable(self, entry: Mapping[str, object]) -> bool:
        return (
            isinstance(entry.get("kid"), str)
            and entry.get("use", "sig") == "sig"
            and entry.get("alg", self._algorithm) == self._algorithm
        )

    def _usable(self, entry: Mapping[str, object]) -> tuple[str, jwt.PyJWK]:
        return str(entry["kid"]), jwt.PyJWK(dict(entry), algorithm=self._algorithm)
