"""JWTs that say all that a good one says, and that nobody with the right to has signed."""

from collections.abc import Callable, Mapping
from typing import Any

import jwt

from assist_service.adapters.lms.signing import SigningKey

KEPT_HEADER = ("typ", "kid")
"""So that nothing but the signature tells the two apart: an unknown `kid` is refused by an LMS that checks no other."""


def _by_another_key(token: str) -> str:
    return SigningKey.generate().sign(_claims(token), header=_header(token))


def _by_nobody(token: str) -> str:
    return jwt.encode(_claims(token), "", algorithm="none", headers=_header(token))


Forge = Callable[[str], str]

FORGERIES: Mapping[str, Forge] = {
    "signed with another key": _by_another_key,
    "that is not signed (alg none)": _by_nobody,
}
"""Each by what it makes of a good JWT."""


def _claims(token: str) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


def _header(token: str) -> dict[str, Any]:
    return {name: value for name, value in jwt.get_unverified_header(token).items() if name in KEPT_HEADER}
