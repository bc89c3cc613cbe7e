"""A small LMS on loopback: it checks what is shown to it, and answers reads as a test says.

`ScriptedLms` is an ASGI app for `serving.serve`. What breaks a rule is noted in `violations` and refused.
"""

import asyncio
import hashlib
import itertools
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import jwt
from starlette.types import Receive, Scope, Send

from assist_service.adapters.lms.signing import base64url
from assist_service.ports import Clock
from tests.fakes.scripted_wire import RawReply

CLIENT = "assist-service"

FORM = {
    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
    "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
    "audience": "urn:lms:assist",
    "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
}

READ_SCOPE = "assist:read"

WRITE_PATHS = {
    "create_question": r"/api/questions",
    "create_category": r"/api/pools/[0-9a-f-]{36}/categories",
    "create_template": r"/api/templates",
    "add_questions_to_template": r"/api/templates/[0-9a-f-]{36}/questions",
    "link_pool_to_course": r"/api/courses/[0-9a-f-]{36}/pools",
}
"""By the tool whose scope writes there."""

SCOPES = {READ_SCOPE, *(f"assist:write:{tool}" for tool in WRITE_PATHS)}


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    method: str
    target: str
    headers: Sequence[tuple[str, str]]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    def header(self, name: str) -> str | None:
        """The one header of this name; None where there is none."""
        values = [value for key, value in self.headers if key == name]
        assert len(values) <= 1, f"{name} came twice"
        return values[0] if values else None

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), strict_parsing=True))


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> RawReply:
    return RawReply(json.dumps(value).encode(), status, {"content-type": "application/json", **(headers or {})})


EMPTY_PAGE = json_reply({"items": [], "next": None})

Hook = Callable[[Seen], Awaitable[RawReply | None]]


