"""Asks the questions of a set one after the other, the whole way a person's go, and judges what comes."""

import asyncio
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assist_service.domain.asked import Asked
from assist_service.domain.context import AssistContext
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.evaluating.criteria import CallMade, Transcript, judged
from assist_service.domain.evaluating.questions import Question
from assist_service.domain.evaluating.report import Result, Stopped
from assist_service.domain.live.query import RecordKind
from assist_service.domain.people import Person
from assist_service.domain.references import LIFETIME, Picked, Purpose, Reference, Selection
from assist_service.domain.screens import Language
from assist_service.ports import Clock, LanguageDetector
from assist_service.services.answering import Answer, Answering
from assist_service.services.recording import RecordingProvider

ROUTE = "/"
"""Every question is asked on a screen that says nothing of it."""

FAULTS_IN_A_ROW = 3
"""Questions that the provider answers nothing to before a run stops: it is down, and the others would only wait."""

NO_USABLE_ANSWER = "no answer that could be used"
"""The provider answered and the loop could do nothing with it: the model's fault, not the provider's."""

Told = Callable[[Result], None]
"""Told of each question as it ends."""


@dataclass(frozen=True)
class Examined:
    """The results in the order of the questions, and why there are not more."""

    results: tuple[Result, ...]
    stopped: Stopped | None


@dataclass(frozen=True, kw_only=True)
class Examination:
    """One run. Nobody else uses its model and its ledger meanwhile."""

    answering: Answering
    model: RecordingProvider
    spent_micros: Callable[[], int]
    """What the whole run has cost by now."""
    picked: Callable[[RecordKind, str], uuid.UUID]
    """The id of a record that a question has selected."""
    detector: LanguageDetector
    clock: Clock

    async def __call__(self, questions: Sequence[Question], *, tell: Told) -> Examined:
        """Stops at the cap, where the provider is down, and where it is cancelled: what is there by then is told."""
        results: list[Result] = []
        silent = 0
        for number, question in enumerate(questions, start=1):
            try:
                result = await self._result(number, question)
            except asyncio.CancelledError:  # Ctrl-C: what was paid for is not thrown away
                return Examined(tuple(results), Stopped.INTERRUPTED)
            if result is None:
                return Examined(tuple(results), Stopped.CAP)
            results.append(result)
            tell(result)
            silent = silent + 1 if result.error is not None and self.model.fault is not None else 0
            if silent == FAULTS_IN_A_ROW:
                return Examined(tuple(results), Stopped.PROVIDER)
        return Examined(tuple(results), None)

    async def _result(self, number: int, question: Question) -> Result | None:
        """What came of one question; None where the cap left no room for its next request."""
        began, spent = self.clock.monotonic(), self.spent_micros()
        self.model.begin()
        answer: Answer | None = None
        error: str | None = None
        try:
            answer = await self._ask(question)
        except AssistError as failed:
            if failed.code is Code.LLM_BUDGET_EXHAUSTED:
                return None
            error = self._error(failed)
        calls = tuple(CallMade(tool=call.name, arguments=call.arguments) for call in self.model.calls)
        return Result(
            number=number,
            group=question.group,
            role=question.role,
            language=question.language,
            question=question.question,
            error=error,
            calls=calls,
            requests=self.model.requests,
            cost_micros=self.spent_micros() - spent,
            seconds=round(self.clock.monotonic() - began, 3),
            **(self._judged(question, calls, answer) if answer is not None else {}),
        )

    def _error(self, failed: AssistError) -> str:
        if failed.code is not Code.LLM_UNAVAILABLE:
            return failed.code.value
        return f"provider: {self.model.fault}" if self.model.fault is not None else NO_USABLE_ANSWER

    async def _ask(self, question: Question) -> Answer:
        person = Person(sub="evaluation", role=question.role, elevated=False)
        context = AssistContext(route=ROUTE, language=question.language)
        asked = Asked(
            conversation_id=None,
            question=question.question,
            context=context,
            editor=None,
            reference=None,
            canonical=b"",
            held=self._held(question),
        )
        return await self.answering(
            person,
            self.answering.narrowed(person, asked),
            None,
            uuid.uuid4(),
            deadline=self.answering.deadline(),
            session="",
        )

    def _held(self, question: Question) -> Reference | None:
        """What the person selected before they asked, as a follow-up reference brings it."""
        if question.lookup is None or not question.lookup.selected:
            return None
        records = tuple(
            Picked(kind=kind, id=self.picked(kind, name)) for kind, name in question.lookup.selected.items()
        )
        return Reference(
            purpose=Purpose.FOLLOW_UP,
            selection=Selection(records=records),
            label="",
            language=question.language,
            expires_at=self.clock.now() + LIFETIME,
        )

    def _judged(self, question: Question, calls: tuple[CallMade, ...], answer: Answer) -> Mapping[str, object]:
        checked = answer.checked
        came = Transcript(
            calls=calls,
            kind=checked.kind,
            cited=tuple(citation.page for citation in checked.citations),
            language=self._language(answer),
            answer=answer.shown.markdown,
        )
        return {
            "kind": came.kind,
            "answered_in": came.language,
            "cited": came.cited,
            "answer": came.answer,
            "verdicts": judged(question, came),
        }

    def _language(self, answer: Answer) -> Language | None:
        """That of the model's own words where it said any: the service's are in the language of the question."""
        words = answer.checked.words
        if not words:
            return answer.language
        detected = self.detector.detect(words, [language.value for language in Language])
        return Language(detected) if detected is not None else None
