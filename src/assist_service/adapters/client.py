"""The client JWT of the LMS's own back end: never a session's, and good for one audience of this service only."""

from typing import Annotated

from pydantic import Field

from assist_service.adapters.keys import JwksKeys
from assist_service.adapters.tokens import UNTYPED, Claims, SignedTokens
from assist_service.ports import Clock

LLM_AUDIENCE = "urn:assist-service:llm"
"""Whom a token for completions is for."""

PRIVACY_AUDIENCE = "urn:assist-service:privacy"
"""Whom a token is for that exports or erases a person."""

TYPES = ("JWT", "client-authentication+jwt", UNTYPED)
"""What such a token may call itself: what libraries write by default, what RFC 7523bis asks for, and nothing."""


class ClientClaims(Claims):
    """The claims of a client."""

    iss: Annotated[str, Field(min_length=1)]


class JwtClients:
    """Implements ports.Clients."""

    def __init__(self, *, keys: JwksKeys, issuer: str | None, audience: str, algorithm: str, clock: Clock) -> None:
        self._tokens = SignedTokens(
            ClientClaims,
            types=TYPES,
            keys=keys,
            issuer=issuer,
            audience=audience,
            algorithm=algorithm,
            clock=clock,
        )

    async def verify(self, token: str) -> str:
        return (await self._tokens.verify(token)).sub
