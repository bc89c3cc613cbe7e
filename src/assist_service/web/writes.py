"""`POST /assist/writes/{id}/confirm` and `/cancel`: the person's word about a card, at a question's door."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from pydantic import BaseModel

from assist_service.domain.context import STRICT
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.reply import Confirmed
from assist_service.web.bodies import read_body
from assist_service.web.deps import PersonDep, ServiceDep, SessionToken
from assist_service.web.schemas import AT_THE_DOOR, json_request, problems

router = APIRouter(prefix="/assist/writes")

_AT_A_CARD = (*AT_THE_DOOR, Code.NOT_OFFERED, Code.TOO_LARGE, Code.WRITE_NOT_FOUND, Code.INVALID_REQUEST)


class OfConversation(BaseModel):
    """The conversation whose answer prepared the write."""

    model_config = STRICT

    conversation_id: uuid.UUID


async def _write_id(write_id: Annotated[str, Path(json_schema_extra={"format": "uuid"})]) -> uuid.UUID:
    """The id of a path; one that is no id names a write that is not there."""
    try:
        return uuid.UUID(write_id)
    except ValueError:
        raise AssistError(Code.WRITE_NOT_FOUND) from None


WriteId = Annotated[uuid.UUID, Depends(_write_id)]


@router.post(
    "/{write_id}/confirm",
    responses=problems(*_AT_A_CARD, Code.EXAM_IN_PROGRESS, Code.WRITE_FAILED, Code.WRITE_UNKNOWN),
    openapi_extra=json_request(OfConversation),
    operation_id="confirmWrite",
)
async def confirm(
    request: Request, person: PersonDep, write_id: WriteId, service: ServiceDep, session: SessionToken
) -> Confirmed:
    """Makes exactly the change that the card showed, once, and says where it is to be seen."""
    body = await read_body(request, OfConversation)
    return await service.writes.confirm(person, body.conversation_id, write_id, session=session)


@router.post(
    "/{write_id}/cancel",
    status_code=204,
    responses=problems(*_AT_A_CARD),
    openapi_extra=json_request(OfConversation),
    operation_id="cancelWrite",
)
async def cancel(request: Request, person: PersonDep, write_id: WriteId, service: ServiceDep) -> None:
    """Forgets the change."""
    body = await read_body(request, OfConversation)
    await service.writes.cancel(person, body.conversation_id, write_id)
