"""Conversations as people read them again, in the shape the contract fixes."""

from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict

from assist_service.domain.conversation import Kind
from assist_service.domain.reply import CitationLink

SHAPE = ConfigDict(extra="forbid", frozen=True)


class ConversationLine(BaseModel):
    """A conversation in a list; `active` says whether a further question may be put to it."""

    model_config = SHAPE

    id: UUID
    started_at: AwareDatetime
    last_at: AwareDatetime
    title: str
    active: bool


class ConversationList(BaseModel):
    """A page of conversations, the last used first; `next` is the cursor of the page after it."""

    model_config = SHAPE

    items: tuple[ConversationLine, ...]
    next: str | None


class ExchangeLine(BaseModel):
    """A question and its answer."""

    model_config = SHAPE

    id: UUID
    at: AwareDatetime
    question: str
    answer: str
    html: str
    kind: Kind
    citations: tuple[CitationLink, ...]
    corpus_version: str


class TranscriptPage(BaseModel):
    """A page of a conversation, the oldest exchange first; `next` is the cursor of the page after it."""

    model_config = SHAPE

    id: UUID
    items: tuple[ExchangeLine, ...]
    next: str | None
