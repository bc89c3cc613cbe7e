"""Session JWTs written by hand, every part of them open to change, and the key set that verifies them over HTTP."""

import asyncio
import base64
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from jwt.utils import der_to_raw_signature
from starlette.types import Receive, Scope, Send

from assist_service.adapters.keys import JwksKeys
from assist_service.adapters.session import JwtSessions
from assist_service.domain.errors import AssistError, Code
from tests.fakes.clocks import START, HandClock
from tests.fakes.serving import connect, serve

ISSUER = "http://lms.test"
AUDIENCE = "urn:assist-service"
NOW = int(START.timestamp())


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass(frozen=True)
class Signer:
    """A key of an LMS, under its `kid`."""

    kid: str
    curve: ec.EllipticCurve = field(default_factory=ec.SECP256R1)
    private: ec.EllipticCurvePrivateKey = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "private", ec.generate_private_key(self.curve))

    @property
    def public_jwk(self) -> dict[str, Any]:
        return {**ECAlgorithm.to_jwk(self.private.public_key(), as_dict=True), "kid": self.kid, "use": "sig"}

    @property
    def private_jwk(self) -> dict[str, Any]:
        return {**ECAlgorithm.to_jwk(self.private, as_dict=True), "kid": self.kid, "use": "sig"}

    def sign(self, header: object, payload: object) -> str:
        """A token over whatever these are; bytes are taken as they stand."""
        signed = f"{_segment(header)}.{_segment(payload)}"
        der = self.private.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        return f"{signed}.{base64url(der_to_raw_signature(der, self.curve))}"

    def token(self, *, header: dict[str, Any] | None = None, **claims: object) -> str:
        """A valid session, but for what is changed."""
        return self.sign({**header_of(self.kid), **(header or {})}, {**valid_claims(), **claims})


def _segment(part: object) -> str:
    return base64url(part if isinstance(part, bytes) else json.dumps(part).encode())


def header_of(kid: str) -> dict[str, Any]:
    return {"alg": "ES256", "typ": "assist-session+jwt", "kid": kid}


def valid_claims() -> dict[str, Any]:
    return {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "person-1",
        "sid": "session-1",
        "jti": str(uuid.UUID(int=1)),
        "iat": NOW,
        "exp": NOW + 300,
        "role": "teacher",
        "kind": "portal",
        "elevated": False,
    }


@dataclass
class KeySet:
    """The LMS's JWKS address: answers what it is set to, `seconds` a byte, and counts how often it is asked."""

    body: bytes
    status: int = 200
    seconds: float = 0.0
    location: str | None = None
    asked: int = 0

    def publish(self, *entries: object) -> None:
        self.status, self.body = 200, json.dumps({"keys": entries}).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        self.asked += 1
        headers = [(b"location", self.location.encode())] if self.location is not None else []
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        for byte in self.body if self.seconds else b"":
            await send({"type": "http.response.body", "body": bytes([byte]), "more_body": True})
            await asyncio.sleep(self.seconds)
        await send({"type": "http.response.body", "body": b"" if self.seconds else self.body})


@dataclass
class Door:
    """A verifier of sessions before a running key set."""

    signer: Signer
    key_set: KeySet
    clock: HandClock
    keys: JwksKeys
    sessions: JwtSessions


@asynccontextmanager
async def open_door(*, fetch_seconds: float = 5.0) -> AsyncIterator[Door]:
    """The door, with one key published; nothing is fetched yet."""
    signer, clock, key_set = Signer("key-1"), HandClock(), KeySet(b"")
    key_set.publish(signer.public_jwk)
    async with serve(key_set) as url, connect() as client:
        keys = JwksKeys(f"{url}/jwks.json", algorithm="ES256", client=client, clock=clock, fetch_seconds=fetch_seconds)
        sessions = JwtSessions(keys=keys, issuer=ISSUER, audience=AUDIENCE, algorithm="ES256", clock=clock)
        yield Door(signer, key_set, clock, keys, sessions)


async def refused(door: Door, token: str) -> None:
    with pytest.raises(AssistError) as error:
        await door.sessions.verify(token)
    assert error.value.code is Code.UNAUTHENTICATED
