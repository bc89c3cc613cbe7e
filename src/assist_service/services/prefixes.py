"""The stable prefixes of the publication at hand: the same bytes for everyone of a role, made once."""

from collections.abc import Sequence

from assist_service.domain.manual import Publication
from assist_service.domain.people import Role
from assist_service.domain.policy import Policy
from assist_service.domain.prompt import Ability, stable_prefix
from assist_service.domain.screens import Catalogue


class Prefixes:
    """Keeps the prefixes of one publication; those of the last go when another is asked for."""

    def __init__(self, policy: Policy, catalogue: Catalogue) -> None:
        self._policy = policy
        self._catalogue = catalogue
        self._publication: Publication | None = None
        self._made: dict[tuple[tuple[Role, ...], frozenset[Ability]], str] = {}

    def of(self, roles: Sequence[Role], publication: Publication, *, abilities: frozenset[Ability]) -> str:
        """The prefix of these roles. The very publication counts, not its id: sections of it may be withdrawn."""
        if publication is not self._publication:
            self._publication, self._made = publication, {}
        of = (tuple(roles), abilities)
        if of not in self._made:
            self._made[of] = stable_prefix(self._policy, roles, publication, self._catalogue, abilities=abilities)
        return self._made[of]
