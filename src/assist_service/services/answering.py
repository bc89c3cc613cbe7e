"""Gets a checked answer: the person's manual pinned, the prompt built, the model asked, its words checked."""

import asyncio
import uuid
from dataclasses import dataclass, replace

from assist_service import telemetry
from assist_service.domain.answer import Checked
from assist_service.domain.asked import Asked
from assist_service.domain.citations import Given
from assist_service.domain.context import known_topic
from assist_service.domain.conversation import masked, names_of, window
from assist_service.domain.editing import DraftAtHand
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.live.query import Query
from assist_service.domain.loop import Answered, AskedBack, Declined, Failed, LookedUp, Outcome, Rejected, turn
from assist_service.domain.manual import ManualPage
from assist_service.domain.names import Masks
from assist_service.domain.people import Person
from assist_service.domain.placeholders import Names
from assist_service.domain.policy import Disclosure, Policy
from assist_service.domain.progress import Asking, Checking, Reading, Tell, silent
from assist_service.domain.prompt import draft_part, screen_part
from assist_service.domain.records import Known
from assist_service.domain.references import NOTHING, on_screen
from assist_service.domain.reply import AlsoSent, Sent, Spent
from assist_service.domain.screens import Catalogue, Language
from assist_service.domain.text import visible
from assist_service.ports import Clock, ConfigSchemas, LanguageDetector, Lms, Manuals, Opened, SchoolReads
from assist_service.services.bench import Bench
from assist_service.services.checks import Checks, Shown
from assist_service.services.converse import Prompt, converse
from assist_service.services.draft_desk import draft_at_hand
from assist_service.services.gateway import Gateway
from assist_service.services.line import Line
from assist_service.services.prefixes import Prefixes
from assist_service.services.tags import new_tag
from assist_service.services.toolbox import Toolbox, ToolboxOf
from assist_service.tools.guide import READ_GUIDE
from assist_service.tools.tool import Desk, Family


@dataclass(frozen=True)
class Answer:
    """A checked answer, the language and manual it rests on, and what it took."""

    shown: Shown
    masks: Masks
    language: Language
    corpus_version: str
    spent: tuple[Spent, ...]
    """Nothing where no model was asked."""
    sent: tuple[Sent, ...]
    also_sent: tuple[AlsoSent, ...]
    is_refused: bool = False
    """Whether it stands for one that may not be shown."""

    @property
    def checked(self) -> Checked:
        return self.shown.checked


