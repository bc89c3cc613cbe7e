"""Moderation: of questions before a model reads them, of answers before a person does. What cannot be judged stays."""

import asyncio
from dataclasses import dataclass

from assist_service import telemetry
from assist_service.domain.answer import Checked
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.moderation import MODERATED_CHARACTERS, Judged, Verdict, written
from assist_service.domain.names import Masks
from assist_service.ports import Clock, ModerationFault, Moderator
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

    async def refuses(self, text: str, judged: Judged, *, deadline: float) -> bool:
        """Whether this text may not pass. Raises AssistError `moderation_unavailable`."""
        if self.moderators is None or not text.strip():
            return False
        moderator = self.moderators.local if judged is Judged.SERVICE else self.moderators.chosen
        verdict = await self._verdict(moderator, text, judged, min(self.seconds, deadline - self.clock.monotonic()))
        if moderator is self.moderators.chosen:
            self._last = (self.clock.monotonic(), verdict is not Verdict.FAULT)
        if verdict is Verdict.FAULT:
            raise AssistError(Code.MODERATION_UNAVAILABLE)
        return verdict is not Verdict.PASSED

    async def _verdict(self, moderator: Moderator, text: str, judged: Judged, most_seconds: float) -> Verdict:
        began = self.clock.monotonic()
        try:
            verdict = await _asked(moderator, text, most_seconds)
        except ModerationFault as fault:
            telemetry.log.warning("moderation_fault", moderator=moderator.name, judged=judged.value, reason=str(fault))
            verdict = Verdict.FAULT
        if verdict is Verdict.REFUSED:
            telemetry.log.info("moderation_refused", moderator=moderator.name, judged=judged.value)
        seconds = self.clock.monotonic() - began
        telemetry.count_moderation(moderator=moderator.name, judged=judged, verdict=verdict, seconds=seconds)
        return verdict


async def _asked(moderator: Moderator, text: str, seconds: float) -> Verdict:
    if len(text) > MODERATED_CHARACTERS:
        return Verdict.REFUSED
    try:
        async with asyncio.timeout(max(seconds, 0.0)):
            refuses = await moderator.refuses(text)
    except TimeoutError:
        raise ModerationFault("timeout") from None
    return Verdict.PASSED if refuses is False else Verdict.REFUSED


@dataclass
class Judging:
    """What is judged for one question, and whether a provider has read any of it."""

    moderation: Moderation
    deadline: float
    has_sent: bool = False

    async def admit(self, question: str) -> None:
        """Lets the question by. Raises AssistError `question_refused` or `moderation_unavailable`."""
        if await self._refuses(question, Judged.QUESTION):
            raise AssistError(Code.QUESTION_REFUSED)

    async def refuses(self, checked: Checked, masks: Masks) -> bool:
        """Whether an answer may not be shown. Raises AssistError `moderation_unavailable`."""
        if self.moderation.moderators is None:
            return False
        answer = await asyncio.to_thread(written, checked, masks)  # names in a long card take a while to find
        refused = await self._refuses(answer.by_model, Judged.ANSWER)
        return refused or await self._refuses(answer.by_service, Judged.SERVICE)

    async def _refuses(self, text: str, judged: Judged) -> bool:
        if judged is not Judged.SERVICE and text.strip() and self.moderation.provider is not None:
            self.has_sent = True
        return await self.moderation.refuses(text, judged, deadline=self.deadline)
