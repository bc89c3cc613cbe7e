"""The session JWT: who asks, signed for the service, good for five minutes, and nothing to Kolibri's own API."""

import hashlib
import uuid
from dataclasses import dataclass

import jwt
from django.utils.timezone import now
from kolibri.core.auth.models import FacilityUser

from kolibri_assist_exchange import store
from kolibri_assist_exchange.configuration import configuration
from kolibri_assist_exchange.keys import ALGORITHM, session_key
from kolibri_assist_exchange.people import role_of

TYP = "assist-session+jwt"
SECONDS = 300
CLAIMS = ("iss", "aud", "sub", "sid", "jti", "iat", "exp", "role", "kind", "elevated")
TOKEN_CHARACTERS = 8_192


@dataclass(frozen=True)
class Subject:
    """Whom a session JWT names, and the sign-in it was made in."""

    user_id: str
    session_key: str


def issue(user: FacilityUser, browser_session: str) -> str:
    """`browser_session` is the key in the cookie: only its hash goes into the JWT."""
    said, key, issued = configuration(), session_key(), int(now().timestamp())
    sid = hashlib.sha256(f"assist-sid:{browser_session}".encode()).hexdigest()[:32]
    store.remember_session(sid, browser_session, seconds=SECONDS)
    claims = {
        "iss": said.url,
        "aud": said.audience,
        "sub": user.id,
        "sid": sid,
        "jti": str(uuid.uuid4()),
        "iat": issued,
        "exp": issued + SECONDS,
        "role": role_of(user),
        "kind": "portal",
        # Kolibri knows no step up to more rights within a session.
        "elevated": False,
    }
    return jwt.encode(claims, key.private, ALGORITHM, headers={"typ": TYP, "kid": key.kid})


def subject_of(token: str) -> Subject | None:
    """None for whatever this Kolibri did not sign for this client, or not lately, or whose sign-in is forgotten."""
    said, key = configuration(), session_key()
    if len(token) > TOKEN_CHARACTERS:
        return None
    try:
        header = jwt.get_unverified_header(token)
        if header.get("typ") != TYP or header.get("kid") != key.kid:
            return None
        claims = jwt.decode(
            token,
            key.private.public_key(),
            algorithms=[ALGORITHM],
            audience=said.audience,
            issuer=said.url,
            options={"require": list(CLAIMS), "strict_aud": True},
        )
    except (jwt.PyJWTError, ValueError):
        return None
    browser_session = store.session_key_of(claims["sid"])
    return Subject(claims["sub"], browser_session) if browser_session else None
