"""A client JWT says that this LMS's own back end calls, for five minutes and one audience."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

import jwt

from examples.reference_lms.keys import ALGORITHM, KeyRing

CLIENT_TYP = "client-authentication+jwt"
"""Header `typ`: never that of a session."""

CLIENT = "reference-lms"
"""Under which name this LMS's back end calls."""

LLM_AUDIENCE = "urn:assist-service:llm"

PRIVACY_AUDIENCE = "urn:assist-service:privacy"

CLIENT_SECONDS = 300
"""Lifetime of a client JWT; the service refuses a longer one."""


@dataclass(frozen=True)
class ClientIssuer:
    """Signs with keys of its own: whoever holds a session's key is no back end."""

    url: str
    keys: KeyRing
    now: Callable[[], datetime]

    def mint(self, audience: str) -> str:
        key = self.keys.current
        issued_at = int(self.now().timestamp())
        claims = {
            "iss": self.url,
            "sub": CLIENT,
            "aud": audience,
            "jti": str(uuid4()),
            "iat": issued_at,
            "exp": issued_at + CLIENT_SECONDS,
        }
        return jwt.encode(claims, key.private, ALGORITHM, headers={"typ": CLIENT_TYP, "kid": key.kid})
