"""What the LMS says of a person at this moment, before anything of their question is done."""

from dataclasses import dataclass, replace

from assist_service import telemetry
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.people import Person
from assist_service.domain.policy import Policy
from assist_service.ports import Lms, LmsFault, LmsFaultKind


@dataclass(frozen=True, kw_only=True)
class StandingDesk:
    """Asks where the policy wants it: a signed session says what was true up to five minutes ago."""

    policy: Policy
    lms: Lms

    async def __call__(self, person: Person) -> Person:
        """The person with their current role.

        Raises AssistError: `unauthenticated` for an account that is over, `exam_in_progress`, `not_offered` for a
        role that has none, `lms_unavailable` where the LMS does not say.
        """
        if not self.policy.standing:
            return person
        try:
            standing = await self.lms.standing(person.sub)
        except LmsFault as fault:
            if fault.kind is not LmsFaultKind.NOT_FOUND:
                raise AssistError(Code.LMS_UNAVAILABLE) from None
            # An LMS that has no such endpoint says the same of everybody, and a 401 alone would tell no operator.
            telemetry.log.warning("standing_unknown_person")
            raise AssistError(Code.UNAUTHENTICATED) from None
        if not standing.active:
            raise AssistError(Code.UNAUTHENTICATED)
        if standing.exam_in_progress:
            raise AssistError(Code.EXAM_IN_PROGRESS)
        person = replace(person, current=standing.role)
        if not self.policy.of_roles(person.roles).offered:
            raise AssistError(Code.NOT_OFFERED)
        return person
