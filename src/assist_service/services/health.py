"""Whether this replica can do its work: named checks, two of which decide it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Check(StrEnum):
    """What a check found; `unknown` where it could not look, `not_set` what this service was not set up with."""

    OK = "ok"
    FAILED = "failed"
    UNKNOWN = "unknown"
    NOT_SET = "not_set"


DECIDING = frozenset({"database", "publication"})
"""The checks without which nothing can be answered. The others are reported only."""


CHECK_SECONDS = 3.0
"""A check that takes longer could not look."""


class Readiness(BaseModel):
    """The answer of `/readyz`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ready: bool
    checks: dict[str, Check]


@dataclass(frozen=True, kw_only=True)
class Health:
    """Runs every check anew, all at once."""

    checks: Mapping[str, Callable[[], Awaitable[Check]]]

    async def __call__(self) -> Readiness:
        results = await asyncio.gather(*(_found(check) for check in self.checks.values()))
        found = dict(zip(self.checks, results, strict=True))
        return Readiness(ready=all(found[name] is Check.OK for name in DECIDING), checks=found)


async def _found(check: Callable[[], Awaitable[Check]]) -> Check:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            return await check()
    except Exception:  # noqa: BLE001 whatever is wrong, the others are still told
        return Check.UNKNOWN
