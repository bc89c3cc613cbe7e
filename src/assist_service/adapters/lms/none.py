"""No LMS to ask: stands in where a policy reads nothing of one."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import NoReturn

from assist_service.domain.school import Standing
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads


class _NoReads:
    """Whatever is read, nothing is there."""

    def __getattr__(self, name: str) -> NoReturn:
        raise LmsFault(LmsFaultKind.REFUSED)


class NoLms:
    """Implements ports.Lms. It offers nothing, so no tool needs it."""

    @property
    def offers(self) -> frozenset[str]:
        return frozenset()

    def reading(self, session: str) -> AbstractAsyncContextManager[SchoolReads]:
        return _nothing()

    async def standing(self, sub: str) -> Standing:
        raise LmsFault(LmsFaultKind.REFUSED)


@asynccontextmanager
async def _nothing() -> AsyncIterator[SchoolReads]:
    reads: SchoolReads = _NoReads()
    yield reads
