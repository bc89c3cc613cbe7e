"""Who this service is to the LMS: a client that proves it by a JWT only it can sign (RFC 7523)."""

import datetime as dt
import secrets
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwt import PyJWTError
from jwt.algorithms import ECAlgorithm

from assist_service.adapters.lms.signing import ALGORITHM, SigningKey
from assist_service.domain.errors import ConfigurationError

TYP = "client-authentication+jwt"
"""Of RFC 7523bis: no other JWT that this service or the LMS signs can pass for one."""

LIFETIME = dt.timedelta(seconds=60)

UNREADABLE = (ValueError, TypeError, LookupError, PyJWTError, UnsupportedAlgorithm, RecursionError)
"""What reading a key that is none can raise."""


class ClientKey:
    """The private key of this client; one for all replicas."""

    def __init__(self, private: ec.EllipticCurvePrivateKey) -> None:
        self._key = SigningKey(private)

    @classmethod
    def parse(cls, text: str, *, variable: str = "ASSIST_CLIENT_KEY") -> "ClientKey":
        """The key of a PEM or a JWK. Raises ConfigurationError, which names the variable and never the key."""
        private = _private_key(text.strip())
        if private is None:
            raise ConfigurationError(f"{variable} is no private P-256 key, as PEM without a password or as JWK")
        return cls(private)

    @classmethod
    def generate(cls) -> "ClientKey":
        """A key of this process alone, for development."""
        return cls(ec.generate_private_key(ec.SECP256R1()))

    @property
    def kid(self) -> str:
        """The key's thumbprint (RFC 7638)."""
        return self._key.thumbprint

    def public_jwks(self) -> dict[str, Any]:
        """`{"keys": [{"kty", "crv", "x", "y", "kid", "alg", "use"}]}`, for the LMS to fetch."""
        return {"keys": [{**self._key.public_jwk, "kid": self.kid, "alg": ALGORITHM, "use": "sig"}]}

    def assertion(self, client: str, *, audience: str, now: dt.datetime) -> str:
        """A JWT that says: this is `client`, to `audience` and to nobody else, for a minute."""
        issued = int(now.timestamp())
        claims = {
            "iss": client,
            "sub": client,
            "aud": audience,
            "jti": secrets.token_urlsafe(16),
            "iat": issued,
            "exp": issued + int(LIFETIME.total_seconds()),
        }
        return self._key.sign(claims, header={"typ": TYP, "kid": self.kid})


def _private_key(text: str) -> ec.EllipticCurvePrivateKey | None:
    """None for all that is no private key of this curve: what is wrong with one stays untold."""
    try:
        # A variable of one line writes the line ends of a PEM as \n.
        key: object = (
            ECAlgorithm.from_jwk(text)
            if text.startswith("{")
            else load_pem_private_key(text.replace("\\n", "\n").encode(), password=None)
        )
    except UNREADABLE:
        return None
    return key if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1) else None
