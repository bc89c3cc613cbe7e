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

FRESH_SECONDS = 600.0
"""After this the keys are fetched again, so that one the issuer has withdrawn does not stay trusted."""

FETCH_SECONDS = 5.0
"""How long one fetch may take, its body included: everybody with an unknown `kid` waits for it."""

MAX_BYTES = 256 * 1024

UNREADABLE = (
    httpx2.HTTPError,
    httpx2.InvalidURL,
    TimeoutError,
    ValueError,
    LookupError,
    TypeError,
    RecursionError,
)
"""What fetching and parsing a key set can raise; each is an outage."""


class KeysUnavailable(Exception):
    """No key was ever had: whether a token is good cannot be said."""


class JwksKeys:
    """The signing keys of one issuer, by `kid`."""

    def __init__(
        self,
        url: str,
        *,
        algorithm: str,
        client: httpx2.AsyncClient,
        clock: Clock,
        fetch_seconds: float = FETCH_SECONDS,
    ) -> None:
        self._url = url
        self._algorithm = algorithm
        self._client = client
        self._clock = clock
        self._fetch_seconds = fetch_seconds
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._fetched_at: float | None = None
        self._lock = asyncio.Lock()
        self._reachable = False

    async def answering(self) -> bool:
        """Whether the issuer gave keys when last asked, no longer ago than the cooldown."""
        await self._refresh(older_than_seconds=COOLDOWN_SECONDS)
        return self._reachable

    async def key(self, kid: str) -> jwt.PyJWK | None:
        """The key of this `kid`, fetched anew if it is not known, or long ago. Raises KeysUnavailable."""
        if kid not in self._keys:
            await self._refresh(older_than_seconds=COOLDOWN_SECONDS)
        elif self._is_older(FRESH_SECONDS):
            await self._refresh(older_than_seconds=FRESH_SECONDS)
        if not self._keys:
            raise KeysUnavailable
        return self._keys.get(kid)

    async def _refresh(self, *, older_than_seconds: float) -> None:
        """Fetches the keys where the last try is older; whoever comes meanwhile waits for that one fetch."""
        async with self._lock:
            if not self._is_older(older_than_seconds):
                return
            self._fetched_at = self._clock.monotonic()
            keys = await self._fetch()
            self._reachable = bool(keys)
            if keys:  # an outage or an empty answer keeps the last good keys
                self._keys = keys

    def _is_older(self, seconds: float) -> bool:
        return self._fetched_at is None or self._clock.monotonic() - self._fetched_at >= seconds

    async def _fetch(self) -> Mapping[str, jwt.PyJWK]:
        try:
            async with asyncio.timeout(self._fetch_seconds):
                entries = json.loads(await self._body())["keys"]
        except UNREADABLE as error:
            telemetry.log.warning("jwks_unavailable", error=type(error).__name__)
            return {}
        usable = (self._usable(entry) for entry in entries) if isinstance(entries, list) else ()
        keys = dict(entry for entry in usable if entry is not None)
        if not keys:
            telemetry.log.warning("jwks_unavailable", error="NoUsableKey")
        return keys

    async def _body(self) -> bytes:
        """The answer, read no further than its bound."""
        body = bytearray()
        async with self._client.stream("GET", self._url, timeout=self._fetch_seconds) as response:
            response.raise_for_status()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise ValueError("a key set larger than any")
        return bytes(body)

    def _usable(self, entry: object) -> tuple[str, jwt.PyJWK] | None:
        """The key of an entry; None for one of another kind, which leaves the others in use.

        A private key is none to verify with: an issuer that publishes one has lost it.
        """
        if not isinstance(entry, dict) or not self._is_ours(entry):
            return None
        try:
            key = jwt.PyJWK(entry, algorithm=self._algorithm)
            key.Algorithm.prepare_key(key.key)  # refuses another curve
        except jwt.PyJWTError:
            return None
        return entry["kid"], key

    def _is_ours(self, entry: Mapping[str, object]) -> bool:
        return (
            isinstance(entry.get("kid"), str)
            and entry.get("use", "sig") == "sig"
            and entry.get("alg", self._algorithm) == self._algorithm
            and "d" not in entry
        )
