"""Reading and deleting conversations: the owner their own, an administrator with elevated rights audited."""

import asyncio
import uuid
from dataclasses import dataclass

from assist_service.domain.citations import markers
from assist_service.domain.conversation import ConversationHead, Exchange, is_open
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Person
from assist_service.domain.policy import Policy
from assist_service.domain.reply import CitationLink
from assist_service.domain.transcript import ConversationLine, ConversationList, ExchangeLine, TranscriptPage
from assist_service.ports import AuditedReads, Clock, Conversations, Listing, Markup, Transcript


@dataclass(frozen=True, kw_only=True)
class ConversationDesk:
    """Everything that is not there for this person is the same `conversation_not_found`."""

    policy: Policy
    conversations: Conversations
    audited: AuditedReads
    markup: Markup
    clock: Clock

    async def list_own(self, person: Person, *, cursor: str | None, limit: int) -> ConversationList:
        return self._list(await self.conversations.listing(person.sub, cursor=cursor, limit=limit))

    async def list_of(self, reader: Person, sub: str, *, cursor: str | None, limit: int) -> ConversationList:
        """Another person's list, for an administrator with elevated rights; audited."""
        if not reader.elevated:
            raise AssistError(Code.CONVERSATION_NOT_FOUND)
        return self._list(await self.audited.listing(reader.sub, sub, now=self.clock.now(), cursor=cursor, limit=limit))

    async def read(
        self, person: Person, conversation_id: uuid.UUID, *, cursor: str | None, limit: int
    ) -> TranscriptPage:
        """The person's own conversation, or with elevated rights anyone's, audited."""
        found = await self.conversations.transcript(person.sub, conversation_id, cursor=cursor, limit=limit)
        if found is None and person.elevated:
            found = await self.audited.transcript(
                person.sub, conversation_id, now=self.clock.now(), cursor=cursor, limit=limit
            )
        if found is None:
            raise AssistError(Code.CONVERSATION_NOT_FOUND)
        return await asyncio.to_thread(self._page, conversation_id, found)  # rendering takes its time

    async def delete(self, person: Person, conversation_id: uuid.UUID) -> None:
        """Deletes the person's own conversation; nobody deletes another's."""
        if not await self.conversations.delete(person.sub, conversation_id, now=self.clock.now()):
            raise AssistError(Code.CONVERSATION_NOT_FOUND)

    def _page(self, conversation_id: uuid.UUID, transcript: Transcript) -> TranscriptPage:
        items = tuple(self._line(exchange) for exchange in transcript.items)
        return TranscriptPage(id=conversation_id, items=items, next=transcript.next)

    def _line(self, exchange: Exchange) -> ExchangeLine:
        """Rendered now, not when it was stored: what is shown obeys today's rules."""
        return ExchangeLine(
            id=exchange.id,
            at=exchange.at,
            question=exchange.shown_question,
            answer=exchange.shown_answer,
            html=self.markup.html(exchange.shown_answer, markers=markers(exchange.citations)),
            kind=exchange.kind,
            citations=tuple(CitationLink.of(citation) for citation in exchange.citations),
            corpus_version=exchange.corpus_version,
        )

    def _list(self, listing: Listing) -> ConversationList:
        return ConversationList(items=tuple(self._head(head) for head in listing.items), next=listing.next)

    def _head(self, head: ConversationHead) -> ConversationLine:
        now = self.clock.now()
        return ConversationLine(
            id=head.id,
            started_at=head.span.started_at,
            last_at=head.span.last_at,
            title=head.title,
            active=is_open(head.span, self.policy.conversation, now=now),
        )