@dataclass
class ScriptedLms:
    """Answers `replies[path]`, or an empty page; `hook` may answer first, or wait."""

    clock: Clock
    jwks: Mapping[str, Any]
    dpop: bool = True
    revocation: bool = True
    hook: Hook | None = None
    base_url: str = ""
    """Where it answers, set once that is known."""
    replies: dict[str, RawReply] = field(default_factory=dict)
    requests: list[Seen] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    issued: list[str] = field(default_factory=list)
    live: set[str] = field(default_factory=set)
    scopes: dict[str, str] = field(default_factory=dict)
    """Of the tokens issued."""
    nonces: dict[str, str] = field(default_factory=dict)
    """The nonce wanted at `token` and at `api`; "" wants none."""
    used: set[str] = field(default_factory=set)
    _numbers: Any = field(default_factory=itertools.count)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return
        seen = await _read(scope, receive)
        self.requests.append(seen)
        reply = await self.hook(seen) if self.hook else None
        reply = reply or self._answer(seen)
        await asyncio.sleep(reply.after_seconds)
        head = [(name.encode(), value.encode()) for name, value in reply.headers.items()]
        await send({"type": "http.response.start", "status": reply.status, "headers": head})
        await send({"type": "http.response.body", "body": reply.body})

    def paths(self) -> list[str]:
        return [f"{seen.method} {seen.path}" for seen in self.requests]

    def issue(self) -> str:
        """A new token that works."""
        token = f"token-{next(self._numbers)}-of-the-person"
        self.issued.append(token)
        self.live.add(token)
        return token

    def _answer(self, seen: Seen) -> RawReply:
        if seen.path == "/oauth/token":
            return self._token(seen)
        if seen.path == "/oauth/revoke" and self.revocation:
            self._check_assertion(seen.form["client_assertion"], f"{self.base_url}/oauth/token")
            self.live.discard(seen.form["token"])
            return RawReply(b"")
        if not seen.path.startswith("/api/assist/standing/"):
            refusal = self._refusal(seen)
            if refusal is not None:
                return refusal
        return self.replies.get(seen.path, EMPTY_PAGE)

    def _token(self, seen: Seen) -> RawReply:
        if self.dpop and self._proof(seen, "token") is None:
            return json_reply({"error": "use_dpop_nonce"}, 400, {"DPoP-Nonce": self.nonces["token"]})
        form = seen.form
        self._check_assertion(form.pop("client_assertion", ""), f"{self.base_url}/oauth/token")
        form.pop("subject_token", None)
        scope = form.pop("scope", "")
        if form != FORM or scope not in SCOPES:
            self.violations.append("another form")
        kind = "DPoP" if self.dpop else "Bearer"
        token = self.issue()
        self.scopes[token] = scope
        return json_reply({"access_token": token, "token_type": kind, "expires_in": 900})

    def _refusal(self, seen: Seen) -> RawReply | None:
        scheme, _, token = (seen.header("authorization") or "").partition(" ")
        if scheme != ("DPoP" if self.dpop else "Bearer") or token not in self.live:
            return json_reply({}, 401, {"WWW-Authenticate": 'Bearer error="invalid_token"'})
        if self.dpop and self._proof(seen, "api", token) is None:
            told = {"DPoP-Nonce": self.nonces["api"], "WWW-Authenticate": 'DPoP error="use_dpop_nonce", algs="ES256"'}
            return json_reply({}, 401, told)
        if seen.method != "GET" and seen.path != "/api/questions/similar":
            self._check_write(seen, self.scopes.get(token, READ_SCOPE))
        return None

    def _check_write(self, seen: Seen, scope: str) -> None:
        tool = scope.removeprefix("assist:write:")
        if seen.method != "POST" or not re.fullmatch(WRITE_PATHS.get(tool, ""), seen.target):
            self.violations.append("a write with another scope")
        if seen.header("x-assist-tool") != tool or seen.header("content-type") != "application/json":
            self.violations.append("a write by another tool")
        if not re.fullmatch(r"[0-9a-f-]{36}", seen.header("idempotency-key") or ""):
            self.violations.append("a write without a key")

    def _check_assertion(self, token: str, audience: str) -> None:
        header, claims = self._verified(token, jwt.PyJWK(self.jwks["keys"][0]))
        issued = int(self.clock.now().timestamp())
        expected = {"iss": CLIENT, "sub": CLIENT, "aud": audience, "iat": issued, "exp": issued + 60}
        if header["typ"] != "client-authentication+jwt" or header["kid"] != self.jwks["keys"][0]["kid"]:
            self.violations.append("another kind of assertion")
        self._once(claims.pop("jti"))
        if claims != expected:
            self.violations.append("other claims of an assertion")

    def _proof(self, seen: Seen, place: str, token: str | None = None) -> str | None:
        """The proof's key; None where another nonce is wanted."""
        proof = seen.header("dpop") or ""
        header, claims = self._verified(proof, jwt.PyJWK(jwt.get_unverified_header(proof)["jwk"]))
        nonce = claims.pop("nonce", "")
        self._once(claims.pop("jti"))
        expected = {"htm": seen.method, "htu": self.base_url + seen.path, "iat": int(self.clock.now().timestamp())}
        if token is not None:
            expected["ath"] = base64url(hashlib.sha256(token.encode()).digest())
        if claims != expected or header["typ"] != "dpop+jwt" or set(header["jwk"]) != {"kty", "crv", "x", "y"}:
            self.violations.append("a proof of something else")
        return header["jwk"]["x"] if nonce == self.nonces.get(place, "") else None

    def _once(self, jti: str) -> None:
        if jti in self.used or len(jti) < 16:
            self.violations.append("a jti that was used before")
        self.used.add(jti)

    def _verified(self, token: str, key: jwt.PyJWK) -> tuple[dict[str, Any], dict[str, Any]]:
        """Header and claims, the signature checked; times are compared with the test's clock."""
        unchecked = dict.fromkeys(("verify_exp", "verify_iat", "verify_aud"), False)
        whole = jwt.decode_complete(token, key, algorithms=["ES256"], options=unchecked)  # type: ignore[arg-type]
        return whole["header"], whole["payload"]


async def _read(scope: Scope, receive: Receive) -> Seen:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    headers = [(name.decode().lower(), value.decode()) for name, value in scope["headers"]]
    target = scope["raw_path"].decode() + (f"?{scope['query_string'].decode()}" if scope["query_string"] else "")
    return Seen(scope["method"], target, headers, body)
