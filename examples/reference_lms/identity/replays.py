"""A word that may be used once is remembered for as long as it could be used again."""

from collections.abc import Callable
from datetime import datetime, timedelta


class Replays:
    """Identifiers (`jti`) that were seen."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._seen: dict[str, datetime] = {}

    def is_first(self, word: str, *, keep_seconds: int) -> bool:
        """Whether this is the first time within its time; it is remembered from here on."""
        now = self._now()
        self._seen = {each: until for each, until in self._seen.items() if until > now}
        if word in self._seen:
            return False
        self._seen[word] = now + timedelta(seconds=keep_seconds)
        return True
