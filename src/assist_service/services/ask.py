"""The one path of a question: limits, context, conversation, moderation, model and tools, checks, store, reply."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from assist_service import telemetry
from assist_service.domain.answer import Checked
from assist_service.domain.asked import Asked, refuse_unfit, with_reference
from assist_service.domain.context import known_topic
from assist_service.domain.conversation import CHOSE, LOOKED_UP, NO_MODEL, WAITS, Exchange, Withheld, question_in
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.moderation import asked_beside
from assist_service.domain.people import Person
from assist_service.domain.progress import Tell, silent
from assist_service.domain.reply import CitationLink, Reply, receipt_of
from assist_service.domain.screens import Catalogue, Language
from assist_service.domain.statement import statement_of, waits
from assist_service.domain.text import visible
from assist_service.domain.writes import PendingWrite
from assist_service.ports import Claim, Clock, Conversations, FinishedReply, Opened
from assist_service.services.answering import Answer, Answering
from assist_service.services.finishing import finished
from assist_service.services.moderation import Judging, Moderation
from assist_service.services.references import Holder, ReferenceDesk
from assist_service.services.standing import StandingDesk
from assist_service.services.turnstile import Turnstile


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Answers questions. Nothing unchecked leaves it, and a question that fails leaves nothing behind."""

    catalogue: Catalogue
    standing: StandingDesk
    turnstile: Turnstile
    moderation: Moderation
    answering: Answering
    references: ReferenceDesk
    conversations: Conversations
    clock: Clock

    async def __call__(
        self, person: Person, asked: Asked, *, key: str | None, session: str, tell: Tell = silent
    ) -> bytes:
        """The reply's JSON, kept under `key` if there is one. Raises AssistError with every documented code.

        Cancelled before the answer is stored, it leaves nothing but the rate count and what providers were asked.
        """
        asked_at = self.clock.now()
        refuse_unfit(asked, self.catalogue)
        asked = self._with_reference(person, asked)
        person = await self.standing(person)
        async with self.turnstile.claimed(person, asked, key) as claim:
            if isinstance(claim, bytes):
                return claim
            await self.turnstile.count(person)
            async with self.turnstile.opened(person, asked) as opened:
                question_id, deadline = uuid.uuid4(), self.answering.deadline()
                judging = self.moderation.of_question(deadline=deadline)
                asked = self.answering.narrowed(person, asked)
                if asked.waiting is None:  # of a choice no model reads anything
                    question = question_in(opened.history if opened is not None else (), asked.question)
                    await judging.admit(asked_beside(question, asked.context.commands))
                with telemetry.question(self.clock.monotonic) as told:
                    answer = await self.answering(
                        person, asked, opened, question_id, deadline=deadline, session=session, tell=tell
                    )
                    if await judging.refuses(answer.checked, answer.masks):
                        answer = self.answering.refused(asked, answer)
                    exchange = self._exchange(person, asked, opened, question_id, answer)
                    writes = self._pending(exchange, answer)
                    body = self._reply(exchange, answer, writes, judging).model_dump_json().encode()
                    await finished(self._store(exchange, opened, claim, body, writes, asked_at))
                    told.kind = exchange.kind
        telemetry.count_question(exchange.kind.value)
        return body

    def _with_reference(self, person: Person, asked: Asked) -> Asked:
        """Raises AssistError `reference_invalid`, or `invalid_request` where nothing is asked."""
        if asked.reference is None:
            return asked
        return with_reference(asked, self.references.open(asked.reference, person.sub, asked.conversation_id))

    def _exchange(
        self, person: Person, asked: Asked, opened: Opened | None, question_id: uuid.UUID, answer: Answer
    ) -> Exchange:
        """What is kept: of the screen its pattern, topic and language, of the tools nothing (rows A2, A8)."""
        return Exchange(
            id=question_id,
            conversation_id=opened.conversation_id if opened is not None else uuid.uuid4(),
            owner=person.sub,
            at=self.clock.now(),
            kind=answer.checked.kind,
            language=answer.language.value,
            route=asked.context.route,
            topic=known_topic(asked.context, self.catalogue),
            model=answer.spent[-1].model if answer.spent else NO_MODEL,
            corpus_version=answer.corpus_version,
            question=visible(asked.question) if asked.waiting is None else CHOSE,
            answer=_to_be_read(answer.checked),
            citations=answer.checked.citations,
            names=answer.shown.names,
            withheld=_withheld(asked, answer),
        )

    def _pending(self, exchange: Exchange, answer: Answer) -> tuple[PendingWrite, ...]:
        """The writes of the answer, which wait from now on for its person in its conversation."""
        return tuple(
            PendingWrite(
                id=uuid.uuid4(),
                owner=exchange.owner,
                conversation_id=exchange.conversation_id,
                request=prepared.request,
                digest=prepared.request.digest,
                lines=prepared.lines,
                language=exchange.language,
                prepared_at=exchange.at,
            )
            for prepared in answer.checked.acts.writes
        )

    def _reply(self, exchange: Exchange, answer: Answer, writes: Sequence[PendingWrite], judging: Judging) -> Reply:
        acts, language = answer.checked.acts, Language(exchange.language)
        holder = Holder(exchange.owner, exchange.conversation_id)
        return Reply(
            conversation_id=exchange.conversation_id,
            exchange_id=exchange.id,
            kind=exchange.kind,
            answer=answer.shown.markdown,
            html=answer.shown.html,
            language=language,
            citations=tuple(CitationLink.of(citation) for citation in exchange.citations),
            actions=acts.actions,
            writes=tuple(write.card for write in writes),
            references=self.references.follow_ups(answer.shown.listed, holder, language),
            choices=self.references.choices(answer.shown.options, holder, language),
            statement=statement_of(acts, language),
            receipt=receipt_of(
                answer.spent,
                corpus_version=exchange.corpus_version,
                sent=answer.sent,
                also_sent=(*answer.also_sent, *(("moderation",) if judging.has_sent else ())),
            ),
        )

    async def _store(
        self,
        exchange: Exchange,
        opened: Opened | None,
        claim: Claim | None,
        body: bytes,
        writes: Sequence[PendingWrite],
        asked_at: dt.datetime,
    ) -> None:
        stored = await self.conversations.add(
            exchange,
            lease=opened.lease if opened is not None else None,
            finished=FinishedReply(claim, body) if claim is not None else None,
            writes=writes,
            asked_at=asked_at,
        )
        if not stored:
            raise AssistError(Code.CONVERSATION_NOT_FOUND)


def _to_be_read(checked: Checked) -> str:
    """What a model reads of it later, in a conversation that goes on."""
    if not checked.is_withheld:
        return checked.markdown
    return f"{LOOKED_UP} {WAITS}" if waits(checked.acts) else LOOKED_UP


def _withheld(asked: Asked, answer: Answer) -> Withheld | None:
    """What the person reads of it and no model may: of a choice its label, and an answer that was looked up.

    Of an answer that may not be shown no label: that may have been why. What stands in its place the person reads.
    """
    held = asked.held if asked.waiting is not None and not answer.is_refused else None
    chosen = held.label if held is not None else None
    if not answer.checked.is_withheld and chosen is None:
        return None
    return Withheld(answer=answer.shown.markdown, chosen=chosen)
