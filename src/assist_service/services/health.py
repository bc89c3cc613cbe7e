"""Whether this replica can do its work: named checks, two of which decide it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Check(StrEnum):
    """What a check found; `not_set` is something this service was not set up with."""

    OK = "ok"
    FAILED = "failed"
    NOT_SET = "not_set"


DECIDING = frozenset({"database", "publication"})
"""The checks without which nothing can be answered. The others are reported only."""


class Readiness(BaseModel):
    """The answer of `/readyz`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ready: bool
    checks: dict[str, Check]


@dataclass(frozen=True, kw_only=True)
class Health:
    """Runs every check anew; a check that raises has failed."""

    checks: Mapping[str, Callable[[], Awaitable[Check]]]

    async def __call__(self) -> Readiness:
        found = {name: await _found(check) for name, check in self.checks.items()}
        return Readiness(ready=all(found[name] is Check.OK for name in DECIDING), checks=found)


async def _found(check: Callable[[], Awaitable[Check]]) -> Check:
    try:
        return await check()
    except Exception:  # noqa: BLE001 whatever is wrong, the check has failed and the others still run
        return Check.FAILED
