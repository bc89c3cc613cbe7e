"""Signing keys live in this process only: made at start, replaced on demand, never written anywhere."""

import hashlib
import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

ALGORITHM = "ES256"
"""The one algorithm sessions are signed with; the service pins it (RFC 8725, section 3.1)."""


@dataclass(frozen=True)
class SigningKey:
    """One P-256 key under the name its own public half gives it."""

    kid: str
    private: ec.EllipticCurvePrivateKey = field(repr=False)
    public_jwk: dict[str, str]

    @classmethod
    def generate(cls) -> "SigningKey":
        private = ec.generate_private_key(ec.SECP256R1())
        point = ECAlgorithm.to_jwk(private.public_key(), as_dict=True)
        members = {name: str(point[name]) for name in ("crv", "kty", "x", "y")}
        kid = thumbprint(members)
        return cls(kid, private, {**members, "kid": kid, "use": "sig", "alg": ALGORITHM})


class KeyRing:
    """Signs with one key at a time, and publishes that key alone."""

    def __init__(self) -> None:
        self.current = SigningKey.generate()

    def rotate(self) -> None:
        """A new key signs from now on; sessions under the old one can no longer be verified."""
        self.current = SigningKey.generate()

    def jwks(self) -> dict[str, list[dict[str, str]]]:
        return {"keys": [self.current.public_jwk]}


def thumbprint(required_members: dict[str, str]) -> str:
    """RFC 7638: SHA-256 over the required members, sorted, without white space."""
    canonical = json.dumps(required_members, sort_keys=True, separators=(",", ":")).encode()
    return urlsafe_b64encode(hashlib.sha256(canonical).digest()).rstrip(b"=").decode()
