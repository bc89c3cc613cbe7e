"""The one path of a question: limits, context, conversation, model and tools, checks, store, reply."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from assist_service import telemetry
from assist_service.domain.answer import Checked, check_answer
from assist_service.domain.citations import Given, Numbering, markers
from assist_service.domain.context import (
    AssistContext,
    EditorDraft,
    known_topic,
    refuse_draft_off_screen,
    refuse_foreign_screen,
)
from assist_service.domain.conversation import Exchange, window
from assist_service.domain.errors import AssistError, Code, FieldFault
from assist_service.domain.loop import Failed, turn
from assist_service.domain.people import Person
from assist_service.domain.policy import Policy
from assist_service.domain.prompt import screen_part, stable_prefix
from assist_service.domain.reply import CitationLink, Reply, Sent, Spent, Statement, receipt_of
from assist_service.domain.screens import Catalogue, Language
from assist_service.domain.text import visible
from assist_service.ports import (
    Claim,
    Clock,
    Conversations,
    FinishedReply,
    LanguageDetector,
    Manuals,
    Markup,
    Opened,
    RateLimiter,
    Replies,
    Unclaimed,
    Unopened,
)
from assist_service.services.converse import Prompt, converse
from assist_service.services.gateway import Gateway
from assist_service.services.toolbox import Bench, toolbox_of
from assist_service.tools.tool import Desk, Tool

LEASE_MARGIN = dt.timedelta(seconds=30)
"""A conversation and a key stay taken this much longer than a question may run, then they are free again."""


@dataclass(frozen=True)
class Asked:
    """A question as it came, its shape already checked. `canonical` is the body in one fixed form."""

    conversation_id: uuid.UUID | None
    question: str
    context: AssistContext
    editor: EditorDraft | None
    reference: str | None
    canonical: bytes


@dataclass(frozen=True)
class Said:
    """What became of a question: a checked answer, and what it took."""

    checked: Checked
    spent: tuple[Spent, ...]
    sent: tuple[Sent, ...]
    with_history: bool


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Answers questions. Nothing unchecked leaves it, and a question that fails leaves nothing behind."""

    policy: Policy
    catalogue: Catalogue
    tools: Mapping[str, Tool]
    manuals: Manuals
    gateway: Gateway
    limiter: RateLimiter
    conversations: Conversations
    replies: Replies
    markup: Markup
    detector: LanguageDetector
    clock: Clock
    tz: dt.tzinfo

    async def __call__(self, person: Person, asked: Asked, *, key: str | None) -> bytes:
        """The reply's JSON, kept under `key` if there is one. Raises AssistError with every documented code."""
        self._refuse_unfit(asked)
        claim = await self._claim(person, asked, key)
        if isinstance(claim, bytes):
            return claim
        async with self._dropped_on_failure(claim):
            await self._count(person)
            async with self._opened(person, asked) as opened:
                question_id = uuid.uuid4()
                desk = self._desk(person, asked)
                said = await self._answer(person, asked, desk, opened, question_id)
                exchange = self._exchange(person, asked, desk, opened, question_id, said)
                body = self._reply(exchange, said).model_dump_json().encode()
                await self._store(exchange, opened, claim, body)
        telemetry.count_question(exchange.kind.value)
        return body

    def _refuse_unfit(self, asked: Asked) -> None:
        refuse_foreign_screen(asked.context, self.catalogue)
        refuse_draft_off_screen(asked.context, asked.editor)
        if asked.reference is not None:
            raise AssistError(Code.REFERENCE_INVALID)
        if not visible(asked.question).strip():
            raise AssistError(Code.INVALID_REQUEST, faults=(FieldFault("question", "is empty"),))

    async def _claim(self, person: Person, asked: Asked, key: str | None) -> Claim | bytes | None:
        """A claim on the key, or the reply kept under it; None where no key was sent."""
        if key is None:
            return None
        now = self.clock.now()
        claimed = await self.replies.claim(
            person.sub, key, body=asked.canonical, now=now, lease_until=self._lease_until(now)
        )
        match claimed:
            case Unclaimed.RUNNING:
                raise AssistError(Code.CONVERSATION_BUSY)
            case Unclaimed.MISMATCH:
                raise AssistError(Code.IDEMPOTENCY_MISMATCH)
            case _:
                return claimed

    @asynccontextmanager
    async def _dropped_on_failure(self, claim: Claim | None) -> AsyncIterator[None]:
        try:
            yield
        except BaseException:
            if claim is not None:
                await asyncio.shield(self.replies.drop(claim))
            raise

    async def _count(self, person: Person) -> None:
        wait = await self.limiter.count(person.sub, limits=self.policy.limits, now=self.clock.now(), tz=self.tz)
        if wait is not None:
            raise AssistError(Code.RATE_LIMITED, retry_after_seconds=wait)

    @asynccontextmanager
    async def _opened(self, person: Person, asked: Asked) -> AsyncIterator[Opened | None]:
        """Holds the conversation for this question; None where it is yet to start."""
        if asked.conversation_id is None:
            yield None
            return
        now = self.clock.now()
        opened = await self.conversations.open(
            person.sub,
            asked.conversation_id,
            pairs=self.policy.history.pairs,
            now=now,
            lease_until=self._lease_until(now),
        )
        match opened:
            case Unopened.NOT_FOUND:
                raise AssistError(Code.CONVERSATION_NOT_FOUND)
            case Unopened.BUSY:
                raise AssistError(Code.CONVERSATION_BUSY)
        try:
            yield opened
        except BaseException:
            await asyncio.shield(self.conversations.release(opened))
            raise

    def _lease_until(self, now: dt.datetime) -> dt.datetime:
        return now + dt.timedelta(seconds=self.policy.effort.deadline_seconds) + LEASE_MARGIN

    def _desk(self, person: Person, asked: Asked) -> Desk:
        """The person's manual, pinned to the publication that is active now, and the language of the answer."""
        publication = self.manuals.active()
        languages = [language.value for language in Language]
        detected = self.detector.detect(asked.question, languages)
        return Desk(
            publication=publication,
            audiences=self.policy.of_role(person.role).audiences,
            language=Language(detected) if detected is not None else asked.context.language,
            given=Given(publication),
        )

    async def _answer(
        self, person: Person, asked: Asked, desk: Desk, opened: Opened | None, question_id: uuid.UUID
    ) -> Said:
        history = window(opened.history if opened is not None else (), self.policy.history)
        toolbox = toolbox_of(self.policy, person.role, self.tools)
        bench = Bench(toolbox, desk)
        effort = self.policy.effort
        line = self.gateway.converse(
            person=person.sub,
            question_id=question_id,
            deadline=self.clock.monotonic() + effort.deadline_seconds,
        )
        prompt = Prompt(
            prefix=stable_prefix(self.policy, person.role, desk.publication, self.catalogue),
            screen=self._screen(asked, desk),
            tools=toolbox.specs(),
            max_tokens=effort.answer_tokens,
        )
        outcome = await converse(
            turn(history, visible(asked.question), max_requests=effort.provider_requests),
            prompt=prompt,
            line=line,
            bench=bench,
        )
        if isinstance(outcome, Failed):
            telemetry.log.warning("no_answer", reason=outcome.reason)
            raise AssistError(Code.LLM_UNAVAILABLE)
        checked = check_answer(
            outcome,
            policy=self.policy,
            language=desk.language,
            numbering=Numbering(desk.given, desk.audiences),
            clean=lambda text, cite: self.markup.clean(text, cite=cite),
        )
        return Said(checked, tuple(line.spent), tuple(bench.sent), with_history=bool(history))

    def _screen(self, asked: Asked, desk: Desk) -> str:
        topic = known_topic(asked.context, self.catalogue) if self.policy.switches.manual else None
        help_page = (
            desk.publication.help_page(topic, desk.audiences, asked.context.language.value)
            if topic is not None
            else None
        )
        return screen_part(asked.context, help_page, desk.given)

    def _exchange(
        self,
        person: Person,
        asked: Asked,
        desk: Desk,
        opened: Opened | None,
        question_id: uuid.UUID,
        said: Said,
    ) -> Exchange:
        return Exchange(
            id=question_id,
            conversation_id=opened.conversation_id if opened is not None else uuid.uuid4(),
            owner=person.sub,
            at=self.clock.now(),
            kind=said.checked.kind,
            language=desk.language.value,
            route=asked.context.route,
            topic=known_topic(asked.context, self.catalogue),
            model=said.spent[-1].model,
            corpus_version=desk.publication.id,
            question=visible(asked.question),
            answer=said.checked.markdown,
            citations=said.checked.citations,
        )

    def _reply(self, exchange: Exchange, said: Said) -> Reply:
        return Reply(
            conversation_id=exchange.conversation_id,
            exchange_id=exchange.id,
            kind=exchange.kind,
            answer=exchange.answer,
            html=self.markup.html(exchange.answer, markers=markers(exchange.citations)),
            language=Language(exchange.language),
            citations=tuple(CitationLink.of(citation) for citation in exchange.citations),
            statement=Statement(),
            receipt=receipt_of(
                said.spent,
                corpus_version=exchange.corpus_version,
                sent=said.sent,
                with_history=said.with_history,
            ),
        )

    async def _store(self, exchange: Exchange, opened: Opened | None, claim: Claim | None, body: bytes) -> None:
        stored = await self.conversations.add(
            exchange,
            lease=opened.lease if opened is not None else None,
            finished=FinishedReply(claim, body) if claim is not None else None,
        )
        if not stored:
            raise AssistError(Code.CONVERSATION_NOT_FOUND)
