"""A P-256 key that signs JWTs, and what of it the world may see."""

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

ALGORITHM = "ES256"

PUBLIC_MEMBERS = ("crv", "kty", "x", "y")
"""Those of an EC key's JWK that are public, in the order of RFC 7638."""


class SigningKey:
    """Its `repr` shows nothing of it."""

    def __init__(self, private: ec.EllipticCurvePrivateKey) -> None:
        self._private = private
        members = ECAlgorithm.to_jwk(private.public_key(), as_dict=True)
        self.public_jwk: Mapping[str, str] = {name: members[name] for name in PUBLIC_MEMBERS}
        self.thumbprint = _thumbprint(self.public_jwk)

    @classmethod
    def generate(cls) -> "SigningKey":
        return cls(ec.generate_private_key(ec.SECP256R1()))

    def sign(self, claims: Mapping[str, Any], *, header: Mapping[str, Any]) -> str:
        """A JWT of these claims; `header` says its `typ`, and which key."""
        return jwt.encode(dict(claims), self._private, ALGORITHM, headers=dict(header))


def _thumbprint(jwk: Mapping[str, str]) -> str:
    """RFC 7638: of the required members, in their order, without a space."""
    canonical = json.dumps(dict(jwk), sort_keys=True, separators=(",", ":"))
    return base64url(hashlib.sha256(canonical.encode()).digest())


def base64url(raw: bytes) -> str:
    """Without padding, as JOSE writes it."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
