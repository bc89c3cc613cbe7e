"""What must be known to every process of this Kolibri for a while: tokens, open sessions, assertions already used.

Kept in the cache that Kolibri's processes share. Whatever it loses early is refused early, but for a used assertion,
which is refused after a minute anyway.
"""

import hashlib
import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import caches
from django.utils.timezone import now

TOKEN_SECONDS = 600
"""Longer than any question; at most 900 by the contract."""


@dataclass(frozen=True)
class Granted:
    """Whom a token acts as, and the sign-in it stands on."""

    user_id: str
    session_key: str
    expires: int


def _shared():
    # With Redis there is one cache and all processes share it; without, the default is each process's own.
    return caches["process_cache" if "process_cache" in settings.CACHES else "default"]


def _key(kind: str, value: str) -> str:
    """A cache that is read by others gives away no token: only its hash is in it."""
    return f"assist-exchange:{kind}:{hashlib.sha256(value.encode()).hexdigest()}"


def grant(user_id: str, session_key: str) -> str:
    """A new token."""
    token = secrets.token_urlsafe(32)
    granted = (user_id, session_key, int(now().timestamp()) + TOKEN_SECONDS)
    _shared().set(_key("token", token), granted, timeout=TOKEN_SECONDS)
    return token


def granted(token: str) -> Granted | None:
    """None for a token that is unknown, revoked or over."""
    found = _shared().get(_key("token", token))
    if found is None:
        return None
    record = Granted(*found)
    return record if record.expires > now().timestamp() else None


def revoke(token: str) -> None:
    _shared().delete(_key("token", token))


def remember_session(sid: str, session_key: str, *, seconds: int) -> None:
    _shared().set(_key("session", sid), session_key, timeout=seconds)


def session_key_of(sid: str) -> str | None:
    found = _shared().get(_key("session", sid))
    return found if isinstance(found, str) else None


def use_once(jti: str, *, seconds: int) -> bool:
    """False the second time. Also where the cache cannot say: a token that may have been used is one too many."""
    return bool(_shared().add(_key("jti", jti), 1, timeout=seconds))
