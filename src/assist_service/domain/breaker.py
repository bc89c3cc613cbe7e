"""A circuit breaker as a value: after failures in a row it keeps requests away, then lets one through to see."""

from dataclasses import dataclass, replace
from enum import StrEnum

FAILURES = 3
"""Failures in a row that open it."""

COOLDOWN_SECONDS = 30.0
"""How long it stays open before one request may try; twice as long after each try that fails."""

MAX_COOLDOWN_SECONDS = 240.0


class State(StrEnum):
    """Where it stands."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True)
class Breaker:
    """Moments are seconds of one monotonic clock; `began` is when a request was sent.

    Once it is open, only a request sent since then tells anything new: of the ones that were on their way when the
    provider went down, each would otherwise count as one more try that failed.
    """

    failures: int = 0
    open_until: float | None = None
    cooldown_seconds: float = COOLDOWN_SECONDS
    opened_at: float = 0.0

    def state(self, now: float) -> State:
        if self.open_until is None:
            return State.CLOSED
        return State.OPEN if now < self.open_until else State.HALF_OPEN

    def admitting(self, now: float) -> "Breaker | None":
        """What it is once a request went through; None where it lets none through now.

        Half open it lets one through and is open to the others until that one has shown how things are.
        """
        match self.state(now):
            case State.CLOSED:
                return self
            case State.OPEN:
                return None
            case State.HALF_OPEN:
                return replace(self, open_until=now + self.cooldown_seconds, opened_at=now)

    def given_back(self, now: float, *, began: float) -> "Breaker":
        """What it is when the one it let through was never sent, or stopped before its end: the next one may."""
        return self if self.open_until is None or began < self.opened_at else replace(self, open_until=now)

    def failed(self, now: float, *, began: float) -> "Breaker":
        """What it is after a request that failed as one does whose provider is down."""
        if self.open_until is None:
            failures = self.failures + 1
            return Breaker(failures, now + COOLDOWN_SECONDS if failures >= FAILURES else None, opened_at=now)
        if began < self.opened_at:
            return self
        cooldown = min(self.cooldown_seconds * 2, MAX_COOLDOWN_SECONDS)
        return Breaker(self.failures + 1, now + cooldown, cooldown, opened_at=now)

    def answered(self, *, began: float) -> "Breaker":
        """What it is after any answer at all."""
        return self if self.open_until is not None and began < self.opened_at else CLOSED


CLOSED = Breaker()
"""What it is before anything failed."""
