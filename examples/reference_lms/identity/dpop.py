"""DPoP (RFC 9449): a proof that the sender of this very request holds a key."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from examples.reference_lms.identity.jws import BadToken, Claims, public_key, read_claims, read_header, seconds, text
from examples.reference_lms.identity.replays import Replays
from examples.reference_lms.keys import thumbprint
from examples.reference_lms.rules import Break, Rules

PROOF_TYP = "dpop+jwt"

PROOF_SECONDS = 60
"""How old a proof may be, or how far ahead."""

NONCE_SECONDS = 120
"""How long a nonce is given out; it is taken for as long again."""


class BadProof(Exception):
    """A proof that proves nothing. `error` is `invalid_dpop_proof` or `use_dpop_nonce`."""

    def __init__(self, reason: str, *, error: str = "invalid_dpop_proof") -> None:
        super().__init__(reason)
        self.error = error


class Nonces:
    """Nonces that follow from the time and a secret of this start: nothing is kept."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._secret = secrets.token_bytes(32)

    def current(self) -> str:
        return self._of(self._period())

    def accepts(self, nonce: object) -> bool:
        return isinstance(nonce, str) and nonce in {self._of(self._period()), self._of(self._period() - 1)}

    def renew(self) -> None:
        """No nonce given out before is taken any more."""
        self._secret = secrets.token_bytes(32)

    def _period(self) -> int:
        return int(self._now().timestamp()) // NONCE_SECONDS

    def _of(self, period: int) -> str:
        digest = hmac.digest(self._secret, str(period).encode(), "sha256")
        return urlsafe_b64encode(digest[:18]).decode()


@dataclass(frozen=True)
class Asked:
    """The request a proof must be for."""

    method: str
    urls: Collection[str]
    """Under which addresses it may have been sent, without query."""
    access_token: str | None = None


@dataclass(frozen=True)
class Proofs:
    """Checks proofs, each good once."""

    nonces: Nonces
    replays: Replays
    rules: Rules
    now: Callable[[], datetime]

    def check(self, proof: str, asked: Asked) -> str:
        """The thumbprint of the key that has signed. Raises BadProof."""
        try:
            return self._check(proof, asked)
        except BadToken as error:
            raise BadProof(str(error)) from None

    def _check(self, proof: str, asked: Asked) -> str:
        jwk = read_header(proof).get("jwk")
        claims = read_claims(proof, key=public_key(jwk), typ=PROOF_TYP)
        assert isinstance(jwk, dict)
        if not self.rules.broken(Break.ACCEPT_FOREIGN_PROOF):
            self._check_asked(claims, asked)
        jti = text(claims, "jti")
        if not self.nonces.accepts(claims.get("nonce")):
            raise BadProof("a nonce is needed", error="use_dpop_nonce")
        key = thumbprint({name: str(jwk[name]) for name in ("crv", "kty", "x", "y")})
        first = self.replays.is_first(f"{key} {jti}", keep_seconds=2 * PROOF_SECONDS)
        if not first and not self.rules.broken(Break.ACCEPT_REPLAYED_PROOF):
            raise BadProof("jti was used before")
        return key

    def _check_asked(self, claims: Claims, asked: Asked) -> None:
        """Whether the proof was made for this request, with this token, now."""
        if text(claims, "htm") != asked.method:
            raise BadProof("htm is another method")
        if _without_query(text(claims, "htu", longest=2000)) not in asked.urls:
            raise BadProof("htu is another address")
        if abs(self.now().timestamp() - seconds(claims, "iat")) > PROOF_SECONDS:
            raise BadProof("iat is not now")
        if asked.access_token is not None and text(claims, "ath") != _digest(asked.access_token):
            raise BadProof("ath is another token's")


def _without_query(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        raise BadProof("htu is no address") from None
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path}"


def _digest(token: str) -> str:
    return urlsafe_b64encode(hashlib.sha256(token.encode("ascii", "replace")).digest()).rstrip(b"=").decode()