@dataclass(frozen=True, kw_only=True)
class Answering:
    """From a question to a checked answer. No database connection is held while the model is waited for."""

    policy: Policy
    catalogue: Catalogue
    prefixes: Prefixes
    toolbox: ToolboxOf
    manuals: Manuals
    lms: Lms
    schemas: ConfigSchemas
    gateway: Gateway
    checks: Checks
    detector: LanguageDetector
    clock: Clock

    async def __call__(
        self,
        person: Person,
        asked: Asked,
        opened: Opened | None,
        question_id: uuid.UUID,
        *,
        deadline: float,
        session: str,
        tell: Tell = silent,
    ) -> Answer:
        """Raises AssistError `llm_budget_exhausted`, `llm_unavailable`, `manual_unavailable`, `unauthenticated`, and
        for a choice `lms_unavailable` or `reference_invalid`."""
        async with self.lms.reading(session) as reads:
            bench = await self._bench(person, asked, opened, reads, tell)
            if asked.waiting is not None:
                return await self._resumed(asked, asked.waiting, bench, deadline=deadline)
            return await self._answer(person, asked, bench, self._line(person, question_id, deadline, tell))

    def narrowed(self, person: Person, asked: Asked) -> Asked:
        """The question with no more of its screen than the person's tools have a use for: only that is sent."""
        toolbox = self.toolbox(person.roles)
        return replace(asked, context=toolbox.of_use(asked.context))

    def deadline(self) -> float:
        """When a question that begins now has to be answered: a moment of the clock's `monotonic`."""
        return self.clock.monotonic() + self.policy.effort.deadline_seconds

    def refused(self, asked: Asked, answer: Answer) -> Answer:
        """What is said instead of an answer that may not be shown, which then is as if nothing had come of it."""
        shown = self.checks.refused(asked, answer.language, answer.masks, is_withheld=answer.checked.is_withheld)
        return replace(answer, shown=shown, is_refused=True)

    async def _resumed(self, asked: Asked, waiting: Query, bench: Bench, *, deadline: float) -> Answer:
        """The answer of a lookup that waited for a choice: no model is asked. Raises AssistError `lms_unavailable`,
        and `reference_invalid` where the person has that lookup no more."""
        if not bench.has(waiting):
            raise AssistError(Code.REFERENCE_INVALID)
        bench.tell(Asking())
        try:
            async with asyncio.timeout(max(deadline - self.clock.monotonic(), 0.0)):
                outcome = await bench.resume(waiting)
        except TimeoutError:
            raise AssistError(Code.LMS_UNAVAILABLE) from None
        return await self._made(asked, outcome, bench, spent=(), also_sent=())

    async def _answer(self, person: Person, asked: Asked, bench: Bench, line: Line) -> Answer:
        try:
            outcome = await self._converse(person, asked, bench=bench, line=line)
        finally:
            telemetry.observe_steps(self.policy.effort.provider_requests - line.requests_left)
        if isinstance(outcome, Rejected):
            telemetry.log.warning("reply_rejected")
        if isinstance(outcome, Failed):
            telemetry.log.warning("no_answer", reason=outcome.reason)
            raise AssistError(Code.LLM_UNAVAILABLE)
        also_sent: tuple[AlsoSent, ...] = (
            "question",
            *(("history",) if bench.history else ()),
            *(("draft",) if bench.desk.draft is not None else ()),
        )
        return await self._made(asked, outcome, bench, spent=tuple(line.spent), also_sent=also_sent)

    async def _made(
        self,
        asked: Asked,
        outcome: Answered | AskedBack | Declined | LookedUp | Rejected,
        bench: Bench,
        *,
        spent: tuple[Spent, ...],
        also_sent: tuple[AlsoSent, ...],
    ) -> Answer:
        bench.tell(Checking())
        shown = await asyncio.to_thread(self.checks, asked, outcome, bench, at=self.clock.now())
        return Answer(
            shown=shown,
            masks=bench.masks,
            language=bench.desk.language,
            corpus_version=bench.desk.publication.id,
            spent=spent,
            sent=tuple(bench.sent),
            also_sent=also_sent,
        )

    async def _bench(
        self, person: Person, asked: Asked, opened: Opened | None, reads: SchoolReads, tell: Tell
    ) -> Bench:
        """The person's tools and desk, and the conversation so far without the names of who is known by now."""
        toolbox = self.toolbox(person.roles)
        draft = await self._draft(asked, toolbox, reads)
        if draft is None:
            toolbox = toolbox.without(Family.EDITING)
        exchanges = opened.history if opened is not None else ()
        history = window(exchanges, self.policy.history)
        masks = Masks.of(names_of(exchanges) or Names(new_tag()), asked.question)
        if masks.known:
            history = await asyncio.to_thread(masked, history, masks)
        desk = replace(self._desk(person, asked, reads, draft), respelt=masks.respelt)
        return Bench(toolbox, desk, masks, tell, history=history)

    async def _draft(self, asked: Asked, toolbox: Toolbox, reads: SchoolReads) -> DraftAtHand | None:
        """The very draft on screen, for who may have it edited and can read its question in the LMS (row A15)."""
        if asked.editor is None or not toolbox.has(Family.EDITING):
            return None
        return await draft_at_hand(reads, asked.editor)

    def _line(self, person: Person, question_id: uuid.UUID, deadline: float, tell: Tell) -> Line:
        return self.gateway.converse(
            person=person.sub,
            question_id=question_id,
            deadline=deadline,
            max_requests=self.policy.effort.provider_requests,
            tell=tell,
        )

    def _desk(self, person: Person, asked: Asked, reads: SchoolReads, draft: DraftAtHand | None) -> Desk:
        """The person's manual, pinned to the publication that is active now, and the language of the answer."""
        edition = self.manuals.active()
        return Desk(
            publication=edition.publication,
            index=edition.index,
            audiences=self.policy.of_roles(person.roles).audiences,
            language=self._language(asked),
            given=Given(edition.publication),
            known=Known.of(asked.context.entities.present(), asked.selected.entities),
            reads=reads,
            screens=self.catalogue.of_roles(*person.roles),
            commands=asked.context.commands,
            draft=draft,
            schemas=self.schemas,
            selected=asked.selected,
            on_screen=on_screen(asked.context.entities.present()) if not asked.selected else NOTHING,
        )

    def _language(self, asked: Asked) -> Language:
        """That of the answer a choice goes on with; of the message, where that is sure; else of the screen."""
        if asked.waiting is not None and asked.held is not None:
            return asked.held.language
        detected = self.detector.detect(asked.question, [language.value for language in Language])
        return Language(detected) if detected is not None else asked.context.language

    async def _converse(self, person: Person, asked: Asked, *, bench: Bench, line: Line) -> Outcome:
        desk, effort = bench.desk, self.policy.effort
        help_page = self._help(asked, desk)
        if help_page is not None:  # the guide, read for the model before it could ask
            bench.sent.append(Sent(tool=READ_GUIDE.name, disclosure=Disclosure.OPEN))
            bench.tell(Reading(page=help_page.path))
        prompt = Prompt(
            prefix=self.prefixes.of(person.roles, desk.publication, abilities=bench.toolbox.abilities),
            screen=await asyncio.to_thread(self._screen, asked, help_page, bench),  # a draft may be long
            tools=bench.toolbox.specs(),
            max_tokens=effort.answer_tokens,
        )
        question = bench.masks.unforgeable(visible(asked.question))
        asking = turn(bench.history, question, max_requests=effort.provider_requests, rejects=bench.toolbox.rejects)
        return await converse(asking, prompt=prompt, line=line, bench=bench)

    def _screen(self, asked: Asked, help_page: ManualPage | None, bench: Bench) -> str:
        """The screen and, as far as it fits, the draft: in that may stand names that were put back into a proposal."""
        desk = bench.desk
        selected = bench.toolbox.told(desk.selected, desk.on_screen)
        context = bench.toolbox.to_read(asked.context)
        part = screen_part(context, help_page, desk.given, selected=selected)
        if desk.draft is None:
            return part
        draft = draft_part(desk.draft, clear=bench.masks.kept_from)
        desk.unshown.update(draft.unshown)
        return f"{part}\n{draft.words}"

    def _help(self, asked: Asked, desk: Desk) -> ManualPage | None:
        """The help of the screen in the screen's language, where this person may read one."""
        topic = known_topic(asked.context, self.catalogue)
        if topic is None or not self.policy.switches.manual:
            return None
        return desk.publication.help_page(topic, desk.audiences, asked.context.language.value)
