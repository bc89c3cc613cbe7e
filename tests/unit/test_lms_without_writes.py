"""An LMS that has no writes offers none, and refuses each without a request."""

from uuid import UUID

import pytest

from assist_service.adapters.lms.kolibri import KolibriLms
from assist_service.adapters.lms.none import NoLms
from assist_service.domain.errors import WriteFailure
from assist_service.domain.writes import WriteRequest, WriteTool
from assist_service.ports import Lms, LmsFault, WriteRefused
from tests.unit.lms_desk import KEY, SESSION, open_desk


@pytest.mark.parametrize("tool", WriteTool)
async def test_it_offers_none_and_refuses_all(tool: WriteTool) -> None:
    async with open_desk() as desk:
        kolibri = KolibriLms(desk.lms.base_url, client_id="assist-service", key=KEY, clock=desk.clock)
        lacking: tuple[Lms, ...] = (NoLms(), kolibri)
        for lms in lacking:
            assert not lms.offers & {each.value for each in WriteTool}
            async with lms.writing(SESSION, tool) as writer:
                with pytest.raises(WriteRefused) as refused:
                    await writer.write(WriteRequest.of(tool, None, {}), key=UUID(int=1))
                assert refused.value.failure is WriteFailure.REFUSED
                with pytest.raises(LmsFault):
                    await writer.reads.for_tool(tool).courses()
        await kolibri.aclose()
        assert desk.lms.requests == []
