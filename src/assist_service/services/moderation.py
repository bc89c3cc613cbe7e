"""Moderation: of questions before a model reads them, of answers before a person does. What cannot be judged stays."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assist_service import telemetry
from assist_service.domain.answer import Checked
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.moderation import MODERATED_CHARACTERS, Judged, Verdict, written
from assist_service.domain.names import Masks
from assist_service.ports import Clock, Markup, ModerationFault, Moderator
from assist_service.services.health import Check

JUDGING_SECONDS = 10.0
"""How long one text may be judged, tries and all; never beyond the question's deadline."""

KNOWN_SECONDS = 300.0
"""How long what a moderator last came to says how it is."""


@dataclass(frozen=True)
class Moderators:
    """Who judges what: `chosen` what people and models write, `local` what this service writes."""

    chosen: Moderator
    local: Moderator

    async def close(self) -> None:
        await self.chosen.close()
        await self.local.close()


@dataclass
class Moderation:
    """Judges for every question, and knows how its moderator is. Without moderators everything passes."""

    moderators: Moderators | None
    markup: Markup
    clock: Clock
    seconds: float = JUDGING_SECONDS
    _last: tuple[float, bool] | None = None
    """When the chosen moderator was last asked, and whether it answered."""

    def of_question(self, *, deadline: float) -> "Judging":
        """For one question, which ends at `deadline`, a moment of the clock's `monotonic`."""
        return Judging(self, deadline)

    @property
    def provider(self) -> str | None:
        """The company that reads what people ask and models answer; None where that stays here."""
        return self.moderators.chosen.provider if self.moderators is not None else None

    async def check(self) -> Check:
        """How the moderator is, as far as questions showed it: a probe asks no provider."""
        if self.moderators is None:
            return Check.NOT_SET
        if self.provider is None:
            return Check.OK
        if self._last is None or self.clock.monotonic() - self._last[0] > KNOWN_SECONDS:
            return Check.UNKNOWN
        return Check.OK if self._last[1] else Check.FAILED

    async def refuses(self, moderator: Moderator, text: str, judged: Judged, *, deadline: float) -> bool:
        """Whether this moderator lets this text not pass. Raises AssistError `moderation_unavailable`."""
        began = self.clock.monotonic()
        verdict = await self._verdict(moderator, text, judged, left_seconds=deadline - began)
        seconds = self.clock.monotonic() - began
        telemetry.count_moderation(moderator=moderator.name, judged=judged, verdict=verdict, seconds=seconds)
        if verdict is Verdict.UNJUDGED:
            telemetry.log.warning("moderation_unjudged", moderator=moderator.name, judged=judged.value)
        if verdict is Verdict.REFUSED:
            telemetry.log.info("moderation_refused", moderator=moderator.name, judged=judged.value)
        if verdict in (Verdict.FAULT, Verdict.UNJUDGED):
            raise AssistError(Code.MODERATION_UNAVAILABLE)
        return verdict is Verdict.REFUSED

    async def _verdict(self, moderator: Moderator, text: str, judged: Judged, *, left_seconds: float) -> Verdict:
        if len(text) > MODERATED_CHARACTERS:
            return Verdict.REFUSED
        try:
            async with asyncio.timeout(max(min(self.seconds, left_seconds), 0.0)):
                refuses = await moderator.refuses(text)
        except TimeoutError:
            # A question is judged first, so nobody has used any of its time; an answer has what is left.
            if judged is not Judged.QUESTION and left_seconds < self.seconds:
                return Verdict.UNJUDGED
            reason = "timeout"
        except ModerationFault as fault:
            reason = str(fault)
        else:
            self._note(moderator, answered=True)
            return Verdict.PASSED if refuses is False else Verdict.REFUSED
        self._note(moderator, answered=False)
        telemetry.log.warning("moderation_fault", moderator=moderator.name, judged=judged.value, reason=reason)
        return Verdict.FAULT

    def _note(self, moderator: Moderator, *, answered: bool) -> None:
        if moderator.provider is not None:
            self._last = (self.clock.monotonic(), answered)


@dataclass
class Judging:
    """Decides who judges what for one question, and knows whether a provider has read any of it."""

    moderation: Moderation
    deadline: float
    has_sent: bool = False

    async def admit(self, question: str) -> None:
        """Lets the question by. Raises AssistError `question_refused` or `moderation_unavailable`."""
        if await self._refuses_any(lambda: {Judged.QUESTION: question}):
            raise AssistError(Code.QUESTION_REFUSED)

    async def refuses(self, checked: Checked, masks: Masks) -> bool:
        """Whether an answer may not be shown. Raises AssistError `moderation_unavailable`."""
        return await self._refuses_any(lambda: written(checked, masks, self.moderation.markup.text))

    async def _refuses_any(self, texts: Callable[[], Mapping[Judged, str]]) -> bool:
        """The service's own words never leave it; what is blank needs no judging."""
        moderators = self.moderation.moderators
        if moderators is None:
            return False
        # In another thread: a long card takes a while to read, and its names to find.
        for judged, text in (await asyncio.to_thread(texts)).items():
            if not text.strip():
                continue
            moderator = moderators.local if judged is Judged.SERVICE else moderators.chosen
            self.has_sent = self.has_sent or moderator.provider is not None
            if await self.moderation.refuses(moderator, text, judged, deadline=self.deadline):
                return True
        return False
