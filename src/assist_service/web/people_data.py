"""All that is kept of one person, for the LMS's own back end: exported as one document, and erased."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response, StreamingResponse

from assist_service.domain.errors import Code
from assist_service.domain.person_data import PersonDocument
from assist_service.web.deps import ControllerDep
from assist_service.web.schemas import AT_THE_DOOR, problems

router = APIRouter(prefix="/assist")

# Ids may hold a slash, which is one by the time the address is compared, however it was sent.
_PATH = "/people/{sub:path}/data"

Subject = Annotated[str, Path(json_schema_extra={"pattern": "^[!-~]{1,255}$"})]

# Not found is an address that a client shortened or broke: `.` and `..` do not travel in one, nor does a line's end.
_PROBLEMS = problems(*AT_THE_DOOR, Code.NOT_FOUND, Code.INVALID_REQUEST)


@router.get(
    _PATH,
    responses={200: {"model": PersonDocument}, **_PROBLEMS},
    response_class=StreamingResponse,
    operation_id="exportPerson",
)
async def export(sub: Subject, controller: ControllerDep) -> Response:
    """Exports every row kept of a person, sealed ones opened; a body that breaks off in the middle is no export."""
    pieces = controller.privacy.export(sub, actor=controller.name)
    first = await anext(pieces)  # what fails by then is a plain problem
    return StreamingResponse(_all(first, pieces), media_type="application/json")


async def _all(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece


@router.delete(_PATH, status_code=204, responses=_PROBLEMS, operation_id="erasePerson")
async def erase(sub: Subject, controller: ControllerDep) -> None:
    """Erases a person; the same answer for one of whom nothing is kept."""
    await controller.privacy.erase(sub, actor=controller.name)
