"""The models that can be asked, what each costs, whether it is down, and what it counted of what stays the same."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from assist_service import telemetry
from assist_service.domain.breaker import CLOSED, Breaker, State
from assist_service.domain.budget import Counted, Price, least_tokens, stable_bytes
from assist_service.domain.messages import ModelRequest, ProviderFault, ProviderFaultKind
from assist_service.ports import ModelProvider

STABLE_PARTS = 64
"""Stable parts whose counts are kept: a few roles, each with the publication of today and of yesterday."""

StablePart = tuple[str, tuple[str, ...], int]
"""Prefix, names of the tools, size in bytes: tools of one name are one tool in a process."""


@dataclass
class Source:
    """One model. What it learns binds nobody: a new process begins without it, a little more careful."""

    provider: ModelProvider
    price: Price
    breaker: Breaker = CLOSED
    _counted: dict[StablePart, int] = field(default_factory=dict)

    @property
    def model(self) -> str:
        return self.provider.model

    def counted(self, request: ModelRequest) -> Counted | None:
        """What earlier requests that began with the same prefix and tools bound of this one."""
        part = _stable_part(request)
        tokens = self._counted.get(part)
        return Counted(part[2], tokens) if tokens is not None else None

    def count(self, request: ModelRequest, input_tokens: int) -> None:
        """Keeps the least that a whole request with this beginning was counted at: the beginning is not more."""
        part = _stable_part(request)
        tokens = least_tokens(part[2], input_tokens)
        self._counted[part] = min(self._counted.pop(part, tokens), tokens)  # put last: the first is the longest unused
        while len(self._counted) > STABLE_PARTS:
            del self._counted[next(iter(self._counted))]

    def forget(self, request: ModelRequest) -> None:
        """What was learned of this beginning proved wrong."""
        self._counted.pop(_stable_part(request), None)

    def is_admitted(self, now: float) -> bool:
        """Whether its breaker lets a request through, which is then on its way."""
        admitting = self.breaker.admitting(now)
        if admitting is not None:
            self._become(admitting, now)
        return admitting is not None

    def gave_up(self, now: float, *, began: float) -> None:
        """A request that was let through never left, or was stopped: how it would have ended nobody knows."""
        self._become(self.breaker.given_back(now, began=began), now)

    def answered(self, now: float, *, began: float) -> None:
        self._become(self.breaker.answered(began=began), now)

    def failed(self, fault: ProviderFault, now: float, *, began: float) -> None:
        """A request that was refused for what it is was answered: the provider is there."""
        if fault.kind is ProviderFaultKind.PERMANENT:
            self.answered(now, began=began)
        else:
            self._become(self.breaker.failed(now, began=began), now)

    def _become(self, breaker: Breaker, now: float) -> None:
        self.breaker = breaker
        self.show(now)

    def show(self, now: float) -> None:
        """Shows operators where its breaker stands; time alone makes an open one half open."""
        telemetry.set_breaker(model=self.model, state=self.breaker.state(now))


def by_admission(sources: Sequence[Source], now: float) -> tuple[Sequence[Source], bool]:
    """The sources in the order to try them, and whether the first is tried to see if it is back.

    Those that are down come last, for a question is never left without.
    """
    for first in sources:
        is_probe = first.breaker.state(now) is State.HALF_OPEN
        if first.is_admitted(now):
            return [first, *(source for source in sources if source is not first)], is_probe
    return sources, False


def _stable_part(request: ModelRequest) -> StablePart:
    return request.prefix, tuple(tool.name for tool in request.tools), stable_bytes(request)
