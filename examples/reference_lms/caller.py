"""A caller of the contract, small enough to read: what a service must do to act as the person who asks.

For tests and for LMS teams; every claim and parameter can be changed, to see what the LMS makes of it.
"""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import uuid4

import httpx2
import jwt

from examples.reference_lms.app import create_app
from examples.reference_lms.clients import CLIENT_SECONDS, CLIENT_TYP
from examples.reference_lms.identity.dpop import PROOF_TYP
from examples.reference_lms.identity.exchange import API_AUDIENCE, ASSERTION_TYPE, GRANT_TYPE, JWT_TYPE, READ_SCOPE
from examples.reference_lms.identity.standing import STANDING_AUDIENCE
from examples.reference_lms.keys import ALGORITHM, KeyRing, SigningKey

Changes = Mapping[str, Any]
"""What replaces or adds to the usual; None takes a key away."""

UNCHANGED: Changes = MappingProxyType({})


@dataclass
class Caller:
    """One client with its keys, against the LMS behind `http`'s base URL."""

    http: httpx2.AsyncClient
    now: Callable[[], datetime]
    client: str = "assist-service"
    client_key: SigningKey = field(default_factory=lambda: KeyRing().current)
    proof_key: SigningKey = field(default_factory=lambda: KeyRing().current)
    nonce: str | None = None
    """The last one the LMS gave."""

    def jwks(self) -> dict[str, list[dict[str, str]]]:
        """What the LMS must be able to fetch."""
        return {"keys": [self.client_key.public_jwk]}

    async def session(self, person: str, **order: object) -> str:
        answer = await self.http.post("/demo/session", json={"person": person, **order})
        return str(answer.raise_for_status().json()["token"])

    async def inject(self, fault: str, **parameters: object) -> None:
        (await self.http.post("/demo/faults", json={"fault": fault, **parameters})).raise_for_status()

    async def token(self, person: str, *, scope: str = READ_SCOPE, **order: object) -> str:
        answer = await self.exchange(await self.session(person, **order), scope=scope)
        return str(answer.raise_for_status().json()["access_token"])

    async def exchange(
        self, session: str, *, assertion: Changes = UNCHANGED, proof: Changes | None = UNCHANGED, **form: str | None
    ) -> httpx2.Response:
        """Sent once more with the nonce where the LMS asks for one; without any proof where `proof` is None."""
        fields: dict[str, str | None] = {
            "grant_type": GRANT_TYPE,
            "subject_token": session,
            "subject_token_type": JWT_TYPE,
            "audience": API_AUDIENCE,
            "scope": READ_SCOPE,
        }
        return await self._send_form("/oauth/token", fields | form, assertion=assertion, proof=proof)

    async def revoke(self, token: str, *, assertion: Changes = UNCHANGED) -> httpx2.Response:
        return await self._send_form("/oauth/revoke", {"token": token}, assertion=assertion, proof=None)

    async def get(self, path: str, token: str, **more: Any) -> httpx2.Response:
        return await self.call("GET", path, token, **more)

    async def post(self, path: str, token: str, body: object, *, key: str | None = None) -> httpx2.Response:
        headers = {} if key is None else {"Idempotency-Key": key}
        return await self.call("POST", path, token, json=body, headers=headers)

    async def call(
        self,
        method: str,
        path: str,
        token: str,
        *,
        proof: Changes = UNCHANGED,
        headers: Changes = UNCHANGED,
        **more: Any,
    ) -> httpx2.Response:
        """A request with the token and a proof of its own, again with the nonce where the LMS asks for one."""
        for _ in range(2):
            signed = {"Authorization": f"DPoP {token}", "DPoP": self.proof(method, path, token=token, changes=proof)}
            answer = await self.http.request(method, path, headers={**signed, **headers}, **more)
            if not self._is_nonce_asked(answer):
                break
        return answer

    async def standing(self, sub: str, *, assertion: Changes = UNCHANGED) -> httpx2.Response:
        signed = self.assertion(STANDING_AUDIENCE, assertion)
        return await self.http.get(f"/api/assist/standing/{sub}", headers={"Authorization": f"Bearer {signed}"})

    def assertion(self, audience: str, changes: Changes = UNCHANGED) -> str:
        now = int(self.now().timestamp())
        claims = {
            "iss": self.client,
            "sub": self.client,
            "aud": audience,
            "jti": str(uuid4()),
            "iat": now,
            "exp": now + CLIENT_SECONDS,
        }
        header = {"typ": CLIENT_TYP, "kid": self.client_key.kid}
        return _sign(claims, header, changes, key=self.client_key)

    def proof(self, method: str, path: str, *, token: str | None = None, changes: Changes = UNCHANGED) -> str:
        claims = {
            "jti": str(uuid4()),
            "htm": method,
            "htu": self._url(path),
            "iat": int(self.now().timestamp()),
            "nonce": self.nonce,
            "ath": None if token is None else _digest(token),
        }
        jwk = {name: self.proof_key.public_jwk[name] for name in ("kty", "crv", "x", "y")}
        return _sign(claims, {"typ": PROOF_TYP, "jwk": jwk}, changes, key=self.proof_key)

    async def _send_form(
        self, path: str, fields: Mapping[str, str | None], *, assertion: Changes, proof: Changes | None
    ) -> httpx2.Response:
        for _ in range(2):
            signed = self.assertion(self._url(path), assertion)
            form = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": signed, **fields}
            headers = {} if proof is None else {"DPoP": self.proof("POST", path, changes=proof)}
            sent = {name: value for name, value in form.items() if value is not None}
            answer = await self.http.post(path, data=sent, headers=headers)
            if not self._is_nonce_asked(answer):
                break
        return answer

    def _is_nonce_asked(self, answer: httpx2.Response) -> bool:
        self.nonce = answer.headers.get("dpop-nonce", self.nonce)
        asked = "use_dpop_nonce"
        if answer.status_code == 400:
            return asked in answer.text
        return answer.status_code == 401 and asked in answer.headers.get("www-authenticate", "")

    def _url(self, path: str) -> str:
        return str(self.http.base_url.join(path)).split("?")[0]


INSIDE = "http://lms.inside:8081"
"""Where an LMS in this process is reached: not its public address, as behind a proxy."""


def call_in_process(*, url: str, now: Callable[[], datetime], **options: Any) -> Caller:
    """A caller of an LMS of its own that knows its key; `options` are those of `create_app`."""
    keys = KeyRing()
    app = create_app(url=url, now=now, client_jwks=keys.jwks(), **options)
    # An unhandled error becomes a 500, as it would over a socket.
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    http = httpx2.AsyncClient(transport=transport, base_url=INSIDE)
    return Caller(http, now, client_key=keys.current)


def _sign(claims: Changes, header: Changes, changes: Changes, *, key: SigningKey) -> str:
    """Changes to `typ`, `kid`, `jwk` and `alg` are of the header, all others of the claims."""
    of_header = {name: value for name, value in changes.items() if name in {"typ", "kid", "jwk", "alg"}}
    of_claims = {name: value for name, value in changes.items() if name not in of_header}
    return jwt.encode(_given({**claims, **of_claims}), key.private, ALGORITHM, headers=_given({**header, **of_header}))


def _given(values: Changes) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _digest(token: str) -> str:
    return urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
