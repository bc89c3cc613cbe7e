"""What a session has of the assistant: whether it is offered, its limits, the notice, the screens of its role."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assist_service.domain.availability import Availability, Limits, Reason, ScreenLine, worded_notice
from assist_service.domain.context import QUESTION_CHARACTERS
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Admission, Person, Session, admission, person_of
from assist_service.domain.policy import Policy
from assist_service.domain.screens import Catalogue, Language
from assist_service.services.standing import StandingDesk
from assist_service.services.toolbox import ToolboxOf
from assist_service.tools.tool import LOOKING_UP, Family

REASONS: Mapping[Code, Reason | None] = {
    Code.EXAM_IN_PROGRESS: "exam_in_progress",
    Code.NOT_OFFERED: "not_offered",
    Code.UNAUTHENTICATED: "not_offered",
    Code.LMS_UNAVAILABLE: None,
}
"""Why it is not offered to whom the LMS says something of. Where it says nothing the session counts: the question is
refused then, with the code that tells the person to try again."""


@dataclass(frozen=True, kw_only=True)
class AvailabilityDesk:
    """Tells a front end what to show before anything is asked."""

    policy: Policy
    catalogue: Catalogue
    providers: Sequence[str]
    standing: StandingDesk
    toolbox: ToolboxOf

    async def __call__(self, session: Session, language: Language) -> Availability:
        """The answer for this session, in words of this language; never an error for want of being offered."""
        person = person_of(session)
        reason = self._refused(session)
        if reason is None:
            try:
                person = await self.standing.lately(person)
            except AssistError as refused:
                reason = REASONS[refused.code]
        toolbox = self.toolbox(person.roles)
        if reason is None and not toolbox.is_of_use:
            reason = "not_offered"
        offered = reason is None
        live = any(toolbox.has(family) for family in LOOKING_UP)
        return Availability(
            offered=offered,
            reason=reason,
            manual=offered and toolbox.has(Family.MANUAL),
            live=offered and live,
            languages=tuple(Language),
            limits=self._limits(),
            notice=self._notice(language, live=live) if offered else "",
            screens=self._screens(person) if offered else (),
        )

    def _refused(self, session: Session) -> Reason | None:
        """What the session alone says."""
        is_admitted = admission(session.role, session.kind) is Admission.ADMITTED
        return None if is_admitted and self.policy.of_role(session.role).offered else "not_offered"

    def _notice(self, language: Language, *, live: bool) -> str:
        """What is sent to whom: more of it where live data is."""
        texts = self.policy.texts
        wording = texts.notice if live else texts.notice_manual
        return worded_notice(wording[language], providers=self.providers, retention=self.policy.retention)

    def _limits(self) -> Limits:
        return Limits(
            question_characters=QUESTION_CHARACTERS,
            questions_per_minute=self.policy.limits.questions_per_minute,
            questions_per_day=self.policy.limits.questions_per_day,
            deadline_seconds=self.policy.effort.deadline_seconds,
        )

    def _screens(self, person: Person) -> tuple[ScreenLine, ...]:
        """In the catalogue's order: of two screens with one address the first is the one that opens, on both sides."""
        return tuple(
            ScreenLine(
                screen=name,
                pattern=screen.pattern,
                ids=screen.ids,
                params=screen.params,
                titles=screen.titles,
                topic=screen.topic,
            )
            for name, screen in self.catalogue.of_roles(*person.roles).items()
        )
