"""Proof with each request that its sender holds the key a token is bound to (RFC 9449), or none for an LMS without.

Both kinds have one shape: headers to send, and whether an answer asks for the same request once more.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from pydantic import SecretStr

from assist_service.adapters.lms.signing import SigningKey, base64url
from assist_service.adapters.lms.wire import Answer
from assist_service.ports import Clock

TYP = "dpop+jwt"

NONCE_WANTED = "use_dpop_nonce"
NONCE_HEADER = "dpop-nonce"
_NONCE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,512}")
"""RFC 9449, section 8.1; a longer one is not sent back."""


class Place(StrEnum):
    """Who checks a proof: each has nonces of its own (RFC 9449, sections 8 and 9)."""

    TOKEN_ENDPOINT = "token_endpoint"  # noqa: S105 the name of a place
    API = "api"


class Proofs(Protocol):
    """How this service shows that a token is its own."""

    @property
    def token_type(self) -> str:
        """The type of token the LMS gives, and the scheme it is sent with."""
        ...

    def headers(self, place: Place, method: str, url: str, *, token: SecretStr | None = None) -> Mapping[str, str]:
        """What to send with this one request."""
        ...

    def wants_another(self, place: Place, answer: Answer) -> bool:
        """Whether this answer asks for the request again; to be shown every answer that comes."""
        ...


class NoProofs:
    """Of an LMS without DPoP."""

    token_type = "Bearer"  # noqa: S105 the name of a type

    def headers(self, place: Place, method: str, url: str, *, token: SecretStr | None = None) -> Mapping[str, str]:
        return {}

    def wants_another(self, place: Place, answer: Answer) -> bool:
        return False


class DpopProofs:
    """Signs proofs with a key that is made at start and never leaves the process."""

    token_type = "DPoP"  # noqa: S105 the name of a type

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._key = SigningKey.generate()
        self._nonces: dict[Place, str] = {}

    def headers(self, place: Place, method: str, url: str, *, token: SecretStr | None = None) -> Mapping[str, str]:
        return self.signed(self.claims(place, method, url, token=token))

    def claims(self, place: Place, method: str, url: str, *, token: SecretStr | None = None) -> Mapping[str, str | int]:
        """What a proof for this one request says."""
        claims: dict[str, str | int] = {
            "jti": secrets.token_urlsafe(16),
            "htm": method,
            "htu": url.partition("#")[0].partition("?")[0],
            "iat": int(self._clock.now().timestamp()),
        }
        if token is not None:
            claims["ath"] = base64url(hashlib.sha256(token.get_secret_value().encode("ascii")).digest())
        if place in self._nonces:
            claims["nonce"] = self._nonces[place]
        return claims

    def signed(self, claims: Mapping[str, str | int]) -> Mapping[str, str]:
        """The header of a proof that says this."""
        return {"DPoP": self._key.sign(claims, header={"typ": TYP, "jwk": dict(self._key.public_jwk)})}

    def wants_another(self, place: Place, answer: Answer) -> bool:
        nonces = [nonce for nonce in answer.headers.get_list(NONCE_HEADER) if _NONCE.fullmatch(nonce)]
        if nonces:
            self._nonces[place] = nonces[-1]
        return bool(nonces) and _ERROR_OF[place](answer) == NONCE_WANTED


_ERROR_OF = {
    Place.TOKEN_ENDPOINT: Answer.oauth_error,
    Place.API: Answer.challenge_error,
}
"""Where each of them says what was wrong."""
