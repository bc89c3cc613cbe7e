"""Session tokens for measuring, signed with a key that is made from a fixed number and opens nothing anywhere."""

import json
import time
import uuid
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

ISSUER = "http://bench.test"
KEY_ID = "bench"
LIFETIME_SECONDS = 300


@cache
def _key() -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(20_261_130, ec.SECP256R1())


@cache
def jwks() -> dict[str, Any]:
    """The public key, as an LMS serves it."""
    public = json.loads(ECAlgorithm.to_jwk(_key().public_key()))
    return {"keys": [{**public, "kid": KEY_ID, "use": "sig", "alg": "ES256"}]}


def token() -> str:
    """The session of a teacher nobody has been before: limits are by person."""
    now = int(time.time())
    claims = {
        "iss": ISSUER,
        "aud": "urn:assist-service",
        "sub": str(uuid.uuid4()),
        "sid": str(uuid.uuid4()),
        "jti": str(uuid.uuid4()),
        "iat": now,
        "exp": now + LIFETIME_SECONDS,
        "role": "teacher",
        "kind": "portal",
        "elevated": False,
    }
    return jwt.encode(claims, _key(), algorithm="ES256", headers={"kid": KEY_ID, "typ": "assist-session+jwt"})
