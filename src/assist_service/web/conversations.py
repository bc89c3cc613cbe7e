"""Conversations: the owner lists, reads and deletes; an administrator with elevated rights reads, audited."""

from typing import Annotated

from fastapi import APIRouter, Path

from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import is_subject
from assist_service.domain.transcript import ConversationList, TranscriptPage
from assist_service.web.deps import ConversationId, PageDep, PersonDep, ReaderDep, ServiceDep
from assist_service.web.schemas import AT_THE_DOOR, TO_READ, problems

router = APIRouter(prefix="/assist")

_LIST_PROBLEMS = problems(*TO_READ, Code.INVALID_REQUEST)
_READ_PROBLEMS = problems(*TO_READ, Code.CONVERSATION_NOT_FOUND, Code.INVALID_REQUEST)
_DELETE_PROBLEMS = problems(*AT_THE_DOOR, Code.NOT_OFFERED, Code.CONVERSATION_NOT_FOUND)


@router.get("/conversations", responses=_LIST_PROBLEMS, operation_id="listConversations")
async def list_own(person: ReaderDep, service: ServiceDep, page: PageDep) -> ConversationList:
    """Lists the person's own conversations, the last used first."""
    return await service.conversations.list_own(person, cursor=page.cursor, limit=page.limit)


@router.get("/conversations/{conversation_id}", responses=_READ_PROBLEMS, operation_id="readConversation")
async def read(
    person: ReaderDep, conversation_id: ConversationId, service: ServiceDep, page: PageDep
) -> TranscriptPage:
    """Reads a conversation, the oldest exchange first."""
    return await service.conversations.read(person, conversation_id, cursor=page.cursor, limit=page.limit)


@router.delete(
    "/conversations/{conversation_id}",
    status_code=204,
    responses=_DELETE_PROBLEMS,
    operation_id="deleteConversation",
)
async def delete(person: PersonDep, conversation_id: ConversationId, service: ServiceDep) -> None:
    """Deletes the person's own conversation with all its exchanges."""
    await service.conversations.delete(person, conversation_id)


# Ids may hold a slash.
@router.get("/people/{sub:path}/conversations", responses=_READ_PROBLEMS, operation_id="listConversationsOf")
async def list_of(
    sub: Annotated[str, Path()], person: ReaderDep, service: ServiceDep, page: PageDep
) -> ConversationList:
    """Lists another person's conversations, for an administrator with elevated rights."""
    if not is_subject(sub):
        raise AssistError(Code.CONVERSATION_NOT_FOUND)
    return await service.conversations.list_of(person, sub, cursor=page.cursor, limit=page.limit)
