"""Compact JWS read strictly: one algorithm, the type that was asked for, claims that are of their types."""

from collections.abc import Mapping
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.types import Options

from examples.reference_lms.keys import ALGORITHM

Claims = Mapping[str, Any]

_SIGNATURE_ONLY: Options = {
    "verify_signature": True,
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
    "verify_aud": False,
    "verify_iss": False,
    "verify_sub": False,
    "verify_jti": False,
}
"""PyJWT would check times against its own clock; what a token says is judged by its reader."""


class BadToken(ValueError):
    """A token that says nothing: which part is wrong, never what it held."""


def read_header(token: str) -> Mapping[str, Any]:
    try:
        return jwt.get_unverified_header(token)
    except (jwt.InvalidTokenError, UnicodeError, ValueError):
        raise BadToken("no JWS") from None


def read_claims(token: str, *, key: ec.EllipticCurvePublicKey, typ: str) -> Claims:
    """The claims of a token of this type that this key has signed."""
    _check_typ(token, typ)
    try:
        return jwt.decode(token, key, [ALGORITHM], options=_SIGNATURE_ONLY)
    except (jwt.InvalidTokenError, UnicodeError, ValueError):
        raise BadToken("wrong signature") from None


def claims_by_anyone(token: str, *, typ: str) -> Claims:
    """Those of a token of this type, whoever has signed it: for rules that are broken on purpose alone."""
    _check_typ(token, typ)
    try:
        return jwt.decode(token, options={**_SIGNATURE_ONLY, "verify_signature": False})
    except (jwt.InvalidTokenError, UnicodeError, ValueError):
        raise BadToken("no JWS") from None


def _check_typ(token: str, typ: str) -> None:
    if read_header(token).get("typ") != typ:
        raise BadToken("wrong typ")


def public_key(jwk: object) -> ec.EllipticCurvePublicKey:
    """The P-256 key of a JWK, which must be public."""
    if not isinstance(jwk, dict) or jwk.get("kty") != "EC" or jwk.get("crv") != "P-256":
        raise BadToken("no public P-256 key")
    try:
        key = jwt.PyJWK(jwk, ALGORITHM).key
    except (jwt.InvalidTokenError, jwt.PyJWTError, ValueError, TypeError):
        raise BadToken("no public P-256 key") from None
    if not isinstance(key, ec.EllipticCurvePublicKey):  # a private one: it has a `d`
        raise BadToken("no public P-256 key")
    return key


def text(claims: Claims, name: str, *, longest: int = 255) -> str:
    """A claim that is a text and not empty."""
    value = claims.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise BadToken(f"wrong {name}")
    return value


def seconds(claims: Claims, name: str) -> int:
    """A claim that is a time (RFC 7519, NumericDate)."""
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**40:
        raise BadToken(f"wrong {name}")
    return int(value)
