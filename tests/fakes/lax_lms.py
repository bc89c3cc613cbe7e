"""Stands before an LMS and takes what a predicate picks: an LMS that is lax in one place, and right in all others."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import jwt
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.fakes.house import CLIENT_KEY


@dataclass(frozen=True)
class Seen:
    """One request."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def form(self) -> Mapping[str, str]:
        return dict(parse_qsl(self.body.decode("ascii"))) if self.path.startswith("/oauth/") else {}

    @property
    def json(self) -> Mapping[str, Any]:
        return json.loads(self.body) if self.path.startswith("/api/") and self.body else {}

    @property
    def token(self) -> str:
        return self.headers.get("authorization", "").partition(" ")[2]

    @property
    def assertion(self) -> str:
        """The client JWT, wherever it is sent."""
        return self.token if self.is_standing else self.form.get("client_assertion", "")

    @property
    def proof(self) -> Mapping[str, Any]:
        """What the DPoP proof says."""
        return claims_of(self.headers.get("dpop", ""))

    @property
    def is_read(self) -> bool:
        """Whether the API is asked, and not standing."""
        return self.path.startswith("/api/") and not self.is_standing

    @property
    def is_standing(self) -> bool:
        return self.path.startswith("/api/assist/")

    @property
    def is_revocation(self) -> bool:
        return self.path == "/oauth/revoke"

    @property
    def is_exchange(self) -> bool:
        return self.path == "/oauth/token"


def claims_of(token: str) -> Mapping[str, Any]:
    return jwt.decode(token, options={"verify_signature": False}) if token.count(".") == 2 else {}


def is_unsigned(token: str) -> bool:
    return token.count(".") == 2 and jwt.get_unverified_header(token)["alg"] == "none"


def is_forged(token: str) -> bool:
    """Whether a client JWT is signed with another key than the client's."""
    key = jwt.PyJWK(CLIENT_KEY.public_jwks()["keys"][0])
    try:
        jwt.PyJWS().decode(token, key=key, algorithms=["ES256"])
    except jwt.PyJWTError:
        return token.count(".") == 2
    return False


Picks = Callable[[Seen], int | None]
"""The status that is answered instead; None leaves the request to the LMS."""


@dataclass(frozen=True)
class Lax:
    """ASGI middleware."""

    app: ASGIApp
    picks: Picks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message["body"]
            if not message.get("more_body"):
                break
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        status = self.picks(Seen(scope["method"], scope["path"], headers, body))
        if status is not None:
            start = {
                "type": "http.response.start",
                "status": status,
                "headers": [(b"content-type", b"application/json")],
            }
            await send(start)
            await send({"type": "http.response.body", "body": b"{}"})
            return

        async def once() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, once, send)
