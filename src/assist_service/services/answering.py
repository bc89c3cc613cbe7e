"""Gets a checked answer: the person's manual pinned, the prompt built, the model asked, its words checked."""

import asyncio
import uuid
from dataclasses import dataclass, replace

from assist_service import telemetry
from assist_service.domain.answer import Checked, check_answer, refused_answer
from assist_service.domain.asked import Asked
from assist_service.domain.citations import Given, Numbering, markers
from assist_service.domain.context import known_topic
from assist_service.domain.conversation import masked, names_of, window
from assist_service.domain.editing import DraftAtHand
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.loop import Answered, AskedBack, Declined, Failed, Outcome, turn
from assist_service.domain.manual import ManualPage
from assist_service.domain.moderation import texts_of
from assist_service.domain.names import Masks
from assist_service.domain.people import Person
from assist_service.domain.placeholders import Names, with_names
from assist_service.domain.policy import Disclosure, Policy
from assist_service.domain.progress import Checking, Reading, Tell, silent
from assist_service.domain.prompt import Ability, draft_part, screen_part
from assist_service.domain.records import Known
from assist_service.domain.reply import AlsoSent, Sent, Spent
from assist_service.domain.screens import Catalogue, Language
from assist_service.domain.text import visible
from assist_service.ports import Clock, ConfigSchemas, LanguageDetector, Lms, Manuals, Markup, Opened, SchoolReads
from assist_service.services.bench import Bench
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
    """A checked answer, as Markdown and as HTML, the language and manual it rests on, and what it took.

    `checked` is masked where names were kept from the model; `shown` and `html` are as the person reads them.
    """

    checked: Checked
    masks: Masks
    shown: str
    html: str
    names: Names | None
    language: Language
    corpus_version: str
    spent: tuple[Spent, ...]
    sent: tuple[Sent, ...]
    also_sent: tuple[AlsoSent, ...]


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
    markup: Markup
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
        """Raises AssistError `llm_budget_exhausted`, `llm_unavailable`, `manual_unavailable` or `unauthenticated`."""
        async with self.lms.reading(session) as reads:
            bench = await self._bench(person, asked, opened, reads, tell)
            return await self._answer(person, asked, bench, self._line(person, question_id, deadline, tell))

    def narrowed(self, person: Person, asked: Asked) -> Asked:
        """The question with no more of its screen than the person's tools have a use for: only that is sent."""
        toolbox = self.toolbox(person.roles)
        return replace(asked, context=toolbox.of_use(asked.context))

    def deadline(self) -> float:
        """When a question that begins now has to be answered: a moment of the clock's `monotonic`."""
        return self.clock.monotonic() + self.policy.effort.deadline_seconds

    def refused(self, asked: Asked, answer: Answer) -> Answer:
        """What is said instead of an answer that may not be shown: the policy's own words, and nothing is done."""
        checked = refused_answer(self.policy, answer.language)
        html = self.markup.html(checked.markdown, markers=frozenset())
        names = _kept(asked, checked, answer.masks)
        return replace(answer, checked=checked, shown=checked.markdown, html=html, names=names)

    async def _answer(self, person: Person, asked: Asked, bench: Bench, line: Line) -> Answer:
        try:
            outcome = await self._converse(person, asked, bench=bench, line=line)
        finally:
            telemetry.observe_steps(self.policy.effort.provider_requests - line.requests_left)
        if isinstance(outcome, Failed):
            telemetry.log.warning("no_answer", reason=outcome.reason)
            raise AssistError(Code.LLM_UNAVAILABLE)
        bench.tell(Checking())
        # a second of work, if it is hostile
        checked, html, names = await asyncio.to_thread(self._checked, asked, outcome, bench)
        return Answer(
            checked=checked,
            masks=bench.masks,
            shown=with_names(checked.markdown, bench.masks.names),
            html=html,
            names=names,
            language=bench.desk.language,
            corpus_version=bench.desk.publication.id,
            spent=tuple(line.spent),
            sent=tuple(bench.sent),
            also_sent=(
                "question",
                *(("history",) if bench.history else ()),
                *(("draft",) if bench.desk.draft is not None else ()),
            ),
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

    def _checked(
        self, asked: Asked, outcome: Answered | AskedBack | Declined, bench: Bench
    ) -> tuple[Checked, str, Names | None]:
        desk = bench.desk
        checked = check_answer(
            outcome,
            policy=self.policy,
            language=desk.language,
            numbering=Numbering(desk.given, desk.audiences, self.manuals.withdrawn()),
            clean=lambda text, cite: self.markup.clean(text, cite=cite, tag=bench.masks.tag),
            looked_up=bench.look_ups.outcome,
            acts=desk.acts,
            may_act=not bench.toolbox.abilities.isdisjoint((Ability.SHOWING, Ability.PREPARING)),
        )
        shown = with_names(checked.markdown, bench.masks.names)
        html = self.markup.html(shown, markers=markers(checked.citations))
        return checked, html, _kept(asked, checked, bench.masks)

    def _desk(self, person: Person, asked: Asked, reads: SchoolReads, draft: DraftAtHand | None) -> Desk:
        """The person's manual, pinned to the publication that is active now, and the language of the answer."""
        edition = self.manuals.active()
        detected = self.detector.detect(asked.question, [language.value for language in Language])
        return Desk(
            publication=edition.publication,
            index=edition.index,
            audiences=self.policy.of_roles(person.roles).audiences,
            language=Language(detected) if detected is not None else asked.context.language,
            given=Given(edition.publication),
            known=Known.on_screen(asked.context.entities.present()),
            reads=reads,
            screens=self.catalogue.of_roles(*person.roles),
            commands=asked.context.commands,
            draft=draft,
            schemas=self.schemas,
        )

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
        asking = turn(bench.history, question, max_requests=effort.provider_requests)
        return await converse(asking, prompt=prompt, line=line, bench=bench)

    def _screen(self, asked: Asked, help_page: ManualPage | None, bench: Bench) -> str:
        """The screen and, as far as it fits, the draft: in that may stand names that were put back into a proposal."""
        desk = bench.desk
        part = screen_part(asked.context, help_page, desk.given)
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


def _kept(asked: Asked, checked: Checked, masks: Masks) -> Names | None:
    """The names that stay with the exchange, as long as it does: nobody's of whom it holds nothing.

    What it proposes with a name may stand in the LMS by the next question, and what is named in the question or was
    read unmasked must be known as a name when it goes to a model again.
    """
    return masks.kept(checked.markdown, asked.question, *texts_of(checked.acts))
