"""What a session has of the assistant: whether it is offered, its limits, the notice, the screens of its role."""

from collections.abc import Sequence
from dataclasses import dataclass

from assist_service.domain.availability import Availability, Limits, ScreenLine, worded_notice
from assist_service.domain.context import QUESTION_CHARACTERS
from assist_service.domain.errors import Code
from assist_service.domain.people import Admission, Session, admission
from assist_service.domain.policy import Policy
from assist_service.domain.screens import Catalogue, Language


@dataclass(frozen=True, kw_only=True)
class AvailabilityDesk:
    """Tells a front end what to show before anything is asked."""

    policy: Policy
    catalogue: Catalogue
    providers: Sequence[str]
    data_tools: frozenset[str]
    """The tools that read the LMS and that this one can serve."""

    def __call__(self, session: Session, language: Language) -> Availability:
        """The answer for this session, in words of this language; never an error for want of being offered."""
        role = self.policy.of_role(session.role)
        offered = role.offered and admission(session.role, session.kind) is Admission.ADMITTED
        wording = self.policy.texts.notice[language]
        notice = worded_notice(wording, providers=self.providers, retention=self.policy.retention)
        return Availability(
            offered=offered,
            reason=None if offered else Code.NOT_OFFERED.value,
            manual=offered and self.policy.switches.manual,
            live=offered and self.policy.switches.live and not self.data_tools.isdisjoint(role.tools),
            languages=tuple(Language),
            limits=Limits(
                question_characters=QUESTION_CHARACTERS,
                questions_per_minute=self.policy.limits.questions_per_minute,
                questions_per_day=self.policy.limits.questions_per_day,
                deadline_seconds=self.policy.effort.deadline_seconds,
            ),
            notice=notice if offered else "",
            screens=self._screens(session) if offered else (),
        )

    def _screens(self, session: Session) -> tuple[ScreenLine, ...]:
        return tuple(
            ScreenLine(
                screen=name,
                pattern=screen.pattern,
                ids=screen.ids,
                params=screen.params,
                titles=screen.titles,
                topic=screen.topic,
            )
            for name, screen in sorted(self.catalogue.of_roles(session.role).items())
        )
