"""The key that sessions are signed with: made at the first start, kept in KOLIBRI_HOME, never sent anywhere."""

import base64
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from kolibri.utils.conf import KOLIBRI_HOME

ALGORITHM = "ES256"
FILE = "assist_session_key.pem"


@dataclass(frozen=True)
class SessionKey:
    kid: str
    private: ec.EllipticCurvePrivateKey = field(repr=False)
    public_jwk: dict[str, str]


@cache
def session_key() -> SessionKey:
    """This Kolibri's key, one for all its processes."""
    path = Path(KOLIBRI_HOME) / FILE
    if not path.exists():
        _make(path)
    private = serialization.load_pem_private_key(path.read_bytes(), password=None)
    point = ECAlgorithm.to_jwk(private.public_key(), as_dict=True)
    members = {name: point[name] for name in ("crv", "kty", "x", "y")}
    canonical = json.dumps(members, sort_keys=True, separators=(",", ":")).encode()
    kid = base64.urlsafe_b64encode(hashlib.sha256(canonical).digest()).rstrip(b"=").decode()
    return SessionKey(kid, private, {**members, "kid": kid, "use": "sig", "alg": ALGORITHM})


def _make(path: Path) -> None:
    """Whole or not at all, and the first of two processes that start at once wins: a link replaces nothing."""
    pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{FILE}.")  # readable by its owner only
    written = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        path.hardlink_to(written)
    except FileExistsError:
        pass
    finally:
        written.unlink()
