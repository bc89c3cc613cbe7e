"""No LMS to ask: stands in where a policy reads nothing of one."""

from contextlib import AbstractAsyncContextManager, nullcontext

from assist_service.adapters.lms.refusing import NoReads, NoWrites
from assist_service.domain.school import Standing
from assist_service.domain.writes import WriteTool
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads, SchoolWriter


class NoLms:
    """Implements ports.Lms. It offers nothing, so no tool needs it."""

    @property
    def offers(self) -> frozenset[str]:
        return frozenset()

    def reading(self, session: str) -> AbstractAsyncContextManager[SchoolReads]:
        return nullcontext(NoReads())

    def writing(self, session: str, tool: WriteTool) -> AbstractAsyncContextManager[SchoolWriter]:
        return nullcontext(NoWrites())

    async def standing(self, sub: str) -> Standing:
        raise LmsFault(LmsFaultKind.REFUSED)
